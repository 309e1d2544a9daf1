// Digits, JSON's quotes and XML's marks, against what each standard writes.
#include <gtest/gtest.h>

#include "model/base/json.hpp"
#include "model/base/sha256.hpp"
#include "model/base/utf8.hpp"
#include "model/base/xml.hpp"

namespace assay {
namespace {

TEST(Hex, AsManyDigitsAsAskedFor) {
  EXPECT_EQ(hex_text(0x3c00, 4), "3c00");
  EXPECT_EQ(hex_text(0x3c00, 6), "003c00");
  EXPECT_EQ(hex_text(0x3c00, 2), "00");
  EXPECT_EQ(hex_text(0xfedcba9876543210, 16), "fedcba9876543210");
  EXPECT_EQ(hex_text(7, 0), "");
}

TEST(Hex, OnlyLowerCaseIsADigit) {
  const std::string digits = "0123456789abcdef";
  for (int c = -128; c < 128; ++c) {
    const std::size_t at = c == 0 ? digits.npos : digits.find(static_cast<char>(c));
    EXPECT_EQ(hex_value(static_cast<char>(c)), at == digits.npos ? -1 : static_cast<int>(at)) << c;
  }
}

TEST(Hex, ReadsANumberOfSoManyDigits) {
  EXPECT_EQ(hex_number("3c00", 4), 0x3c00U);
  EXPECT_EQ(hex_number("0", 8), 0U);
  EXPECT_EQ(hex_number("fedcba9876543210", 16), 0xfedcba9876543210U);
  for (const char* text : {"", "3c000", "3C", "0x1", "-1", " 1", "1 ", "g"}) EXPECT_FALSE(hex_number(text, 4)) << text;
  EXPECT_FALSE(hex_number("fedcba98765432100", 16));
}

TEST(Json, QuotesWhatWouldEndOrBreakAText) {
  EXPECT_EQ(json_string(""), R"("")");
  EXPECT_EQ(json_string("a\"b\\c/d"), R"("a\"b\\c/d")");
  EXPECT_EQ(json_string(std::string_view("\0\x1f\n\x7f", 4)), "\"\\u0000\\u001f\\u000a\x7f\"");
  EXPECT_EQ(json_string("\xc3\xa9"), "\"\xc3\xa9\"");  // é, as it stands
}

TEST(Sha256, OfTheStandardsExamples) {
  EXPECT_EQ(sha256(""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  EXPECT_EQ(sha256("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
}

TEST(Utf8, CharactersOfEachLength) {
  struct Row {
    std::string_view text;
    char32_t code;
    std::size_t bytes;
  };
  for (const Row& row : {Row{"A", 0x41, 1}, Row{"\xc3\xa9", 0xe9, 2}, Row{"\xe2\x82\xac", 0x20ac, 3},
                         Row{"\xf0\x9f\x98\x80", 0x1f600, 4}, Row{"\xf4\x8f\xbf\xbf", 0x10ffff, 4}}) {
    const Character c = first_character(row.text);
    EXPECT_EQ(c.code, row.code);
    EXPECT_EQ(c.bytes, row.bytes);
    EXPECT_TRUE(c.whole);
    if (row.bytes > 1) {
      EXPECT_FALSE(first_character(row.text.substr(0, row.bytes - 1)).whole);
    }
  }
}

// A byte that continues nothing, overlong forms, a surrogate, what lies above the last character.
TEST(Utf8, WhatIsNone) {
  for (const std::string_view text :
       {"\x80", "\xc0\x80", "\xc1\xbf", "\xe0\x80\x80", "\xe0\x9f\xbf", "\xf0\x80\x80\x80", "\xed\xa0\x80",
        "\xf4\x90\x80\x80", "\xf5\x80\x80\x80", "\xff", "\xc3("}) {
    EXPECT_EQ(first_character(text).bytes, 0U) << testing::PrintToString(text);
  }
}

TEST(Xml, MarksAreWrittenAsNumbers) {
  EXPECT_EQ(xml_text("a<b>&\"\n\t"), "a&#60;b&#62;&#38;\"\n\t");
  EXPECT_EQ(xml_attribute("\"\n\t"), "&#34;&#10;&#9;");
  EXPECT_EQ(xml_text("\x01\xff\xe2\x82\xac"), "\\x01\\xff\xe2\x82\xac");
  EXPECT_EQ(xml_text("\xef\xbf\xbe"), "\\xef\\xbf\\xbe");  // U+FFFE is a character, and none of XML's
}

}  // namespace
}  // namespace assay
