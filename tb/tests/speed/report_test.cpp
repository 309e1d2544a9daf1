// What is said of speeds; how large they are depends on the machine.
#include "tb/speed/report.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace assay::speed {
namespace {

const Catalogue& catalogue() {
  static const Catalogue shipped = shipped_catalogue();
  return shipped;
}

SpeedRow row() {
  const Instruction& wgmma = catalogue().instruction("hopper:wgmma.m64nNk16.f32.f16.f16");
  SpeedRow made;
  made.subject =
      std::make_shared<const SpeedSubject>(SpeedSubject{wgmma.full_name(), false, catalogue().plan_of(wgmma)});
  made.path = "32-bit lanes", made.size = 512, made.memory = 1.25;
  made.rates = {1.5e6, 2e9, 8e9, 0, 0};
  return made;
}

TEST(SpeedTable, HasARowForEach) {
  SpeedEffort effort;
  const SpeedRow one = row();
  const SpeedTable table({one.subject}, effort);
  EXPECT_NE(table.head().find("512 x 512 x 512"), std::string::npos);
  EXPECT_EQ(table.row(one), "fused_f25 f16      32-bit lanes    0.0015   2.00    1/4.0   x 1.2\n");
  effort.threads = 2;
  SpeedRow threaded = one;
  threaded.rates.walled = 1e9, threaded.rates.threaded = 1.9e9;
  EXPECT_EQ(SpeedTable({one.subject}, effort).row(threaded),
            "fused_f25 f16      32-bit lanes    0.0015   2.00    1/4.0   x 1.2    x 1.90\n");
}

TEST(SpeedTable, ShowsADashWhereThereIsNoSgemm) {
  SpeedRow one = row();
  one.rates.sgemm = 0;
  EXPECT_EQ(SpeedTable({one.subject}, {}).row(one),
            "fused_f25 f16      32-bit lanes    0.0015   2.00        -   x 1.2\n");
}

TEST(SpeedJson, SaysNullOfWhatWasNotMeasured) {
  const auto data = as_json({row()}, {}, {"a machine", "0.2"});
  ASSERT_EQ(data.at("rows").size(), 1u);
  EXPECT_TRUE(data["rows"][0].at("threaded").is_null());
  EXPECT_EQ(data["rows"][0].at("sgemm"), 8e9);
  EXPECT_EQ(data["rows"][0].at("instruction"), "hopper:wgmma.m64nNk16.f32.f16.f16");
}

Plan own_plan(const std::string& operands) {
  const std::string text = "name: own\nk: 8\nlike: fused_f25\noperands: {" + operands + "}\n";
  return plan_of(read_datapath_text(text, "own.yaml", catalogue()));
}

TEST(SpeedJson, NamesTheFileOfAnOwnDatapath) {
  SpeedRow one = row();
  one.subject = std::make_shared<const SpeedSubject>(
      SpeedSubject{"own.yaml", true, own_plan("a: hif8, b: posit8_2, c: f32, d: f32")});
  const auto data = as_json({one}, {}, {});
  EXPECT_EQ(data["rows"][0].at("file"), "own.yaml");
  EXPECT_EQ(data["rows"][0].at("datapath"), "own");
  EXPECT_EQ(SpeedTable({one.subject}, {}).row(one).rfind("own      hif8 x posit8_2 ", 0), 0u);
}

TEST(Speed, IsMeasuredOfUnitsWhoseCasesBringMore) {
  const auto subject = std::make_shared<const SpeedSubject>(SpeedSubject{
      "own.yaml", true, own_plan("a: i8, b: f16, c: f32, d: f32, scales: {s: {of: a, format: f32, block: 4}}")});
  const SpeedRow row = measured(subject, {16, 1, 0.001}, nullptr);
  EXPECT_EQ(row.path, "core");
  EXPECT_GT(row.rates.core, 0);
}

TEST(Forms, AreOneOfEachDatapathAndWidth) {
  const auto forms = one_of_each_form(catalogue());
  EXPECT_GT(forms.size(), 25u);
  for (const Instruction* i : forms) EXPECT_EQ(i->operands.c, i->operands.d) << i->full_name();
}

}  // namespace
}  // namespace assay::speed
