// Reading a case line: what is read, and the sentence for each way in which it can be wrong.
#include "tb/vectors/scan.hpp"

#include <gtest/gtest.h>

#include "tb/tests/vectors/helpers.hpp"
#include "tb/vectors/lines.hpp"

namespace assay {
namespace {

using testing_vectors::scaled_shape;
using testing_vectors::small_shape;

const std::string good = R"({"a":["3c00","0001"],"b":["8000","ffff"],"c":"3f800000","d":"deadbeef"})";

Case read(std::string_view line, const CaseShape& shape = small_shape()) {
  Case c;
  read_case(line, shape, c);
  return c;
}

std::string error_of(std::string_view line, const CaseShape& shape = small_shape()) {
  try {
    read(line, shape);
  } catch (const ScanError& error) {
    return error.message;
  }
  return "no error";
}

std::string with_a(const std::string& a) { return R"({"a":)" + a + R"(,"b":["0000","0000"],"c":"00000000"})"; }
std::string with_extra(const std::string& value) {
  return good.substr(0, good.size() - 1) + R"(,"tag":)" + value + "}";
}

TEST(CaseLine, IsReadWhole) {
  const Case c = read(good);
  EXPECT_EQ(c.a, (std::vector<Code>{0x3c00, 1}));
  EXPECT_EQ(c.b, (std::vector<Code>{0x8000, 0xffff}));
  EXPECT_EQ(c.c, 0x3f800000U);
  ASSERT_TRUE(c.d.has_value());
  EXPECT_EQ(*c.d, 0xdeadbeefU);
  EXPECT_EQ(c.extra, "");
}

TEST(CaseLine, TakesMembersInAnyOrderAndSpaceAnywhere) {
  const Case c = read(" { \"c\" : \"3f800000\" ,\t\"b\":[ \"8000\" , \"ffff\" ],\"a\":[\"3c00\",\"0001\"] } \r");
  EXPECT_EQ(c.a, (std::vector<Code>{0x3c00, 1}));
  EXPECT_EQ(c.b, (std::vector<Code>{0x8000, 0xffff}));
  EXPECT_FALSE(c.d.has_value());
}

TEST(CaseLine, KeepsOtherMembersAsTheyStand) {
  const std::string line =
      R"({"id":7,"a":["3c00","0001"],"tag": "x \"y\" é","b":["8000","ffff"],"c":"3f800000","n":[1.5e-3,{"o":null}]})";
  const Case c = read(line);
  EXPECT_EQ(c.extra, R"("id":7,"tag":"x \"y\" é","n":[1.5e-3,{"o":null}])");
  std::string again;
  append_case(again, c, small_shape());
  EXPECT_EQ(again, R"({"a":["3c00","0001"],"b":["8000","ffff"],"c":"3f800000",)" + c.extra + "}");
}

TEST(CaseLine, ReadsAndWritesScales) {
  const std::string line =
      R"({"a":["00","01","3f","20"],"b":["01","02","03","04"],"c":"3f800000","scale_a":["7f","80"],)"
      R"("scale_b":["ff","00"],"d":"00000001"})";
  const Case c = read(line, scaled_shape());
  EXPECT_EQ(c.scale_a, (std::vector<Code>{0x7f, 0x80}));
  EXPECT_EQ(c.scale_b, (std::vector<Code>{0xff, 0}));
  std::string again;
  append_case(again, c, scaled_shape());
  EXPECT_EQ(again, line);
}

