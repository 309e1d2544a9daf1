// The format table against section 1 of docs/numerics.md, written out here a second time and decoded here by the
// definition.
#include <gmpxx.h>
#include <gtest/gtest.h>

#include <optional>
#include <set>

#include "tb/oracle/datum.hpp"

namespace assay::exact {
namespace {

enum class Nans { ieee, all_ones_below_sign, code_80, code_ff, code_7f, none };

struct Row {
  const char* name;
  const char* ml_dtypes;
  int stored, exponent, mantissa, bias;
  bool has_sign, has_infinity, has_zero, has_minus_zero;
  Nans nans;
  int low_ignored, high_ignored;
  const char* greatest;  // finite, as a rational; empty where section 1 and IEEE need not be repeated
};

const std::vector<Row>& rows() {
  static const std::vector<Row> table{
      // clang-format off
      //name      ml_dtypes           bits exp man bias  sign  inf    zero   -0     NaN               ignored  greatest
      {"f64",     "float64",          64, 11, 52, 1023, true,  true,  true,  true,  Nans::ieee,                0, 0, ""},
      {"f32",     "float32",          32,  8, 23,  127, true,  true,  true,  true,  Nans::ieee,                0, 0, ""},
      {"tf32",    "",                 32,  8, 10,  127, true,  true,  true,  true,  Nans::ieee,               13, 0, ""},
      {"f16",     "float16",          16,  5, 10,   15, true,  true,  true,  true,  Nans::ieee,                0, 0, "65504"},
      {"bf16",    "bfloat16",         16,  8,  7,  127, true,  true,  true,  true,  Nans::ieee,                0, 0, "338953138925153547590470800371487866880"},
      {"e5m2",    "float8_e5m2",       8,  5,  2,   15, true,  true,  true,  true,  Nans::ieee,                0, 0, "57344"},
      {"e4m3",    "float8_e4m3fn",     8,  4,  3,    7, true,  false, true,  true,  Nans::all_ones_below_sign, 0, 0, "448"},
      {"e5m2fnuz","float8_e5m2fnuz",   8,  5,  2,   16, true,  false, true,  false, Nans::code_80,             0, 0, "57344"},
      {"e4m3fnuz","float8_e4m3fnuz",   8,  4,  3,    8, true,  false, true,  false, Nans::code_80,             0, 0, "240"},
      {"e3m2",    "float6_e3m2fn",     6,  3,  2,    3, true,  false, true,  true,  Nans::none,                0, 0, "28"},
      {"e2m3",    "float6_e2m3fn",     6,  2,  3,    1, true,  false, true,  true,  Nans::none,                0, 0, "15/2"},
      {"e2m1",    "float4_e2m1fn",     4,  2,  1,    1, true,  false, true,  true,  Nans::none,                0, 0, "6"},
      {"ue8m0",   "float8_e8m0fnu",    8,  8,  0,  127, false, false, false, false, Nans::code_ff,             0, 0, "170141183460469231731687303715884105728"},
      {"ue4m3",   "",                  8,  4,  3,    7, false, false, true,  false, Nans::code_7f,             0, 1, "448"},
      // clang-format on
  };
  return table;
}

mpq_class power_of_two(int exponent) {
  const mpz_class power = mpz_class(1) << static_cast<mp_bitcnt_t>(std::abs(exponent));
  return exponent >= 0 ? mpq_class(power) : mpq_class(1, power);
}

Code low_bits(Code code, int count) { return code & ((Code{1} << count) - 1); }

// What a code means, by section 1.
struct Meaning {
  enum { number, infinity, nan } kind = number;
  bool negative = false;
  mpq_class value;
  int exponent = 0;
};

bool means_nan(const Row& row, Code code) {
  const Code below_sign = low_bits(code, row.exponent + row.mantissa);
  const Code infinity = low_bits(~Code{0}, row.exponent) << row.mantissa;
  switch (row.nans) {
    case Nans::ieee: return below_sign > infinity;
    case Nans::all_ones_below_sign: return below_sign == low_bits(~Code{0}, row.exponent + row.mantissa);
    case Nans::code_80: return code == 0x80;
    case Nans::code_ff: return code == 0xff;
    case Nans::code_7f: return low_bits(code, 7) == 0x7f;
    case Nans::none: return false;
  }
  return false;
}

Meaning meaning(const Row& row, Code stored) {
  const Code code = stored >> row.low_ignored;
  Meaning result;
  result.negative = row.has_sign && (code >> (row.exponent + row.mantissa) & 1) == 1;
  if (means_nan(row, code)) {
    result.kind = Meaning::nan;
    return result;
  }
  const auto field = static_cast<int>(low_bits(code >> row.mantissa, row.exponent));
  const mpq_class fraction = mpq_class(low_bits(code, row.mantissa)) * power_of_two(-row.mantissa);
  if (row.has_infinity && field == (1 << row.exponent) - 1) {
    result.kind = Meaning::infinity;
    return result;
  }
  const bool subnormal = field == 0 && row.has_zero;
  result.exponent = subnormal ? 1 - row.bias : field - row.bias;
  result.value = (subnormal ? fraction : 1 + fraction) * power_of_two(result.exponent);
  if (result.negative) result.value = -result.value;
  return result;
}

mpq_class rational(const Dyadic& x) { return mpq_class(x.significand) * power_of_two(static_cast<int>(x.exponent)); }

void expect_decoded(const Row& row, const Format& format, Code code) {
  const Meaning expected = meaning(row, code);
  const Datum found = decode(format, code);
  SCOPED_TRACE(testing::Message() << row.name << " code " << std::hex << code);
  ASSERT_EQ(static_cast<int>(found.kind), static_cast<int>(expected.kind));
  if (expected.kind == Meaning::nan) return;
  ASSERT_EQ(found.negative, expected.negative);
  if (expected.kind == Meaning::infinity) return;
  ASSERT_EQ(rational(found.value), expected.value);
  ASSERT_EQ(found.exponent, expected.exponent);
}

// Every code of a format of up to 16 bits; of a wider one those around each power of two and a spread of others.
std::vector<Code> codes(const Row& row) {
  std::vector<Code> result;
  if (row.stored <= 16) {
    for (Code code = 0; code < Code{1} << row.stored; ++code) result.push_back(code);
    return result;
  }
  for (Code field = 0; field < Code{1} << (row.exponent + 1); ++field) {
    const Code at = field << (row.mantissa + row.low_ignored);
    const Code step = Code{1} << (row.mantissa + row.low_ignored);
    for (const Code inside : {Code{0}, Code{1}, step / 2 - 1, step / 2, step / 3, step - 1})
      result.push_back(at + inside);
  }
  return result;
}

class FormatTable : public testing::TestWithParam<Row> {
 protected:
  const Format& format() const { return *find_format(GetParam().name); }
};

TEST_P(FormatTable, HasTheRowOfSectionOne) {
  const Row& row = GetParam();
  ASSERT_NE(find_format(row.name), nullptr);
  EXPECT_EQ(format().kind, FormatKind::floating);
  EXPECT_EQ(format().ml_dtypes_name, row.ml_dtypes);
  EXPECT_EQ(format().stored_bits, row.stored);
  EXPECT_EQ(format().exponent_bits, row.exponent);
  EXPECT_EQ(format().mantissa_bits, row.mantissa);
  EXPECT_EQ(format().bias, row.bias);
  EXPECT_EQ(format().has_sign, row.has_sign);
  EXPECT_EQ(format().has_infinity, row.has_infinity);
  EXPECT_EQ(format().has_zero, row.has_zero);
  EXPECT_EQ(format().has_signed_zero, row.has_minus_zero);
  EXPECT_EQ(format().ignored_low_bits, row.low_ignored);
  EXPECT_EQ(format().ignored_high_bits, row.high_ignored);
  if (row.ml_dtypes[0] != 0) {
    EXPECT_EQ(find_format(row.ml_dtypes), &format());
  }
}

TEST_P(FormatTable, DecodesEveryCodeByTheDefinition) {
  for (const Code code : codes(GetParam())) {
    expect_decoded(GetParam(), format(), code);
    if (HasFatalFailure()) return;
  }
}

TEST_P(FormatTable, DerivesLimitsThatTheCodesConfirm) {
  const Row& row = GetParam();
  Code greatest_code = 0;
  mpq_class greatest = -1;
  int least_exponent = 0;
  int greatest_exponent = 0;
  for (const Code code : codes(row)) {
    const Meaning m = meaning(row, code);
    if (m.kind != Meaning::number || m.negative) continue;
    least_exponent = std::min(least_exponent, m.exponent);
    greatest_exponent = std::max(greatest_exponent, m.exponent);
    if (m.value <= greatest) continue;
    greatest = m.value;
    greatest_code = low_bits(code >> row.low_ignored, format().used_bits() - (row.has_sign ? 1 : 0));
  }
  EXPECT_EQ(format().least_exponent(), least_exponent);
  EXPECT_EQ(format().greatest_exponent(), greatest_exponent);
  EXPECT_EQ(format().greatest_finite(), greatest_code);
  if (row.greatest[0] != 0) {
    EXPECT_EQ(greatest, mpq_class(row.greatest));
  }
}

TEST_P(FormatTable, NamesInfinityAndNanByCodesThatMeanThem) {
  const Row& row = GetParam();
  if (row.has_infinity) {
    EXPECT_EQ(meaning(row, format().stored(format().infinity())).kind, Meaning::infinity);
  }
  if (row.nans != Nans::none) {
    EXPECT_EQ(meaning(row, format().stored(format().quiet_nan())).kind, Meaning::nan);
  }
  EXPECT_EQ(format().nan == NanCodes::none, row.nans == Nans::none);
  if (row.has_sign) {
    EXPECT_TRUE(meaning(row, format().stored(format().sign_bit() | format().greatest_finite())).negative);
  }
  if (!row.has_sign) {
    EXPECT_EQ(format().sign_bit(), 0u);
  }
}

class IeeeFormat : public FormatTable {};

TEST_P(IeeeFormat, EncodesBackWhatItDecodes) {
  for (const Code code : codes(GetParam())) {
    const Datum datum = decode(format(), code);
    const Code used = code >> format().ignored_low_bits << format().ignored_low_bits;
    const Code back = encode(format(), datum);
    if (datum.kind == Kind::nan) {
      ASSERT_EQ(decode(format(), back).kind, Kind::nan);
    } else {
      ASSERT_EQ(back, used);
    }
  }
}

// Instructions deliver these only, so the oracle encodes these only.
INSTANTIATE_TEST_SUITE_P(SectionOne, IeeeFormat, testing::ValuesIn(rows().begin(), rows().begin() + 6),
                         [](const auto& info) { return std::string(info.param.name); });

INSTANTIATE_TEST_SUITE_P(SectionOne, FormatTable, testing::ValuesIn(rows()),
                         [](const auto& info) { return std::string(info.param.name); });

TEST(FormatTableWhole, HasNoOtherFormats) {
  std::set<std::string> expected;
  for (const Row& row : rows()) expected.insert(row.name);
  // Those of tb/tests/formats, which holds every code of theirs to a table.
  expected.insert({"ieee_e4m3", "ieee_e3m4", "e4m3b11fnuz", "hif4_e6m2", "hif4_s1p2", "hif8", "mxint8", "nf4"});
  expected.insert({"i2", "i4", "i8", "i16", "i32", "i64", "u2", "u4", "u8", "u16", "u32", "sm8"});
  expected.insert({"ufp16", "e5m2_as_f16", "e4m3_as_f16"});
  expected.insert({"ue1m0", "posit{bits}_{es}", "Binary{bits}p{precision}{sign}{domain}"});
  std::set<std::string> found;
  for (const Format& format : formats()) found.insert(format.family.empty() ? format.name : format.family);
  EXPECT_EQ(found, expected);
}

TEST(FormatTableWhole, E2m1HasTheEightValuesOfSectionOne) {
  const std::vector<mpq_class> values{0, mpq_class(1, 2), 1, mpq_class(3, 2), 2, 3, 4, 6};
  for (Code code = 0; code < 8; ++code) {
    EXPECT_EQ(rational(decode(*find_format("e2m1"), code).value), values[code]);
    EXPECT_EQ(rational(decode(*find_format("e2m1"), code | 8).value), -values[code]);
  }
}

TEST(FormatTableWhole, Tf32ReadsItsLowBitsAsZeroEvenOfANan) {
  const Datum datum = decode(*find_format("tf32"), 0x7f800001);
  EXPECT_EQ(datum.kind, Kind::infinity);
  EXPECT_FALSE(datum.negative);
  EXPECT_EQ(decode(*find_format("tf32"), 0x7f802000).kind, Kind::nan);
  EXPECT_EQ(rational(decode(*find_format("tf32"), 0x3f801fff).value), 1);
}

TEST(FormatTableWhole, Ue4m3ReadsItsTopBitAsZero) {
  for (Code code = 0; code < 0x7f; ++code) {
    const Format& format = *find_format("ue4m3");
    EXPECT_EQ(rational(decode(format, code).value), rational(decode(format, code | 0x80).value));
  }
}

TEST(FormatTableWhole, IntegersAreTwosComplementOrUnsigned) {
  const Format& i8 = *find_format("i8");
  EXPECT_EQ(i8.kind, FormatKind::integer);
  EXPECT_EQ(i8.stored_bits, 8);
  EXPECT_EQ(find_format("int8"), &i8);
  for (int value = -128; value < 128; ++value) {
    EXPECT_EQ(decode_integer(i8, static_cast<Code>(value) & 0xff), value);
    EXPECT_EQ(encode_integer(i8, value), static_cast<Code>(value) & 0xff);
  }
  const Format& u8 = *find_format("u8");
  EXPECT_EQ(u8.kind, FormatKind::integer);
  EXPECT_EQ(u8.stored_bits, 8);
  for (int value = 0; value < 256; ++value) EXPECT_EQ(decode_integer(u8, static_cast<Code>(value)), value);
  const Format& i32 = *find_format("i32");
  EXPECT_EQ(i32.kind, FormatKind::integer);
  EXPECT_EQ(i32.stored_bits, 32);
  EXPECT_EQ(find_format("int32"), &i32);
  EXPECT_EQ(decode_integer(i32, 0x80000000), -mpz_class("2147483648"));
  EXPECT_EQ(decode_integer(i32, 0x7fffffff), mpz_class("2147483647"));
}

// --- formats and readings that the table of formats has not

TEST(OwnFormats, Ufp16HasSixExponentBitsAndNoSign) {
  const Format* format = format_called("ufp16");
  ASSERT_NE(format, nullptr);
  const Row row{"ufp16", "", 16, 6, 10, 31, false, true, true, false, Nans::ieee, 0, 0, ""};
  for (const Code code : codes(row)) {
    expect_decoded(row, *format, code);
    if (HasFatalFailure()) return;
  }
  EXPECT_EQ(rational(decode(*format, 0x7c00).value), 1);
  EXPECT_EQ(rational(decode(*format, 0xfbff).value), mpq_class("4292870144"));
}

TEST(OwnFormats, StandBesideThoseOfTheTable) {
  EXPECT_EQ(format_called("f16"), find_format("f16"));
  EXPECT_EQ(format_called("float16"), find_format("f16"));
  EXPECT_EQ(format_called("f17"), nullptr);
  EXPECT_EQ(names_of_formats(), format_names());
}

TEST(OwnReadings, EveryCodeIsANumberAndFieldZeroIsZero) {
  const auto read = [](const char* name, Code code) { return decode_as_number(*find_format(name), code); };
  EXPECT_EQ(rational(read("bf16", 0x7f80).value), power_of_two(128));
  EXPECT_EQ(rational(read("bf16", 0xffc0).value), -mpq_class(3, 2) * power_of_two(128));
  EXPECT_EQ(rational(read("f16", 0x7fff).value), mpq_class(131008));
  EXPECT_EQ(read("f16", 0x7fff).exponent, 16);
  EXPECT_EQ(rational(read("tf32", 0x3f801fff).value), 1);
  EXPECT_EQ(rational(read("e5m2", 0x7f).value), mpq_class(114688));
  for (const Code code : {0x0000, 0x03ff, 0x8000, 0x83ff}) EXPECT_TRUE(is_zero(read("f16", code))) << code;
  EXPECT_EQ(rational(read("f16", 0x0400).value), power_of_two(-14));
}

TEST(OwnReadings, AnIntegerIsSignAndMagnitude) {
  const Format& i8 = *find_format("i8");
  EXPECT_EQ(decode_magnitude(i8, 0x7f), 127);
  EXPECT_EQ(decode_magnitude(i8, 0xff), -127);
  EXPECT_EQ(decode_magnitude(i8, 0x81), -1);
  EXPECT_EQ(decode_magnitude(i8, 0x80), 0);
  EXPECT_EQ(decode_magnitude(*find_format("u8"), 0xff), 255);
}

}  // namespace
}  // namespace assay::exact
