#include "model/core/round.hpp"

#include <gtest/gtest.h>

#include "tb/tests/core/numbers.hpp"
#include "tb/tests/core/table.hpp"

namespace assay {
namespace {

using test::number;
using test::number_at;
using test::to_multiple;
using test::two_to;
using test::value;

ResultPlan at_window(int keep, Cut cut) {
  ResultPlan plan;
  plan.words.at = ResultAt::window;
  plan.words.keep = keep;
  plan.words.cut = cut;
  return plan;
}

ResultPlan at_leading_one(int keep, Cut cut, std::optional<int> least_exponent) {
  ResultPlan plan;
  plan.words.at = ResultAt::leading_one;
  plan.words.keep = keep;
  plan.words.cut = cut;
  plan.words.least_exponent = least_exponent;
  return plan;
}

ResultPlan to(const Format& format, Cut cut, Overflow overflow = Overflow::infinity) {
  ResultPlan plan;
  plan.words.format = format.name;
  plan.words.cut = cut;
  plan.words.overflow = overflow;
  plan.format = format;
  return plan;
}

ResultPlan to(const char* format, Cut cut, Overflow overflow = Overflow::infinity) {
  return to(*find_format(format), cut, overflow);
}

// --- at the window, at the leading one ---

TEST(RoundAtWindow, KeepsBitsBelowTheWindowWhereverTheLeadingOneStands) {
  for (const Cut cut : test::cuts()) {
    for (unsigned magnitude = 1; magnitude < 256; ++magnitude) {
      for (int keep = 0; keep < 9; ++keep) {
        const Number n = number_at(2, magnitude, -6, magnitude % 2 == 0);
        const Number r = round(n, at_window(keep, cut));
        ASSERT_EQ(value(r), to_multiple(value(n), two_to(2 - keep), cut));
        ASSERT_EQ(r.exponent, 2);
        ASSERT_EQ(r.quantum, 2 - keep);
      }
    }
  }
}

TEST(RoundAtLeadingOne, KeepsBitsAfterItButNeverLooksBelowTheLeastExponent) {
  for (const Cut cut : test::cuts()) {
    for (unsigned magnitude = 1; magnitude < 256; ++magnitude) {
      for (int keep = 0; keep < 9; ++keep) {
        for (const std::optional<int> least : {std::optional<int>{}, std::optional<int>{-3}}) {
          const Number n = number_at(9, magnitude, -6, magnitude % 2 == 0);
          const int exponent = std::max(std::ilogb(value(n)), least.value_or(-100));
          const Number r = round(n, at_leading_one(keep, cut, least));
          ASSERT_EQ(value(r), to_multiple(value(n), two_to(exponent - keep), cut));
          const bool carried = std::fabs(value(r)) >= two_to(exponent + 1);
          ASSERT_EQ(r.exponent, exponent + (carried ? 1 : 0));
          ASSERT_EQ(r.quantum, r.exponent - keep);
          ASSERT_LE(bit_length(r.magnitude), keep + 1);
        }
      }
    }
  }
}

TEST(RoundAtLeadingOne, CarriesIntoTheNextExponent) {
  EXPECT_EQ(round(number(0b1111, 0), at_leading_one(2, Cut::nearest_even, std::nullopt)), number(0b100, 2));
}

TEST(Round, LeavesInfinitiesAndNansAlone) {
  for (const ResultPlan& plan : {at_window(3, Cut::up), at_leading_one(3, Cut::up, -5), to("f16", Cut::up)}) {
    EXPECT_EQ(round(Number::infinity(true), plan), Number::infinity(true));
    EXPECT_EQ(round(Number::nan(true), plan), Number::nan(true));
  }
}

TEST(Round, LeavesACancelledSumItsExponentUntilAFormatTakesIt) {
  const Number cancelled = number_at(22, 0, -2);
  EXPECT_EQ(round(cancelled, at_window(3, Cut::down)).exponent, 22);
  EXPECT_EQ(round(cancelled, at_leading_one(3, Cut::down, -126)).exponent, 22);
  EXPECT_EQ(round(cancelled, to("f32", Cut::down)), Number::zero());
}

// --- in a format ---

// 1 sign, 3 exponent, 2 mantissa bits, bias 3: least 2^-4, least normal 2^-2, greatest 14, infinity.
Format small_format() {
  Format f;
  f.name = "small";
  f.stored_bits = 6;
  f.exponent_bits = 3;
  f.mantissa_bits = 2;
  f.bias = 3;
  f.has_infinity = true;
  f.nan = NanCodes::ieee;
  return f;
}

constexpr double small_least_normal = 0.25;
constexpr double small_greatest = 14;

// Its numbers that are not negative, in the order of their codes, and what would come next.
const std::vector<double>& small_numbers() {
  static const std::vector<double> list = [] {
    const test::Row r{"small", "-", 6, 1, 3, 2, 3, true, NanCodes::ieee, true, true, 0, 0};
    std::vector<double> numbers;
    for (Code code = 0; code < 28; ++code) numbers.push_back(test::value_of(r, code));
    numbers.push_back(16);
    return numbers;
  }();
  return list;
}

// By its two neighbours among the numbers; 16 stands for overflow.
double rounded_to_small(double x, Cut cut) {
  const std::vector<double>& list = small_numbers();
  const double magnitude = std::fabs(x);
  const double sign = x < 0 ? -1 : 1;
  if (magnitude >= 16) return 16 * sign;
  std::size_t code = 0;
  while (list[code + 1] <= magnitude) ++code;
  const double low = list[code], high = list[code + 1], middle = (low + high) / 2;
  if (low == magnitude) return x;
  const bool odd = code % 2 != 0;
  bool away = false;
  switch (cut) {
    case Cut::toward_zero: break;
    case Cut::down: away = x < 0; break;
    case Cut::up: away = x > 0; break;
    case Cut::nearest_even: away = magnitude > middle || (magnitude == middle && odd); break;
    case Cut::nearest_away: away = magnitude >= middle; break;
    case Cut::nearest_up: away = x < 0 ? magnitude > middle : magnitude >= middle; break;
    case Cut::to_odd: away = !odd; break;
    case Cut::stochastic_a:
    case Cut::stochastic_b:
    case Cut::stochastic_c: break;  // tests of their own
  }
  return sign * (away ? high : low);
}

bool flushed_from_small(double x, Cut cut, Tiny tiny) {
  switch (tiny) {
    case Tiny::before: return std::fabs(x) < small_least_normal;
    case Tiny::after: return std::fabs(to_multiple(x, two_to(std::ilogb(x) - 2), cut)) < small_least_normal;
    case Tiny::result: return std::fabs(rounded_to_small(x, cut)) < small_least_normal;
  }
  return false;
}

struct Way {
  Cut cut;
  Subnormals subnormals;
  Tiny tiny;
  Overflow overflow;
};

std::vector<Way> ways() {
  std::vector<Way> list;
  for (const Cut cut : test::cuts()) {
    for (const Subnormals s : {Subnormals::keep, Subnormals::zero, Subnormals::signed_zero}) {
      for (const Tiny t : {Tiny::result, Tiny::before, Tiny::after}) {
        for (const Overflow o : {Overflow::infinity, Overflow::largest}) list.push_back({cut, s, t, o});
      }
    }
  }
  return list;
}

ResultPlan to_small(const Way& way) {
  ResultPlan plan = to(small_format(), way.cut, way.overflow);
  plan.words.subnormals = way.subnormals;
  plan.words.tiny = way.tiny;
  return plan;
}

Number expected_in_small(double x, const Way& way) {
  const bool negative = x < 0;
  if (way.subnormals != Subnormals::keep && flushed_from_small(x, way.cut, way.tiny)) {
    return Number::zero(negative && way.subnormals == Subnormals::signed_zero);
  }
  double r = rounded_to_small(x, way.cut);
  if (r == 0) return Number::zero(negative);
  if (std::fabs(r) == 16) {
    if (way.overflow == Overflow::infinity) return Number::infinity(negative);
    r = negative ? -small_greatest : small_greatest;
  }
  const int exponent = std::max(std::ilogb(r), -2);
  return number_at(exponent, static_cast<u128>(std::ldexp(std::fabs(r), 2 - exponent)), exponent - 2, negative);
}

TEST(RoundToFormat, IsWhatItsNeighboursSayForEverySumInEveryWay) {
  for (const Way& way : ways()) {
    const ResultPlan plan = to_small(way);
    for (const int quantum : {-9, -5, -2, 3}) {
      for (unsigned magnitude = 1; magnitude < 1024; ++magnitude) {
        for (const bool negative : {false, true}) {
          const Number n = number(magnitude, quantum, negative);
          ASSERT_EQ(round(n, plan), expected_in_small(value(n), way))
              << value(n) << " " << word(way.cut) << " subnormals " << word(way.subnormals) << " tiny "
              << word(way.tiny) << " overflow " << word(way.overflow);
        }
      }
    }
  }
}

TEST(RoundToFormat, GivesZeroItsSignWhereTheFormatHasOne) {
  EXPECT_EQ(round(Number::zero(true), to("f32", Cut::nearest_even)), Number::zero(true));
  EXPECT_EQ(round(Number::zero(true), to("e4m3fnuz", Cut::nearest_even, Overflow::largest)), Number::zero());
  EXPECT_EQ(round(number(1, -80, true), to("f16", Cut::nearest_even)), Number::zero(true));
  EXPECT_EQ(round(number(1, -80, true), to("e5m2fnuz", Cut::nearest_even, Overflow::largest)), Number::zero());
}

// 2^-126 less a quarter and half of the least subnormal's weight, as docs/numerics.md, section 4, tells the three rules
// apart.
TEST(RoundToFormat, FlushesByTheRuleOfTiny) {
  const Number quarter = number((u128{1} << 25) - 1, -151), half = number((u128{1} << 24) - 1, -150);
  const Number least_normal = number(u128{1} << 23, -149);
  const auto flushed_by = [](Tiny tiny) {
    ResultPlan plan = to("f32", Cut::nearest_even);
    plan.words.subnormals = Subnormals::signed_zero;
    plan.words.tiny = tiny;
    return plan;
  };
  EXPECT_EQ(round(quarter, flushed_by(Tiny::after)), least_normal);
  EXPECT_EQ(round(half, flushed_by(Tiny::after)), Number::zero());
  EXPECT_EQ(round(quarter, flushed_by(Tiny::result)), least_normal);
  EXPECT_EQ(round(half, flushed_by(Tiny::result)), least_normal);
  EXPECT_EQ(round(quarter, flushed_by(Tiny::before)), Number::zero());
  EXPECT_EQ(round(half, flushed_by(Tiny::before)), Number::zero());
}

// --- overflow, one unit in the last place on either side ---

TEST(Overflow, OfF32CutTowardZeroBeginsAtTwoTo128) {
  const Number greatest = number((u128{1} << 24) - 1, 104);
  const Number just_below = number((u128{1} << 60) - 1, 68);
  const Number limit = number(1, 128);
  for (const Number& n : {greatest, just_below}) EXPECT_EQ(round(n, to("f32", Cut::toward_zero)), greatest);
  EXPECT_EQ(round(limit, to("f32", Cut::toward_zero)), Number::infinity(false));
  EXPECT_EQ(round(limit, to("f32", Cut::toward_zero, Overflow::largest)), greatest);
}

TEST(Overflow, OfF16RoundedToNearestBeginsAt65520) {
  const Number greatest = number(2047, 5);
  EXPECT_EQ(value(greatest), 65504);
  EXPECT_EQ(round(number(65504, 0), to("f16", Cut::nearest_even)), greatest);
  EXPECT_EQ(round(number(65519, 0), to("f16", Cut::nearest_even)), greatest);
  EXPECT_EQ(round(number(65520, 0), to("f16", Cut::nearest_even)), Number::infinity(false));
  EXPECT_EQ(round(number(65520, 0, true), to("f16", Cut::nearest_even)), Number::infinity(true));
  EXPECT_EQ(round(number(65520, 0), to("f16", Cut::nearest_even, Overflow::largest)), greatest);
}

TEST(Overflow, OfFormatsThatUseTheirTopExponentBeginsAboveTheirGreatestNumber) {
  const auto largest = [](double x, const char* format, Cut cut) {
    return value(round(number(static_cast<u128>(x * 16), -4), to(format, cut, Overflow::largest)));
  };
  EXPECT_EQ(largest(448, "e4m3", Cut::nearest_even), 448);
  EXPECT_EQ(largest(463, "e4m3", Cut::nearest_even), 448);
  EXPECT_EQ(largest(480, "e4m3", Cut::nearest_even), 448);  // the code of 480 is the NaN
  EXPECT_EQ(largest(449, "e4m3", Cut::up), 448);
  EXPECT_EQ(largest(6, "e2m1", Cut::nearest_even), 6);
  EXPECT_EQ(largest(100, "e2m1", Cut::nearest_even), 6);
  EXPECT_EQ(largest(7.75, "e2m3", Cut::nearest_away), 7.5);
  EXPECT_EQ(largest(240, "e4m3fnuz", Cut::nearest_even), 240);
  EXPECT_EQ(largest(255, "e4m3fnuz", Cut::nearest_even), 240);
}

// --- integers ---

i128 rounded_to_i8(i128 x, Overflow overflow) {
  const Number n = number(static_cast<u128>(x < 0 ? -x : x), 0, x < 0);
  const Number r = round(n, to("i8", Cut::toward_zero, overflow));
  return r.negative ? -static_cast<i128>(r.magnitude) : static_cast<i128>(r.magnitude);
}

TEST(RoundToInteger, WrapsOrStopsAtItsEnds) {
  for (int x = -1000; x <= 1000; ++x) {
    const int wrapped = ((x + 128) % 256 + 256) % 256 - 128;
    ASSERT_EQ(static_cast<int>(rounded_to_i8(x, Overflow::wrap)), wrapped);
    ASSERT_EQ(static_cast<int>(rounded_to_i8(x, Overflow::largest)), std::min(std::max(x, -128), 127));
  }
}

TEST(RoundToInteger, WrapsI32AtItsEnds) {
  const auto wrapped = [](u128 magnitude, bool negative) {
    return value(round(number(magnitude, 0, negative), to("i32", Cut::toward_zero, Overflow::wrap)));
  };
  EXPECT_EQ(wrapped(2147483647, false), 2147483647);
  EXPECT_EQ(wrapped(2147483648, false), -2147483648.0);
  EXPECT_EQ(wrapped(2147483648, true), -2147483648.0);
  EXPECT_EQ(wrapped(2147483649, true), 2147483647);
  EXPECT_EQ(wrapped(u128{1} << 32, false), 0);
}

TEST(RoundToInteger, CutsAFractionByTheMode) {
  for (const Cut cut : test::cuts()) {
    for (unsigned magnitude = 1; magnitude < 64; ++magnitude) {
      const Number n = number(magnitude, -2, magnitude % 2 == 0);
      ASSERT_EQ(value(round(n, to("i8", cut, Overflow::largest))), to_multiple(value(n), 1, cut));
    }
  }
}

}  // namespace
}  // namespace assay
