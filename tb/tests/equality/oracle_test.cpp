// The core against the oracle of the algorithms, on every instruction of the catalogue.
#include "tb/oracle/oracle.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <sstream>

#include "model/config/catalogue.hpp"
#include "tb/generate/generator.hpp"
#include "tb/tests/equality/corner_cases.hpp"
#include "tb/tests/equality/effort.hpp"
#include "tb/tests/equality/judged.hpp"
#include "tb/tests/source_dir.hpp"

namespace assay {
namespace {

constexpr std::uint64_t seed = 1;

const Catalogue& catalogue() {
  static const Catalogue shipped = shipped_catalogue();
  return shipped;
}

const std::vector<exact::Instruction>& rows() {
  static const std::vector<exact::Instruction> table =
      exact::read_instructions(source_dir() + "/tb/oracle/instructions.csv");
  return table;
}

const exact::Instruction* row_of(const Instruction& instruction) {
  return exact::find_instruction(rows(), instruction.architecture, instruction.name);
}

exact::OracleOperands oracle_operands(const Case& given) {
  return {given.a, given.b, given.c, given.scale_a, given.scale_b, given.more};  // a mask, where there is more
}

// Empty where the oracle agrees with the core.
std::string verdict(const Plan& plan, const exact::Instruction& row, const Case& given, Registers& registers,
                    exact::Revision revision) {
  const Code d = dot(plan, given.operand(), registers);
  const exact::OracleResult expected = exact::oracle(row, oracle_operands(given), revision);
  if (exact::agrees(row, expected, d)) return "";
  std::ostringstream text;
  text << std::hex << "The core says " << d << ", the oracle " << expected.bits << (expected.is_nan ? " (NaN): " : ": ")
       << case_text(plan, given);
  return text.str();
}

// How many of these cases were compared; the first that differs is a failure.
int compare(const Plan& plan, const exact::Instruction& row, int cases, exact::Revision revision) {
  const Generator generator(plan, seed);
  Registers registers;
  int compared = 0;
  for (; compared < cases; ++compared) {
    const auto number = static_cast<std::uint64_t>(compared);
    const Case given = compared % 5 == 4 ? corner_case(plan, number) : generator.make(number - number / 5);
    const std::string wrong = verdict(plan, row, given, registers, revision);
    EXPECT_EQ(wrong, "") << exact::title(row) << ", case " << compared;
    if (!wrong.empty()) break;
  }
  return compared;
}

std::vector<std::string> architecture_names() {
  std::vector<std::string> names;
  for (const Architecture& architecture : catalogue().architectures()) names.push_back(architecture.name);
  return names;
}

class EveryInstruction : public testing::TestWithParam<std::string> {};

TEST_P(EveryInstruction, IsWhatTheOracleSays) {
  const int cases = quick_or_full(60, 20000);
  long compared = 0;
  const std::vector<Instruction>& instructions = catalogue().architecture(GetParam()).instructions;
  for (const Instruction& instruction : instructions) {
    const exact::Instruction* row = row_of(instruction);
    ASSERT_NE(row, nullptr) << "The oracle's table has no row for " << instruction.full_name() << ".";
    compared += compare(catalogue().plan_of(instruction), *row, cases, exact::Revision::second);
  }
  EXPECT_EQ(compared, static_cast<long>(instructions.size()) * cases);
  EXPECT_GT(compared, 0);
}

INSTANTIATE_TEST_SUITE_P(Architectures, EveryInstruction, testing::ValuesIn(architecture_names()),
                         [](const testing::TestParamInfo<std::string>& info) { return info.param; });

TEST(EveryInstruction, OfTheOracleIsInTheCatalogue) {
  std::size_t instructions = 0;
  for (const Architecture& architecture : catalogue().architectures()) instructions += architecture.instructions.size();
  EXPECT_EQ(instructions, rows().size());
  for (const exact::Instruction& row : rows()) {
    EXPECT_EQ(catalogue().instruction(row.architecture, row.name).name, row.name) << exact::title(row);
  }
}

// The datapaths that a first publication described otherwise.
TEST(EveryInstruction, IsWhatTheOracleSaysAsFirstPublished) {
  const std::vector<std::string> names = catalogue().datapath_names();
  int compared = 0;
  for (const Architecture& architecture : catalogue().architectures()) {
    for (Instruction instruction : architecture.instructions) {
      const exact::Instruction* row = row_of(instruction);
      ASSERT_NE(row, nullptr) << instruction.full_name();
      instruction.datapath += "_revision1";
      if (std::find(names.begin(), names.end(), instruction.datapath) == names.end()) continue;
      compared += compare(catalogue().plan_of(instruction), *row, quick_or_full(60, 20000), exact::Revision::first);
    }
  }
  EXPECT_GE(compared, 18 * 60);
}

// --- the comparison itself ---

// An instruction run on a datapath with one bit less is found out.
TEST(OracleComparison, NoticesADatapathThatIsNotTheInstructions) {
  int noticed = 0;
  for (const Architecture& architecture : catalogue().architectures()) {
    for (const Instruction& instruction : architecture.instructions) {
      Datapath words = catalogue().plan_of(instruction).datapath;
      std::optional<int>& keep = words.adders.front().add.front().keep;
      if (!keep || *keep == 0) continue;
      --*keep;
      const Plan narrower = std::get<Plan>(plan(words, instruction.k));
      const Generator generator(narrower, seed);
      Registers registers;
      std::string wrong;
      for (std::uint64_t i = 0; i < 2000 && wrong.empty(); ++i) {
        wrong = verdict(narrower, *row_of(instruction), generator.make(i), registers, exact::Revision::second);
      }
      EXPECT_NE(wrong, "") << instruction.full_name();
      ++noticed;
      break;  // one an architecture
    }
  }
  EXPECT_GE(noticed, 8);
}

// --- every product of two small formats, exhaustively ---

// What a code means, by the definition of its format, in doubles; every format here has at most 8 bits.
double value_of(const Format& f, Code code) {
  const double sign = (code >> (f.stored_bits - 1) & 1) != 0 ? -1 : 1;
  const auto field = static_cast<int>(code >> f.mantissa_bits & ((Code{1} << f.exponent_bits) - 1));
  const auto mantissa = static_cast<int>(code & ((Code{1} << f.mantissa_bits) - 1));
  const int top = (1 << f.exponent_bits) - 1, ones = (1 << f.mantissa_bits) - 1;
  const double nan = std::numeric_limits<double>::quiet_NaN();
  switch (f.nan) {
    case NanCodes::none:
    case NanCodes::listed: break;
    case NanCodes::ieee:
      if (field == top) return mantissa == 0 ? sign * std::numeric_limits<double>::infinity() : nan;
      break;
    case NanCodes::all_ones:
      if (field == top && mantissa == ones) return nan;
      break;
    case NanCodes::negative_zero:
      if (sign < 0 && field == 0 && mantissa == 0) return nan;
      break;
  }
  const int significand = field == 0 ? mantissa : mantissa + ones + 1;
  return sign * std::ldexp(significand, std::max(field, 1) - f.bias - f.mantissa_bits);
}

Code bits_of(float value) {
  std::uint32_t bits = 0;
  std::memcpy(&bits, &value, sizeof bits);
  return bits;
}

std::vector<Format> small_formats() {
  std::vector<Format> small;
  for (const char* name : {"e5m2", "e4m3", "e5m2fnuz", "e4m3fnuz", "e3m2", "e2m3", "e2m1"})
    small.push_back(*find_format(name));
  return small;
}

// d = a x b + -0: the product itself, its zeros with their signs.
Datapath single_product(const Format& a, const Format& b) {
  Result result;
  result.format = "d";
  Adder fma;
  fma.name = "fma";
  fma.add = {{"product", {}, Cut::toward_zero, {}, {}}, {"acc", {}, Cut::toward_zero, {}, {}}};
  fma.zero = ZeroSign::ieee;
  fma.results = {result};
  Datapath d;
  d.name = "single_product";
  d.operands = {a.name, b.name, "f32", "f32", "", 0};
  d.specials = Specials::operation;
  d.adders = {fma};
  return d;
}

exact::Instruction single_fma(const Format& a, const Format& b) {
  exact::Instruction row;
  row.architecture = "none";
  row.name = "single_product";
  row.m = 1;
  row.n = "1";
  row.k = 1;
  row.a = a;
  row.b = b;
  row.c = row.d = *find_format("f32");
  row.algorithm = exact::Algorithm::sfma;
  row.terms_per_step = 1;
  return row;
}

class SmallProducts : public testing::TestWithParam<Format> {};

TEST_P(SmallProducts, AreExactForEveryPairOfCodes) {
  const Format& a = GetParam();
  const bool ask_oracle = quick_or_full(0, 1) != 0;
  for (const Format& b : small_formats()) {
    const Plan p = std::get<Plan>(plan(single_product(a, b), 1));
    const exact::Instruction row = single_fma(a, b);
    Registers registers;
    int compared = 0;
    for (Code x = 0; x < Code{1} << a.stored_bits; ++x) {
      for (Code y = 0; y < Code{1} << b.stored_bits; ++y, ++compared) {
        Case given;
        given.a = {x};
        given.b = {y};
        given.c = 0x80000000;
        const Code d = dot(p, given.operand(), registers);
        const double product = value_of(a, x) * value_of(b, y);
        const bool right =
            std::isnan(product) ? (d & 0x7fffffff) > 0x7f800000 : d == bits_of(static_cast<float>(product));
        ASSERT_TRUE(right) << a.name << " " << x << " x " << b.name << " " << y << ": " << std::hex << d;
        if (!ask_oracle && (x * 31 + y) % 61 != 0) continue;
        ASSERT_EQ(verdict(p, row, given, registers, exact::Revision::second), "") << a.name << " x " << b.name;
      }
    }
    EXPECT_EQ(compared, 1 << (a.stored_bits + b.stored_bits));
  }
}

INSTANTIATE_TEST_SUITE_P(Formats, SmallProducts, testing::ValuesIn(small_formats()),
                         [](const testing::TestParamInfo<Format>& info) { return info.param.name; });

TEST(SmallProducts, AreOfSevenFormats) { EXPECT_EQ(small_formats().size(), 7U); }

}  // namespace
}  // namespace assay
