// The stages that neither round nor align: decode's rules, multiply, scale, special, encode.
#include <gtest/gtest.h>

#include "model/core/decode.hpp"
#include "model/core/encode.hpp"
#include "model/core/multiply.hpp"
#include "model/core/scale.hpp"
#include "model/core/special.hpp"
#include "tb/tests/core/numbers.hpp"

namespace assay {
namespace {

using test::number;
using test::number_at;
using test::value;

const Number minus_infinity = Number::infinity(true), plus_infinity = Number::infinity(false);

const Format& format(const char* name) { return *find_format(name); }

Number decoded(const char* name, Code code, Subnormals subnormals = Subnormals::keep,
               Specials specials = Specials::step) {
  return decode(code, format(name), subnormals, specials);
}

// --- decode ---

TEST(Decode, GivesASubnormalTheLeastNormalsExponent) {
  EXPECT_EQ(decoded("f16", 0x0010), number_at(-14, 16, -24));
  EXPECT_EQ(decoded("f16", 0x83ff), number_at(-14, 1023, -24, true));
  EXPECT_EQ(decoded("f16", 0x0400), number_at(-14, 1024, -24));
}

TEST(Decode, ReadsSubnormalsAsZeroWhereTheDatapathSaysSo) {
  for (const Code code : {0x0001U, 0x83ffU, 0x8000U, 0x0000U}) {
    const bool negative = (code & 0x8000) != 0;
    const bool is_zero = (code & 0x7fff) == 0;
    EXPECT_EQ(decoded("f16", code, Subnormals::signed_zero), Number::zero(negative)) << code;
    // A zero proper keeps its sign; only what is flushed becomes +0.
    EXPECT_EQ(decoded("f16", code, Subnormals::zero), Number::zero(negative && is_zero)) << code;
  }
  EXPECT_EQ(decoded("f16", 0x8400, Subnormals::zero), number_at(-14, 1024, -24, true));
}

TEST(Decode, ReadsEveryCodeAsANumberWhereTheDatapathSaysSo) {
  EXPECT_EQ(decoded("f16", 0x7c00, Subnormals::keep, Specials::numbers), number_at(16, 1024, 6));
  EXPECT_EQ(decoded("f16", 0xffff, Subnormals::keep, Specials::numbers), number_at(16, 2047, 6, true));
  EXPECT_EQ(value(decoded("e4m3", 0x7f, Subnormals::keep, Specials::numbers)), 480);
  EXPECT_EQ(value(decoded("ue8m0", 0xff, Subnormals::keep, Specials::numbers)), std::ldexp(1.0, 128));
  EXPECT_EQ(decoded("e5m2fnuz", 0x80, Subnormals::keep, Specials::numbers), Number::zero(true));
}

TEST(Decode, LeftAlignsANansPayloadAndMakesItQuiet) {
  const u128 quiet = u128{1} << 51, signalling = u128{1} << 52;
  EXPECT_EQ(decoded("f32", 0xff800001), Number::nan(true, signalling | quiet | u128{1} << 29));
  EXPECT_EQ(decoded("f64", 0x7ff0000000000003), Number::nan(false, signalling | quiet | 3));
  EXPECT_EQ(decoded("f16", 0x7e05), Number::nan(false, quiet | u128{5} << 42));
}

TEST(Decode, ReadsTwosComplement) {
  EXPECT_EQ(value(decoded("i8", 0x7f)), 127);
  EXPECT_EQ(value(decoded("i8", 0x80)), -128);
  EXPECT_EQ(value(decoded("i8", 0xff)), -1);
  EXPECT_EQ(value(decoded("u8", 0xff)), 255);
  EXPECT_EQ(value(decoded("i32", 0x80000000)), -2147483648.0);
  EXPECT_EQ(decoded("i8", 0), Number::zero());
  EXPECT_EQ(decoded("i8", 5).exponent, 0);
}

TEST(AsFormat, TurnsASubnormalOfANarrowFormatIntoANormalOfAWideOne) {
  EXPECT_EQ(as_format(decoded("f16", 0x0001), format("f32")), number_at(-24, u128{1} << 23, -47));
  EXPECT_EQ(as_format(decoded("f16", 0xbc00), format("f32")), number_at(0, u128{1} << 23, -23, true));
  EXPECT_EQ(as_format(decoded("bf16", 0x0001), format("f32")), number_at(-126, u128{1} << 16, -149));
  EXPECT_EQ(as_format(Number::zero(true), format("f32")), Number::zero(true));
}

// --- multiply ---

TEST(Multiply, IsExactAndNeverNormalised) {
  // 1.5 x 1.5 = 10.01 in binary, at exponent 0
  const Number product = multiply(decoded("f16", 0x3e00), decoded("f16", 0xbe00));
  EXPECT_EQ(product, number_at(0, u128{1536} * 1536, -20, true));
  EXPECT_EQ(multiply(decoded("f16", 0x0001), decoded("f16", 0x0001)), number_at(-28, 1, -48));
}

TEST(Multiply, OfZeroHasNoExponentButASign) {
  EXPECT_EQ(multiply(Number::zero(true), number(5, 2)), Number::zero(true));
  EXPECT_EQ(multiply(Number::zero(true), number(5, 2, true)), Number::zero());
}

TEST(Multiply, FollowsIeeeForSpecialValues) {
  const Number one = number(1, 0), minus_one = number(1, 0, true);
  EXPECT_EQ(multiply(plus_infinity, minus_one), minus_infinity);
  EXPECT_EQ(multiply(minus_one, minus_infinity), plus_infinity);
  EXPECT_EQ(multiply(plus_infinity, minus_infinity), minus_infinity);
  EXPECT_EQ(multiply(Number::zero(), plus_infinity).cls, Class::nan);
  EXPECT_EQ(multiply(minus_infinity, Number::zero()).cls, Class::nan);
  const Number first = Number::nan(false, 1), second = Number::nan(true, 2);
  EXPECT_EQ(multiply(first, second), first);
  EXPECT_EQ(multiply(one, second), second);
  EXPECT_EQ(multiply(plus_infinity, second), second);
}

TEST(NormaliseExponent, FollowsTheLeadingOne) {
  EXPECT_EQ(normalise_exponent(number_at(0, 0b1001, -2)).exponent, 1);
  EXPECT_EQ(normalise_exponent(number_at(0, 0b0001, -2)).exponent, -2);
  EXPECT_FALSE(normalise_exponent(Number::zero()).has_exponent());
  EXPECT_EQ(normalise_exponent(plus_infinity), plus_infinity);
}

TEST(Reaches, LooksAtTheValueAndNotAtTheNominalExponent) {
  EXPECT_TRUE(reaches(number_at(127, 0b10, 127), 128));
  EXPECT_FALSE(reaches(number_at(127, (u128{1} << 100) - 1, 28), 128));
  EXPECT_TRUE(reaches(number(1, 128, true), 128));
  EXPECT_FALSE(reaches(Number::zero(), -1000));
  EXPECT_FALSE(reaches(plus_infinity, 128));
}

// --- scale ---

TEST(Scale, MultipliesBySignificandsAndAddsExponents) {
  const Number n = number_at(3, 10, 0, true);
  EXPECT_EQ(scale(n, number(3, -1), number(5, -2)), number_at(3 + 0 + 0, 150, -3, true));
  EXPECT_EQ(value(scale(n, decoded("ue8m0", 0x93), decoded("ue8m0", 0x7f))), -10 * std::ldexp(1.0, 20));
}

TEST(Scale, LetsACancelledSumKeepItsScalesExponents) {
  const Number cancelled = number_at(0, 0, -2);
  const Number n = scale(cancelled, number(1, 20), number(1, 3));
  EXPECT_TRUE(n.is_zero());
  EXPECT_EQ(n.exponent, 23);
  EXPECT_FALSE(scale(Number::zero(), number(1, 20), number(1, 3)).has_exponent());
}

TEST(Scale, ByZeroLeavesAZeroWithoutExponent) {
  EXPECT_EQ(scale(number(5, 3), Number::zero(), number(1, 0)), Number::zero());
  EXPECT_EQ(scale(number(5, 3, true), number(1, 0), Number::zero()), Number::zero(true));
}

TEST(Scale, TakesTheSignOfASignedScale) {
  EXPECT_EQ(scale(number(5, 3), number(1, 0, true), number(1, 0)), number(5, 3, true));
  EXPECT_EQ(scale(number(5, 3), number(1, 0, true), number(1, 0, true)), number(5, 3));
  EXPECT_EQ(scale(plus_infinity, number(1, 0), number(1, 0, true)), minus_infinity);
}

TEST(Scale, PassesSpecialValuesOn) {
  const Number one = number(1, 0);
  EXPECT_EQ(scale(number(5, 3), Number::nan(), one).cls, Class::nan);
  EXPECT_EQ(scale(number(5, 3), one, Number::nan()).cls, Class::nan);
  EXPECT_EQ(scale(Number::zero(), one, Number::nan()).cls, Class::nan);
  EXPECT_EQ(scale(Number::nan(), one, one).cls, Class::nan);
  EXPECT_EQ(scale(minus_infinity, one, one), minus_infinity);
  EXPECT_EQ(scale(minus_infinity, Number::zero(), one).cls, Class::nan);
}

// --- special ---

Special special_of(const std::vector<Number>& terms) {
  Special special;
  for (const Number& n : terms) special.see(n);
  return special;
}

TEST(Special, LeavesFiniteTermsToTheArithmetic) {
  const Special special = special_of({number(1, 0), Number::zero(true)});
  EXPECT_FALSE(special.decides());
  EXPECT_EQ(outcome(special), 0U);
}

TEST(Special, IsTheInfinityWhereAllAgree) {
  EXPECT_EQ(special_of({number(1, 0), plus_infinity, plus_infinity}).decision(), plus_infinity);
  EXPECT_EQ(special_of({minus_infinity}).decision(), minus_infinity);
  EXPECT_EQ(outcome(special_of({plus_infinity})), 2U);
  EXPECT_EQ(outcome(special_of({minus_infinity})), 3U);
}

TEST(Special, IsNanWhereInfinitiesDisagreeOrANanIsAmongThem) {
  EXPECT_EQ(special_of({plus_infinity, minus_infinity}).decision().cls, Class::nan);
  EXPECT_EQ(outcome(special_of({minus_infinity, plus_infinity})), 1U);
  EXPECT_EQ(outcome(special_of({minus_infinity, Number::nan()})), 1U);
  const Number first = Number::nan(true, 7);
  EXPECT_EQ(special_of({number(1, 0), first, Number::nan(false, 9), plus_infinity}).decision(), first);
}

// --- encode ---

TEST(Encode, WritesTheNanOfTheDatapath) {
  const Number nan = Number::nan(true, u128{1} << 51 | u128{1} << 29);
  EXPECT_EQ(encode(nan, format("f32"), Nan{false, 0x7fffffff}), 0x7fffffffU);
  EXPECT_EQ(encode(nan, format("f32"), Nan{true, 0}), 0xffc00001U);
  EXPECT_EQ(encode(nan, format("f16"), Nan{true, 0}), 0xfe00U);
  EXPECT_EQ(encode(nan, format("tf32"), Nan{true, 0}), 0xffc00000U);
  EXPECT_EQ(encode(nan, format("e4m3"), Nan{true, 0}), 0x7fU);
  EXPECT_EQ(encode(nan, format("e5m2fnuz"), Nan{true, 0}), 0x80U);
}

TEST(Encode, CarriesAPayloadFromOperandToResult) {
  EXPECT_EQ(encode(decoded("f32", 0x7f812345), format("f32"), Nan{true, 0}), 0x7fc12345U);
  EXPECT_EQ(encode(decoded("bf16", 0xff81), format("f32"), Nan{true, 0}), 0xffc10000U);
}

TEST(Encode, WritesInfinitiesAndZeros) {
  EXPECT_EQ(encode(minus_infinity, format("f16"), Nan{}), 0xfc00U);
  EXPECT_EQ(encode(plus_infinity, format("tf32"), Nan{}), 0x7f800000U);
  EXPECT_EQ(encode(Number::zero(true), format("f32"), Nan{}), 0x80000000U);
  EXPECT_EQ(encode(Number::zero(true), format("e4m3fnuz"), Nan{}), 0U);
}

TEST(Encode, WritesTwosComplement) {
  EXPECT_EQ(encode(number(1, 0, true), format("i32"), Nan{}), 0xffffffffU);
  EXPECT_EQ(encode(number(128, 0, true), format("i8"), Nan{}), 0x80U);
  EXPECT_EQ(encode(number(127, 0), format("i8"), Nan{}), 0x7fU);
  EXPECT_EQ(encode(Number::zero(), format("i8"), Nan{}), 0U);
}

}  // namespace
}  // namespace assay