TEST(CaseLine, ReadsAndWritesWhatElseACaseBrings) {
  CaseShape shape = small_shape();
  shape.more = {{"scale_b", 2, 16}, {"random", 1, 5}};
  const std::string start = R"({"a":["3c00","0001"],"b":["8000","ffff"],"c":"3f800000")";
  const std::string line = start + R"(,"scale_b":["3c00","0002"],"random":["1f"]})";
  Case c = read(line, shape);
  EXPECT_EQ(c.more, (std::vector<Code>{0x3c00, 2, 0x1f}));
  EXPECT_TRUE(c.scale_b.empty());
  EXPECT_EQ(c.extra, "");
  std::string again;
  append_case(again, c, shape);
  EXPECT_EQ(again, line);
  c = read(start + R"(,"random":["00"],"scale_b":["3c01","0003"]})", shape);
  EXPECT_EQ(c.more, (std::vector<Code>{0x3c01, 3, 0})) << "in any order, and nothing of the case before";
  EXPECT_EQ(error_of(start + R"(,"scale_b":["3c00","0002"]})", shape),
            "random is missing; the case needs 1 element of it.");
  EXPECT_EQ(error_of(start + R"(,"scale_b":["3c00"],"random":["1f"]})", shape),
            "scale_b has 1 element; this instruction takes 2.");
  EXPECT_NE(error_of(start + R"(,"scale_b":["3c00","0002"],"random":["20"]})", shape), "");
}

TEST(CaseLine, RefusesMasksThatBreakTheirPattern) {
  CaseShape shape;
  shape.k = 4;
  shape.a_bits = shape.b_bits = 16;
  shape.c_bits = shape.d_bits = 32;
  shape.more = {{"mask", 4, 1, Owner::row, Mask{2, 4}}};
  const std::string four = R"(["0000","0000","0000","0000"])";
  const std::string start = R"({"a":)" + four + R"(,"b":)" + four + R"(,"c":"00000000","mask":)";
  Case c;
  EXPECT_TRUE(read_case(start + R"(["1","0","0","1"]})", shape, c));
  EXPECT_EQ(c.more, (std::vector<Code>{1, 0, 0, 1}));
  EXPECT_EQ(error_of(start + R"(["1","0","0","0"]})", shape),
            "mask[0] to [3] has 1 bit on; of each 4 neighbours exactly 2 are on here.");
  EXPECT_NE(error_of(start + R"(["1","0","0","2"]})", shape), "");
}

TEST(CaseLine, LeavesNothingOfTheCaseBefore) {
  Case c;
  read_case(with_extra("1"), small_shape(), c);
  read_case(with_a(R"(["0000","0000"])"), small_shape(), c);
  EXPECT_FALSE(c.d.has_value());
  EXPECT_EQ(c.extra, "");
}

TEST(CaseLine, PadsOnlyWhereAsked) {
  const std::string line = R"({"a":["3c00"],"b":[],"c":"3f800000"})";
  EXPECT_EQ(error_of(line), "a has 1 element; this instruction takes 2.");
  CaseShape shape = small_shape();
  shape.pad = true;
  const Case c = read(line, shape);
  EXPECT_EQ(c.a, (std::vector<Code>{0x3c00, 0}));
  EXPECT_EQ(c.b, (std::vector<Code>{0, 0}));
  EXPECT_EQ(error_of(R"({"a":["3c00","3c00","3c00"],"b":[],"c":"3f800000"})", shape),
            "a has 3 elements; this instruction takes 2.");
  EXPECT_EQ(error_of(R"({"b":[],"c":"3f800000"})", shape), "a is missing; the case needs 2 elements of it.");
}

// In a list of values zero may stand at any code, and there may be none.
TEST(CaseLine, PadsWithTheFormatsZero) {
  CaseShape shape = small_shape();
  shape.pad = true;
  shape.zero_a = 7;
  shape.zero_b = 0x8000;
  const std::string line = R"({"a":["3c00"],"b":[],"c":"3f800000"})";
  const Case c = read(line, shape);
  EXPECT_EQ(c.a, (std::vector<Code>{0x3c00, 7}));
  EXPECT_EQ(c.b, (std::vector<Code>{0x8000, 0x8000}));
  shape.zero_b.reset();
  EXPECT_EQ(error_of(line, shape), "b is to be filled up with zeros, and its format has none.");
}

