// One measurement held against an earlier one.
#include "tb/speed/record.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "model/base/error.hpp"
#include "tb/speed/report.hpp"
#include "tb/tests/scratch.hpp"

namespace assay::speed {
namespace {

SpeedRecord with(const RecordedForm& form) { return {"a machine", "AVX2", "0.2", {form}}; }

Change change_between(const RecordedForm& before, const RecordedForm& now) {
  const std::vector<FormChange> all = changes(with(before), with(now));
  return all.size() == 1 ? all.front().change : Change::unknown;
}

TEST(SpeedChanges, AreThoseBeyondTheNoiseOfBoth) {
  const RecordedForm before{"a", 512, 4.0, 0.02};
  EXPECT_EQ(change_between(before, {"a", 512, 4.0, 0.02}), Change::none);
  EXPECT_EQ(change_between(before, {"a", 512, 4.39, 0.02}), Change::none);    // -8.9 % of 9 %
  EXPECT_EQ(change_between(before, {"a", 512, 4.40, 0.02}), Change::slower);  // -9.1 %
  EXPECT_EQ(change_between(before, {"a", 512, 4.40, 0.03}), Change::none);
  EXPECT_EQ(change_between(before, {"a", 512, 3.66, 0.02}), Change::faster);
  EXPECT_EQ(change_between(before, {"a", 512, 3.68, 0.02}), Change::none);
}

TEST(SpeedChanges, AreUnknownWithoutNoiseOrRatio) {
  const RecordedForm before{"a", 512, 4.0, 0.02};
  EXPECT_EQ(change_between(before, {"a", 512, 8.0, {}}), Change::unknown);
  EXPECT_EQ(change_between(before, {"a", 512, {}, 0.02}), Change::unknown);
  EXPECT_EQ(change_between({"a", 512, 0.0, 0.02}, before), Change::unknown);
  EXPECT_EQ(change_between(before, {"a", 512, 0.0, 0.02}), Change::unknown);
}

TEST(SpeedChanges, AreOfFormsThatBothHave) {
  const RecordedForm before{"a", 512, 4.0, 0.02};
  EXPECT_TRUE(changes(with(before), with({"b", 512, 4.0, 0.02})).empty());
  EXPECT_TRUE(changes(with(before), with({"a", 256, 4.0, 0.02})).empty());
}

TEST(SpeedChanges, AreATable) {
  const SpeedRecord before{"one", "AVX2", "0.2", {{"a", 512, 4.0, 0.02}, {"bcd", 512, 4.0, 0.01}, {"e", 8, 2.0, {}}}};
  const SpeedRecord now{"two", "AVX2", "0.2", {{"a", 512, 5.0, 0.02}, {"bcd", 512, 3.0, 0.02}, {"e", 8, 2.0, {}}}};
  EXPECT_EQ(changes_text(before, now, changes(before, now)),
            "The record is of another machine, one; this one is two.\n"
            "form   before      now  change  noise\n"
            "a      1/4.00   1/5.00   -20 %    9 %  slower\n"
            "bcd    1/4.00   1/3.00   +33 %    8 %  faster\n"
            "e      1/2.00   1/2.00       -      -  measured too briefly, or without SGEMM\n"
            "\nbefore and now: of SGEMM. 3 forms: 1 slower by more than the noise, 1 faster, 1 not known.\n");
  const RecordedForm both{"a", 512, 4.0, 0.02};
  const SpeedRecord more{"one", "AVX2", "0.2", {both, {"x", 8, 2.0, {}}, {"y", 8, 2.0, {}}}};
  const SpeedRecord fewer{"one", "AVX2", "0.2", {both, {"z", 8, 2.0, {}}}};
  EXPECT_NE(changes_text(more, fewer, changes(more, fewer))
                .find("1 measured here are not in the record.\n2 of the record were not measured here.\n"),
            std::string::npos);
}

class RecordFile : public ::testing::Test {
 protected:
  std::string message_of(const std::string& text) {
    const Scratch folder;
    const std::string path = folder.file("record.json", text);
    try {
      record_ = read_record(path);
    } catch (const Error& e) {
      return e.message.substr(e.message.find(": ") + 2);
    }
    return "";
  }

  SpeedRecord record_;
};

TEST_F(RecordFile, IsWhatBenchWrote) {
  const Catalogue catalogue = shipped_catalogue();
  const Instruction& wgmma = catalogue.instruction("hopper:wgmma.m64nNk16.f32.f16.f16");
  SpeedRow row;
  row.subject = std::make_shared<const SpeedSubject>(SpeedSubject{wgmma.full_name(), false, catalogue.plan_of(wgmma)});
  row.size = 512;
  row.rates = {1.5e6, 2e9, 8e9, 0, 0, 0.125};
  ASSERT_EQ(message_of(as_json({row}, {}, {"a machine", "0.2"}).dump()), "");
  EXPECT_EQ(record_.machine, "a machine");
  ASSERT_EQ(record_.forms.size(), 1U);
  EXPECT_EQ(record_.forms[0].name, wgmma.full_name());
  EXPECT_EQ(record_.forms[0].size, 512);
  EXPECT_EQ(record_.forms[0].times, 4.0);
  EXPECT_EQ(record_.forms[0].noise, 0.125);
  row.rates.sgemm = 0, row.rates.noise.reset();
  ASSERT_EQ(message_of(as_json({row}, {}, {}).dump()), "");
  EXPECT_FALSE(record_.forms[0].times || record_.forms[0].noise);
}

TEST_F(RecordFile, IsRefusedInASentence) {
  const std::string none = "This is no record of speeds; assay bench --json writes one.";
  for (const char* text : {"", "[]", "{", "{\"rows\": 1}", "{\"a\": []}"}) EXPECT_EQ(message_of(text), none) << text;
  const std::string empty = "This record has no row with a name and a size.";
  for (const char* text : {"{\"rows\": []}", "{\"rows\": [1, {}, {\"instruction\": \"a\"}, {\"size\": 1}]}",
                           "{\"rows\": [{\"instruction\": 1, \"size\": 1}]}"})
    EXPECT_EQ(message_of(text), empty) << text;
}

}  // namespace
}  // namespace assay::speed
