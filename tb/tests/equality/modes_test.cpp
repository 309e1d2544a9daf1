// Variants of instructions: in each mode of a processor, and in mixtures, the core against the oracle, which knows the
// text of these modes and none of the words that the catalogue changes.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <sstream>

#include "model/config/catalogue.hpp"
#include "model/core/dot.hpp"
#include "tb/generate/generator.hpp"
#include "tb/oracle/oracle.hpp"
#include "tb/tests/equality/corner_cases.hpp"
#include "tb/tests/equality/effort.hpp"
#include "tb/tests/equality/judged.hpp"
#include "tb/tests/source_dir.hpp"

namespace assay {
namespace {

using Names = std::vector<std::string>;

const Catalogue& catalogue() {
  static const Catalogue shipped = shipped_catalogue();
  return shipped;
}

const std::vector<exact::Instruction>& rows() {
  static const std::vector<exact::Instruction> table =
      exact::read_instructions(source_dir() + "/tb/oracle/instructions.csv");
  return table;
}

// "bfmmla", of each that has variants.
Names instructions() {
  Names names;
  const Architecture& arm = catalogue().architecture("arm");
  for (const Instruction& i : arm.instructions) {
    if (!variant_names(arm.variants, i.family).empty()) names.push_back(i.name);
  }
  return names;
}

// A name of each variant, and of those with a number several, with the field that it is of.
std::vector<std::pair<std::string, std::string>> variants_of(const std::string& instruction) {
  const Architecture& arm = catalogue().architecture("arm");
  const std::string family = catalogue().instruction("arm", instruction).family;
  std::vector<std::pair<std::string, std::string>> names;
  for (const Variant& v : arm.variants) {
    if (!v.is_of(family)) continue;
    if (!v.number) {
      names.emplace_back(v.name, v.field.empty() ? v.name : v.field);
      continue;
    }
    for (const int n : {1, 7, v.number->greatest})
      names.emplace_back(v.name.substr(0, v.name.find('{')) + std::to_string(n), v.name);
  }
  return names;
}

// Every variant, every two that go together, those with the first of them as well where that is another unit (ebf), and
// as many as there are.
std::set<std::string> mixtures(const std::string& instruction) {
  const auto variants = variants_of(instruction);
  const auto named = [&](const std::string& text) { return instruction + text; };
  std::set<std::string> names{instruction};
  std::string all;
  std::set<std::string> fields;
  const bool extended = variants.front().first == "ebf";
  for (std::size_t i = 0; i < variants.size(); ++i) {
    const auto& [x, x_field] = variants[i];
    names.insert(named("." + x));
    if (fields.insert(x_field).second) all += "." + x;
    for (std::size_t j = i + 1; j < variants.size(); ++j) {
      const auto& [y, y_field] = variants[j];
      if (x_field == y_field) continue;
      names.insert(named("." + x + "." + y));
      if (extended && i > 0) names.insert(named(".ebf." + x + "." + y));
    }
  }
  names.insert(named(all));
  for (const std::string rest : {".ah.fz.fiz", ".fz.fiz.rm", ".ah.fz.fiz.fz16.dn.rp"}) {
    names.insert(named(rest));
    if (extended) names.insert(named(".ebf" + rest));
  }
  return names;
}

// Empty where all of so many cases agree.
std::string differs(const std::string& name, int cases) {
  const auto row = exact::instruction_called(rows(), "arm", name);
  if (!row) return "The oracle does not know " + name + ".";
  const Plan plan = catalogue().plan_of(catalogue().instruction("arm", name));
  const Generator generator(plan, 1);
  Registers registers;
  for (int i = 0; i < cases; ++i) {
    const auto number = static_cast<std::uint64_t>(i);
    const Case given = i % 5 == 4 ? corner_case(plan, number) : generator.make(number - number / 5);
    const Code d = dot(plan, given.operand(), registers);
    const exact::OracleResult expected = exact::oracle(*row, {given.a, given.b, given.c, {}, {}});
    if (exact::agrees(*row, expected, d)) continue;
    std::ostringstream text;
    text << std::hex << "The core says " << d << ", the oracle " << expected.bits << ": " << case_text(plan, given);
    return text.str();
  }
  return "";
}

class Modes : public testing::TestWithParam<std::string> {};

TEST_P(Modes, AreWhatTheOracleSays) {
  // FP8 knows few modes: these differ in the sign of a NaN.
  const bool fp8 = GetParam().find("fp8") != std::string::npos;
  const int cases = fp8 ? quick_or_full(200, 20000) : quick_or_full(2000, 100000);
  int compared = 0;
  for (const std::string& name : mixtures(GetParam())) {
    EXPECT_EQ(differs(name, cases), "") << name;
    ++compared;
  }
  EXPECT_GT(compared, 30);
}

INSTANTIATE_TEST_SUITE_P(Arm, Modes, testing::ValuesIn(instructions()), [](const auto& info) {
  std::string name = info.param;
  std::replace(name.begin(), name.end(), '.', '_');
  return name;
});

// --- worked out by hand, from the text ---

struct Worked {
  std::string instruction;
  std::vector<Code> a, b;
  Code c, d;
};

void expect_worked(const std::vector<Worked>& cases) {
  for (Worked w : cases) {
    const Plan plan = catalogue().plan_of(catalogue().instruction("arm", w.instruction));
    for (auto* codes : {&w.a, &w.b}) codes->resize(static_cast<std::size_t>(plan.k));
    Registers registers;
    EXPECT_EQ(dot(plan, {w.a.data(), w.b.data(), w.c, nullptr, nullptr, nullptr}, registers), w.d) << w.instruction;
    const auto row = exact::instruction_called(rows(), "arm", w.instruction);
    ASSERT_TRUE(row) << w.instruction;
    EXPECT_EQ(exact::oracle(*row, {w.a, w.b, w.c, {}, {}}).bits, w.d) << w.instruction;
  }
}

TEST(WorkedModes, OfExtendedBf16) {
  expect_worked({
      {"bfmmla", {0x3f80, 0x3380}, {0x3f80, 0x3f80}, 0, 0x3f800001},  // 1 + 2^-24, to odd
      {"bfmmla.ebf", {0x3f80, 0x3380}, {0x3f80, 0x3f80}, 0, 0x3f800000},
      {"bfdot", {0x0080}, {0x3f00}, 0, 0},
      {"bfdot.ebf", {0x0080}, {0x3f00}, 0, 0x00400000},
      {"bfdot", {0x0001}, {0x7f00}, 0, 0},
      {"bfdot.ebf", {0x0001}, {0x7f00}, 0, 0x3c800000},
      {"bfdot", {0x5f80, 0xdf80}, {0x5f80, 0x5f80}, 0x3f800000, 0x7fc00000},  // infinity - infinity
      {"bfdot.ebf", {0x5f80, 0xdf80}, {0x5f80, 0x5f80}, 0x3f800000, 0x3f800000},
  });
}

TEST(WorkedModes, OfFp8) {
  expect_worked({
      {"fdot_fp8fp16.e5m2.e5m2", {0x7b}, {0x7b}, 0, 0x7c00},
      {"fdot_fp8fp16.e5m2.e5m2.osm", {0x7b}, {0x7b}, 0, 0x7bff},
      {"fdot_fp8fp16.e5m2.e5m2.osm", {0x7c}, {0x3c}, 0, 0x7c00},  // infinity x 1
      {"fdot_fp8fp32.e4m3.e4m3.ah", {0x7f}, {0x38}, 0, 0xffc00000},
      {"fdot_fp8fp32.e4m3.e4m3.fz.fiz.rp.s7", {0x38, 0x01}, {0x38, 0x01}, 0, 0x3c000020},  // 2^-7 (1 + 2^-18): kept
      {"fdot_fp8fp32.e4m3.e4m3.s7", {0x38}, {0x38}, 0x3f800000, 0x3f810000},               // 1 + 2^-7
  });
}

// 2^-126 (1 - 2^-26), which rounds up to 2^-126; and what is subnormal on the way.
TEST(WorkedModes, OfFlushing) {
  expect_worked({
      {"fmopa_f32", {0x3f7ff800}, {0x00800400}, 0, 0x00800000},
      {"fmopa_f32.fz", {0x3f7ff800}, {0x00800400}, 0, 0},
      {"fmopa_f32.ah.fz", {0x3f7ff800}, {0x00800400}, 0, 0x00800000},
      {"fmopa_f32.fz", {0x00400000}, {0x40000000}, 0x80000001, 0},  // both are read as zeros
      {"fmopa_f32.ah.fz", {0x00400000}, {0x40000000}, 0, 0x00800000},
      {"fmopa_f32.ah.fz.fiz", {0x00400000}, {0x40000000}, 0, 0},
      {"fmopa_f32.fiz", {0x00800000}, {0x3f000000}, 0, 0x00400000},  // the last result stays
      // 2^-126 + 2^-149 - 2^-126 + 2^-126: what the first pair leaves is subnormal, and zero to the second.
      {"bfmmla.ebf", {0xa000, 0, 0x2000}, {0x2000, 0, 0x2000}, 0x00800001, 0x00800001},
      {"bfmmla.ebf.fiz", {0xa000, 0, 0x2000}, {0x2000, 0, 0x2000}, 0x00800001, 0x00800000},
      {"bfmmla.fiz", {0xa000, 0, 0x2000}, {0x2000, 0, 0x2000}, 0x00800001, 0x00800000},  // as without it
      {"fmopa_f16", {0x0001}, {0x3c00}, 0, 0x0001},
      {"fmopa_f16.fz", {0x0001}, {0x3c00}, 0, 0x0001},
      {"fmopa_f16.fz16", {0x0001}, {0x3c00}, 0, 0},
      {"fdot_f16f32.fz.fiz", {0x0001}, {0x3c00}, 0, 0x33800000},
      {"fdot_f16f32.fz16", {0x0001}, {0x3c00}, 0, 0},
  });
}

TEST(WorkedModes, OfRounding) {
  expect_worked({
      {"fmopa_f32.rp", {0x3f800000}, {0x30800000}, 0x3f800000, 0x3f800001},  // 1 + 2^-30
      {"fmopa_f32.rm", {0x3f800000}, {0x30800000}, 0x3f800000, 0x3f800000},
      {"fmopa_f32.rz", {0xbf800000}, {0x30800000}, 0x3f800000, 0x3f7fffff},
      {"fmopa_f32.rm", {0x3f800000}, {0x3f800000}, 0xbf800000, 0x80000000},  // an exact zero
      {"fmopa_f32.rp", {0x3f800000}, {0x3f800000}, 0xbf800000, 0},
      {"fmopa_f32.rz", {0x7f7fffff}, {0x40000000}, 0, 0x7f7fffff},
      {"fmopa_f32.rp", {0x7f7fffff}, {0x40000000}, 0, 0x7f800000},
      {"fmopa_f32.rp", {0x7f7fffff}, {0xc0000000}, 0, 0xff7fffff},
      {"bfmmla.rp", {0x3f80, 0x3380}, {0x3f80, 0x3f80}, 0, 0x3f800001},  // to odd, whatever RMode says
  });
}

TEST(WorkedModes, OfNan) {
  expect_worked({
      {"fmmla_f32", {0x7fc00001}, {0x7fa00002}, 0, 0x7fe00002},  // the signalling one
      {"fmmla_f32.ah", {0x7fc00001}, {0x7fa00002}, 0, 0x7fc00001},
      {"fmmla_f32.dn", {0x7fc00001}, {0x7fa00002}, 0, 0x7fc00000},
      {"fmmla_f32.ah.dn", {0x7fc00001}, {0x7fa00002}, 0, 0xffc00000},
      {"fdot_f16f32.ah", {0x7e01, 0x7d02}, {0x3c00, 0x3c00}, 0, 0x7fe04000},  // of a pair still the signalling one
      {"fmmla_f64.ah", {0x7ff0000000000000}, {0}, 0, 0xfff8000000000000},
      {"bfmopa_bf16.ah", {0x7f80}, {0}, 0, 0xffc0},
  });
}

// A mode that is left out, or taken for another, is found out.
TEST(Modes, OfAnotherUnitAreNoticed) {
  for (const auto& [name, other] :
       std::vector<std::pair<std::string, std::string>>{{"bfmmla.ebf", "bfmmla"},
                                                        {"bfmmla.ah", "bfmmla"},
                                                        {"bfmmla.ebf.fiz", "bfmmla.ebf.fz"},
                                                        {"fmopa_f32.fz", "fmopa_f32"},
                                                        {"fmopa_f32.ah.fz", "fmopa_f32.fz"},
                                                        {"fmopa_f16.fz16", "fmopa_f16"},
                                                        {"fmmla_f32.fiz", "fmmla_f32"},
                                                        {"fmmla_f32.ah", "fmmla_f32"},
                                                        {"fmmla_f32.dn", "fmmla_f32"},
                                                        {"fmmla_f32.rp", "fmmla_f32.rm"},
                                                        {"fdot_fp8fp16.e5m2.e5m2.osm", "fdot_fp8fp16.e5m2.e5m2"},
                                                        {"fdot_fp8fp32.e4m3.e4m3.s7", "fdot_fp8fp32.e4m3.e4m3.s8"}}) {
    const auto row = exact::instruction_called(rows(), "arm", other);
    const Plan plan = catalogue().plan_of(catalogue().instruction("arm", name));
    const Generator generator(plan, 1);
    Registers registers;
    int wrong = 0;
    for (std::uint64_t i = 0; i < 5000 && wrong == 0; ++i) {
      const Case given = generator.make(i);
      wrong += exact::agrees(*row, exact::oracle(*row, {given.a, given.b, given.c, {}, {}}),
                             dot(plan, given.operand(), registers))
                   ? 0
                   : 1;
    }
    EXPECT_EQ(wrong, 1) << name << " is taken for " << other;
  }
}

TEST(Modes, TheOracleKnowsNoOthers) {
  for (const char* name : {"bfmmla.ebb", "bfmmla.s", "bfmmla.s7x", "bfmmla.", "bfmmlo.fz"})
    EXPECT_FALSE(exact::instruction_called(rows(), "arm", name)) << name;
}

}  // namespace
}  // namespace assay