TEST(CaseLine, NeedsItsMembers) {
  EXPECT_EQ(error_of("{}"), "a is missing; the case needs 2 elements of it.");
  EXPECT_EQ(error_of(R"({"a":["3c00","0001"],"c":"3f800000"})"), "b is missing; the case needs 2 elements of it.");
  EXPECT_EQ(error_of(R"({"a":["3c00","0001"],"b":["3c00","0001"]})"), "c is missing; the case needs it.");
  EXPECT_EQ(error_of(R"({"a":[],"b":["3c00","0001"],"c":"3f800000"})"), "a has 0 elements; this instruction takes 2.");
  const std::string four = R"({"a":["00","01","3f","20"],"b":["01","02","03","04"],"c":"3f800000")";
  EXPECT_EQ(error_of(four + "}", scaled_shape()), "scale_a is missing; the case needs 2 elements of it.");
  EXPECT_EQ(error_of(four + R"(,"scale_a":["7f","7f"],"scale_b":["7f"]})", scaled_shape()),
            "scale_b has 1 element; this instruction takes 2.");
}

TEST(CaseLine, RefusesScalesWhereThereAreNone) {
  EXPECT_EQ(error_of(R"({"scale_a":["7f"],"a":[]})"),
            "scale_a is given, but this instruction takes no scales; leave it out.");
}

// A masked recording under a dense instruction is not read as a dense one.
TEST(CaseLine, RefusesOperandsThatTheInstructionDoesNotTake) {
  for (const std::string name : {"mask", "zero_a", "zero_b", "random"}) {
    EXPECT_EQ(error_of("{\"" + name + "\":[\"1\",\"0\"],\"a\":[]}"),
              name + " is given, but this instruction takes none; leave it out.");
  }
}

TEST(CaseLine, WantsExactlyItsBits) {
  EXPECT_EQ(error_of(with_a(R"(["3c00","3c0"])")), "a[1] is \"3c0\", 3 digits: it takes exactly 4 digits (16 bits).");
  EXPECT_EQ(error_of(with_a(R"(["03c00","3c00"])")),
            "a[0] is \"03c00\", 5 digits: it takes exactly 4 digits (16 bits).");
  EXPECT_EQ(error_of(with_a(R"([""])")), "a[0] is \"\", 0 digits: it takes exactly 4 digits (16 bits).");
  EXPECT_EQ(error_of(R"({"c":"3f8"})"), "c is \"3f8\", 3 digits: it takes exactly 8 digits (32 bits).");
  EXPECT_EQ(error_of(R"({"d":"3f8000000"})"), "d is \"3f8000000\", 9 digits: it takes exactly 8 digits (32 bits).");
  EXPECT_EQ(error_of(R"({"a":["3f","40"]})", scaled_shape()),
            "a[1] is \"40\", but it has only 6 bits: at most \"3f\".");
}

TEST(CaseLine, WantsPlainLowerCaseHex) {
  EXPECT_EQ(error_of(with_a(R"(["3C00","3c00"])")), "a[0] is \"3C00\", in upper case: write bits in lower case.");
  EXPECT_EQ(error_of(with_a(R"(["0x3c00"])")),
            "a[0] is \"0x3c00\", which is not hex: write bits as 4 digits of 0-9 and a-f, without a prefix.");
  EXPECT_EQ(error_of(with_a(R"(["3c0g"])")),
            "a[0] is \"3c0g\", which is not hex: write bits as 4 digits of 0-9 and a-f, without a prefix.");
}

TEST(CaseLine, SaysWhereTheLineIsNoJson) {
  EXPECT_EQ(error_of(""), "the line is cut short at byte 1 where '{' should stand there.");
  EXPECT_EQ(error_of("garbage"), "byte 1 is 'g', but '{' should stand there.");
  EXPECT_EQ(error_of(R"({"a" ["3c00"]})"), "byte 6 is '[', but ':' should stand there.");
  EXPECT_EQ(error_of(with_a("3")), "byte 6, in a, is '3', but '[' should stand there.");
  EXPECT_EQ(error_of(with_a(R"(["3c00" "3c00"])")), "byte 14, in a[0], is '\"', but ',' or ']' should stand there.");
  EXPECT_EQ(error_of(with_a(R"(["3c00",7])")), "byte 14, in a[1], is '7', but '\"' should stand there.");
  EXPECT_EQ(error_of(good + "x"),
            "byte " + std::to_string(good.size() + 1) + " is 'x', but nothing should follow the closing brace.");
}

