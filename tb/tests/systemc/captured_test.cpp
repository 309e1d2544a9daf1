// Recorded silicon through the SystemC model.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <iostream>

#include "model/config/catalogue.hpp"
#include "tb/devices/process.hpp"
#include "tb/tests/source_dir.hpp"
#include "tb/vectors/reader.hpp"

namespace assay {
namespace {

TEST(CapturedInSystemc, AnswersAsTheRecordedPart) {
  const char* given = std::getenv("ASSAY_SHARED");
  const std::filesystem::path shared = given != nullptr ? given : source_dir() + "/../shared";
  const std::filesystem::path file = shared / "captured" / "h100_fp16_fp32.jsonl";
  if (!std::filesystem::exists(file)) GTEST_SKIP() << file << " is missing; ASSAY_SHARED names its folder's parent.";

  VectorReader reader(file.string());
  const Catalogue catalogue = shipped_catalogue();
  const Plan plan = catalogue.plan_of(catalogue.instruction(reader.header().architecture, reader.header().instruction));
  std::vector<Case> cases;
  for (Case one; reader.next(case_shape(plan, reader.header().pad), one);) cases.push_back(one);
  ASSERT_EQ(cases.size(), 1000U);

  const auto device = process_device(plan, reader.header(), {{ASSAY_SYSTEMC}, "systemc"});
  const std::vector<Answer> answers = device->run(cases, false);
  ASSERT_EQ(answers.size(), cases.size());
  for (std::size_t i = 0; i < cases.size(); ++i) {
    ASSERT_EQ(answers[i].error, "");
    ASSERT_EQ(answers[i].d, cases[i].d) << "case " << i;
  }
  EXPECT_EQ(device->close(), "");
  std::cout << cases.size() << " recorded cases through SystemC.\n";
}

}  // namespace
}  // namespace assay
