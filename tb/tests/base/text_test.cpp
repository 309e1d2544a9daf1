#include "model/base/text.hpp"

#include <gtest/gtest.h>

namespace assay {
namespace {

using Texts = std::vector<std::string>;

TEST(Text, StartsAndEnds) {
  EXPECT_TRUE(starts_with("abc", ""));
  EXPECT_TRUE(starts_with("abc", "ab"));
  EXPECT_FALSE(starts_with("ab", "abc"));
  EXPECT_FALSE(starts_with("xab", "ab"));
  EXPECT_TRUE(ends_with("f.gz", ".gz"));
  EXPECT_FALSE(ends_with("gz", ".gz"));
  EXPECT_FALSE(ends_with("f.gz.", ".gz"));
}

TEST(Text, CaseOfAsciiLettersAlone) {
  EXPECT_EQ(lower("AZ@[\xc3\x89"), "az@[\xc3\x89");
  EXPECT_EQ(upper("az`{\xc3\xa9"), "AZ`{\xc3\xa9");
}

TEST(Text, Trimmed) {
  EXPECT_EQ(trimmed(" \ta b\t "), "a b");
  EXPECT_EQ(trimmed(" \t"), "");
  EXPECT_EQ(trimmed(""), "");
}

TEST(Text, SplitKeepsEmptyParts) {
  EXPECT_EQ(split("a..b", '.'), (Texts{"a", "", "b"}));
  EXPECT_EQ(split(".a.", '.'), (Texts{"", "a", ""}));
  EXPECT_EQ(split("", '.'), (Texts{""}));
}

TEST(Text, JoinedIsTheOtherWayRound) {
  EXPECT_EQ(joined({}), "");
  EXPECT_EQ(joined({"a", "b", "c"}), "a, b, c");
  EXPECT_EQ(joined({"", "a", ""}, "."), ".a.");
}

TEST(Text, ReplacedOnceEach) {
  EXPECT_EQ(replaced("@A@ and @A@", "@A@", "x"), "x and x");
  EXPECT_EQ(replaced("aa", "a", "aa"), "aaaa");
  EXPECT_EQ(replaced("abc", "d", "x"), "abc");
}

TEST(Text, Counts) {
  EXPECT_EQ(counted(0, "case"), "0 cases");
  EXPECT_EQ(counted(1, "case"), "1 case");
  EXPECT_EQ(counted(2, "case"), "2 cases");
  EXPECT_EQ(grouped(999), "999");
  EXPECT_EQ(grouped(1000), "1,000");
  EXPECT_EQ(grouped(18446744073709551615U), "18,446,744,073,709,551,615");
}

// A line may be full to its last column, and what stands at its end counts.
TEST(Text, WrappedAtTheLastColumn) {
  const Texts words{"aaa", "bb", "cc"};
  EXPECT_EQ(wrapped(words, {9}), "aaa bb cc\n");
  EXPECT_EQ(wrapped(words, {8}), "aaa bb\ncc\n");
  EXPECT_EQ(wrapped(words, {9, "x ", "  ", "; ", ";"}), "x aaa;\n  bb; cc\n");
  EXPECT_EQ(wrapped(words, {8, "x ", "  ", "; ", ";"}), "x aaa;\n  bb;\n  cc\n");
  EXPECT_EQ(wrapped({"longer than that", "b"}, {4, "- ", "  "}), "- longer than that\n  b\n");
  EXPECT_EQ(wrapped({}, {4, "- "}), "- \n");
}

TEST(Text, NearestChoice) {
  EXPECT_EQ(nearest("recieve", {"receive", "send"}), "; did you mean 'receive'?");
  EXPECT_EQ(nearest("xyz", {"receive", "send"}), ".");
  EXPECT_EQ(nearest(std::string(101, 'a'), {std::string(101, 'a')}), ".");
}

}  // namespace
}  // namespace assay
