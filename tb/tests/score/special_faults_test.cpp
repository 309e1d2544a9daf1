// Faults of the rule of special values, by what such a unit would give for operands put together by hand.
#include "tb/score/special_faults.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "model/config/catalogue.hpp"
#include "model/core/decode.hpp"
#include "tb/generate/generator.hpp"
#include "tb/score/score.hpp"

namespace assay {
namespace {

const Catalogue& catalogue() {
  static const Catalogue shipped = shipped_catalogue();
  return shipped;
}

Plan plan_named(const std::string& instruction) { return catalogue().plan_of(catalogue().instruction(instruction)); }

const SpecialFault& named(const std::vector<SpecialFault>& faults, const std::string& name) {
  const auto found = std::find_if(faults.begin(), faults.end(), [&](const SpecialFault& f) { return f.name == name; });
  if (found == faults.end()) throw std::out_of_range("there is no fault " + name);
  return *found;
}

// Codes of f16, bf16 and f32.
constexpr Code one = 0x3c00, minus = 0xbc00, inf = 0x7c00, minus_inf = 0xfc00, nan = 0x7e01, greatest = 0x7bff;
constexpr Code f32_one = 0x3f800000, f32_inf = 0x7f800000, f32_minus_inf = 0xff800000, f32_nan = 0x7fc00001;
constexpr Code nan_of_the_unit = 0x7fffffff;

// Products of term 0 and term 5, and c; all others are zero.
struct Tried {
  std::string fault;
  Code a0, b0, a5, b5, c;
  Code right, faulty;
};

Case made_of(const Tried& t, int k) {
  Case made;
  made.a.assign(static_cast<std::size_t>(k), 0);
  made.b = made.a;
  made.a[0] = t.a0;
  made.b[0] = t.b0;
  made.a[5] = t.a5;
  made.b[5] = t.b5;
  made.c = t.c;
  return made;
}

TEST(SpecialFaults, GiveWhatAUnitWithoutTheRuleWould) {
  const Plan plan = plan_named("hopper:wgmma.m64nNk16.f32.f16.f16");
  const std::vector<SpecialFault> faults = special_faults(plan);
  const std::vector<Tried> table{
      {"special.a NaN one", nan, one, 0, 0, 0, nan_of_the_unit, f32_one},
      {"special.b NaN one", minus, nan, 0, 0, 0, nan_of_the_unit, 0xbf800000},
      {"special.c NaN zero", one, one, 0, 0, f32_nan, nan_of_the_unit, f32_one},
      {"special.a infinite greatest", minus_inf, one, 0, 0, 0, f32_minus_inf, 0xc77fe000},
      {"special.b infinite greatest", one, inf, 0, 0, 0, f32_inf, 0x477fe000},
      {"special.c infinite greatest", 0, 0, 0, 0, f32_minus_inf, f32_minus_inf, 0xff7fffff},
      {"special.c infinite of the other sign", 0, 0, 0, 0, f32_inf, f32_inf, f32_minus_inf},
      {"special.a infinite x zero zero", inf, 0, one, one, 0, nan_of_the_unit, f32_one},
      {"special.b infinite x zero zero", 0, inf, one, one, 0, nan_of_the_unit, f32_one},
      {"special.a infinite x zero infinity", minus_inf, 0, 0, 0, 0, nan_of_the_unit, f32_minus_inf},
      {"special.b infinite x zero infinity", 0x8000, inf, 0, 0, 0, nan_of_the_unit, f32_minus_inf},
      {"special.a NaN x zero zero", nan, 0, one, one, 0, nan_of_the_unit, f32_one},
      {"special.b NaN x zero zero", 0, nan, one, one, 0, nan_of_the_unit, f32_one},
      {"special.a NaN x infinity infinity", nan, minus_inf, 0, 0, 0, nan_of_the_unit, f32_minus_inf},
      {"special.b NaN x infinity infinity", inf, nan, 0, 0, 0, nan_of_the_unit, f32_inf},
      {"special.sign of an infinite product a's", inf, minus, 0, 0, 0, f32_minus_inf, f32_inf},
      {"special.sign of an infinite product b's", minus, inf, 0, 0, 0, f32_minus_inf, f32_inf},
      {"special.NaN and infinite products infinity", nan, one, inf, one, 0, nan_of_the_unit, f32_inf},
      {"special.NaN product and infinite c infinity", 0, inf, 0, 0, f32_minus_inf, nan_of_the_unit, f32_minus_inf},
      {"special.infinite product and NaN c infinity", inf, one, 0, 0, f32_nan, nan_of_the_unit, f32_inf},
      {"special.both infinities in one sum the first", inf, one, inf, minus, 0, nan_of_the_unit, f32_inf},
      {"special.both infinities in one sum the last", inf, one, inf, minus, 0, nan_of_the_unit, f32_minus_inf},
      {"special.infinite product against infinite c the product's", inf, inf, 0, 0, f32_minus_inf, nan_of_the_unit,
       f32_inf},
      {"special.infinite product against infinite c c's", inf, inf, one, one, f32_minus_inf, nan_of_the_unit,
       f32_minus_inf},
  };
  EXPECT_EQ(table.size(), faults.size());  // each has its row
  Registers registers;
  for (const Tried& t : table) {
    const Case given = made_of(t, plan.k);
    EXPECT_EQ(dot(plan, given.operand(), registers), t.right) << t.fault;
    EXPECT_EQ(result_of(named(faults, t.fault), plan, given.operand(), registers), t.faulty) << t.fault;
  }
  // The row of another rule is none of a fault's business, and numbers are nobody's.
  const Case two = made_of({"", inf, one, inf, one, f32_inf, 0, 0}, plan.k);
  const Case numbers = made_of({"", greatest, greatest, minus, one, f32_one, 0, 0}, plan.k);
  for (const SpecialFault& f : faults) {
    EXPECT_EQ(result_of(f, plan, numbers.operand(), registers), dot(plan, numbers.operand(), registers)) << f.name;
    if (f.name.find("both") != std::string::npos || f.name.find("against") != std::string::npos) {
      EXPECT_EQ(result_of(f, plan, two.operand(), registers), f32_inf) << f.name;
    }
  }
}

// Steps of eight: indices 0 to 7 and 8 to 15.
TEST(SpecialFaults, OfStepsAndOverflows) {
  const Plan plan = plan_named("cdna3:v_mfma_f32_16x16x16_bf16");
  ASSERT_EQ(plan.steps, 2);
  const std::vector<SpecialFault> faults = special_faults(plan);
  constexpr Code bf16_one = 0x3f80, bf16_inf = 0x7f80, bf16_minus_inf = 0xff80, huge = 0x7000;  // 2^97
  const auto gives = [&](const std::string& fault, const std::vector<std::array<Code, 3>>& terms, Code c) {
    Case given;
    given.a.assign(16, 0);
    given.b = given.a;
    for (const auto& [i, a, b] : terms) {
      given.a[i] = a;
      given.b[i] = b;
    }
    given.c = c;
    Registers registers;
    if (fault.empty()) return dot(plan, given.operand(), registers);
    return result_of(named(faults, fault), plan, given.operand(), registers);
  };
  const std::vector<std::array<Code, 3>> steps{{1, bf16_inf, bf16_one}, {9, bf16_minus_inf, bf16_one}};
  EXPECT_TRUE(decode(gives("", steps, 0), plan.d, Subnormals::keep, Specials::step).cls == Class::nan);
  EXPECT_EQ(gives("special.both infinities of two steps the first", steps, 0), f32_inf);
  EXPECT_EQ(gives("special.both infinities of two steps the last", steps, 0), f32_minus_inf);
  EXPECT_EQ(gives("special.decided in an earlier step lost", steps, 0), f32_minus_inf);
  EXPECT_EQ(gives("special.decided in an earlier step lost", {{1, bf16_inf, bf16_one}}, f32_one), f32_one);
  EXPECT_EQ(gives("special.decided in an earlier step lost", {{9, bf16_inf, bf16_one}}, f32_one), f32_inf);

  const std::vector<std::array<Code, 3>> overflow{{1, huge, huge}};  // 2^194: counts as infinite
  EXPECT_EQ(gives("", overflow, 0), f32_inf);
  EXPECT_EQ(gives("", overflow, f32_minus_inf), f32_minus_inf);
  const std::string beside = "special.overflowed product beside an infinity ";
  EXPECT_EQ(
      decode(gives(beside + "one of them", overflow, f32_minus_inf), plan.d, Subnormals::keep, Specials::step).cls,
      Class::nan);
  EXPECT_EQ(gives(beside + "the product", overflow, f32_minus_inf), f32_inf);
}

TEST(SpecialFaults, OfScales) {
  const Plan plan = plan_named("rtx_blackwell:mma.m16n8k64.block32.f32.e2m1.e2m1.f32.ue8m0");
  const std::vector<SpecialFault> faults = special_faults(plan);
  Case given;
  given.a.assign(64, 0);
  given.b = given.a;
  given.a[40] = given.b[40] = 2;  // 1
  given.scale_a = {0xff, 0x7f};   // NaN over zeros; 1
  given.scale_b = {0x7f, 0x80};
  Registers registers;
  EXPECT_EQ(dot(plan, given.operand(), registers), nan_of_the_unit);
  EXPECT_EQ(result_of(named(faults, "special.scale_a NaN x zeros zero"), plan, given.operand(), registers),
            0x40000000U);
  EXPECT_EQ(result_of(named(faults, "special.scale_a NaN one"), plan, given.operand(), registers), 0x40000000U);
  EXPECT_EQ(result_of(named(faults, "special.scale_b NaN one"), plan, given.operand(), registers), nan_of_the_unit);
  given.a[3] = given.b[3] = 2;
  EXPECT_EQ(result_of(named(faults, "special.scale_a NaN x zeros zero"), plan, given.operand(), registers),
            nan_of_the_unit);
}

// Five terms in blocks of four: the last block is term 4 alone. Behind it lies what is no operand.
TEST(SpecialFaults, OfABlockThatIsCutShort) {
  const Plan plan = plan_of(read_datapath_text(
      "name: own\nk: 5\noperands: {a: e4m3, b: e4m3, c: f32, d: f32, scale: {format: ue8m0, block: 4}}\n"
      "specials: step\nproduct: {times: scales}\n"
      "adders: [{name: sum, add: {product: {keep: 30, cut: down}, acc: exact}, result: [{format: d, cut: up}]}]\n",
      "own.yaml", catalogue()));
  const std::vector<Code> terms{0x38, 0, 0, 0, 0, 0x38, 0x38, 0x38}, scales{0x7f, 0xff};  // 1; NaN over zero
  const std::vector<Code> ones{0x7f, 0x7f};
  const Operand operand{terms.data(), terms.data(), 0, scales.data(), ones.data()};
  Registers registers;
  EXPECT_EQ(dot(plan, operand, registers), plan.nan.code);
  EXPECT_EQ(result_of(named(special_faults(plan), "special.scale_a NaN x zeros zero"), plan, operand, registers),
            f32_one);
}

TEST(SpecialFaults, AreNoneWhereNothingIsSpecial) {
  EXPECT_TRUE(special_faults(plan_named("cdna3:v_mfma_i32_32x32x16_i8")).empty());
}

KillScore of_family(const Plan& plan, const std::string& family) {
  const Generator generator(plan, 1, find_family(plan, family));
  std::vector<Case> cases;
  for (std::uint64_t i = 0; i < 200; ++i) cases.push_back(generator.make(i));
  KillScore score(plan, NanRule::bits);
  score.see(cases);
  return score;
}

std::size_t special(const KillScore& score, Fate fate) {
  return static_cast<std::size_t>(std::count_if(score.mutants().begin(), score.mutants().end(),
                                                [&](const Mutant& m) { return m.fault && m.fate() == fate; }));
}

TEST(SpecialFaults, AreAskedForByTheScore) {
  const Plan plan = plan_named("hopper:wgmma.m64nNk16.f32.f16.f16");
  EXPECT_EQ(special(of_family(plan, "gaussian"), Fate::open), 24U);
  EXPECT_GT(special(of_family(plan, "specials"), Fate::open), 0U);
  EXPECT_EQ(special(of_family(plan, "special_rules"), Fate::killed), 24U);
}

}  // namespace
}  // namespace assay
