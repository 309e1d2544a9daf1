#include "tb/generate/generator.hpp"

#include <set>

#include "model/core/dot.hpp"
#include "tb/generate/codes.hpp"
#include "tb/generate/random.hpp"
#include "tb/tests/generate/plans.hpp"

namespace assay {
namespace {

constexpr std::uint64_t run_length = 600;

bool same(const Case& x, const Case& y) {
  return x.number == y.number && x.a == y.a && x.b == y.b && x.c == y.c && x.scale_a == y.scale_a &&
         x.scale_b == y.scale_b;
}

class EveryShape : public testing::TestWithParam<Shaped> {};
INSTANTIATE_TEST_SUITE_P(Generator, EveryShape, testing::ValuesIn(shapes()), shape_name);

TEST_P(EveryShape, ACaseAloneEqualsThatCaseInARun) {
  const Plan p = planned(GetParam());
  const Generator in_a_run(p, 5);
  std::vector<Case> run;
  for (std::uint64_t i = 0; i < run_length; ++i) run.push_back(in_a_run.make(i));
  for (std::uint64_t i = run_length; i-- > 0;) {
    EXPECT_EQ(run[i].number, i);
    ASSERT_TRUE(same(run[i], Generator(p, 5).make(i))) << "case " << i;
  }
}

TEST_P(EveryShape, SeedsDiffer) {
  const Plan p = planned(GetParam());
  const Generator one(p, 1), two(p, 2);
  std::uint64_t equal = 0;
  for (std::uint64_t i = 0; i < run_length; ++i) equal += same(one.make(i), two.make(i)) ? 1 : 0;
  EXPECT_LT(equal, run_length / 20);  // a case of zeros or of few codes may coincide
}

TEST_P(EveryShape, CasesDiffer) {
  const Plan p = planned(GetParam());
  const Generator generator(p, 1);
  std::set<std::vector<Code>> seen;
  for (std::uint64_t i = 0; i < run_length; ++i) {
    const Case made = generator.make(i);
    std::vector<Code> all = made.a;
    for (const auto* list : {&made.b, &made.scale_a, &made.scale_b}) all.insert(all.end(), list->begin(), list->end());
    all.push_back(made.c);
    seen.insert(all);
  }
  EXPECT_GT(seen.size(), run_length * 98 / 100);
}

TEST_P(EveryShape, CasesAreWholeAndTheirCodesFitTheStoredWidth) {
  const Plan p = planned(GetParam());
  const Generator generator(p, 3);
  const auto fit = [](const std::vector<Code>& codes, const Format& f) {
    return std::all_of(codes.begin(), codes.end(), [&](Code code) { return (code & ~all_bits(f)) == 0; });
  };
  Registers registers;
  Trace trace(p);
  for (std::uint64_t i = 0; i < run_length; ++i) {
    const Case made = generator.make(i);
    ASSERT_EQ(made.a.size(), static_cast<std::size_t>(p.k));
    ASSERT_EQ(made.b.size(), static_cast<std::size_t>(p.k));
    ASSERT_EQ(made.scale_a.size(), static_cast<std::size_t>(p.scales));
    ASSERT_EQ(made.scale_b.size(), static_cast<std::size_t>(p.scales));
    ASSERT_TRUE(fit(made.a, p.a) && fit(made.b, p.b) && fit({made.c}, p.c)) << "case " << i;
    if (p.scale) {
      ASSERT_TRUE(fit(made.scale_a, *p.scale) && fit(made.scale_b, *p.scale)) << "case " << i;
    }
    // The core asserts its widths: no case may break them.
    ASSERT_EQ(dot(p, made.operand(), registers, &trace), dot(p, made.operand(), registers)) << "case " << i;
  }
}

TEST_P(EveryShape, FamiliesTakeTurns) {
  const Plan p = planned(GetParam());
  const Generator generator(p, 1);
  const auto& all = generator.families();
  ASSERT_GE(all.size(), 3U);
  for (std::uint64_t i = 0; i < 3 * all.size(); ++i) EXPECT_EQ(generator.family(i).name, all[i % all.size()]->name);
}

// A chosen family has every number to itself, and is no less a function of the number.
TEST_P(EveryShape, OneFamilyAlone) {
  const Plan p = planned(GetParam());
  for (const Family* family : families_for(p)) {
    const Generator generator(p, 1, family);
    EXPECT_EQ(generator.family(11).name, family->name);
    EXPECT_TRUE(same(generator.make(11), Generator(p, 1, family).make(11)));
  }
}

TEST_P(EveryShape, FamiliesAreFoundByName) {
  const Plan p = planned(GetParam());
  for (const Family* family : families_for(p)) EXPECT_EQ(find_family(p, family->name), family);
  EXPECT_EQ(find_family(p, "no_such_family"), nullptr);
}

TEST(Generator, FamiliesThatDoNotSuitAreNotOffered) {
  const Plan p = planned(f16()), integer = planned(i8()), scaled = planned(e2m1_scaled("ue8m0", 32));
  EXPECT_EQ(find_family(p, "scale_extremes"), nullptr);
  EXPECT_NE(find_family(scaled, "scale_extremes"), nullptr);
  EXPECT_EQ(find_family(integer, "specials"), nullptr);
  EXPECT_EQ(family_names(integer), "raw, small_integers, integer_edges, integer_carries");
}

Plan with_more_operands() {
  Datapath words = fused("f16", "f32", 25, -133);
  words.operands.scales = {{"tensor", Side::b, "f32", {}, "product"}};
  words.factor_a.round = in_d(Cut::stochastic_a);
  words.factor_a.round->random_bits = 8;
  return planned(words, 4);
}

// Scales that are one, near it, and at their ends; random words of all kinds; and what other families make stays.
TEST(Generator, DrawsWhatElseACaseBrings) {
  const Plan p = with_more_operands();
  ASSERT_EQ(p.more_codes(), 5);
  const Generator generator(p, 1);
  std::set<Code> tensors, words;
  for (std::uint64_t i = 0; i < 4000; ++i) {
    const Case made = generator.make(i);
    ASSERT_EQ(made.more.size(), 5U);
    tensors.insert(made.more[0]);
    for (std::size_t w = 1; w < 5; ++w) {
      EXPECT_LT(made.more[w], 0x100U);
      words.insert(made.more[w]);
    }
  }
  for (const Code code : {0x3f800000, 0x7f7fffff, 0, 1, 0x00800000}) EXPECT_EQ(tensors.count(code), 1U) << code;
  EXPECT_GT(tensors.size(), 100U);
  EXPECT_EQ(words.size(), 256U);
}

Plan masked(const Mask& mask, int k) {
  Datapath words = fused("f16", "f32", 25, -133);
  words.operands.mask = mask;
  return planned(words, k);
}

// Every family's, in all its turns.
TEST(Generator, DrawsMasksThatACaseMayBring) {
  for (const Mask& mask : {Mask{2, 4}, Mask{1, 2}, Mask{4, 8, 2}, Mask{}}) {
    const Plan p = masked(mask, 16);
    const Generator generator(p, 1);
    std::set<std::vector<Code>> different;
    for (std::uint64_t i = 0; i < 3000; ++i) {
      const Case made = generator.make(i);
      ASSERT_EQ(made.more.size(), 16U);
      ASSERT_EQ(mask_problem(p.more[0], made.more.data()), "") << i;
      different.insert(made.more);
    }
    EXPECT_GE(different.size(), 36U);  // of the pairs, all
    EXPECT_EQ(different.count(std::vector<Code>(16, 1)), mask.has_pattern() ? 0U : 1U);
  }
}

// Of take 2 among 4 all six, with a NaN, an infinity and a number behind what is off.
TEST(Generator, MasksHaveEveryPatternAndSomethingToHide) {
  const Plan p = masked(Mask{2, 4}, 8);
  const Generator generator(p, 1, find_family(p, "masks"));
  std::set<std::vector<Code>> patterns;
  std::set<Code> hidden;
  for (std::uint64_t i = 0; i < 60; ++i) {
    const Case made = generator.make(i);
    patterns.insert({made.more.begin(), made.more.begin() + 4});
    for (std::size_t t = 0; t < 8; ++t) {
      if (made.more[t] == 0) hidden.insert(made.a[t] & 0x7fff);
    }
  }
  EXPECT_EQ(patterns.size(), 6U);
  EXPECT_EQ(hidden.count(0x7c00), 1U);
  EXPECT_EQ(hidden.count(0x7bff), 1U);
  EXPECT_NE(hidden.upper_bound(0x7c00), hidden.end());
}

TEST(Generator, EveryFamilySuitsSomePlanAndSaysWhatItCatches) {
  std::set<std::string_view> offered;
  std::vector<Shaped> all = shapes();
  all.push_back(f16_to_e4m3());
  all.push_back(f16());
  all.back().datapath.operands.a = all.back().datapath.operands.b = "posit8_2";
  all.push_back(i8());
  all.back().datapath.adders.back().results.back().overflow = Overflow::largest;
  all.push_back(taking_nans());
  all.push_back(bf16_passes());
  all.push_back(f16_leading());
  all.push_back(all.front());
  all.back().datapath.product.empty = -30;
  all.push_back(f16());
  all.back().datapath.operands.mask = Mask{};
  for (const Shaped& shaped : all) {
    const Plan p = planned(shaped);
    for (const Family* family : families_for(p)) offered.insert(family->name);
  }
  for (const Family* family : families_for(with_more_operands())) offered.insert(family->name);
  EXPECT_EQ(offered.size(), families().size());  // so names are distinct, too
  for (const Family& family : families()) EXPECT_GT(family.catches.size(), 10U) << family.name;
}

// The raw family is the random function itself: this pins which value goes where.
TEST(Generator, RawCodesAreTheRandomValuesOfTheirPlaces) {
  const Plan p = planned(f16());
  const Case made = Generator(p, 9, find_family(p, "raw")).make(4);
  EXPECT_EQ(made.a[3], Draws(9, 4, Part::a, 3).bits() & 0xffff);
  EXPECT_EQ(made.b[15], Draws(9, 4, Part::b, 15).bits() & 0xffff);
  EXPECT_EQ(made.c, Draws(9, 4, Part::c, 0).bits() & 0xffffffff);
}

// Of the first 1000 cases, by FNV-1a.
std::uint64_t digest(const Shaped& shaped) {
  const Plan p = planned(shaped);
  const Generator generator(p, 1);
  std::uint64_t sum = 0xcbf29ce484222325;
  for (std::uint64_t i = 0; i < 1000; ++i) {
    const Case made = generator.make(i);
    for (const auto& codes : {made.a, made.b, {made.c}, made.scale_a, made.scale_b}) {
      for (const Code code : codes) sum = (sum ^ code) * 0x100000001b3;
    }
  }
  return sum;
}

// Whoever changes what a family draws changes what every seed means, and these numbers. Another compiler must not.
TEST(Generator, SeedsMeanTheSameOnEveryMachine) {
  EXPECT_EQ(digest(f16()), 2579679155772622010U);
  EXPECT_EQ(digest(e2m1_scaled("ue4m3", 16)), 6205010586083437962U);
  EXPECT_EQ(digest(i8()), 11578119671025667969U);
}

// Bits that a format ignores are noise in about half of the cases, and zero in the others.
void expect_noise(const Plan& p, const Format& f, const std::vector<Code> Case::*list) {
  const Generator generator(p, 1, find_family(p, "near_exponents"));
  int noisy = 0, clean = 0;
  for (std::uint64_t i = 0; i < 200; ++i) {
    Code any = 0;
    const Case made = generator.make(i);
    for (const Code code : made.*list) any |= code & ignored_bits(f);
    ++(any == 0 ? clean : noisy);
  }
  EXPECT_GT(noisy, 60);
  EXPECT_GT(clean, 60);
}

TEST(Generator, IgnoredBitsAreNoise) {
  const Plan low = planned(tf32());
  EXPECT_EQ(ignored_bits(low.a), 0x1fffU);
  expect_noise(low, low.a, &Case::a);
  const Plan high = planned(e2m1_scaled("ue4m3", 16));
  EXPECT_EQ(ignored_bits(*high.scale), 0x80U);
  expect_noise(high, *high.scale, &Case::scale_b);
}

// --- what the families read off a plan ---

TEST(Anatomy, OfAFusedSum) {
  const Plan p = planned(f16());
  const Anatomy facts = anatomy(p);
  EXPECT_EQ(facts.edges, (std::vector<int>{23, 25}));
  EXPECT_EQ(facts.floors, (std::vector<int>{-133, -126}));
  EXPECT_EQ(facts.grids, (std::vector<int>{-158}));
  EXPECT_EQ(facts.reach, 25);
  EXPECT_EQ(facts.deepest, 28);
  EXPECT_EQ(facts.exact_bits, 23);
  EXPECT_EQ(facts.products.least, -28);
  EXPECT_EQ(facts.products.greatest, 30);
  EXPECT_FALSE(facts.block_exponent.has_value());
}

TEST(Anatomy, OfScaledGroups) {
  const Plan p = planned(e2m1_scaled("ue8m0", 32));
  const Anatomy facts = anatomy(p);
  EXPECT_EQ(facts.block_exponent, 0);
  EXPECT_EQ(facts.scales.least, -254);
  EXPECT_EQ(facts.scales.greatest, 254);
  EXPECT_EQ(facts.reach, 35);
  EXPECT_EQ(facts.deepest, 48);  // sums of 16 products of at most 36
}

// --- codes ---

TEST(Codes, StayWithinTheFormat) {
  const Format& e4m3 = *find_format("e4m3");
  EXPECT_EQ(normal_code(e4m3, false, 99, ~Code{0}), 0x7eU);  // 448: the next code is NaN
  EXPECT_EQ(normal_code(e4m3, true, -99, 0), 0x88U);
  EXPECT_EQ(greatest_code(e4m3, true, 1), 0xfdU);
  EXPECT_EQ(infinity_code(e4m3, false), 0x7eU);
  EXPECT_EQ(nan_code(e4m3, true, 5), 0xffU);
  const Format& fnuz = *find_format("e4m3fnuz");
  EXPECT_EQ(zero_code(fnuz, true), 0U);  // 80 is NaN there
  EXPECT_EQ(nan_code(fnuz, false, 5), 0x80U);
  EXPECT_EQ(negated_code(fnuz, 0), 0U);
  const Format& f16 = *find_format("f16");
  EXPECT_EQ(nan_code(f16, false, 0), 0x7c01U);
  EXPECT_EQ(subnormal_code(f16, true, ~Code{0}), 0x83ffU);
  EXPECT_EQ(subnormal_code(f16, false, 0), 0x0400U);
  EXPECT_EQ(power_code(f16, true, -15), 0x8200U);
  EXPECT_EQ(power_code(f16, false, -24), 0x0001U);
  EXPECT_EQ(power_code(f16, false, -99), 0x0001U);
  EXPECT_EQ(power_code(f16, false, 3), 0x4800U);
  const Format& tf32 = *find_format("tf32");
  EXPECT_EQ(one_code(tf32), 0x3f800000U);
  EXPECT_EQ(greatest_code(tf32, true, 1), 0xff7fc000U);
  const Format& ue8m0 = *find_format("ue8m0");
  EXPECT_EQ(one_code(ue8m0), 0x7fU);
  EXPECT_EQ(greatest_code(ue8m0, false), 0xfeU);
  EXPECT_EQ(zero_code(ue8m0, false), 0U);
  EXPECT_EQ(nan_code(ue8m0, false, 0), 0xffU);
  const Format& i8 = *find_format("i8");
  Number five;
  five.magnitude = 5;
  EXPECT_EQ(rounded_code(i8, five, Cut::toward_zero), 0x05U);
  EXPECT_EQ(rounded_code(f16, five, Cut::toward_zero), 0x4500U);
  EXPECT_EQ(rounded_code(*find_format("e2m1"), five, Cut::toward_zero), 0x6U);   // 4
  EXPECT_EQ(rounded_code(*find_format("e2m1"), five, Cut::nearest_away), 0x7U);  // 6
  EXPECT_EQ(rounded_code(f16, Number::zero(true), Cut::toward_zero), 0x8000U);
  EXPECT_EQ(greatest_code(i8, true), 0x80U);
  EXPECT_EQ(greatest_code(i8, false, 2), 0x7dU);
  EXPECT_EQ(negated_code(i8, 1), 0xffU);
}

}  // namespace
}  // namespace assay
