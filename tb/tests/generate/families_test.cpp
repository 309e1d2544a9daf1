// What each family says of itself, held against its cases as the core decodes them.
#include "tb/generate/families.hpp"

#include <algorithm>
#include <climits>
#include <cstring>
#include <map>
#include <set>

#include "model/core/decode.hpp"
#include "model/core/dot.hpp"
#include "model/core/multiply.hpp"
#include "model/core/round.hpp"
#include "tb/generate/anatomy.hpp"
#include "tb/generate/codes.hpp"
#include "tb/generate/generator.hpp"
#include "tb/tests/generate/plans.hpp"

namespace assay {
namespace {

Number read(Code code, const Format& format) { return decode(code, format, Subnormals::keep, Specials::step); }

// A case as numbers.
struct Read {
  std::vector<Number> a, b, products;
  Number c, d;
};

Read read(const Plan& p, const Case& made) {
  Read r;
  for (std::size_t i = 0; i < made.a.size(); ++i) {
    r.a.push_back(read(made.a[i], p.a));
    r.b.push_back(read(made.b[i], p.b));
    r.products.push_back(multiply(r.a[i], r.b[i]));
  }
  r.c = read(made.c, p.c);
  Registers registers;
  r.d = read(dot(p, made.operand(), registers), p.d);
  return r;
}

std::vector<Case> cases_of(const Plan& p, std::string_view family, std::uint64_t count) {
  const Family* found = find_family(p, family);
  EXPECT_NE(found, nullptr) << family;
  const Generator generator(p, 1, found);
  std::vector<Case> cases;
  for (std::uint64_t i = 0; i < count; ++i) cases.push_back(generator.make(i));
  return cases;
}

std::vector<Read> reads_of(const Plan& p, std::string_view family, std::uint64_t count) {
  std::vector<Read> reads;
  for (const Case& made : cases_of(p, family, count)) reads.push_back(read(p, made));
  return reads;
}

// The number in units of 2^grid.
i128 in_units(const Number& n, int grid) {
  if (n.magnitude == 0) return 0;
  const int below = std::max(0, grid - n.quantum);
  EXPECT_EQ(n.magnitude & low_mask(below), 0U);
  const auto value = static_cast<i128>(shift_left(n.magnitude >> below, std::max(0, n.quantum - grid)));
  return n.negative ? -value : value;
}

i128 sum_of_products(const Read& r, int grid) {
  i128 sum = 0;
  for (const Number& p : r.products) sum += in_units(p, grid);
  return sum;
}

i128 absolute(i128 x) { return x < 0 ? -x : x; }

int leading(i128 x) { return bit_length(static_cast<u128>(absolute(x))) - 1; }

std::vector<Number> terms(const Read& r) {
  std::vector<Number> all;
  for (const Number& p : r.products) {
    if (p.magnitude != 0) all.push_back(p);
  }
  if (r.c.magnitude != 0) all.push_back(r.c);
  return all;
}

int largest_exponent(const std::vector<Number>& numbers) {
  int largest = Number::no_exponent;
  for (const Number& n : numbers) largest = std::max(largest, n.exponent);
  return largest;
}

class AllShapes : public testing::TestWithParam<Shaped> {};
INSTANTIATE_TEST_SUITE_P(Families, AllShapes, testing::ValuesIn(shapes()), shape_name);

std::vector<Shaped> floating_shapes() {
  std::vector<Shaped> floating;
  for (const Shaped& s : shapes()) {
    if (s.name != "i8") floating.push_back(s);
  }
  return floating;
}

class FloatingShapes : public testing::TestWithParam<Shaped> {};
INSTANTIATE_TEST_SUITE_P(Families, FloatingShapes, testing::ValuesIn(floating_shapes()), shape_name);

// --- raw, small integers ---

TEST_P(AllShapes, RawSetsAndClearsEveryStoredBit) {
  const Plan p = planned(GetParam());
  Code ever = 0, always = ~Code{0}, ever_c = 0;
  for (const Case& made : cases_of(p, "raw", 200)) {
    for (const Code code : made.a) ever |= code, always &= code;
    ever_c |= made.c;
  }
  EXPECT_EQ(ever, all_bits(p.a));
  EXPECT_EQ(always, 0U);
  EXPECT_EQ(ever_c, all_bits(p.c));
}

TEST_P(AllShapes, SmallIntegersAreNeverRounded) {
  const Plan p = planned(GetParam());
  std::set<std::int64_t> sums;
  for (const Read& r : reads_of(p, "small_integers", 500)) {
    const i128 sum = sum_of_products(r, 0) + in_units(r.c, 0);
    ASSERT_EQ(in_units(r.d, 0), sum);
    sums.insert(static_cast<std::int64_t>(sum));
  }
  EXPECT_GT(sums.size(), 20U);
}

TEST_P(AllShapes, SmallIntegersTellPlacesApart) {
  const Plan p = planned(GetParam());
  Registers registers;
  std::set<std::size_t> told;
  for (Case& made : cases_of(p, "small_integers", 500)) {
    const Code d = dot(p, made.operand(), registers);
    for (std::size_t i = 0; i + 1 < made.a.size(); ++i) {
      std::swap(made.a[i], made.a[i + 1]);
      if (dot(p, made.operand(), registers) != d) told.insert(i);
      std::swap(made.a[i], made.a[i + 1]);
    }
  }
  EXPECT_EQ(told.size(), static_cast<std::size_t>(p.k) - 1);
}

// --- exponents ---

TEST(Families, NearExponentsAreNear) {
  const Plan p = planned(f16());
  std::set<int> bases;
  for (const Read& r : reads_of(p, "near_exponents", 500)) {
    const std::vector<Number> all = terms(r);
    ASSERT_EQ(all.size(), 17U);
    const int largest = largest_exponent(all);
    for (const Number& n : all) ASSERT_LE(largest - n.exponent, 4);
    bases.insert(largest);
  }
  EXPECT_GT(bases.size(), 40U);  // of -28..30
}

// The exponents that meet in the sum: of products and c, or of blocks that are scaled as a whole.
std::vector<int> addend_exponents(const Plan& p, const Case& made) {
  const Read r = read(p, made);
  std::vector<int> exponents;
  if (r.c.magnitude != 0) exponents.push_back(r.c.exponent);
  for (std::size_t i = 0; i < r.products.size(); ++i) {
    if (r.products[i].magnitude == 0) continue;
    if (p.scales == 0) {
      exponents.push_back(r.products[i].exponent);
    } else {
      const std::size_t block = i / static_cast<std::size_t>(p.scale_block);
      exponents.push_back(read(made.scale_a[block], *p.scale).exponent + read(made.scale_b[block], *p.scale).exponent);
    }
  }
  return exponents;
}

TEST_P(FloatingShapes, AlignmentHasEveryDistance) {
  const Plan p = planned(GetParam());
  const int deepest = anatomy(p).deepest;
  std::set<int> distances;
  for (const Case& made : cases_of(p, "alignment", static_cast<std::uint64_t>(16 * (deepest + 1)))) {
    const std::vector<int> exponents = addend_exponents(p, made);
    ASSERT_FALSE(exponents.empty());
    const int largest = *std::max_element(exponents.begin(), exponents.end());
    for (const int e : exponents) distances.insert(largest - e);
  }
  for (int distance = 0; distance <= deepest; ++distance) {
    EXPECT_EQ(distances.count(distance), 1U) << "distance " << distance;
  }
}

// Of the stairs, every fourth case: not only some term, each of them.
TEST(Families, AlignmentHasEveryTermAtEveryDistance) {
  for (const Shaped& shaped :
       {f16(), f16_to_f16(), bf16_operations(), Shaped{"own", fused("e5m2", "f32", 17, -133), 6}}) {
    const Plan p = planned(shaped);
    const int deepest = anatomy(p).deepest;
    std::set<std::pair<std::size_t, int>> seen;
    for (const Case& made : cases_of(p, "alignment", static_cast<std::uint64_t>(16 * (deepest + 1)))) {
      const Read r = read(p, made);
      const int largest = largest_exponent(terms(r));
      for (std::size_t i = 0; i < r.products.size(); ++i) {
        if (r.products[i].magnitude != 0) seen.insert({i, largest - r.products[i].exponent});
      }
    }
    for (std::size_t i = 0; i < static_cast<std::size_t>(p.k); ++i) {
      for (int distance = 0; distance <= deepest; ++distance) {
        EXPECT_EQ(seen.count({i, distance}), 1U) << shaped.name << ": term " << i << ", distance " << distance;
      }
    }
  }
}

TEST(Families, AlignmentHasBothHoldersAndAllPatterns) {
  const Plan p = planned(f16());
  std::set<bool> c_holds;
  std::set<u128> significands;
  for (const Read& r : reads_of(p, "alignment", 500)) {
    c_holds.insert(r.c.magnitude != 0 && r.c.exponent == largest_exponent(terms(r)));
    for (const Number& n : r.a) significands.insert(n.magnitude);
  }
  EXPECT_EQ(c_holds.size(), 2U);
  for (const unsigned pattern : {0x400U, 0x401U, 0x7ffU}) EXPECT_EQ(significands.count(pattern), 1U) << pattern;
}

TEST(Families, LargestIsHeldByEachAndTied) {
  const Plan p = planned(f16());
  std::map<std::size_t, int> sole_holders;  // 16 is c
  int ties = 0, larger_values_below = 0;
  for (const Read& r : reads_of(p, "largest", 500)) {
    std::vector<Number> all = r.products;
    all.push_back(r.c);
    const int largest = largest_exponent(all);
    std::vector<std::size_t> holders;
    for (std::size_t i = 0; i < all.size(); ++i) {
      if (all[i].magnitude != 0 && all[i].exponent == largest) holders.push_back(i);
    }
    if (holders.size() > 1) {
      ++ties;
      continue;
    }
    ++sole_holders[holders.front()];
    const i128 held = absolute(in_units(all[holders.front()], -80));
    for (const Number& n : all) larger_values_below += absolute(in_units(n, -80)) > held ? 1 : 0;
  }
  EXPECT_EQ(sole_holders.size(), 17U);
  EXPECT_GT(ties, 10);
  EXPECT_GT(larger_values_below, 100);
}

// --- cancellation ---

constexpr int grid = -90;  // below every bit of these cases

TEST(Families, CancellationLeavesAResidueAtEveryDepth) {
  const Plan p = planned(f16());
  std::set<int> depths;
  const std::vector<Read> reads = reads_of(p, "cancellation", 2000);
  for (std::size_t i = 0; i < reads.size(); i += 5) {
    const Read& r = reads[i];
    const i128 rest = sum_of_products(r, grid) + in_units(r.c, grid);
    ASSERT_NE(rest, 0);
    // The residue is the one term whose value is what remains.
    for (const Number& n : terms(r)) {
      if (in_units(n, grid) == rest) depths.insert(largest_exponent(terms(r)) - n.exponent);
    }
  }
  for (int depth = 0; depth <= 28; ++depth) EXPECT_EQ(depths.count(depth), 1U) << "depth " << depth;
}

TEST(Families, CancellationIsTotalOrToOneUnitOrByC) {
  const Plan p = planned(f16());
  const std::vector<Read> reads = reads_of(p, "cancellation", 4000);
  int exactly_zero = 0, cut_by_c = 0;
  std::set<int> depths;
  for (std::size_t i = 0; i < reads.size(); ++i) {
    const Read& r = reads[i];
    const i128 products = sum_of_products(r, grid);
    const int largest = largest_exponent(r.products);
    switch (i % 5) {
      case 1:
        ASSERT_GE(terms(r).size(), 2U);
        ASSERT_EQ(products, 0);
        ASSERT_EQ(r.c.magnitude, 0U);
        ASSERT_EQ(r.d.magnitude, 0U);
        break;
      case 2: {
        ASSERT_NE(products, 0);
        const int rest = leading(products) + grid;
        ASSERT_TRUE(rest == largest - 10) << rest << " of " << largest;  // 2^-10 x 1.m
        break;
      }
      case 3: {
        const i128 rest = products + in_units(r.c, grid);
        if (i / 5 % 2 == 1) {  // all but one bit, and what c cannot hold
          if (products != 0) depths.insert(leading(products) - leading(rest));
          break;
        }
        if (products != 0) {
          ASSERT_LT(leading(rest) + grid, r.c.exponent - 23);
        }
        ++(rest == 0 ? exactly_zero : cut_by_c);
        break;
      }
      default: break;
    }
  }
  EXPECT_GT(exactly_zero, 50);
  EXPECT_GT(cut_by_c, 20);
  for (int depth = 1; depth <= 24; ++depth) EXPECT_EQ(depths.count(depth), 1U) << depth;
}

// One multiply-add of f64, as level 1 draws it: of product and c all is left but each number of leading bits that both
// have, and either is that far above the other.
TEST(Families, OneMultiplyAddCancelsToEveryDepth) {
  Shaped one = f64_chain();
  one.k = 1;
  const Plan p = planned(one);
  const std::uint64_t turns = 5000 / families_for(p).size();
  std::set<int> depths, above, below;
  for (const Read& r : reads_of(p, "cancellation", turns)) {
    if (!r.d.is_zero() && r.c.is_finite() && !r.c.is_zero())
      depths.insert(leading_exponent(r.c) - leading_exponent(r.d));
  }
  for (const Read& r : reads_of(p, "alignment", turns)) {
    const int distance = r.products[0].exponent - r.c.exponent;
    (distance > 0 ? above : below).insert(std::abs(distance));
  }
  EXPECT_GE(depths.size(), 48U);
  for (int distance = 1; distance <= 55; ++distance) {
    EXPECT_EQ(above.count(distance), 1U) << distance;
    EXPECT_EQ(below.count(distance), 1U) << distance;
  }
}

TEST_P(FloatingShapes, CancellationCancels) {
  const Plan p = planned(GetParam());
  int zeros = 0;
  for (const Read& r : reads_of(p, "cancellation", 500)) zeros += r.d.is_zero() ? 1 : 0;
  EXPECT_GT(zeros, 40);
  EXPECT_LT(zeros, 360);
}

// --- carries ---

TEST(Families, CarryFillsTheSumRegister) {
  const Plan p = planned(f16());
  const int place = p.find_place("step[0].sum.reduce");
  ASSERT_GE(place, 0);
  Registers registers;
  Trace trace(p);
  int widest = 0;
  for (const Case& made : cases_of(p, "carry", 150)) {
    if (made.number % 3 == 2) continue;
    dot(p, made.operand(), registers, &trace);
    widest = std::max(widest, leading(trace.signed_field(place, "sum")) + 1);
    const Read r = read(p, made);
    const std::vector<Number> all = terms(r);
    for (const Number& n : all) {
      ASSERT_EQ(n.negative, all.front().negative);
      ASSERT_EQ(n.exponent, all.front().exponent);
    }
    for (const Number& n : r.a) ASSERT_EQ(n.magnitude, 0x7ffU);
  }
  EXPECT_EQ(widest, p.places[static_cast<std::size_t>(place)].width - 1);
}

// Of every third case: c is all ones, and one bit carries through all of them, or stands where something is cut.
TEST(Families, CarryRunsThroughAllBitsOfC) {
  const Plan p = planned(f16());
  std::map<int, int> below;
  for (const Case& made : cases_of(p, "carry", 300)) {
    if (made.number % 3 != 2) continue;
    const Read r = read(p, made);
    ASSERT_EQ(r.c.magnitude, 0xffffffU);
    const std::vector<Number> all = terms(r);
    ASSERT_EQ(all.size(), 2U);
    ASSERT_EQ(all[0].negative, all[1].negative);
    const int distance = r.c.exponent - all[0].exponent;
    ++below[distance];
    if (distance == 23) {
      ASSERT_EQ(r.d.exponent, r.c.exponent + 1);
      ASSERT_EQ(r.d.magnitude, 0x800000U);
    }
  }
  EXPECT_GT(below[23], 30);
  EXPECT_GT(below[25], 10);
}

// --- ties ---

// The exact sum as an odd number of halves of d's last bit, but for a decider below: negative, none or positive.
TEST(Families, TiesAreTiesButForOneBitAtEveryCut) {
  const Plan p = planned(f16_to_f16());
  std::map<int, int> deciders;  // below the largest exponent
  int even = 0, odd = 0;
  for (const Read& r : reads_of(p, "ties", 600)) {
    const i128 sum = absolute(sum_of_products(r, grid) + in_units(r.c, grid));
    ASSERT_NE(sum, 0);
    const int half = leading(sum) - 11;
    const std::vector<Number> all = terms(r);
    const Number& least = *std::min_element(all.begin(), all.end(), [](const Number& x, const Number& y) {
      return x.quantum + bit_length(x.magnitude) < y.quantum + bit_length(y.magnitude);
    });
    const i128 without = absolute(sum_of_products(r, grid) + in_units(r.c, grid) - in_units(least, grid));
    ASSERT_EQ(without & static_cast<i128>(low_mask(half)), 0) << "more than one bit below the tie";
    ++deciders[largest_exponent(all) - (least.quantum + bit_length(least.magnitude) - 1)];
    ++((without >> (half + 1) & 1) == 0 ? even : odd);
  }
  for (const int distance : {12, 13, 25, 26}) EXPECT_GT(deciders[distance], 20) << distance;
  EXPECT_GT(even, 100);
  EXPECT_GT(odd, 100);
}

// --- the ends of the range ---

TEST(Families, SubnormalsOfEveryKind) {
  const Plan p = planned(bf16_in_steps());
  int operands = 0, c = 0, products = 0, results = 0;
  for (const Read& r : reads_of(p, "subnormals", 1000)) {
    for (const Number& n : r.a) operands += n.magnitude != 0 && n.magnitude < 0x80 ? 1 : 0;
    c += r.c.magnitude != 0 && r.c.magnitude < 0x800000 ? 1 : 0;
    for (const Number& n : r.products) products += n.magnitude != 0 && n.exponent < -126 ? 1 : 0;
    results += r.d.magnitude != 0 && r.d.magnitude < 0x800000 ? 1 : 0;
  }
  EXPECT_GT(operands, 100);
  EXPECT_GT(c, 20);
  EXPECT_GT(products, 100);
  EXPECT_GT(results, 50);
}

TEST(Families, AFloorIsReachedWithAndWithoutAZeroProduct) {
  for (const Shaped& shaped : {f16_to_f16(), tf32(), bf16_in_steps()}) {
    const Plan p = planned(shaped);
    const int floor = anatomy(p).floors.front();
    int with_zero = 0, without_zero = 0;
    for (const Read& r : reads_of(p, "floors", 2000)) {
      const std::vector<Number> all = terms(r);
      if (all.empty() || largest_exponent(all) >= floor) continue;
      const int nonzero = static_cast<int>(all.size()) - (r.c.is_zero() ? 0 : 1);
      ++(nonzero == p.k || nonzero == p.step_terms ? without_zero : with_zero);
    }
    EXPECT_GT(with_zero, 2) << shaped.name;
    EXPECT_GT(without_zero, 2) << shaped.name;
  }
}

// Half of the cases: terms that make d's least number, or half of it, and one bit about the last that the floor keeps.
TEST(Families, FloorsHaveBitsOnEitherSideOfTheirGrids) {
  for (const Shaped& shaped : {tf32(), bf16_in_steps(), e2m1_in_one_block()}) {
    const Plan p = planned(shaped);
    const int last_kept = anatomy(p).grids.front();
    std::map<int, int> seen;
    for (const Case& made : cases_of(p, "floors", 800)) {
      if (made.number % 4 != 1 && made.number % 4 != 2) continue;
      const Read r = read(p, made);
      const int shift =
          p.scales == 0 ? 0 : read(made.scale_a[0], *p.scale).exponent + read(made.scale_b[0], *p.scale).exponent;
      int least = INT_MAX;
      for (const Number& n : r.products) {
        if (!n.is_zero()) least = std::min(least, n.quantum + bit_length(n.magnitude) - 1 + shift);
      }
      ++seen[least - last_kept];
    }
    for (const int above : {-2, -1, 0, 1}) EXPECT_GT(seen[above], 10) << shaped.name << ": " << above;
  }
}

TEST(Families, FloorsReachJustBelowTheLeastNormalNumber) {
  for (const Shaped& shaped : {bf16_in_steps(), bf16_operations(), f16_to_f16()}) {
    const Plan p = planned(shaped);
    const int least = p.d.least_exponent(), unit = least - p.d.mantissa_bits - 4;
    std::set<i128> missing;
    for (const Case& made : cases_of(p, "floors", 800)) {
      if (made.number % 4 != 3) continue;
      const Read r = read(p, made);
      if (terms(r).size() != 2) continue;
      missing.insert((i128{1} << (least - unit)) - absolute(sum_of_products(r, unit) + in_units(r.c, unit)));
    }
    for (const int bit : {1, 2, 3, 4}) EXPECT_EQ(missing.count(i128{1} << bit), 1U) << shaped.name << ": " << bit;
  }
}

// --- integers ---

// d of a unit whose adder of 32 bits loses the carry out of bit `at`: that of the products' sum and c.
//
//   31 .. at+1 | at .. 0
//      +       <- lost
std::uint32_t without_carry(std::uint32_t products, std::uint32_t c, int at) {
  const std::uint64_t below = (std::uint64_t{1} << (at + 1)) - 1;
  const std::uint64_t low = ((products & below) + (c & below)) & below;
  const std::uint64_t high = (std::uint64_t{products} & ~below) + (std::uint64_t{c} & ~below);
  return static_cast<std::uint32_t>(high | low);
}

// And of one in which that carry goes on through ones only.
std::uint32_t with_short_carry(std::uint32_t products, std::uint32_t c, int at, int reach) {
  const std::uint32_t right = products + c, ones = (products ^ c) >> (at + 1);
  const bool carries = (((std::uint64_t{products} & ((std::uint64_t{1} << (at + 1)) - 1)) +
                         (c & ((std::uint64_t{1} << (at + 1)) - 1))) >>
                        (at + 1)) != 0;
  const std::uint32_t mask = (1U << reach) - 1;
  return carries && (ones & mask) == mask ? right - (1U << (at + 1)) : right;
}

// The magnitude of c by a unit that inverts it and whose carry of the 1 that it adds then is lost into bit `at`.
//
//   c = -2^at     1 1 1 0 0 0     inverted 0 0 0 1 1 1     + 1 = 0 0 1 0 0 0, or 0 0 0 0 0 0
TEST(Families, LevelOneShowsEveryMagnitudeOfC) {
  const Plan p = planned(i8());
  const Generator generator(p, 1);
  std::set<std::uint32_t> powers;
  for (std::uint64_t i = 0; i < 5000; ++i) {
    const auto c = static_cast<std::uint32_t>(generator.make(i).c);
    const std::uint32_t magnitude = ~c + 1;
    if ((c >> 31) != 0 && (magnitude & (magnitude - 1)) == 0) powers.insert(magnitude);
  }
  EXPECT_EQ(powers.size(), 32U);
}

// Level 1 of 8-bit integers shows each lost carry, and each that is lost where it has `reach` bits to go through.
TEST(Families, LevelOneShowsEveryLostCarry) {
  const Plan p = planned(i8());
  const Generator generator(p, 1);
  std::set<int> lost;
  std::set<std::pair<int, int>> too_short;
  for (std::uint64_t i = 0; i < 5000; ++i) {
    const Case made = generator.make(i);
    std::uint32_t products = 0;
    for (std::size_t x = 0; x < made.a.size(); ++x)
      products += static_cast<std::uint32_t>(static_cast<std::int8_t>(made.a[x]) * static_cast<std::int8_t>(made.b[x]));
    const auto c = static_cast<std::uint32_t>(made.c);
    for (int at = 0; at < 31; ++at) {
      if (without_carry(products, c, at) != products + c) lost.insert(at);
      for (int reach = 1; at + reach < 31; ++reach) {
        if (with_short_carry(products, c, at, reach) != products + c) too_short.insert({at, reach});
      }
    }
  }
  EXPECT_EQ(lost.size(), 31U);
  EXPECT_EQ(too_short.size(), 465U);  // 1 + 2 + .. + 30
}

// --- one bit ---

// Where a case has the codes of an operand.
struct Codes {
  std::string name;
  const Format* format;
  Subnormals subnormals;
  Code* first;
  int count;
};

std::vector<Codes> codes_of(const Plan& p, Case& made) {
  const Datapath& words = p.datapath;
  std::vector<Codes> all{{"a", &p.a, words.subnormals_a, made.a.data(), p.k},
                         {"b", &p.b, words.subnormals_b, made.b.data(), p.k},
                         {"c", &p.c, words.subnormals_c, &made.c, 1}};
  if (p.scale) {
    all.push_back({"scale_a", &*p.scale, Subnormals::keep, made.scale_a.data(), p.scales});
    all.push_back({"scale_b", &*p.scale, Subnormals::keep, made.scale_b.data(), p.scales});
  }
  return all;
}

// Every code of a format that is not read as a number, and zero, by trying all of a format of 16 bits at most; of a
// wider one by its fields.
std::vector<Code> codes_apart(const Format& f) {
  std::vector<Code> found;
  const auto apart = [&](Code used) {
    const Number n = read(f.stored(used), f);
    return !n.is_finite() || n.magnitude == 0;
  };
  if (f.used_bits() <= 16) {
    for (Code used = 0; used >> f.used_bits() == 0; ++used) {
      if (apart(used) && (used & f.sign_bit()) == 0) found.push_back(used);
    }
  } else {
    found = {0, ((Code{1} << f.exponent_bits) - 1) << f.mantissa_bits};
  }
  return found;
}

// A unit that does not read one bit of an operand where it asks whether that is zero, infinite or NaN: it takes `code`
// for `taken`. Whether a case shows it.
bool shows_one_bit(const Plan& p, std::size_t operand, Code code, Code taken, Case& made) {
  const Codes codes = codes_of(p, made)[operand];
  const Format& f = *codes.format;
  const auto used = [&](int i) { return f.used(codes.first[i]); };
  std::vector<int> places;
  for (int i = 0; i < codes.count; ++i) {
    if ((used(i) & ~f.sign_bit()) == code) places.push_back(i);
  }
  if (places.empty()) return false;
  Registers registers;
  const Code right = dot(p, made.operand(), registers);
  for (const int i : places) codes.first[i] = f.stored(taken | (used(i) & f.sign_bit()));
  const bool shown = dot(p, made.operand(), registers) != right;
  for (const int i : places) codes.first[i] = f.stored(code | (used(i) & f.sign_bit()));
  return shown;
}

// The pairs of codes that differ in one bit, of which one is no number or zero, and that are to be read apart.
std::vector<std::pair<Code, Code>> one_bit_apart(const Codes& of, Specials specials) {
  const Format& f = *of.format;
  std::vector<std::pair<Code, Code>> found;
  if (f.is_integer()) return found;
  for (const Code taken : codes_apart(f)) {
    const Number other = decode(f.stored(taken), f, of.subnormals, specials);
    if (other.cls == Class::nan && f.nan == NanCodes::ieee) continue;  // what lies next to infinity
    for (int bit = 0; bit < f.used_bits(); ++bit) {
      const Code code = taken ^ Code { 1 } << bit;
      const Number n = decode(f.stored(code), f, of.subnormals, specials);
      const bool alike = n.cls == other.cls && (!n.is_finite() || compare(n, other) == 0);
      if ((code & f.sign_bit()) == 0 && !alike) found.emplace_back(code, taken);
    }
  }
  return found;
}

// Whether d shows nothing of a c, neither alone nor beside any product, which lies more than 40 bits above it.
bool c_is_lost(const Plan& p, Code c, Code taken) {
  Case one = Generator(p, 1).make(0);
  std::fill(one.a.begin(), one.a.end(), zero_code(p.a, false));
  std::fill(one.b.begin(), one.b.end(), zero_code(p.b, false));
  const auto d_of = [&](Code code) {
    Registers registers;
    one.c = code;
    return dot(p, one.operand(), registers);
  };
  const Number n = read(c, p.c), a = read(p.a.stored(1), p.a), b = read(p.b.stored(1), p.b);
  const int least_product = a.quantum + b.quantum;
  return n.is_finite() && bit_length(n.magnitude) + n.quantum < least_product - 40 && d_of(c) == d_of(taken);
}

// Level 1 shows every such unit, whatever the seed.
TEST_P(FloatingShapes, EveryBitOfEveryOperandIsTested) {
  const Plan p = planned(GetParam());
  for (const std::uint64_t seed : {1, 42}) {
    const Generator generator(p, seed);
    std::vector<Case> cases;
    for (std::uint64_t i = 0; i < 5000; ++i) cases.push_back(generator.make(i));
    const std::size_t operands = codes_of(p, cases.front()).size();
    std::size_t tried = 0;
    for (std::size_t operand = 0; operand < operands; ++operand) {
      const Codes of = codes_of(p, cases.front())[operand];
      for (const auto& [code, taken] : one_bit_apart(of, p.datapath.specials)) {
        if (of.name == "c" && c_is_lost(p, code, taken)) continue;
        ++tried;
        const bool shown = std::any_of(cases.begin(), cases.end(), [&, code = code, taken = taken](Case& made) {
          return shows_one_bit(p, operand, code, taken, made);
        });
        EXPECT_TRUE(shown) << "seed " << seed << ": nothing shows a unit that takes the code " << std::hex << code
                           << " of " << of.name << ", " << of.format->name << ", for " << taken;
      }
    }
    EXPECT_GE(tried, 8U);
  }
}

// Sums of one term, whose leading one lies a power of two from either end of d's exponents.
TEST_P(FloatingShapes, ExponentsArePowersOfTwoFromTheEnds) {
  const Plan p = planned(GetParam());
  if (p.scale) GTEST_SKIP() << "the products of a case are not scaled here";
  std::set<int> met;
  for (const Read& r : reads_of(p, "exponent_tests", 5000 / families_for(p).size())) {
    const std::vector<Number> all = terms(r);
    ASSERT_EQ(all.size(), 1U);
    met.insert(leading_exponent(all.front()));
  }
  const int least = leading_exponent(read(p.a.stored(1), p.a)) + leading_exponent(read(p.b.stored(1), p.b)),
            least_c = leading_exponent(read(p.c.stored(1), p.c));
  const int most = leading_exponent(greatest(p.a, false)) + leading_exponent(greatest(p.b, false));
  const int most_c = leading_exponent(greatest(p.c, false));
  for (const int edge : {p.d.least_exponent(), p.d.greatest_exponent() + 1}) {
    for (int distance = 1; distance < 4096; distance *= 2) {
      for (const int exponent : {edge - distance, edge + distance}) {
        const bool can = (least <= exponent && exponent <= most) || (least_c <= exponent && exponent <= most_c);
        EXPECT_EQ(met.count(exponent), can ? 1U : 0U) << exponent;
      }
    }
  }
}

TEST_P(FloatingShapes, TinyIsTiny) {
  const Plan p = planned(GetParam());
  std::set<u128> magnitudes;
  int everything = 0, c_alone = 0, terms_alone = 0;
  for (const Read& r : reads_of(p, "tiny", 210)) {
    for (const Number& n : r.a) {
      if (n.is_zero()) continue;
      ASSERT_EQ(n.exponent, p.a.least_exponent());
      magnitudes.insert(n.magnitude);
    }
    if (!r.c.is_zero()) {
      ASSERT_EQ(r.c.exponent, p.c.least_exponent());
    }
    ++(r.a.front().is_zero() ? c_alone : r.c.is_zero() ? terms_alone : everything);
  }
  EXPECT_EQ(everything, 70);
  EXPECT_EQ(c_alone, 70);
  EXPECT_EQ(terms_alone, 70);
  const u128 hidden = u128{1} << p.a.mantissa_bits;
  EXPECT_EQ(magnitudes, (std::set<u128>{1, hidden - 1, hidden}));
}

TEST(Families, OverflowHappensAndJustFailsToHappen) {
  for (const Shaped& shaped : {bf16_in_steps(), f16_to_f16(), f64_chain(), bf16_lanes()}) {
    const Plan p = planned(shaped);
    const Number greatest = read(greatest_code(p.d, false), p.d);
    int infinite = 0, finite = 0, just_finite = 0;
    const std::vector<Read> reads = reads_of(p, "overflow", 1000);
    for (std::size_t i = 0; i < reads.size(); ++i) {
      const Number& d = reads[i].d;
      infinite += d.cls == Class::infinity ? 1 : 0;
      finite += d.is_finite() ? 1 : 0;
      just_finite +=
          i % 7 == 0 && d.is_finite() && d.magnitude == greatest.magnitude && d.exponent == greatest.exponent ? 1 : 0;
    }
    EXPECT_GT(infinite, 50) << shaped.name;
    EXPECT_GT(finite, 200) << shaped.name;
    EXPECT_GT(just_finite, 15) << shaped.name;
  }
}

// --- specials and zeros ---

char kind_of(Code code, const Format& f) {
  const Number n = read(code, f);
  if (n.cls == Class::nan) return 'n';
  if (n.cls == Class::infinity) return n.negative ? '-' : '+';
  if (n.is_zero()) return n.negative ? 'm' : 'p';
  return f.used(code & ~f.stored(f.sign_bit())) == f.greatest_finite() ? 'g' : '.';
}

TEST(Families, SpecialsOfAllKindsAtAllPairsOfPlaces) {
  const Plan p = planned(fused("f16", "f32", 25, -133), 4);
  const std::string kinds = "n+-pmg";
  std::set<std::string> missing;
  for (int x = 0; x < 9; ++x) {
    for (int y = x + 1; y < 9; ++y) {
      for (const char kind_x : kinds) {
        for (const char kind_y : kinds) missing.insert({char('0' + x), kind_x, char('0' + y), kind_y});
      }
    }
  }
  for (const Case& made : cases_of(p, "specials", 2 * 9 * 5 * 36)) {
    std::string seen;
    for (const Code code : made.a) seen += kind_of(code, p.a);
    for (const Code code : made.b) seen += kind_of(code, p.b);
    seen += kind_of(made.c, p.c);
    for (int x = 0; x < 9; ++x) {
      for (int y = x + 1; y < 9; ++y) {
        missing.erase(
            {char('0' + x), seen[static_cast<std::size_t>(x)], char('0' + y), seen[static_cast<std::size_t>(y)]});
      }
    }
  }
  EXPECT_TRUE(missing.empty()) << missing.size() << " missing, the first of them " << *missing.begin();
}

TEST(Families, SpecialsMultiplyZeroByInfinityInEachTermFromEitherSide) {
  const Plan p = planned(f16());
  std::set<std::pair<int, bool>> met;
  for (const Case& made : cases_of(p, "specials", 4 * 2 * static_cast<std::uint64_t>(p.k))) {
    for (int i = 0; i < p.k; ++i) {
      const auto at = static_cast<std::size_t>(i);
      const char a = kind_of(made.a[at], p.a), b = kind_of(made.b[at], p.b);
      const auto is_zero = [](char kind) { return kind == 'm' || kind == 'p'; };
      const auto is_infinite = [](char kind) { return kind == '+' || kind == '-'; };
      if ((is_zero(a) && is_infinite(b)) || (is_infinite(a) && is_zero(b))) met.insert({i, is_zero(a)});
    }
  }
  EXPECT_EQ(met.size(), 2 * static_cast<std::size_t>(p.k));
}

// One infinity in all, no NaN and no zero beside it: only what overflowed can make a NaN of that.
TEST(Families, SpecialsMeetInfinitiesThatOverflowMade) {
  const Plan p = planned(bf16_operations());
  Registers registers;
  int met = 0;
  for (const Case& made : cases_of(p, "specials", 1000)) {
    std::string kinds{kind_of(made.c, p.c)};
    for (const Code code : made.a) kinds += kind_of(code, p.a);
    for (const Code code : made.b) kinds += kind_of(code, p.b);
    const auto count = [&](const char* of) {
      return std::count_if(kinds.begin(), kinds.end(), [&](char k) { return std::strchr(of, k) != nullptr; });
    };
    if (count("n") != 0 || count("+-") != 1 || count("mp") != 0) continue;
    met += read(dot(p, made.operand(), registers), p.d).cls == Class::nan ? 1 : 0;
  }
  EXPECT_GT(met, 20);
}

TEST(Families, SpecialsReachEveryOutcome) {
  const Plan p = planned(f16());
  int nan = 0, infinite[2] = {}, finite = 0;
  for (const Read& r : reads_of(p, "specials", 1000)) {
    nan += r.d.cls == Class::nan ? 1 : 0;
    infinite[r.d.negative ? 1 : 0] += r.d.cls == Class::infinity ? 1 : 0;
    finite += r.d.is_finite() ? 1 : 0;
  }
  EXPECT_GT(nan, 100);
  EXPECT_GT(infinite[0], 50);
  EXPECT_GT(infinite[1], 50);
  EXPECT_GT(finite, 100);
}

TEST(Families, NanPayloadsAreEverywhereAndDiffer) {
  for (const Shaped& shaped : {f16(), bf16_operations(), f64_chain()}) {
    const Plan p = planned(shaped);
    const auto places = static_cast<std::size_t>(2 * p.k + 1);
    std::set<std::size_t> at;
    std::set<Code> codes;
    int two = 0, quiet = 0, signalling = 0, infinities = 0;
    for (const Case& made : cases_of(p, "nan_payloads", 400)) {
      std::vector<Code> all = made.a;
      all.insert(all.end(), made.b.begin(), made.b.end());
      all.push_back(made.c);
      int nans = 0;
      for (std::size_t i = 0; i < places; ++i) {
        const Format& f = i + 1 == places ? p.c : p.a;
        infinities += kind_of(all[i], f) == '+' || kind_of(all[i], f) == '-' ? 1 : 0;
        if (kind_of(all[i], f) != 'n') continue;
        ++nans;
        at.insert(i);
        codes.insert(all[i]);
        ++((f.used(all[i]) >> (f.mantissa_bits - 1) & 1) != 0 ? quiet : signalling);
      }
      ASSERT_GE(nans, 1);
      two += nans == 2 ? 1 : 0;
    }
    EXPECT_EQ(at.size(), places) << shaped.name;
    EXPECT_GT(codes.size(), 100U) << shaped.name;
    EXPECT_GT(two, 100) << shaped.name;
    EXPECT_GT(std::min(quiet, signalling), 100) << shaped.name;
    EXPECT_GT(infinities, 100) << shaped.name;
  }
}

TEST(Families, SpecialsReachScales) {
  const Plan p = planned(e2m1_scaled("ue4m3", 16));
  std::set<char> kinds_a, kinds_b;
  for (const Case& made : cases_of(p, "specials", 3000)) {
    for (const Code code : made.scale_a) kinds_a.insert(kind_of(code, *p.scale));
    for (const Code code : made.scale_b) kinds_b.insert(kind_of(code, *p.scale));
  }
  EXPECT_EQ(kinds_a, (std::set<char>{'n', 'p', 'g', '.'}));
  EXPECT_EQ(kinds_b, kinds_a);
}

TEST(Families, SignedZerosAreZerosOfEverySign) {
  const Plan p = planned(f16());
  int exact_zero = 0, negative_c = 0, all_negative = 0, only_zeros = 0, pairs = 0;
  for (const Read& r : reads_of(p, "signed_zeros", 600)) {
    ASSERT_TRUE(r.c.is_zero());
    negative_c += r.c.negative ? 1 : 0;
    exact_zero += sum_of_products(r, -60) == 0 ? 1 : 0;
    const bool zeros = terms(r).empty();
    ++(zeros ? only_zeros : pairs);
    all_negative +=
        zeros && r.c.negative &&
                std::all_of(r.products.begin(), r.products.end(), [](const Number& n) { return n.negative; })
            ? 1
            : 0;
  }
  EXPECT_GT(exact_zero, 350);
  EXPECT_GT(negative_c, 200);
  EXPECT_GT(only_zeros, 150);
  EXPECT_GT(pairs, 150);
  EXPECT_GT(all_negative, 10);
}

// What vanishes has the sign of all the zeros: -0 comes out where something is flushed or rounded to it.
TEST(Families, VanishingEndsInZerosOfItsSign) {
  for (const Shaped& shaped : {f64_chain(), bf16_operations()}) {
    const Plan p = planned(shaped);
    int negative = 0, positive = 0, other = 0;
    for (const Read& r : reads_of(p, "vanishing", 432)) {
      ++(!r.d.is_zero() ? other : r.d.negative ? negative : positive);
    }
    EXPECT_GT(negative, 40) << shaped.name;
    EXPECT_GT(positive, 2) << shaped.name;
    EXPECT_GT(other, 10) << shaped.name;
  }
}

TEST(Families, VanishingHasSubnormalsOfAllOperandsAndPairsThatNearlyCancel) {
  const Plan p = planned(bf16_operations());
  int a = 0, b = 0, c = 0, pairs = 0;
  for (const Read& r : reads_of(p, "vanishing", 432)) {
    const auto subnormal = [](const Number& n) { return n.magnitude != 0 && n.magnitude < 0x80; };
    a += std::any_of(r.a.begin(), r.a.end(), subnormal) ? 1 : 0;
    b += std::any_of(r.b.begin(), r.b.end(), subnormal) ? 1 : 0;
    c += r.c.magnitude != 0 && r.c.magnitude < 0x800000 ? 1 : 0;
    const std::vector<Number> all = terms(r);
    pairs += all.size() == 2 && all[0].exponent == -126 && all[0].negative != all[1].negative ? 1 : 0;
  }
  EXPECT_GT(std::min({a, b, c, pairs}), 5) << a << " " << b << " " << c << " " << pairs;
}

TEST(Families, ZeroTimesHugeStandsAmongSmallTerms) {
  const Plan p = planned(f16());
  int signs[2] = {}, sides[2] = {};
  for (const Read& r : reads_of(p, "zero_times_huge", 300)) {
    int zero_huge = 0;
    for (std::size_t i = 0; i < r.a.size(); ++i) {
      if (!r.products[i].is_zero()) {
        ASSERT_LE(r.products[i].exponent, -25);
        continue;
      }
      const Number& other = r.a[i].is_zero() ? r.b[i] : r.a[i];
      ASSERT_EQ(other.exponent, 15);
      ++zero_huge;
      ++signs[r.products[i].negative ? 1 : 0];
      ++sides[r.a[i].is_zero() ? 1 : 0];
    }
    ASSERT_GE(zero_huge, 1);
  }
  EXPECT_GT(std::min({signs[0], signs[1], sides[0], sides[1]}), 500);
}

TEST(Families, ScaleExtremesAreAllThere) {
  const Plan p = planned(e2m1_scaled("ue4m3", 16)), q = planned(e2m1_scaled("ue8m0", 32));
  std::set<Code> ue4m3, ue8m0;
  for (const Case& made : cases_of(p, "scale_extremes", 300)) {
    for (const Code code : made.scale_a) ue4m3.insert(p.scale->used(code));
  }
  for (const Case& made : cases_of(q, "scale_extremes", 300)) {
    for (const Code code : made.scale_b) ue8m0.insert(code);
  }
  EXPECT_EQ(ue4m3, (std::set<Code>{0x00, 0x01, 0x08, 0x38, 0x7e, 0x7f}));
  EXPECT_EQ(ue8m0, (std::set<Code>{0x00, 0x7f, 0xfe, 0xff}));
}

TEST(Families, ScaleBlocksStandAtDifferentExponents) {
  for (const Shaped& shaped : {e2m1_scaled("ue8m0", 32), e2m1_scaled("ue4m3", 16)}) {
    const Plan p = planned(shaped);
    int differ = 0, bit_against_block = 0;
    for (const Case& made : cases_of(p, "scale_blocks", 400)) {
      std::set<int> sums;
      for (std::size_t i = 0; i < made.scale_a.size(); ++i)
        sums.insert(read(made.scale_a[i], *p.scale).exponent + read(made.scale_b[i], *p.scale).exponent);
      differ += sums.size() > 1 ? 1 : 0;
      bit_against_block += made.number % 4 < 2 ? 1 : 0;
    }
    EXPECT_GT(differ, 250) << shaped.name;
    EXPECT_EQ(bit_against_block, 200);
  }
  EXPECT_EQ(find_family(planned(e2m1_in_one_block()), "scale_blocks"), nullptr);
}

// --- from step to step ---

// Of every other case: a pair that cancels in one step, and in the step before it, or in c, what was there already.
TEST(Families, ChainBoundariesLeaveAResidueBelowAPairAtEveryDistance) {
  const Plan p = planned(bf16_in_steps());
  std::set<int> distances;
  std::set<std::size_t> steps;
  for (const Case& made : cases_of(p, "chain_boundaries", 800)) {
    if (made.number % 4 > 1) continue;
    const Read r = read(p, made);
    for (std::size_t step = 0; step < 2; ++step) {
      int pair = Number::no_exponent, nonzero = 0;
      for (std::size_t i = 8 * step; i < 8 * step + 8; ++i) {
        if (r.products[i].is_zero()) continue;
        pair = std::max(pair, r.products[i].exponent);
        ++nonzero;
      }
      if (nonzero != 2 || pair != largest_exponent(terms(r))) continue;
      steps.insert(step);
      for (const Number& n : terms(r)) distances.insert(pair - n.exponent);
    }
  }
  EXPECT_EQ(steps.size(), 2U);
  for (int distance = 0; distance <= anatomy(p).deepest; ++distance)
    EXPECT_EQ(distances.count(distance), 1U) << distance;
  EXPECT_EQ(find_family(planned(f16()), "chain_boundaries"), nullptr);  // one step has no boundary
}

// --- what programs compute ---

TEST(Families, OutliersAreRareAndLarge) {
  const Plan p = planned(f16());
  int all = 0, large = 0;
  for (const Read& r : reads_of(p, "outliers", 500)) {
    for (const Number& n : r.a) {
      ++all;
      large += n.quantum + bit_length(n.magnitude) > 3 ? 1 : 0;
    }
  }
  EXPECT_NEAR(1000 * large / all, 50, 25);
}

// The sum of magnitudes over the magnitude of the sum is 2^t, within a factor of four, and t takes all values in turn.
TEST(Families, IllConditionedHasEveryCondition) {
  for (const Shaped& shaped : {f16(), tf32(), bf16_operations()}) {
    const Plan p = planned(shaped);
    const int deepest = anatomy(p).deepest;
    for (const Case& made : cases_of(p, "ill_conditioned", static_cast<std::uint64_t>(3 * (deepest + 1)))) {
      const Read r = read(p, made);
      int lowest = r.c.quantum;
      for (const Number& n : r.products) lowest = std::min(lowest, n.quantum);
      i128 magnitudes = absolute(in_units(r.c, lowest));
      for (const Number& n : r.products) magnitudes += absolute(in_units(n, lowest));
      const i128 sum = sum_of_products(r, lowest) + in_units(r.c, lowest);
      ASSERT_NE(sum, 0);
      const int condition = leading(magnitudes) - leading(sum);
      ASSERT_NEAR(condition, static_cast<int>(made.number) % (deepest + 1), 2)
          << shaped.name << ", case " << made.number;
    }
  }
}

TEST_P(FloatingShapes, GaussianHasMeanZeroAndDeviationOne) {
  const Plan p = planned(GetParam());
  int negative = 0, within_one = 0, all = 0;
  for (const Read& r : reads_of(p, "gaussian", 500)) {
    for (const Number& n : r.a) {
      ++all;
      negative += n.negative ? 1 : 0;
      within_one += n.magnitude == 0 || n.quantum + bit_length(n.magnitude) <= 0 ? 1 : 0;
    }
  }
  EXPECT_NEAR(1000 * negative / all, 500, 30);
  // 68 % of a normal distribution. Where 1 is one code of few, what rounds up to it is missing here.
  EXPECT_NEAR(1000 * within_one / all, p.a.mantissa_bits < 2 ? 547 : 675, 40);
}

TEST(Families, LogUniformHasEveryExponentAsOften) {
  const Plan p = planned(tf32());
  std::map<int, int> counts;
  for (const Read& r : reads_of(p, "log_uniform", 1000)) {
    for (const Number& n : r.a) ++counts[n.exponent];
  }
  EXPECT_EQ(counts.size(), 25U);
  for (const auto& [exponent, count] : counts) EXPECT_NEAR(count, 8000 / 25, 90) << exponent;
}

// --- the rules of special values ---

constexpr std::uint64_t odd_seeds[] = {1, 42, 1913388632, 18446744073709551615ULL};

std::vector<Read> rules_of(const Plan& p, std::uint64_t seed) {
  const Family* family = find_family(p, "special_rules");
  const Generator generator(p, seed, family);
  std::vector<Read> reads;
  for (std::uint64_t i = 0; i < 180; ++i) reads.push_back(read(p, generator.make(i)));  // fewer than level 1 has
  return reads;
}

char kind(const Number& n, const Format& f) {
  if (n.cls == Class::nan) return 'N';
  if (n.cls == Class::infinity) return n.negative ? '-' : '+';
  if (n.is_zero()) return '0';
  return n.magnitude >> f.mantissa_bits == 0 ? 's' : 'n';
}

TEST(SpecialRules, EveryKindOfOperandMeetsEveryOther) {
  const Plan p = planned(f16());
  for (const std::uint64_t seed : odd_seeds) {
    std::set<std::string> operands;
    for (const Read& r : rules_of(p, seed)) {
      for (std::size_t i = 0; i < r.a.size(); ++i) operands.insert({kind(r.a[i], p.a), kind(r.b[i], p.b)});
    }
    for (const char a : std::string("N+-0sn")) {
      for (const char b : std::string("N+-0sn")) EXPECT_EQ(operands.count({a, b}), 1U) << a << b << ", seed " << seed;
    }
  }
}

// Alone: no other product is infinite or NaN, so that nothing else decides.
std::string only_special_product(const Read& r) {
  std::string found;
  for (const Number& n : r.products) {
    if (!n.is_finite()) found += kind(n, {});
  }
  return found;
}

TEST(SpecialRules, AnInfiniteProductMeetsAnInfiniteC) {
  for (const Shaped& shaped : {f16(), bf16_lanes(), bf16_operations(), f64_chain()}) {
    const Plan p = planned(shaped);
    for (const std::uint64_t seed : odd_seeds) {
      std::map<std::string, Class> decided;
      for (const Read& r : rules_of(p, seed)) {
        const std::string product = only_special_product(r);
        if (product.size() == 1) decided[product + kind(r.c, p.c)] = r.d.cls;
      }
      for (const char* both : {"+-", "-+", "N+", "N-", "+N", "-N"}) {
        ASSERT_EQ(decided.count(both), 1U) << both << ", " << shaped.name;
        EXPECT_EQ(decided[both], Class::nan) << both;
      }
      for (const char* one : {"++", "--", "+n", "-n", "+0", "-s"}) {
        ASSERT_EQ(decided.count(one), 1U) << one << ", " << shaped.name;
        EXPECT_EQ(decided[one], Class::infinity) << one;
      }
    }
  }
}

TEST(SpecialRules, TwoProductsMeetInAStepBetweenStepsAndBetweenLanes) {
  const Plan p = planned(bf16_lanes());
  ASSERT_EQ(p.lanes * p.steps, 4);
  std::map<int, std::pair<int, int>> place;  // of each index: its lane and its step
  for (int position = 0; position < p.k; ++position) {
    place[p.order[static_cast<std::size_t>(position)]] = {position / 8, position / 4};
  }
  for (const std::uint64_t seed : odd_seeds) {
    std::set<std::string> met;
    for (const Read& r : rules_of(p, seed)) {
      if (only_special_product(r).size() != 2 || !r.c.is_finite()) continue;
      std::vector<int> at;  // as they are added
      for (const int i : p.order) {
        if (!r.products[static_cast<std::size_t>(i)].is_finite()) at.push_back(i);
      }
      const auto [lane, step] = place[at[0]];
      const auto [other_lane, other_step] = place[at[1]];
      const std::string where = lane != other_lane ? "lanes " : step != other_step ? "steps " : "step ";
      std::string signs;
      for (const int i : at) signs += kind(r.products[static_cast<std::size_t>(i)], {});
      met.insert(where + signs);
    }
    for (const std::string where : {"lanes ", "steps ", "step "}) {
      EXPECT_EQ(met.count(where + "+-") + met.count(where + "-+"), 2U) << where << seed;
      EXPECT_GE(met.count(where + "N+") + met.count(where + "+N"), 1U) << where << seed;
      EXPECT_GE(met.count(where + "N-") + met.count(where + "-N"), 1U) << where << seed;
    }
  }
}

TEST(SpecialRules, WhatCountsAsInfiniteMeetsInfinitiesOfTheOtherSign) {
  const Plan p = planned(bf16_lanes());
  const int limit = *p.datapath.product.infinity_at;
  for (const std::uint64_t seed : odd_seeds) {
    int with_c = 0, with_product = 0, with_another = 0;
    for (const Read& r : rules_of(p, seed)) {
      const auto too_large = [&](const Number& n) { return n.is_finite() && reaches(n, limit); };
      const auto first = std::find_if(r.products.begin(), r.products.end(), too_large);
      if (first == r.products.end()) continue;
      const auto against = [&](const Number& n) { return n.negative != first->negative; };
      with_c += r.c.cls == Class::infinity && against(r.c) ? 1 : 0;
      for (const Number& n : r.products) {
        with_product += n.cls == Class::infinity && against(n) ? 1 : 0;
        with_another += too_large(n) && against(n) ? 1 : 0;
      }
    }
    EXPECT_GE(with_c, 2);
    EXPECT_GE(with_product, 6);
    EXPECT_GE(with_another, 6);
  }
}

TEST(SpecialRules, AreAskedWhereAFormatHasSomeOfThem) {
  EXPECT_EQ(find_family(planned(i8()), "special_rules"), nullptr);
  const Plan p = planned(e4m3());  // NaN, but no infinity beside c's
  for (const std::uint64_t seed : odd_seeds) {
    std::set<std::string> met;
    for (const Read& r : rules_of(p, seed)) met.insert(only_special_product(r) + kind(r.c, p.c));
    for (const char* each : {"N+", "N-", "NN", "N0", "Nn", "+", "-"}) EXPECT_EQ(met.count(each), 1U) << each;
  }
}

TEST(SpecialRules, ScalesOfEachSideAreNan) {
  const Plan p = planned(e2m1_scaled("ue8m0", 32));
  const Generator generator(p, 42, find_family(p, "special_rules"));
  int nan_a = 0, nan_b = 0;
  for (std::uint64_t i = 0; i < 180; ++i) {
    const Case made = generator.make(i);
    for (const Code code : made.scale_a) nan_a += code == 0xff ? 1 : 0;
    for (const Code code : made.scale_b) nan_b += code == 0xff ? 1 : 0;
  }
  EXPECT_GT(nan_a, 5);
  EXPECT_GT(nan_b, 5);
}

// --- integers ---

TEST(Families, IntegerEdgesWrap) {
  const Plan p = planned(i8());
  std::set<Code> a;
  int wrapped = 0;
  for (const Case& made : cases_of(p, "integer_edges", 500)) {
    a.insert(made.a.begin(), made.a.end());
    const Read r = read(p, made);
    wrapped += in_units(r.d, 0) != sum_of_products(r, 0) + in_units(r.c, 0) ? 1 : 0;
  }
  EXPECT_EQ(a, (std::set<Code>{0x00, 0x01, 0x02, 0x7d, 0x7e, 0x7f, 0x80, 0x81, 0x82, 0xfe, 0xff}));
  EXPECT_GT(wrapped, 50);
  EXPECT_LT(wrapped, 450);
}

// Any two neighbours of the list hold NaNs in some case, of either kind.
TEST(NanOrder, PutsNansAtNeighboursOfTheList) {
  const Plan p = planned(taking_nans());
  const auto is_nan = [&](Code code, const Format& f) {
    return decode(code, f, Subnormals::keep, Specials::operation).cls == Class::nan;
  };
  int a1_and_acc = 0, acc_and_b1 = 0, made = 0, signalling = 0;
  for (const Case& one : cases_of(p, "nan_order", 400)) {
    const bool a1 = is_nan(one.a[1], p.a), acc = is_nan(one.c, p.c), b1 = is_nan(one.b[1], p.b);
    const bool zero_times_infinity = one.a[0] % 0x8000 == 0x7c00 && one.b[0] % 0x8000 == 0;
    EXPECT_TRUE(a1 || acc || b1 || is_nan(one.a[0], p.a) || is_nan(one.b[0], p.b) || zero_times_infinity);
    a1_and_acc += a1 && acc;
    acc_and_b1 += acc && b1;
    made += zero_times_infinity;
    signalling += acc && (one.c & 0x00400000) == 0;
  }
  EXPECT_GT(a1_and_acc, 20);
  EXPECT_GT(acc_and_b1, 0);
  EXPECT_GT(made, 20);
  EXPECT_GT(signalling, 20);
}

TEST(Saturation, LeavesTheRangeOfDAndComesBack) {
  Shaped shaped = i8();
  shaped.datapath.adders.back().results.back().overflow = Overflow::largest;
  const Plan p = planned(shaped);
  const auto value = [](Code code, const Format& f) {
    const Number n = decode_integer(code, f);
    const auto magnitude = static_cast<std::int64_t>(n.magnitude);
    return n.negative ? -magnitude : magnitude;
  };
  int back = 0;
  for (const Case& one : cases_of(p, "saturation", 300)) {
    std::int64_t sum = value(one.c, p.c);
    bool left = false;
    for (std::size_t i = 0; i < one.a.size(); ++i) {
      sum += value(one.a[i], p.a) * value(one.b[i], p.b);
      left = left || sum > INT32_MAX || sum < INT32_MIN;
    }
    back += left && sum <= INT32_MAX && sum >= INT32_MIN;
  }
  EXPECT_GT(back, 10);
}

}  // namespace
}  // namespace assay