TEST(CaseLine, SaysWhenItIsCutShort) {
  // Wherever it is cut, and never anything else than an error.
  for (std::size_t length = 0; length < good.size(); ++length) {
    EXPECT_NE(error_of(good.substr(0, length)).find("cut short"), std::string::npos)
        << good.substr(0, length) << ": " << error_of(good.substr(0, length));
  }
}

TEST(CaseLine, NamesNulBytes) {
  std::string line = good;
  line[0] = '\0';
  EXPECT_EQ(error_of(line), "byte 1 is NUL, but '{' should stand there.");
  line = good;
  line[8] = '\0';
  EXPECT_EQ(error_of(line), "byte 9, in a[0], is NUL, but the text should go on or end with a quote.");
}

TEST(CaseLine, SurvivesAnyByteAnywhere) {
  int errors = 0;
  for (std::size_t at = 0; at < good.size(); ++at) {
    for (int byte = 0; byte < 256; ++byte) {
      std::string line = good;
      line[at] = static_cast<char>(byte);
      errors += error_of(line) != "no error" ? 1 : 0;
    }
  }
  // At least every byte that is neither a hex digit, nor the letter of an unknown member, is noticed.
  EXPECT_GT(errors, static_cast<int>(good.size()) * 200);
}

TEST(CaseLine, RefusesAMemberTwice) {
  EXPECT_EQ(error_of(R"({"c":"3f800000","c":"3f800000"})"), "member c is given twice; give it once.");
  EXPECT_EQ(error_of(R"({"tag":1,"tag":2})"), "member tag is given twice; give it once.");
}

TEST(CaseLine, RefusesNamesWithEscapes) {
  EXPECT_EQ(error_of(R"({"\u0061":[]})"), "member '\\u0061' has a name with an escape; write the name plainly.");
}

TEST(CaseLine, BoundsMembersAndNesting) {
  std::string many = "{";
  for (int i = 0; i < 65; ++i) many += (i > 0 ? ",\"m" : "\"m") + std::to_string(i) + "\":0";
  EXPECT_EQ(error_of(many + "}"), "the line has more than 64 members; at most 64 are read.");
  EXPECT_EQ(error_of(with_extra(std::string(100000, '['))), "tag is nested deeper than 64 levels.");
}

TEST(CaseLine, ChecksTheMembersItPassesOn) {
  for (const char* value : {"0", "-0.5", "12e+3", "1E9", "true", "false", "null", "[]", "{}", R"("\u00e9\n")",
                            R"([{"x":[1,2,{"y":"z"}]}])"}) {
    EXPECT_EQ(error_of(with_extra(value)), "no error") << value;
    EXPECT_EQ(read(with_extra(value)).extra, std::string("\"tag\":") + value);
  }
  for (const char* value : {"", "01", "-", "1.", ".5", "1e", "+1", "tru", "nul", "NaN", "[1,]", "{\"x\"}", "{1:2}",
                            "'x'", R"("\x")", R"("\u12g4")", "\"tab\there\""}) {
    EXPECT_NE(error_of(with_extra(value)), "no error") << value;
  }
  EXPECT_EQ(error_of(R"({"tag":01})"), "tag is a number that begins with 0; leave the 0 out.");
  EXPECT_EQ(error_of(R"({"tag":1.x})"), "byte 10, in tag, is 'x', but a digit should stand there.");
  EXPECT_EQ(error_of(R"({"tag":maybe})"), "byte 8, in tag, is 'm', but a JSON value should stand there.");
  EXPECT_EQ(error_of(R"({"tag":"\q"})"), "byte 10, in tag, is 'q', but an escape of JSON should stand there.");
  EXPECT_EQ(error_of(R"({"tag":"\u00x0"})"), "byte 13, in tag, is 'x', but a hex digit of \\u should stand there.");
}

