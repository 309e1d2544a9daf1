// Recorded outputs of real parts, bit for bit, one test a file. They lie in the project's shared folder, beside the
// source tree or where the environment variable ASSAY_SHARED says.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <nlohmann/json.hpp>

#include "model/config/catalogue.hpp"
#include "tb/tests/core/operands.hpp"
#include "tb/tests/source_dir.hpp"

namespace assay {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using test::Codes;
using test::Terms;

fs::path captured_folder() {
  const char* shared = std::getenv("ASSAY_SHARED");
  return fs::path(shared != nullptr ? shared : source_dir() + "/../shared") / "captured";
}

Code code(const json& hex) { return std::stoull(hex.get<std::string>(), nullptr, 16); }

Codes codes(const json& list) {
  Codes result;
  for (const json& hex : list) result.push_back(code(hex));
  return result;
}

struct Recorded {
  Terms terms;
  Code d = 0;
};

struct Recording {
  std::string instruction;
  std::size_t announced = 0;  // cases, by its header; 0 where it says nothing
  std::vector<Recorded> cases;
};

Recording read(const fs::path& file) {
  std::ifstream in(file);
  std::string line;
  std::getline(in, line);
  const json header = json::parse(line);
  Recording recording;
  recording.instruction =
      header.at("architecture").get<std::string>() + ":" + header.at("instruction").get<std::string>();
  recording.announced = header.value("cases", std::size_t{0});
  while (std::getline(in, line)) {
    const json j = json::parse(line);
    recording.cases.push_back({{codes(j.at("a")), codes(j.at("b")), code(j.at("c")), {}, {}}, code(j.at("d"))});
  }
  return recording;
}

// How many cases a plan gets right, with and without a trace.
std::size_t matches(const Plan& plan, const Recording& recording) {
  std::size_t count = 0;
  Trace trace(plan);
  for (const Recorded& r : recording.cases) {
    const bool same = dot_of(plan, r.terms) == r.d && dot_of(plan, r.terms, &trace) == r.d;
    count += same ? 1 : 0;
  }
  return count;
}

class Captured : public testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    if (!fs::is_directory(captured_folder()))
      GTEST_SKIP() << captured_folder() << " of recorded outputs is missing; ASSAY_SHARED names its parent.";
  }

  const Catalogue catalogue_ = shipped_catalogue();
};

TEST_P(Captured, IsReproducedBitForBit) {
  const Recording recording = read(captured_folder() / (std::string(GetParam()) + ".jsonl"));
  ASSERT_GT(recording.cases.size(), 0U);
  ASSERT_TRUE(recording.announced == 0 || recording.cases.size() == recording.announced)
      << recording.cases.size() << " cases, not the " << recording.announced << " that the header announces.";
  const Instruction& instruction = catalogue_.instruction(recording.instruction);
  EXPECT_EQ(matches(catalogue_.plan_of(instruction), recording), recording.cases.size());
  std::cout << recording.cases.size() << " recorded cases of " << recording.instruction << ".\n";
}

INSTANTIATE_TEST_SUITE_P(Parts, Captured,
                         testing::Values("a100_bf16_fp32", "a100_fp16_fp16", "a100_fp16_fp32", "a100_tf32_fp32",
                                         "ada_bf16_fp32", "ada_e4m3_fp16", "ada_e4m3_fp32", "ada_e5m2_fp16",
                                         "ada_e5m2_fp32", "ada_fp16_fp16", "ada_fp16_fp32", "ada_tf32_fp32",
                                         "b200_bf16_fp32", "b200_e4m3_fp16", "b200_e4m3_fp32", "b200_e5m2_fp16",
                                         "b200_e5m2_fp32", "b200_fp16_fp16", "b200_fp16_fp32", "b200_tf32_fp32",
                                         "h100_bf16_fp32", "h100_e4m3_fp16", "h100_e4m3_fp32", "h100_e5m2_fp16",
                                         "h100_e5m2_fp32", "h100_fp16_fp16", "h100_fp16_fp32", "h100_tf32_fp32",
                                         "mi300x_fp8_directed", "v100_fp16_fp16", "v100_fp16_fp32"),
                         [](const auto& info) { return std::string(info.param); });

// The comparison itself: a far narrower window (the sets with f16 results do not see one or two bits) or a flipped bit
// is seen.
TEST_P(Captured, IsNotReproducedByANarrowerUnitOrWithAFlippedBit) {
  Recording recording = read(captured_folder() / (std::string(GetParam()) + ".jsonl"));
  const Instruction& instruction = catalogue_.instruction(recording.instruction);
  DatapathFile file = catalogue_.datapath(instruction.datapath);
  file.datapath.operands = instruction.operands;
  for (Input& input : file.datapath.adders.back().add) {
    if (input.keep) *input.keep = 8;
  }
  EXPECT_LT(matches(plan_or_fail(file.datapath, instruction.k, file.lines), recording), recording.cases.size());
  recording.cases.back().d ^= 1;
  EXPECT_EQ(matches(catalogue_.plan_of(instruction), recording), recording.cases.size() - 1);
}

}  // namespace
}  // namespace assay
