// Numbers and bits as recordings write them.
#include "tb/import/value.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>

#include "model/core/decode.hpp"
#include "tb/vectors/scan.hpp"

namespace assay {
namespace {

const Format& format(const std::string& name) { return *find_format(name); }

Code parsed(const std::string& text, const std::string& name) { return parse_value(text, format(name)); }

std::string refused(const std::string& text, const std::string& name) {
  try {
    parse_value(text, format(name));
  } catch (const ScanError& error) {
    return error.message;
  }
  return "was taken";
}

TEST(Value, BitsStandAsTheyAre) {
  EXPECT_EQ(parsed("3c00", "f16"), 0x3c00u);
  EXPECT_EQ(parsed("3C00", "f16"), 0x3c00u);
  EXPECT_EQ(parsed("0x3c00", "f16"), 0x3c00u);
  EXPECT_EQ(parsed("0x1", "f16"), 1u);
  EXPECT_EQ(parsed("0b0011110000000000", "f16"), 0x3c00u);
  EXPECT_EQ(parsed("1", "e2m1"), 1u);
  EXPECT_EQ(parsed("12", "i8"), 0x12u);
  EXPECT_EQ(parsed("3ff0000000000000", "f64"), 0x3ff0000000000000u);
  EXPECT_EQ(parsed("7e01", "f16"), 0x7e01u) << "a NaN keeps its payload";
  EXPECT_EQ(parsed("0b01", "f16"), 0x0b01u) << "four digits are the bits of f16, whatever they begin with";
}

// Those of the double that has the most, 767 of them; with one digit more it is no double.
TEST(Value, EveryDigitOfADoubleIsRead) {
  const std::string digits =
      "4450147717014402272114819593418263951869639092703291296046852219449644444042153891033059047816270175"
      "8282983178260792422137401728773891892910553144148156412434867599762821265346585071045737627442980259"
      "6224490290377969811444461457051026631151003182879495279596682360399864792509657803421416370138126133"
      "3311989876551545144031526125381326665295130600018491776632866075559583739224098994780755659409810102"
      "1612198814605258742579179000071675999344145086087205681577915435923018910334964869420614052182892431"
      "4457976051636509036065141403772174422625615902446685257673724464300755133324500796506867194913776884"
      "7800530996396770975896584413789443379662199396731693628045708486661320679701772891608002069867940855"
      "1343728867675409720757232455434770912461317493580281734466552734375";
  EXPECT_EQ(parsed(digits + "e-1074", "f64"), 0x001fffffffffffffu);
  EXPECT_NE(refused(digits + "1e-1075", "f64"), "was taken");
}

TEST(Value, NumbersThatTheFormatHolds) {
  EXPECT_EQ(parsed("1.0", "f16"), 0x3c00u);
  EXPECT_EQ(parsed("-1.5", "bf16"), 0xbfc0u);
  EXPECT_EQ(parsed("+2.", "f32"), 0x40000000u);
  EXPECT_EQ(parsed("-0.0", "f16"), 0x8000u);
  EXPECT_EQ(parsed("5.9604644775390625e-08", "f16"), 1u);
  EXPECT_EQ(parsed("0x1p-24", "f16"), 1u);
  EXPECT_EQ(parsed("-0x1.8p+1", "e4m3"), 0xc4u);
  EXPECT_EQ(parsed("0x0.00018000000000000000p16", "f16"), 0x3e00u);
  EXPECT_EQ(parsed("-5", "i8"), 0xfbu);
  EXPECT_EQ(parsed("127.0", "i8"), 0x7fu);
  EXPECT_EQ(parsed("1.0", "ue8m0"), 0x7fu);
  EXPECT_EQ(
      parsed("1.4012984643248170709237295832899161312802619418765157717570682838897910826858606014866381883621215820"
             "3125e-45",
             "f32"),
      1u);
  EXPECT_EQ(parsed("inf", "f16"), 0x7c00u);
  EXPECT_EQ(parsed("-inf", "f32"), 0xff800000u);
  EXPECT_EQ(parsed("nan", "f32"), 0x7fc00000u);
  EXPECT_EQ(parsed("-nan", "f32"), 0xffc00000u);
  EXPECT_EQ(parsed("+nan", "f16"), 0x7e00u);
  EXPECT_EQ(parsed("-nan", "e4m3"), 0xffu);
  EXPECT_EQ(parsed("nan", "e4m3"), 0x7fu);
  EXPECT_EQ(parsed("-nan", "e4m3fnuz"), 0x80u) << "it has one NaN";
  EXPECT_EQ(parsed("0.1000000000000000055511151231257827021181583404541015625", "f64"), 0x3fb999999999999au);
}

// Every finite code of the formats of 8 bits and less, written as a decimal and as a hexadecimal number.
TEST(Value, EveryNarrowNumberComesBack) {
  std::size_t codes = 0;
  for (const Format& narrow : formats()) {
    if (narrow.stored_bits > 8) continue;
    std::set<std::pair<double, bool>> known;  // several codes may have one number; the first is written
    for (Code code = 0; narrow.fits(code); ++code) {
      const Number n = decode(code, narrow, Subnormals::keep, Specials::step);
      if (!n.is_finite() || code >> (narrow.stored_bits - narrow.ignored_high_bits) != 0) continue;
      const double magnitude = std::ldexp(static_cast<double>(n.magnitude), n.quantum);
      if (!known.emplace(n.negative ? -magnitude : magnitude, n.negative).second) continue;
      char decimal[400], hexadecimal[64];
      std::snprintf(decimal, sizeof decimal, "%+.200e", n.negative ? -magnitude : magnitude);
      std::snprintf(hexadecimal, sizeof hexadecimal, "%+a", n.negative ? -magnitude : magnitude);
      EXPECT_EQ(parse_value(decimal, narrow), code) << narrow.name << " " << decimal;
      EXPECT_EQ(parse_value(hexadecimal, narrow), code) << narrow.name << " " << hexadecimal;
      ++codes;
    }
  }
  EXPECT_GT(codes, 1500U);
}

std::string nearest(const std::string& text, const Format& format) {
  NearestValue found;
  try {
    found = nearest_value(text, format);
  } catch (const ScanError& error) {
    return error.message;
  }
  char hex[40];
  std::snprintf(hex, sizeof hex, "%llx%s", static_cast<unsigned long long>(found.code), found.exact ? "" : " nearest");
  return hex;
}

// Numbers that a double would round before the format does.
TEST(Value, TheNearestIsOfWhatIsWritten) {
  EXPECT_EQ(nearest("1.00048828125000000000", format("f16")), "3c00 nearest");
  EXPECT_EQ(nearest("1.00048828125000000001", format("f16")), "3c01 nearest");
  EXPECT_EQ(nearest("2.98023223876953126e-8", format("f16")), "1 nearest");
  EXPECT_EQ(nearest("0x1.0020000000000001p0", format("f16")), "3c01 nearest");
  EXPECT_EQ(nearest("1.7499999999999999999999986", format("e2m1")), "3 nearest");
  EXPECT_EQ(nearest("0x1.000000000000080001p0", format("f64")), "3ff0000000000001 nearest");
  EXPECT_EQ(nearest("0x1.00000000000008p0", format("f64")), "3ff0000000000000 nearest");
  EXPECT_EQ(nearest("0x1.00000000000008" + std::string(100, '0') + "1p0", format("f64")), "3ff0000000000001 nearest");
  EXPECT_EQ(nearest("1.00048828125" + std::string(3000, '0') + "1", format("f16")), "3c01 nearest");
  EXPECT_EQ(nearest("123456789012345678901234567890e-29", format("f32")), "3f9e0652 nearest");
}

// Half way between two codes, and a little to either side of it.
TEST(Value, TheNearestChangesHalfWay) {
  std::size_t seen = 0;
  for (const std::string name : {"f16", "bf16", "e4m3", "e3m2", "e2m1", "e5m2", "tf32"}) {
    const Format& f = format(name);
    for (Code used = 0; used<f.greatest_finite(); used += f.stored_bits> 8 ? 37 : 1) {
      const Code low = f.stored(used), high = f.stored(used + 1);
      const auto value = [&](Code code) {
        const Number n = decode(code, f, Subnormals::keep, Specials::step);
        return std::ldexp(static_cast<double>(n.magnitude), n.quantum);
      };
      int power = 0;
      const double half_way = std::frexp((value(low) + value(high)) / 2, &power);
      const auto significand = static_cast<std::uint64_t>(std::ldexp(half_way, 53));
      const auto beside = [&](const char* digits, std::uint64_t less) {
        char text[80];
        std::snprintf(text, sizeof text, "0x%llx.%sp%d", static_cast<unsigned long long>(significand - less), digits,
                      power - 53);
        return nearest_value(text, f).code;
      };
      EXPECT_EQ(beside("00000000000000001", 0), high) << name << " " << used;
      EXPECT_EQ(beside("ffffffffffffffffffffffffffffffffff", 1), low) << name << " " << used;
      EXPECT_EQ(beside("0", 0), used % 2 == 0 ? low : high) << name << " " << used;
      ++seen;
    }
  }
  EXPECT_GT(seen, 2500U);
}

// Of wide integers, of integers before the point, and of floats beyond a double's.
TEST(Value, NumbersBeyondADoubleAreHeld) {
  const auto own = [](int bits, int fraction) {
    Format f = format("i32");
    f.name = "own";
    f.stored_bits = bits;
    f.fraction_bits = fraction;
    return f;
  };
  EXPECT_EQ(parse_value("9007199254740993.0", own(60, 0)), 0x20000000000001u);
  EXPECT_EQ(parse_value("576460752303423487.0", own(60, 0)), 0x7ffffffffffffffu);
  EXPECT_EQ(parse_value("2040.0", own(9, -3)), 0xffu);
  EXPECT_EQ(parse_value("-2048.0", own(9, -3)), 0x100u);
  EXPECT_EQ(parse_value("1048576.0", own(9, -20)), 1u);
  Format low = format("f64");
  low.name = "low";
  low.bias = 2047;
  EXPECT_EQ(parse_value("0x1p-1500", low), Code{547} << 52);
  EXPECT_EQ(parse_value("0x1p-1100", low), Code{947} << 52);
}

TEST(Value, TheNearestOfWhatIsTooLargeIsAtTheEnd) {
  EXPECT_EQ(nearest("256.0", format("u8")), "ff nearest");
  EXPECT_EQ(nearest("1.0e400", format("i8")), "7f nearest");
  EXPECT_EQ(nearest("-1.0e400", format("i8")), "80 nearest");
  EXPECT_EQ(nearest("1.0e400", format("f16")), "7c00 nearest");
  EXPECT_EQ(nearest("-1.0e999999999", format("f64")), "fff0000000000000 nearest");
  EXPECT_EQ(nearest("1.8e308", format("f64")), "7ff0000000000000 nearest");
  EXPECT_EQ(nearest("1e-400", format("f64")), "0 nearest");
  EXPECT_EQ(nearest("1e-999999999", format("e2m1")), "0 nearest");
  EXPECT_EQ(nearest("1.0e400", format("e2m1")), "7 nearest");
  for (const std::string name :
       {"posit8_0", "posit16_2", "hif8", "nf4", "ue8m0", "e4m3", "e4m3fnuz", "mxint8", "sm8"}) {
    for (const std::string text : {"1.0e1000", "1e-1000", "1.0e5000", "1e-5000", "1.0e308"})
      EXPECT_NE(nearest(text, format(name)).find(" nearest"), std::string::npos) << name << " " << text;
  }
  EXPECT_EQ(nearest("1e-5000", format("posit8_0")), "1 nearest") << "a posit is never rounded to zero";
  EXPECT_EQ(nearest("1.0e5000", format("posit8_0")), "7f nearest");
}

TEST(Value, NumbersThatItDoesNotHold) {
  EXPECT_NE(refused("1.401298464324817070923729583289916131280e-45", "f32"), "was taken") << "cut short";
  EXPECT_EQ(refused("0.1", "f64"),
            "'0.1' is not a number that f64 holds exactly; the nearest has the bits 3fb999999999999a.");
  EXPECT_EQ(refused("0.1", "f16"), "'0.1' is not a number that f16 holds exactly; the nearest has the bits 2e66.");
  EXPECT_EQ(refused("0x1.0000000000001p0", "f32"),
            "'0x1.0000000000001p0' is not a number that f32 holds exactly; the nearest has the bits 3f800000.");
  EXPECT_EQ(
      refused("0x1.00000000000008p0", "f64"),
      "'0x1.00000000000008p0' is not a number that f64 holds exactly; the nearest has the bits 3ff0000000000000.");
  EXPECT_EQ(refused("inf", "e4m3"), "'inf' is not a number that e4m3 holds exactly.");
  EXPECT_EQ(refused("nan", "e2m1"), "'nan' is not a number that e2m1 holds exactly.");
  EXPECT_EQ(refused("-1.0", "ue8m0"), "'-1.0' is not a number that ue8m0 holds exactly.");
  EXPECT_EQ(refused("0.0", "ue8m0"), "'0.0' is not a number that ue8m0 holds exactly.");
  EXPECT_EQ(refused("1e+400", "f32"),
            "'1e+400' is not a number that f32 holds exactly; the nearest has the bits 7f800000.");
  EXPECT_NE(refused("0x1p2147483647", "f64"), "was taken");
  EXPECT_NE(refused("0x1p-2147483647", "f64"), "was taken");
  EXPECT_EQ(parsed("0.0e-2147483647", "f16"), 0u);
  EXPECT_NE(refused("1e+300", "i8"), "was taken");
  EXPECT_NE(refused("65520.0", "f16"), "was taken");
  EXPECT_NE(refused("-0.0", "i8"), "was taken");
  EXPECT_NE(refused("2.5", "i8"), "was taken");
  EXPECT_NE(refused("1e-300", "f16"), "was taken");
}

TEST(Value, WhatIsNeitherSaysSo) {
  EXPECT_EQ(refused("", "f16"), "there is nothing, where f16 should stand.");
  EXPECT_EQ(refused("1", "f16"),
            "'1' may be bits or a number: write bits with all their 4 digits (16 bits), and a number with a point.");
  EXPECT_EQ(refused("3c0g", "f16"), "'3c0g' is not the bits of f16: those are 4 digits (16 bits) of 0-9 and a-f.");
  EXPECT_EQ(refused("0x3c000", "f16"), "'3c000' is not the bits of f16: those are 4 digits (16 bits) of 0-9 and a-f.");
  EXPECT_EQ(refused("7f", "e3m2"), "'7f' has more than the 6 bits of e3m2.");
  EXPECT_EQ(refused("0b011", "f16"), "'011' is not the bits of f16: those are 16 digits of 0 and 1.");
  EXPECT_EQ(refused("1.0.0", "f16"), "'1.0.0' is not a number: write -1.5, 1e-3, 0x1.8p-3, inf or nan, or bits.");
  EXPECT_NE(refused("--1.0", "f16"), "was taken");
  EXPECT_NE(refused("0x1.8p", "f16"), "was taken");
  EXPECT_NE(refused("0x.p1", "f16"), "was taken");
  EXPECT_NE(refused("-", "f16"), "was taken");
}

TEST(Value, OneFormatInAnother) {
  EXPECT_EQ(same_number(0x3f800000, format("f32"), format("f16")), std::optional<Code>(0x3c00));
  EXPECT_EQ(same_number(0x3f800001, format("f32"), format("f16")), std::nullopt);
  EXPECT_EQ(same_number(0x7fffe000, format("f32"), format("f16")), std::optional<Code>(0x7fff));
  EXPECT_EQ(same_number(0x7f802000, format("f32"), format("f16")), std::optional<Code>(0x7c01)) << "it signals";
  EXPECT_EQ(same_number(0xffa00000, format("f32"), format("e5m2")), std::optional<Code>(0xfd));
  EXPECT_EQ(same_number(0xff800001, format("f32"), format("f32")), std::optional<Code>(0xff800001));
  EXPECT_EQ(same_number(0x7f801000, format("f32"), format("f16")), std::nullopt);
  EXPECT_EQ(same_number(0x43e00000, format("f32"), format("e4m3")), std::optional<Code>(0x7e));
  EXPECT_EQ(same_number(0x43f00000, format("f32"), format("e4m3")), std::nullopt) << "480 is NaN's place";
  EXPECT_EQ(same_number(0x3f802000, format("f32"), format("tf32")), std::optional<Code>(0x3f802000));
  EXPECT_EQ(same_number(0x3f801000, format("f32"), format("tf32")), std::nullopt);
  EXPECT_EQ(nearest_number(0x3f801000, format("f32"), format("f16")), 0x3c00u) << "a tie, to even";
  EXPECT_EQ(nearest_number(0x3f803000, format("f32"), format("f16")), 0x3c02u) << "a tie, to even";
  EXPECT_EQ(nearest_number(0x477ff000, format("f32"), format("f16")), 0x7c00u) << "65520 rounds to infinity";
}

}  // namespace
}  // namespace assay
