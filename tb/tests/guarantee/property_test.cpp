// The language of properties: what a file may say, and the sentence of every mistake in one.
#include <gtest/gtest.h>

#include "model/base/error.hpp"
#include "tb/guarantee/property.hpp"

namespace assay::guarantee {
namespace {

std::string message_of(const std::string& text) {
  try {
    read_properties_text(text, "mine.yaml");
  } catch (const Error& e) {
    return e.message;
  }
  return "";
}

const std::string head = "name: mine\n";

TEST(PropertyFile, IsReadAsItSays) {
  const std::vector<Property> read =
      read_properties_text(head +
                               "says: something\nfirst: [replace a by 3c00, zero products]\n"
                               "second: [scale a by 2^-3, increase b, swap a b, permute terms, negate products]\n"
                               "results: within 2 ulp\nwhen: [b not negative, no overflow]\n",
                           "mine.yaml");
  ASSERT_EQ(read.size(), 1U);
  const Property& p = read.front();
  EXPECT_EQ(operands_text(p),
            "replace a by 3c00, zero products; scale a by 2^-3, increase b, swap a b, permute terms, negate products");
  EXPECT_EQ(p.first.front().code, 0x3c00U);
  EXPECT_EQ(p.second.front().power, -3);
  EXPECT_EQ(results_text(p), "within 2 ulp");
  EXPECT_EQ(p.results.number, 2);
  EXPECT_EQ(conditions_text(p), "b not negative, no overflow");
  EXPECT_TRUE(p.has(CaseCondition::no_overflow));
  EXPECT_FALSE(p.has(CaseCondition::no_underflow));
}

TEST(PropertyFile, MayBeAList) {
  const std::vector<Property> read = read_properties_text(
      "properties:\n- {name: one, second: exact, results: nearest}\n- {name: two, second: none, results: finite}\n",
      "mine.yaml");
  ASSERT_EQ(read.size(), 2U);
  EXPECT_EQ(read[0].name, "one");
  EXPECT_EQ(read[1].side, SecondSide::none);
}

TEST(PropertyFile, EveryRowIsSaidInItsWords) {
  for (const Property& row : properties()) {
    std::string text = "name: " + row.name + "\n";
    const std::string operands = operands_text(row);
    const std::size_t cut = operands.find("; ");
    const std::string second = cut == std::string::npos ? operands : operands.substr(cut + 2);
    if (cut != std::string::npos) text += "first: [" + operands.substr(0, cut) + "]\n";
    text += "second: " + (row.side == SecondSide::changed ? "[" + second + "]" : second) + "\n";
    text += "results: " + results_text(row) + "\n";
    if (!row.when.empty()) text += "when: [" + conditions_text(row) + "]\n";
    const Property again = read_properties_text(text, row.name).front();
    EXPECT_EQ(operands_text(again), operands);
    EXPECT_EQ(results_text(again), results_text(row));
    EXPECT_EQ(conditions_text(again), conditions_text(row));
    EXPECT_EQ(again.side, row.side);
    EXPECT_EQ(find_property(row.name), &row);
  }
}

struct Wrong {
  std::string text, message;
};

TEST(PropertyFile, EveryMistakeHasItsSentence) {
  const std::vector<Wrong> mistakes{
      {"second: none\nresults: finite\n", "mine.yaml:1: the key 'name' is missing."},
      {head + "results: finite\n", "mine.yaml:1: the key 'second' is missing."},
      {head + "second: none\n", "mine.yaml:1: the key 'results' is missing."},
      {head + "second: none\nresults: finite\nresult: finite\n", "mine.yaml:4: result"},
      {head + "second: [negate d]\nresults: equal\n",
       "mine.yaml:2: second[0]: 'negate d' is no change of operands; it is one of: negate a, "},
      {head + "second: [scale a by 2^x]\nresults: equal\n",
       "mine.yaml:2: second[0]: 'scale a by 2^x' needs a whole number from -4096 to 4096 in place of 'x'."},
      {head + "second: [replace a by 3g]\nresults: equal\n",
       "mine.yaml:2: second[0]: 'replace a by 3g' needs 1 to 16 hexadecimal digits without prefix in place of '3g'."},
      {head + "second: []\nresults: equal\n",
       "mine.yaml:2: second: second is an empty list; say what is done to the operands."},
      {head + "second: twice\nresults: equal\n",
       "mine.yaml:2: second: 'twice' is nothing that results can be held to; give a list of changes of the operands, "
       "or "
       "one of: c, exact, fma, halves, none."},
      {head + "second: exact\nresults: alike\n",
       "mine.yaml:3: results: 'alike' is no relation of results; it is one of: equal, "},
      {head + "second: exact\nresults: within -1 ulp\n",
       "mine.yaml:3: results: 'within -1 ulp' needs a whole number from 0 to 1048576 in place of '-1'."},
      {head + "second: exact\nresults: finite\n", "mine.yaml:3: results: 'finite' does not go with this second side: "},
      {head + "second: none\nresults: equal\n", "mine.yaml:3: results: 'equal' does not go with this second side: "},
      {head + "second: c\nresults: nearest\n", "mine.yaml:3: results: 'nearest' does not go with this second side: "},
      {head + "second: exact\nresults: equal\nwhen: [d holds a]\n",
       "mine.yaml:4: when[0]: 'd holds a' is no condition; it is one of: a not negative, "},
      {"properties: []\nname: mine\n", "mine.yaml:2: name"},
  };
  for (const Wrong& wrong : mistakes) {
    const std::string message = message_of(wrong.text);
    EXPECT_NE(message.find(wrong.message), std::string::npos) << "wanted: " << wrong.message << "\nfound:  " << message;
  }
}

}  // namespace
}  // namespace assay::guarantee