TEST(Scanner, ReadsNumbers) {
  const auto number = [](const char* text) {
    Scanner scanner(text);
    return scanner.number();
  };
  EXPECT_EQ(number("0"), 0U);
  EXPECT_EQ(number("18446744073709551615"), ~std::uint64_t{0});
  const auto message = [&](const char* text) -> std::string {
    try {
      number(text);
    } catch (const ScanError& error) {
      return error.message;
    }
    return "no error";
  };
  EXPECT_EQ(message("18446744073709551616"), "the line is larger than 64 bits hold.");
  EXPECT_EQ(message("-1"), "byte 1 is '-', but a whole number, not negative, should stand there.");
}

// What is read of a list, "no" where it is refused or something is left behind it.
std::string list_of(const std::string& text, int bits) {
  Scanner scanner(text);
  std::vector<std::uint64_t> codes;
  std::string read;
  try {
    scanner.hex_list(bits, codes);
    for (const std::uint64_t code : codes) append_hex(read, code, 16);
    return read + std::string(scanner.value());
  } catch (const ScanError&) {
    return "no";
  }
}

// Lists without a space have a way of their own.
TEST(Scanner, ReadsListsWithoutSpacesAsOthers) {
  for (const int bits : {1, 3, 4, 5, 7, 8, 11, 13, 14, 16, 19, 29, 31, 32, 64}) {
    const int digits = (bits + 3) / 4;
    std::string dense = "[";
    for (const std::uint64_t code : {std::uint64_t{0}, (std::uint64_t{2} << (bits - 1)) - 1, std::uint64_t{1}})
      append_hex(dense, code, digits), dense += ',';
    dense.back() = ']';
    EXPECT_NE(list_of(dense + "7", bits), "no") << dense;
    for (std::size_t at = 0; at < dense.size(); ++at) {
      for (const char letter : std::string("[],\"0189afAFg ")) {
        std::string changed = dense;
        changed[at] = letter;
        EXPECT_EQ(list_of(changed + "7", bits), list_of(" " + changed + "7", bits))
            << changed << ", " << bits << " bits";
      }
      const std::string cut = dense.substr(0, at);
      EXPECT_EQ(list_of(cut, bits), "no") << cut;
    }
  }
}

TEST(Scanner, TakesAnyWidthWhereItKnowsNone) {
  int digits = 0;
  Scanner scanner(R"("0123456789abcdef")");
  EXPECT_EQ(scanner.any_hex(digits), 0x0123456789abcdefU);
  EXPECT_EQ(digits, 16);
  for (const char* text : {R"("")", R"("0123456789abcdef0")", R"("12)", "12", R"("1""2")"}) {
    Scanner bad(text);
    if (std::string_view(text) == R"("1""2")") {
      EXPECT_EQ(bad.any_hex(digits), 1U);
    } else {
      EXPECT_THROW(bad.any_hex(digits), ScanError) << text;
    }
  }
}

TEST(LineBuffer, CutsWhateverPiecesIntoTheSameLines) {
  const std::string text = "one\n\ntwo and more\nthree";
  for (std::size_t piece = 1; piece <= text.size(); ++piece) {
    LineBuffer buffer;
    std::vector<std::string> lines;
    for (std::size_t at = 0; at < text.size(); at += piece) {
      const std::size_t n = std::min(piece, text.size() - at);
      text.copy(buffer.room(n), n, at);
      buffer.filled(n);
      std::string_view line;
      while (buffer.next(line)) lines.emplace_back(line);
    }
    EXPECT_EQ(lines, (std::vector<std::string>{"one", "", "two and more"})) << piece;
    EXPECT_EQ(buffer.rest(), "three");
    EXPECT_FALSE(buffer.has_line());
  }
}

TEST(Print, QuotesAnyText) {
  std::string out;
  append_quoted(out, std::string_view("a\"\\\n\0é", 7));
  EXPECT_EQ(out, "\"a\\\"\\\\\\u000a\\u0000é\"");
}

TEST(Print, CutsExcerpts) {
  EXPECT_EQ(excerpt("tab\there"), "'tab\\x09here'");
  EXPECT_EQ(excerpt(std::string(100, 'x')), "'" + std::string(60, 'x') + "...'");
}

}  // namespace
}  // namespace assay
