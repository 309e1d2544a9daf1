#include <gtest/gtest.h>

#include "tb/devices/vectors_device.hpp"
#include "tb/tests/devices/plans.hpp"
#include "tb/tests/vectors/helpers.hpp"
#include "tb/vectors/reader.hpp"

namespace assay {
namespace {

using testing_vectors::put_file;
using testing_vectors::small_header;

const Plan the_plan = testing_devices::small_plan();

std::string line(const std::string& c, const std::string& d) {
  return R"({"a":["3c00","0000"],"b":["3c00","0000"],"c":")" + c + R"(","d":")" + d + "\"}\n";
}

Case asked(Code c) {
  Case asked;
  asked.a = {0x3c00, 0};
  asked.b = {0x3c00, 0};
  asked.c = c;
  return asked;
}

std::vector<Code> results(Device& device, const std::vector<Code>& cs) {
  std::vector<Case> cases;
  for (const Code c : cs) cases.push_back(asked(c));
  std::vector<Code> ds;
  for (const Answer& answer : device.run(cases, false)) ds.push_back(answer.ok() ? answer.d : ~Code{0});
  return ds;
}

TEST(VectorsDevice, AnswersWhatWasRecorded) {
  const Scratch folder;
  put_file(folder / "v",
           std::string(small_header) + "\n" + line("00000001", "0000000a") + line("00000002", "0000000b"));
  const auto device = vectors_device(the_plan, folder / "v");
  EXPECT_EQ(device->name(), "vectors:" + folder / "v");
  EXPECT_FALSE(device->offers_trace());
  EXPECT_EQ(results(*device, {1, 2}), (std::vector<Code>{0xa, 0xb}));
  EXPECT_EQ(results(*device, {2, 1, 2, 2}), (std::vector<Code>{0xb, 0xa, 0xb, 0xb}));
}

TEST(VectorsDevice, TakesTheSameCaseTwice) {
  const Scratch folder;
  put_file(folder / "v", std::string(small_header) + "\n" + line("00000001", "0000000a") +
                             line("00000001", "0000000a") + line("00000002", "0000000c"));
  const auto device = vectors_device(the_plan, folder / "v");
  EXPECT_EQ(results(*device, {1, 1, 2}), (std::vector<Code>{0xa, 0xa, 0xc}));
  EXPECT_EQ(results(*device, {2, 1}), (std::vector<Code>{0xc, 0xa}));
}

// Its answers would depend on what was asked before.
TEST(VectorsDevice, RefusesARecordingThatContradictsItself) {
  const Scratch folder;
  put_file(folder / "v", std::string(small_header) + "\n" + line("00000001", "0000000a") +
                             line("00000002", "0000000c") + line("00000001", "0000000b"));
  try {
    vectors_device(the_plan, folder / "v");
    FAIL() << "no error";
  } catch (const Error& error) {
    EXPECT_EQ(error.message, folder / "v" +
                                 ", line 4: the case has the operands of line 2, but d 0000000b where that has "
                                 "0000000a; a recording gives the same operands one d.");
    EXPECT_EQ(error.ending, Ending::wrong_use);
  }
}

TEST(VectorsDevice, TakesOneNanForAnother) {
  const Scratch folder;
  put_file(folder / "v", std::string(small_header) + "\n" + line("00000001", "7fc00000") +
                             line("00000002", "0000000c") + line("00000001", "7fffffff"));
  const auto device = vectors_device(the_plan, folder / "v");
  EXPECT_EQ(results(*device, {1, 2, 1}), (std::vector<Code>{0x7fc00000, 0xc, 0x7fc00000}));
}

TEST(VectorsDevice, SaysWhatItDoesNotHold) {
  const Scratch folder;
  put_file(folder / "v", std::string(small_header) + "\n" + line("00000001", "0000000a"));
  const auto device = vectors_device(the_plan, folder / "v");
  Case other = asked(1);
  other.b[1] = 1;
  const std::vector<Answer> answers = device->run({asked(2), other, asked(1)}, false);
  EXPECT_EQ(answers[0].error, "vectors:" + folder / "v" + " holds no case with these operands.");
  EXPECT_FALSE(answers[1].ok());
  EXPECT_TRUE(answers[2].ok());
}

// Two terms of f16 with a mask of two bits.
Plan masked_plan() {
  Datapath datapath = the_plan.datapath;
  datapath.operands.mask = Mask{};
  return std::get<Plan>(plan(datapath, 2));
}

std::string masked_line(const std::string& mask, const std::string& d) {
  return R"({"a":["3c00","0000"],"b":["3c00","0000"],"c":"00000001","mask":)" + mask + R"(,"d":")" + d + "\"}\n";
}

// Cases that differ in nothing but what their datapath asks for beside a, b, c and pairs of scales.
TEST(VectorsDevice, TellsMasksApart) {
  const Scratch folder;
  put_file(folder / "v", std::string(small_header) + "\n" + masked_line(R"(["1","1"])", "0000000a") +
                             masked_line(R"(["0","1"])", "0000000b"));
  const Plan plan = masked_plan();
  ASSERT_EQ(plan.more_codes(), 2);
  const auto device = vectors_device(plan, folder / "v");
  Case both = asked(1), second = asked(1), first = asked(1);
  both.more = {1, 1};
  second.more = {0, 1};
  first.more = {1, 0};
  const std::vector<Answer> answers = device->run({second, both, second, first}, false);
  EXPECT_EQ(answers[0].d, 0xbu);
  EXPECT_EQ(answers[1].d, 0xau);
  EXPECT_EQ(answers[2].d, 0xbu);
  EXPECT_EQ(answers[3].error, "vectors:" + folder / "v" + " holds no case with these operands.");
}

TEST(VectorsDevice, NeedsEveryResult) {
  const Scratch folder;
  put_file(folder / "v", std::string(small_header) + "\n" + line("00000001", "0000000a") +
                             R"({"a":["3c00","0000"],"b":["3c00","0000"],"c":"00000000"})" + "\n");
  try {
    vectors_device(the_plan, folder / "v");
    FAIL() << "no error";
  } catch (const Error& error) {
    EXPECT_EQ(error.message, folder / "v" + ", line 3: the case has no d; a recording gives one for every case.");
    EXPECT_EQ(error.ending, Ending::wrong_use);
  }
}

TEST(VectorsDevice, PassesOnWhatIsWrongWithTheFile) {
  try {
    vectors_device(the_plan, "/none/such");
    FAIL() << "no error";
  } catch (const Error& error) {
    EXPECT_EQ(error.message, "/none/such cannot be opened: No such file or directory.");
  }
}

}  // namespace
}  // namespace assay
