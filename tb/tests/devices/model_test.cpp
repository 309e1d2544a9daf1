#include <gtest/gtest.h>

#include "tb/devices/model_device.hpp"
#include "tb/tests/devices/plans.hpp"

namespace assay {
namespace {

const Plan the_plan = testing_devices::small_plan();

Case one_and_one() {  // 1 x 1 + 0 x 0 + 1
  Case c;
  c.a = {0x3c00, 0};
  c.b = {0x3c00, 0};
  c.c = 0x3f800000;
  return c;
}

TEST(ModelDevice, AnswersEachCase) {
  const auto device = model_device(the_plan);
  EXPECT_EQ(device->name(), "model");
  Case doubled = one_and_one();
  doubled.b[0] = 0x4000;
  const std::vector<Answer> answers = device->run({one_and_one(), doubled}, false);
  ASSERT_EQ(answers.size(), 2U);
  EXPECT_EQ(answers[0].d, 0x40000000U);
  EXPECT_EQ(answers[1].d, 0x40400000U);
  EXPECT_FALSE(answers[0].trace.has_value());
  EXPECT_EQ(device->close(), "");
}

// Many at once take another way through the model than one by one.
TEST(ModelDevice, AnswersManyCasesAsItAnswersEach) {
  std::vector<Case> cases;
  for (Code i = 0; i < 200; ++i) {
    Case c = one_and_one();
    c.a[1] = i * 331 & 0xffff;
    c.b[1] = i * 97 + 0x3800;
    c.c ^= i << 22;
    cases.push_back(c);
  }
  const auto device = model_device(the_plan);
  const std::vector<Answer> together = device->run(cases, false);
  ASSERT_EQ(together.size(), cases.size());
  for (std::size_t i = 0; i < cases.size(); ++i) EXPECT_EQ(together[i].d, device->run({cases[i]}, false)[0].d) << i;
}

TEST(ModelDevice, TracesEveryPlace) {
  const auto device = model_device(the_plan, "model:mine.yaml");
  EXPECT_EQ(device->name(), "model:mine.yaml");
  EXPECT_TRUE(device->offers_trace());
  const std::vector<Answer> answers = device->run({one_and_one()}, true);
  ASSERT_TRUE(answers[0].trace.has_value());
  EXPECT_EQ(answers[0].traced, std::vector<char>(the_plan.places.size(), 1));
  EXPECT_EQ(answers[0].trace->at(the_plan.find_place("encode")).hex(), "40000000");
}

}  // namespace
}  // namespace assay
