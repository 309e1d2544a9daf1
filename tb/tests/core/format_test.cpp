#include "model/core/format.hpp"

#include <gtest/gtest.h>

#include <set>

#include "model/core/decode.hpp"
#include "model/core/encode.hpp"
#include "tb/tests/core/numbers.hpp"
#include "tb/tests/core/table.hpp"

namespace assay {
namespace {

using test::Row;
using test::rows;
using test::two_to;
using test::value;
using test::value_of;

const Nan any_nan{true, 0};

Number decoded(Code code, const Format& format) { return decode(code, format, Subnormals::keep, Specials::step); }

std::vector<Row> short_rows() {
  std::vector<Row> found;
  for (const Row& r : rows()) {
    if (r.stored <= 16) found.push_back(r);
  }
  return found;
}

std::string name_of(const testing::TestParamInfo<Row>& info) { return info.param.name; }

// --- the table ---

TEST(FormatTable, IsNamedInOrderAndAFamilyOnce) {
  EXPECT_EQ(
      format_names(),
      "f64, f32, tf32, bf16, f16, e5m2, e5m2fnuz, e4m3, e4m3b11fnuz, e4m3fnuz, ieee_e4m3, ieee_e3m4, e3m2, e2m3, e2m1, "
      "hif4_s1p2, ufp16, ue8m0, hif4_e6m2, ue4m3, ue1m0, e4m3_as_f16, e5m2_as_f16, hif8, nf4, "
      "Binary{bits}p{precision}{sign}{domain}, posit{bits}_{es}, i64, i32, i16, i8, mxint8, sm8, i4, i2, u32, u16, u8, "
      "u4, u2");
}

TEST(FormatTable, FindsFormatsByBothNamesAndNothingElse) {
  for (const Row& r : rows()) {
    const Format* format = find_format(r.name);
    ASSERT_NE(format, nullptr) << r.name;
    EXPECT_EQ(format->ml_dtypes_name, std::string(r.ml_dtypes) == "-" ? "" : r.ml_dtypes);
    EXPECT_EQ(find_format(format->ml_dtypes_name.empty() ? r.name : r.ml_dtypes), format);
  }
  EXPECT_EQ(find_format("int8"), find_format("i8"));
  EXPECT_EQ(find_format("uint8"), find_format("u8"));
  EXPECT_EQ(find_format("int32"), find_format("i32"));
  for (const char* name : {"", "fp8", "F16", "f16 ", "float"}) EXPECT_EQ(find_format(name), nullptr) << name;
}

class EachRow : public testing::TestWithParam<Row> {
 protected:
  const Row& r = GetParam();
  const Format& f = *find_format(GetParam().name);
};

TEST_P(EachRow, HasTheFactsOfNumerics) {
  EXPECT_FALSE(f.is_integer());
  EXPECT_EQ(f.stored_bits, r.stored);
  EXPECT_EQ(f.used_bits(), r.sign + r.exponent + r.mantissa);
  EXPECT_EQ(f.hex_digits(), (r.stored + 3) / 4);
  EXPECT_EQ(f.has_sign, r.sign == 1);
  EXPECT_EQ(f.exponent_bits, r.exponent);
  EXPECT_EQ(f.mantissa_bits, r.mantissa);
  EXPECT_EQ(f.significand_bits(), r.mantissa + 1);
  EXPECT_EQ(f.bias, r.bias);
  EXPECT_EQ(f.has_infinity, r.infinity);
  EXPECT_EQ(f.nan, r.nan);
  EXPECT_EQ(f.has_zero, r.zero);
  EXPECT_EQ(f.has_signed_zero, r.negative_zero);
  EXPECT_EQ(f.ignored_low_bits, r.low);
  EXPECT_EQ(f.ignored_high_bits, r.high);
  EXPECT_EQ(f.sign_bit(), r.sign == 1 ? Code{1} << (r.exponent + r.mantissa) : 0);
}

INSTANTIATE_TEST_SUITE_P(Formats, EachRow, testing::ValuesIn(rows()), name_of);

// Greatest and least numbers, as the formats' documents print them.
struct Extremes {
  const char* name;
  double greatest, least_normal, least;
  int greatest_exponent, least_exponent;
};

TEST(FormatTable, HasTheGreatestAndLeastNumbersOfTheFormatsDocuments) {
  const double f32_greatest = std::ldexp(16777215.0, 104);
  const std::vector<Extremes> expected{
      {"f64", std::numeric_limits<double>::max(), two_to(-1022), two_to(-1074), 1023, -1022},
      {"f32", f32_greatest, two_to(-126), two_to(-149), 127, -126},
      {"tf32", std::ldexp(2047.0, 117), two_to(-126), two_to(-136), 127, -126},
      {"f16", 65504, two_to(-14), two_to(-24), 15, -14},
      {"bf16", std::ldexp(255.0, 120), two_to(-126), two_to(-133), 127, -126},
      {"e5m2", 57344, two_to(-14), two_to(-16), 15, -14},
      {"e4m3", 448, two_to(-6), two_to(-9), 8, -6},
      {"e5m2fnuz", 57344, two_to(-15), two_to(-17), 15, -15},
      {"e4m3fnuz", 240, two_to(-7), two_to(-10), 7, -7},
      {"e3m2", 28, 0.25, 0.0625, 4, -2},
      {"e2m3", 7.5, 1, 0.125, 2, 0},
      {"e2m1", 6, 1, 0.5, 2, 0},
      {"ue8m0", two_to(127), two_to(-127), two_to(-127), 127, -127},
      {"ue4m3", 448, two_to(-6), two_to(-9), 8, -6},
  };
  ASSERT_EQ(expected.size(), rows().size());
  for (const Extremes& e : expected) {
    const Format& f = *find_format(e.name);
    const Row& r = test::row(e.name);
    EXPECT_EQ(value_of(r, f.stored(f.greatest_finite())), e.greatest) << e.name;
    EXPECT_EQ(f.greatest_exponent(), e.greatest_exponent) << e.name;
    EXPECT_EQ(f.least_exponent(), e.least_exponent) << e.name;
    EXPECT_EQ(value(decoded(f.stored(f.has_zero ? 1 : 0), f)), e.least) << e.name;
    EXPECT_EQ(value(decoded(f.stored(f.has_zero ? Code{1} << f.mantissa_bits : 0), f)), e.least_normal) << e.name;
  }
}

TEST(FormatTable, HasTheCodesOfInfinityAndNan) {
  struct Special {
    const char* name;
    Code infinity, nan;
  };
  for (const Special& s :
       {Special{"f64", 0x7ff0000000000000, 0x7ff8000000000000}, Special{"f32", 0x7f800000, 0x7fc00000},
        Special{"tf32", 0x7f800000, 0x7fc00000}, Special{"f16", 0x7c00, 0x7e00}, Special{"bf16", 0x7f80, 0x7fc0},
        Special{"e5m2", 0x7c, 0x7e}}) {
    const Format& f = *find_format(s.name);
    EXPECT_EQ(f.stored(f.infinity()), s.infinity) << s.name;
    EXPECT_EQ(f.stored(f.quiet_nan()), s.nan) << s.name;
  }
  EXPECT_EQ(find_format("e4m3")->quiet_nan(), 0x7fU);
  EXPECT_EQ(find_format("e5m2fnuz")->quiet_nan(), 0x80U);
  EXPECT_EQ(find_format("e4m3fnuz")->quiet_nan(), 0x80U);
  EXPECT_EQ(find_format("ue8m0")->quiet_nan(), 0xffU);
  EXPECT_EQ(find_format("ue4m3")->quiet_nan(), 0x7fU);
  EXPECT_EQ(find_format("e2m1")->quiet_nan(), 0U);  // it has none
}

TEST(FormatTable, HasTheIntegers) {
  const Format& i8 = *find_format("i8");
  EXPECT_TRUE(i8.is_integer());
  EXPECT_TRUE(i8.has_sign);
  EXPECT_EQ(i8.stored_bits, 8);
  EXPECT_EQ(i8.significand_bits(), 8);
  EXPECT_EQ(i8.least_exponent(), 0);
  EXPECT_EQ(i8.greatest_exponent(), 0);
  EXPECT_FALSE(find_format("u8")->has_sign);
  EXPECT_EQ(find_format("i32")->stored_bits, 32);
}

// --- every code ---

class EachShortRow : public EachRow {};

TEST_P(EachShortRow, DecodesEveryCodeAsTheTableSays) {
  int finite = 0;
  for (Code code = 0; code < Code{1} << r.stored; ++code) {
    const Number n = decoded(code, f);
    const double expected = value_of(r, code & ~(r.high == 1 ? Code{0x80} : 0));
    if (std::isnan(expected)) {
      ASSERT_EQ(n.cls, Class::nan) << std::hex << code;
      continue;
    }
    ASSERT_EQ(n.negative, std::signbit(expected)) << std::hex << code;
    if (std::isinf(expected)) {
      ASSERT_EQ(n.cls, Class::infinity) << std::hex << code;
      continue;
    }
    ++finite;
    ASSERT_TRUE(n.is_finite()) << std::hex << code;
    ASSERT_EQ(value(n), expected) << std::hex << code;
    if (expected == 0) {
      ASSERT_FALSE(n.has_exponent()) << std::hex << code;
      continue;
    }
    ASSERT_EQ(n.exponent, std::max(std::ilogb(expected), r.zero ? 1 - r.bias : -r.bias)) << std::hex << code;
    ASSERT_EQ(n.quantum, n.exponent - r.mantissa) << std::hex << code;
  }
  RecordProperty("finite", finite);
}

TEST_P(EachShortRow, EncodesWhatItDecodes) {
  for (Code code = 0; code < Code{1} << r.stored; ++code) {
    const Number n = decoded(code, f);
    const Code again = encode(n, f, any_nan);
    if (n.cls == Class::nan) {
      ASSERT_EQ(decoded(again, f).cls, Class::nan) << std::hex << code;
    } else {
      ASSERT_EQ(again, f.stored(f.used(code))) << std::hex << code;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Formats, EachShortRow, testing::ValuesIn(short_rows()), name_of);

struct Counts {
  const char* name;
  int finite, infinite, nan, distinct;
};

TEST(FormatTable, HasAsManyCodesOfEachClassAsNumericsImplies) {
  const std::vector<Counts> expected{
      {"f16", 63488, 2, 2046, 63487}, {"bf16", 65280, 2, 254, 65279}, {"e5m2", 248, 2, 6, 247},
      {"e4m3", 254, 0, 2, 253},       {"e5m2fnuz", 255, 0, 1, 255},   {"e4m3fnuz", 255, 0, 1, 255},
      {"e3m2", 64, 0, 0, 63},         {"e2m3", 64, 0, 0, 63},         {"e2m1", 16, 0, 0, 15},
      {"ue8m0", 255, 0, 1, 255},      {"ue4m3", 254, 0, 2, 127},
  };
  ASSERT_EQ(expected.size(), short_rows().size());
  for (const Counts& c : expected) {
    const Format& f = *find_format(c.name);
    std::set<double> values;
    int finite = 0, infinite = 0, nan = 0;
    for (Code code = 0; code < Code{1} << f.stored_bits; ++code) {
      const Number n = decoded(code, f);
      ++(n.cls == Class::nan ? nan : n.cls == Class::infinity ? infinite : finite);
      if (n.is_finite()) values.insert(value(n));
    }
    EXPECT_EQ(finite, c.finite) << c.name;
    EXPECT_EQ(infinite, c.infinite) << c.name;
    EXPECT_EQ(nan, c.nan) << c.name;
    EXPECT_EQ(static_cast<int>(values.size()), c.distinct) << c.name;
  }
}

TEST(FormatTable, HasTheEightValuesOfE2m1) {
  std::vector<double> values;
  for (Code code = 0; code < 8; ++code) values.push_back(value(decoded(code, *find_format("e2m1"))));
  EXPECT_EQ(values, (std::vector<double>{0, 0.5, 1, 1.5, 2, 3, 4, 6}));
}

// 64 bits that depend on `index` alone (the finaliser of splitmix64).
Code mixed(Code index) {
  Code z = (index + 1) * 0x9e3779b97f4a7c15;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
  z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
  return z ^ (z >> 31);
}

// Random bits, every other time with an exponent field of zeros or ones.
Code sample(const Row& r, Code index) {
  const Code field = ((Code{1} << r.exponent) - 1) << (r.mantissa + r.low);
  const Code code = mixed(index) & (r.stored == 64 ? ~Code{0} : (Code{1} << r.stored) - 1);
  return index % 4 == 1 ? code & ~field : index % 4 == 3 ? code | field : code;
}

TEST(Decode, ReadsSamplesOfTheWideFormatsAsTheTableSays) {
  for (const char* name : {"f64", "f32", "tf32"}) {
    const Row& r = test::row(name);
    const Format& f = *find_format(name);
    for (Code i = 0; i < 20000; ++i) {
      const Code code = sample(r, i);
      const Number n = decoded(code, f);
      const double expected = value_of(r, code);
      ASSERT_EQ(n.cls == Class::nan, std::isnan(expected)) << name << std::hex << " " << code;
      ASSERT_EQ(n.cls == Class::infinity, std::isinf(expected)) << name << std::hex << " " << code;
      ASSERT_TRUE(!n.is_finite() || value(n) == expected) << name << std::hex << " " << code;
      ASSERT_TRUE(n.cls == Class::nan || encode(n, f, any_nan) == f.stored(f.used(code)))
          << name << std::hex << " " << code;
    }
  }
}

// --- bits that are stored but not read ---

TEST(Decode, DropsTheLowBitsOfTf32SoThatANanMayBecomeInfinity) {
  const Format& tf32 = *find_format("tf32");
  EXPECT_EQ(decoded(0x7f800001, tf32), Number::infinity(false));
  EXPECT_EQ(decoded(0xff801fff, tf32), Number::infinity(true));
  EXPECT_EQ(decoded(0x7f802000, tf32).cls, Class::nan);
  EXPECT_EQ(value(decoded(0x3f801fff, tf32)), 1.0);
  EXPECT_TRUE(decoded(0x00001fff, tf32).is_zero());
}

TEST(Decode, DropsTheTopBitOfUe4m3) {
  const Format& ue4m3 = *find_format("ue4m3");
  for (Code code = 0; code < 128; ++code) EXPECT_EQ(decoded(code | 0x80, ue4m3), decoded(code, ue4m3));
  EXPECT_EQ(decoded(0xff, ue4m3).cls, Class::nan);
}

TEST(Decode, IgnoresWhatLiesAboveTheStoredBits) {
  for (const Row& r : short_rows()) {
    const Format& f = *find_format(r.name);
    EXPECT_EQ(decoded(0xdead0000 | f.stored(1), f), decoded(f.stored(1), f)) << r.name;
  }
}

// --- formats of one's own ---

// 1 sign, 4 exponent, 2 mantissa bits, bias 9
Format own(NanCodes nan, bool infinity) {
  Format f;
  f.name = "own";
  f.stored_bits = 7;
  f.exponent_bits = 4;
  f.mantissa_bits = 2;
  f.bias = 9;
  f.has_infinity = infinity;
  f.nan = nan;
  f.has_signed_zero = nan != NanCodes::negative_zero;
  return f;
}

TEST(OwnFormat, DecodesAndEncodesEveryCodeWithEveryKindOfNan) {
  for (const NanCodes nan : {NanCodes::none, NanCodes::ieee, NanCodes::all_ones, NanCodes::negative_zero}) {
    for (const bool infinity : {false, true}) {
      if (infinity && nan != NanCodes::ieee) continue;
      const Format f = own(nan, infinity);
      const Row r{"own", "-", 7, 1, 4, 2, 9, infinity, nan, true, nan != NanCodes::negative_zero, 0, 0};
      for (Code code = 0; code < 128; ++code) {
        const double expected = value_of(r, code);
        const Number n = decoded(code, f);
        // Without infinities and with IEEE NaNs the code between them is no number.
        if (nan == NanCodes::ieee && !infinity && (code & 63) == 60) continue;
        if (std::isnan(expected)) {
          EXPECT_EQ(n.cls, Class::nan) << code;
        } else if (std::isinf(expected)) {
          EXPECT_EQ(n.cls, Class::infinity) << code;
          EXPECT_EQ(encode(n, f, any_nan), code);
        } else {
          EXPECT_EQ(value(n), expected) << code;
          EXPECT_EQ(encode(n, f, any_nan), code);
        }
      }
    }
  }
}

TEST(OwnFormat, KnowsItsGreatestNumber) {
  EXPECT_EQ(value(decoded(own(NanCodes::none, false).greatest_finite(), own(NanCodes::none, false))), 1.75 * two_to(6));
  EXPECT_EQ(own(NanCodes::none, false).greatest_exponent(), 6);
  EXPECT_EQ(own(NanCodes::ieee, true).greatest_finite(), 0x3bU);
  EXPECT_EQ(own(NanCodes::ieee, true).greatest_exponent(), 5);
  EXPECT_EQ(own(NanCodes::all_ones, false).greatest_finite(), 0x3eU);
  EXPECT_EQ(own(NanCodes::all_ones, false).greatest_exponent(), 6);
  EXPECT_EQ(own(NanCodes::negative_zero, false).greatest_finite(), 0x3fU);
}

TEST(OwnFormat, WithoutMantissaLosesItsTopExponentToTheNan) {
  Format f = own(NanCodes::all_ones, false);
  f.mantissa_bits = 0;
  f.stored_bits = 5;
  EXPECT_EQ(f.greatest_finite(), 14U);
  EXPECT_EQ(f.greatest_exponent(), 5);
  EXPECT_EQ(decoded(15, f).cls, Class::nan);
  EXPECT_EQ(value(decoded(14, f)), 32.0);
  EXPECT_TRUE(decoded(0, f).is_zero());
}

}  // namespace
}  // namespace assay
