// What the makers' own functional models gave, in the project's shared folder: 1,000 cases an instruction, every bit of
// which counts. And what these cases decide of the rows.
#include <gtest/gtest.h>

#include <functional>

#include "tb/tests/oracle/recorded.hpp"

namespace assay::exact {
namespace {

std::filesystem::path folder() { return shared_folder() / "vendors" / "vectors"; }

std::string missing() {
  return "The folder " + folder().string() + " of results is missing; ASSAY_SHARED names its grandparent.";
}

struct Maker {
  const char* architecture;
  std::size_t instructions;
};

std::ostream& operator<<(std::ostream& out, const Maker& maker) { return out << maker.architecture; }

class Simulated : public testing::TestWithParam<Maker> {};

TEST_P(Simulated, AgreesBitForBit) {
  if (!std::filesystem::exists(folder())) GTEST_SKIP() << missing();
  std::size_t instructions = 0;
  for (const Instruction& i : table()) {
    if (i.architecture != GetParam().architecture) continue;
    const RecordedSet set = read_set(folder() / (i.architecture + "-" + i.name + ".jsonl"));
    EXPECT_EQ(set.instruction.name, i.name);
    EXPECT_EQ(set.cases.size(), 1000u) << i.name;
    EXPECT_EQ(set.announced, set.cases.size()) << i.name;
    for (std::size_t k = 0; k < set.cases.size(); ++k) {
      const OracleResult result = oracle(i, set.cases[k].operands);
      EXPECT_EQ(result.bits, set.cases[k].d) << i.name << ", line " << k + 2 << ": the oracle says " << result;
      if (result.bits != set.cases[k].d) break;
    }
    ++instructions;
  }
  EXPECT_EQ(instructions, GetParam().instructions);
}

INSTANTIATE_TEST_SUITE_P(Makers, Simulated,
                         testing::Values(Maker{"wormhole", 28}, Maker{"blackhole", 30}, Maker{"gaudi3", 10},
                                         Maker{"gaudi2", 7}),
                         [](const auto& info) { return std::string(info.param.architecture); });

// --- what the cases decide

using Change = std::function<void(Instruction&)>;

Change with(Extra word, const std::string& digits = "") {
  return [=](Instruction& i) { i.extras[word] = digits; };
}
Change without(Extra word) {
  return [=](Instruction& i) { i.extras.erase(word); };
}
Change fraction_bits(int more) {
  return [=](Instruction& i) { *i.fraction_bits += more; };
}
Change floor(int more) {
  return [=](Instruction& i) { *i.exponent_floor += more; };
}

struct Changed {
  const char* what;
  const char *architecture, *instruction;
  Change change;
};

std::ostream& operator<<(std::ostream& out, const Changed& changed) { return out << changed.what; }

// Where no case differs, "undecided".
std::string verdict(const Changed& changed) {
  const std::string stem = std::string(changed.architecture) + "-" + changed.instruction;
  const RecordedSet set = read_set(folder() / (stem + ".jsonl"));
  Instruction other = set.instruction;
  changed.change(other);
  for (const Recorded& one : set.cases) {
    if (oracle(other, one.operands).bits != one.d) return "decided";
  }
  return "undecided";
}

TEST(WhatTheCasesDecide, OfTheRows) {
  if (!std::filesystem::exists(folder())) GTEST_SKIP() << missing();
  const std::vector<Changed> all{
      {"no slip", "wormhole", "mvmul.f32.f16.f16.lofi", without(Extra::minus_one)},
      {"a slip", "blackhole", "mvmul.f32.tf32.tf32.hifi4", with(Extra::minus_one)},
      {"e4m3's ones end", "blackhole", "mvmul.f32.e4m3.e4m3.lofi", without(Extra::ones_filled)},
      {"e5m2's ones end", "blackhole", "mvmul.f16.e5m2.e5m2.lofi", without(Extra::ones_filled)},
      {"e5m2's ones go on", "wormhole", "mvmul.f16.e5m2.e5m2.lofi", with(Extra::ones_filled)},
      {"one phase less", "wormhole", "mvmul.bf16.tf32.tf32.hifi4", with(Extra::phases, "012")},
      {"phases the other way", "wormhole", "mvmul.bf16.tf32.tf32.hifi2", with(Extra::phases, "10")},
      {"no second cut", "wormhole", "mvmul.bf16.bf16.bf16.lofi", fraction_bits(+13)},
      {"floor of -128", "wormhole", "mvmul.f32.bf16.bf16.hifi2", floor(-1)},
      {"floor of -126", "wormhole", "mvmul.f32.bf16.bf16.hifi2", floor(+1)},
      {"floor of -16", "blackhole", "mvmul.f16.f16.f16.lofi", floor(-1)},
      {"floor of -14", "blackhole", "mvmul.f16.f16.f16.lofi", floor(+1)},
      {"23 bits", "gaudi3", "mme.f32.bf16.bf16", fraction_bits(-1)},
      {"25 bits", "gaudi3", "mme.f32.bf16.bf16", fraction_bits(+1)},
      {"floor of -131", "gaudi3", "mme.f32.bf16.bf16", floor(+1)},
      {"f16 in one piece", "gaudi3", "mme.f32.f16.f16", without(Extra::pieces)},
      {"f32 in two pieces", "gaudi3", "mme.f32.f32.f32", with(Extra::pieces, "12")},
      {"tf32 not rounded", "gaudi3", "mme.f32.tf32.tf32", without(Extra::tf32)},
      {"45 bits", "gaudi2", "mme.f32.bf16.bf16", fraction_bits(-1)},
      {"47 bits", "gaudi2", "mme.f32.bf16.bf16", fraction_bits(+1)},
      {"25 bits of fp8", "gaudi2", "mme.f32.e5m2.e5m2", fraction_bits(+1)},
      {"no idle lanes", "gaudi2", "mme.f32.tf32.tf32", without(Extra::idle)},
      {"f32 in one piece", "gaudi2", "mme.f32.f32.f32", without(Extra::pieces)},
      {"f32 in three pieces", "gaudi2", "mme.f32.f32.f32", with(Extra::pieces, "8")},
      {"the shortcut of bf16", "gaudi2", "mme.f32.bf16.bf16", with(Extra::shortcut)},
      {"the shortcut of f16", "gaudi2", "mme.f32.f16.f16", with(Extra::shortcut)},
  };
  for (const Changed& changed : all) EXPECT_EQ(verdict(changed), "decided") << changed;
}

// Should one of these ever fail, more is known, and the readings that are kept beside one another are one too many.
TEST(WhatTheCasesDecide, LeavesTheseOpen) {
  if (!std::filesystem::exists(folder())) GTEST_SKIP() << missing();
  const std::vector<Changed> all{
      {"the shortcut of tf32", "gaudi2", "mme.f32.tf32.tf32", with(Extra::shortcut)},
      {"the flush of bf16", "gaudi2", "mme.f32.bf16.bf16", with(Extra::tiny_after)},
      {"the flush of tf32", "gaudi2", "mme.f32.tf32.tf32", with(Extra::tiny_after)},
      {"the flush of f32", "gaudi2", "mme.f32.f32.f32", with(Extra::tiny_after)},
      {"floor of -133", "gaudi3", "mme.f32.bf16.bf16", floor(-1)},
  };
  for (const Changed& changed : all) EXPECT_EQ(verdict(changed), "undecided") << changed;
}

}  // namespace
}  // namespace assay::exact
