// Claims of evidence are computed: no instruction claims to be captured without recorded sets that the model passes.
#include "tb/evidence/evidence.hpp"
#include "tb/tests/source_dir.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <nlohmann/json.hpp>
#include <set>

namespace assay {
namespace {

namespace fs = std::filesystem;

std::string shared_folder() {
  const char* shared = std::getenv("ASSAY_SHARED");
  return shared != nullptr ? std::string(shared) : source_dir() + "/../shared";
}
std::string shared_captures() { return shared_folder() + "/captured"; }

bool is_x86(const Instruction& i) { return i.architecture == "x86"; }

// Of the wanted instructions those that claim to be captured and have no recorded set that the model passes in full.
std::set<std::string> unsupported(const Catalogue& catalogue, const std::vector<CapturedSet>& sets,
                                  const Wanted& wanted) {
  std::set<std::string> names;
  for (const Architecture& a : catalogue.architectures()) {
    for (const Instruction& i : a.instructions) {
      if (i.evidence == "captured" && wanted(i)) names.insert(i.full_name());
    }
  }
  for (const CapturedSet& set : sets) {
    if (!set.printed && set.cases >= 100 && set.passed == set.cases) names.erase(set.instruction);
  }
  return names;
}

TEST(Evidence, NoClaimIsStrongerThanItsSets) {
  const Catalogue catalogue = shipped_catalogue();
  const auto all = [](const Instruction&) { return true; };
  std::vector<CapturedSet> sets = captured_sets(catalogue, shipped_captures(), false, all);
  if (!fs::is_directory(shared_captures())) {
    std::cout << "NOTHING WAS CHECKED: the sets behind most claims lie in " << shared_captures()
              << ", which is no folder; set ASSAY_SHARED to the folder that holds captured/.\n";
    GTEST_SKIP();
  }
  for (const CapturedSet& set : captured_sets(catalogue, vector_files(shared_captures()), true, all))
    sets.push_back(set);
  EXPECT_EQ(unsupported(catalogue, sets, all), std::set<std::string>{});
}

// Each instruction that is said to agree with an emulator has its results, and each of these is the model's, NaN codes
// too.
TEST(Evidence, WhatIsEmulatedAgrees) {
  const std::string folder = shared_folder() + "/vendors/vectors";
  if (!fs::is_directory(folder)) GTEST_SKIP() << "NOTHING WAS CHECKED: " << folder << " is no folder.";
  const Catalogue catalogue = shipped_catalogue();
  std::set<std::string> claimed;
  for (const Architecture& a : catalogue.architectures()) {
    for (const Instruction& i : a.instructions) {
      if (i.evidence == "emulated") claimed.insert(i.full_name());
    }
  }
  EXPECT_FALSE(claimed.empty());
  // A mode that no emulator here has; tb/tests/host/qemu_test.cpp holds the others.
  for (const char* name : {"bfmmla.ebf", "bfdot.ebf", "bfmopa_bf16f32.ebf", "bfmops_bf16f32.ebf"}) {
    const Instruction i = catalogue.instruction("arm", name);
    EXPECT_EQ(i.evidence, "emulated") << name;
    claimed.insert(i.full_name());
  }
  std::vector<std::string> files = shipped_emulations();
  for (const std::string& file : vector_files(folder)) {
    const std::string name = fs::path(file).filename();
    if (name.rfind("arm_", 0) == 0 || name.rfind("power10_", 0) == 0) files.push_back(file);
  }
  for (const CapturedSet& set : captured_sets(catalogue, files, true, [](const Instruction&) { return true; })) {
    EXPECT_EQ(set.passed, set.cases) << set.file;
    if (set.cases >= 1000) claimed.erase(set.instruction);
  }
  EXPECT_EQ(claimed, std::set<std::string>{});
}

// The same of each instruction that is said to agree with its maker's own model.
TEST(Evidence, WhatMakersModelsComputeAgrees) {
  const std::string folder = shared_folder() + "/vendors/vectors";
  if (!fs::is_directory(folder)) GTEST_SKIP() << "NOTHING WAS CHECKED: " << folder << " is no folder.";
  const Catalogue catalogue = shipped_catalogue();
  std::set<std::string> claimed, prefixes;
  for (const Architecture& a : catalogue.architectures()) {
    for (const Instruction& i : a.instructions) {
      if (i.evidence != "maker's model") continue;
      claimed.insert(i.full_name());
      prefixes.insert(a.name + "-");
    }
  }
  EXPECT_EQ(claimed.size(), 75u);
  std::vector<std::string> files;
  for (const std::string& file : vector_files(folder)) {
    const std::string name = fs::path(file).filename();
    if (prefixes.count(name.substr(0, name.find('-') + 1)) != 0) files.push_back(file);
  }
  for (const CapturedSet& set : captured_sets(catalogue, files, true, [](const Instruction&) { return true; })) {
    EXPECT_EQ(set.passed, set.cases) << set.file;
    if (set.cases >= 1000) claimed.erase(set.instruction);
  }
  EXPECT_EQ(claimed, std::set<std::string>{});
}

// Those of RISC-V and of POWER's masks stand in this tree: nothing else is needed to check them.
TEST(Evidence, EmulationsAreShipped) {
  const Catalogue catalogue = shipped_catalogue();
  std::set<std::string> claimed;
  for (const Instruction& i : catalogue.architecture("riscv").instructions) {
    if (i.evidence == "emulated") claimed.insert(i.full_name());
  }
  EXPECT_EQ(claimed.size(), 9u);
  for (const Instruction& i : catalogue.architecture("power10").instructions) {
    if (i.name.rfind("pm", 0) == 0) claimed.insert(i.full_name());
  }
  EXPECT_EQ(claimed.size(), 9u + 29u);
  for (const CapturedSet& set :
       captured_sets(catalogue, shipped_emulations(), false, [](const auto&) { return true; })) {
    EXPECT_EQ(set.passed, 1000u) << set.file;
    EXPECT_EQ(set.cases, 1000u) << set.file;
    const bool power = set.file.find("power10_pm") != std::string::npos;
    EXPECT_EQ(set.part, power ? "qemu:power10 (QEMU 7.2.22)" : "qemu:riscv (QEMU 11.1.3)") << set.file;
    claimed.erase(set.instruction);
  }
  EXPECT_EQ(claimed, std::set<std::string>{});
}

// All that x86 claims is shipped: nothing else is needed to check it. Without a set, or with one case of it wrong, a
// claim is one too many.
TEST(Evidence, ClaimsOfX86RestOnWhatIsShipped) {
  const Catalogue catalogue = shipped_catalogue();
  const std::vector<CapturedSet> sets = captured_sets(catalogue, shipped_captures(), false, is_x86);
  ASSERT_EQ(sets.size(), 8u);
  EXPECT_EQ(unsupported(catalogue, sets, is_x86), std::set<std::string>{});
  for (const Instruction& i : catalogue.architecture("x86").instructions) {
    const std::string claimed = i.full_name();
    EXPECT_EQ(i.evidence, "captured") << claimed;
    std::vector<CapturedSet> fewer = sets, wrong = sets;
    fewer.erase(
        std::remove_if(fewer.begin(), fewer.end(), [&](const CapturedSet& s) { return s.instruction == claimed; }),
        fewer.end());
    for (CapturedSet& set : wrong) set.passed -= set.instruction == claimed ? 1 : 0;
    EXPECT_EQ(unsupported(catalogue, fewer, is_x86), std::set<std::string>{claimed});
    EXPECT_EQ(unsupported(catalogue, wrong, is_x86), std::set<std::string>{claimed});
  }
}

TEST(Evidence, IsAValueThatIsWrittenInTwoWays) {
  std::vector<std::string> begun;
  const Evidence found =
      evidence_of(shipped_catalogue(), is_x86, {}, {[&](const std::string& file) { begun.push_back(file); }, {}});
  EXPECT_EQ(begun, shipped_sets());
  ASSERT_EQ(found.instructions.size(), 7u);
  EXPECT_TRUE(found.all_pass());
  EXPECT_TRUE(found.all_held());
  const auto data = evidence_json(found);
  ASSERT_EQ(data.size(), 7u);
  std::size_t sets = 0;
  for (std::size_t i = 0; i < data.size(); ++i) {
    EXPECT_EQ(data[i].at("instruction"), found.instructions[i].instruction);
    sets += data[i].at("sets").size();
  }
  EXPECT_EQ(sets, 8u);
  EXPECT_NE(evidence_text(found).find("\n7 of 7 instructions have recorded sets here.\n"), std::string::npos);
}

TEST(Evidence, OneWrongResultOrNoneIsSeen) {
  CapturedSet good, wrong, empty;
  good.cases = good.passed = wrong.cases = 5;
  wrong.passed = 4;
  const auto of = [](const CapturedSet& set) {
    return Evidence{{{"x:y", "captured", {set}}, {"x:z", "inferred", {}}}};
  };
  EXPECT_TRUE(of(good).all_pass() && of(good).all_held());
  EXPECT_FALSE(of(wrong).all_pass());
  EXPECT_TRUE(of(wrong).all_held());
  EXPECT_TRUE(of(empty).all_pass());
  EXPECT_FALSE(of(empty).all_held());
}

}  // namespace
}  // namespace assay
