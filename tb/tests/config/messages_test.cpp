// What is wrong with a datapath file, and what is said of it: file, line, key, what was found, what would be right.
#include <gtest/gtest.h>

#include <string>

#include "model/config/catalogue.hpp"

namespace assay {
namespace {

const Catalogue& catalogue() {
  static const Catalogue shipped = shipped_catalogue();
  return shipped;
}

// The message, or nothing where the file is right.
std::string message_of(const std::string& text) {
  try {
    plan_of(read_datapath_text(text, "mine.yaml", catalogue()));
  } catch (const Error& e) {
    return e.message;
  }
  return "";
}

std::string message_of_json(const std::string& text) {
  try {
    json_text(read_yaml_text(text, "mine.yaml"));
  } catch (const Error& e) {
    return e.message;
  }
  return "";
}

// Six lines that every case below starts from.
const std::string start =
    "name: mine\n"
    "k: 4\n"
    "operands: {a: f16, b: f16, c: f32, d: f32}\n"
    "specials: step\n";
const std::string sum =
    "adders:\n"
    "  - name: sum\n"
    "    add: {product: {keep: 25, cut: toward_zero}, acc: {keep: 25, cut: toward_zero}}\n";
const std::string result = "    result: [{format: d, cut: toward_zero}]\n";

TEST(Messages, TheCaseAllOthersStartFromIsRight) { EXPECT_EQ(message_of(start + sum + result), ""); }

struct Wrong {
  std::string text;
  std::string message;
};

class DatapathMessages : public ::testing::TestWithParam<Wrong> {};

TEST_P(DatapathMessages, NameFileLineKeyAndWhatWouldBeRight) {
  const std::string message = message_of(GetParam().text);
  EXPECT_NE(message.find(GetParam().message), std::string::npos) << "found: " << message;
}

INSTANTIATE_TEST_SUITE_P(
    Yaml, DatapathMessages,
    ::testing::Values(
        Wrong{"name: [", "mine.yaml:1: This is not YAML: "},
        Wrong{"- a\n", "mine.yaml: One YAML mapping is needed, found none."},
        Wrong{"a: 1\n---\nb: 2\n", "mine.yaml: One YAML mapping is needed, found several documents."},
        Wrong{", a\n", "mine.yaml: One YAML mapping is needed, found several documents."},
        Wrong{"a: 1\n]\n", "mine.yaml:2: This is not YAML: illegal flow end."},
        Wrong{std::string("name: a\0b\n", 10), "mine.yaml: A NUL byte stands in this file; it is not YAML."},
        Wrong{start + sum + result + "windo: 1\n",
              "mine.yaml:9: windo: unknown key; the keys here are name, like, about, k, operands"},
        Wrong{start + sum + result + "name: again\n", "mine.yaml:9: the key 'name' is given twice."},
        Wrong{start + "[a, b]: 1\n", "mine.yaml:5: a key must be a word, found a list."},
        Wrong{"k: 4\n" + sum + result, "mine.yaml:1: the key 'specials' is missing."},
        Wrong{"name: mine\nspecials: step\n", "mine.yaml:1: the key 'adders' is missing."},
        Wrong{"name: mine\nspecials: stepp\n" + sum,
              "mine.yaml:2: specials: found 'stepp'; the choices are step, operation, numbers; did you mean 'step'?"},
        Wrong{"name: mine\nspecials: {}\n" + sum, "mine.yaml:2: specials: found a mapping; the choices are"},
        Wrong{"name: mine\nk: four\nspecials: step\n" + sum,
              "mine.yaml:2: k: a whole number from 1 to 1048576 is needed here, found 'four'."},
        Wrong{"name: mine\nk: 0\nspecials: step\n" + sum, "found '0'."},
        Wrong{"name: mine\nk: []\nspecials: step\n" + sum, "is needed here, found a list."},
        Wrong{"name: {}\nspecials: step\n" + sum, "mine.yaml:1: name: a word is needed here, found a mapping."},
        Wrong{
            start + "nan: 0x7f\n" + sum + result,
            "mine.yaml:5: nan: 1 to 16 hexadecimal digits without prefix, or `propagate`, `signed` or {take: ..}, are "
            "needed here, found '0x7f'."},
        Wrong{start + "nan: []\n" + sum + result,
              "hexadecimal digits without prefix, or `propagate`, `signed` or {take: ..}, are needed here, found a "
              "list."},
        Wrong{start + "nan: {default: 7f}\n" + sum + result, "mine.yaml:5: nan: the key 'take' is missing."},
        Wrong{start + "nan: {take: []}\n" + sum + result,
              "mine.yaml:5: nan: take lists no place; name one, or say `propagate`."},
        Wrong{start + "nan: {take: acc}\n" + sum + result,
              "mine.yaml:5: nan.take: a list is needed here, found 'acc'."},
        Wrong{start + "nan: {take: [acc], default: quiet}\n" + sum + result,
              "mine.yaml:5: nan.default: 1 to 16 hexadecimal digits without prefix are needed here, found 'quiet'."},
        Wrong{start + "nan: {take: [acc], signalling: last}\n" + sum + result,
              "mine.yaml:5: nan.signalling: found 'last'; the choices are alike, first"},
        Wrong{start + "nan: {take: [acc], code: 7f}\n" + sum + result,
              "mine.yaml:5: nan.code: unknown key; the keys here are default, take, signalling."},
        Wrong{start + "adders: 3\n", "mine.yaml:5: adders: a list is needed here, found '3'."},
        Wrong{start + "adders:\n  - 3\n", "mine.yaml:6: adders[0]: a mapping is needed here, found '3'."},
        Wrong{start + "adders:\n  - name: sum\n", "mine.yaml:6: adders[0]: the key 'add' is missing."},
        Wrong{start + "adders:\n  - name: sum\n    add: {}\n",
              "mine.yaml:7: adders[0].add: an adder adds at least one thing."},
        Wrong{start + "adders:\n  - name: sum\n    add: {product: all}\n",
              "adders[0].add.product: found 'all'; say `exact`, or {keep: .., cut: ..}."},
        Wrong{start + "adders:\n  - name: sum\n    add: {product: {keep: 3}}\n",
              "adders[0].add.product: the key 'cut' is missing: say how the bits beyond `keep` are cut."},
        Wrong{start + "adders:\n  - name: sum\n    add: {product: {cut: down}}\n",
              "adders[0].add.product.cut: there is no `keep`, so nothing is cut here."},
        Wrong{start + sum + "    window: {exponent: fixed}\n" + result,
              "mine.yaml:8: adders[0].window: the key 'at' is missing."},
        Wrong{start + sum + "    window: {exponent: fixed, at: 0, floor: 3}\n" + result,
              "adders[0].window.floor: a fixed window has none; `at` is its exponent."},
        Wrong{start + sum + "    window: {at: 3}\n" + result, "adders[0].window.at: only a fixed window has it."},
        Wrong{start + sum + "    result: [{cut: down}]\n",
              "adders[0].result[0]: a result needs either the key 'format' or the key 'at'."},
        Wrong{start + sum + "    result: [{at: window, keep: 3, cut: down, least_exponent: 1}]\n",
              "only a result at the leading one has a least exponent."},
        Wrong{start + sum + "    result: [{at: middle, keep: 3, cut: down}]\n",
              "adders[0].result[0].at: found 'middle'; the choices are window, leading_one."},
        Wrong{
            start +
                "formats: {f9: {exponent: 4, mantissa: 4, bias: 7, infinity: maybe, nan: none, signed_zero: true}}\n" +
                sum,
            "formats.f9.infinity: found 'maybe'; the choices are false, true."},
        Wrong{"name: mine\nlike: fused_f52\n",
              "mine.yaml:2: like: There is no datapath 'fused_f52' in configs/datapath; there are "
              "bulk_to_odd_f26"},
        Wrong{"name: mine\nlike: ../arch/hopper\n", "There is no datapath '../arch/hopper' in configs/datapath"},
        Wrong{"name: mine\nlike: fused_f25\noperands: {a: f16, b: f16, c: f32, d: f32}\n",
              "The datapath 'mine' says no `k`; add the number of terms it is meant for, such as `k: 16`."}));

// What `plan` finds, with the line of the key it is about.
INSTANTIATE_TEST_SUITE_P(
    Plan, DatapathMessages,
    ::testing::Values(
        Wrong{"name: mine\nk: 4\nspecials: step\n" + sum + result, "operands.a is missing: name the format of a"},
        Wrong{"name: mine\nk: 4\noperands: {a: f61, b: f16, c: f32, d: f32}\nspecials: step\n" + sum + result,
              "mine.yaml:3: operands.a is 'f61', which is no format; the formats are f64, f32, tf32"},
        Wrong{"name: mine\nk: 4\noperands: {a: ue8m0, b: f16, c: f32, d: f32}\nspecials: step\n" + sum + result,
              "mine.yaml:3: Format ue8m0 has no zero and can only be a scale."},
        Wrong{"name: mine\nk: 4\noperands: {a: f16, b: f16, c: f32, d: e2m1}\nspecials: step\n" + sum + result,
              "mine.yaml:8: An infinity may reach d, and its format e2m1 has none: say `infinity: largest` in this "
              "result."},
        Wrong{"name: mine\nk: 4\noperands: {a: e2m1, b: e4m3, c: e2m1, d: e2m1}\nspecials: step\n" + sum + result,
              "mine.yaml:8: A NaN may reach d, and its format e2m1 has none: say `nan: zero` or `nan: largest` in this "
              "result, or give NaN a code, such as `nan: 0` beside `adders`."},
        Wrong{start + "nan: 7fffffffff\n" + sum + result, "mine.yaml:5: nan has more bits than d's format f32 (32)."},
        Wrong{start + "k_order: {step: {terms: 3}}\n" + sum + result,
              "mine.yaml:5: k_order.step.terms is 3, which does not divide the 4 terms there are."},
        Wrong{start + "k_order: {step: {terms: 2, deal: strided, unit: 3}}\n" + sum + result,
              "k_order.step.unit is 3; units of it cannot be dealt evenly to 2 groups."},
        Wrong{"name: mine\nk: 2048\noperands: {a: f16, b: f16, c: f32, d: f32}\nspecials: step\n" + sum + result,
              "A step has 2048 terms; at most 1024 are summed in one step. Give k_order.step.terms."},
        Wrong{start + "k_order: {lanes: {terms: 2}}\n" + sum + result,
              "With 2 lanes c cannot start them all: say `start: zero` and add c in `finish`."},
        Wrong{start + "start: zero\n" + sum + result, "`start: zero` leaves c out: a `finish` must add it."},
        Wrong{start + "product: {times: scales}\n" + sum + result,
              "mine.yaml:5: product says `times: scales`, but the operands have no scale."},
        Wrong{"name: mine\nk: 4\noperands: {a: f16, b: f16, c: f32, d: f32, scale: {format: ue8m0, block: "
              "2}}\nspecials: step\n" +
                  sum + result,
              "The operands have scales, but neither product nor any adder says `times: scales`."},
        Wrong{start + sum + "    times: scales\n" + result,
              "Adder sum says `times: scales`, but the operands have none."},
        Wrong{start + "adders: []\n", "A datapath needs at least one adder."},
        Wrong{start + "adders:\n  - name: Sum\n    add: {product: exact}\n",
              "The name 'Sum' must be made of a-z, 0-9 and _"},
        Wrong{start + "adders:\n  - name: acc\n    add: {product: exact}\n",
              "'acc' already names something every adder can take; choose another name."},
        Wrong{start + sum + result + "  - name: sum\n    add: {product: exact}\n", "Two adders are called 'sum'."},
        Wrong{start + "adders:\n  - name: sum\n    add: {product: exact, cc: exact}\n" + result,
              "adders[0].add names 'cc', which is not there; it can add product, acc."},
        Wrong{start + "adders:\n  - name: sum\n    add: {acc: exact}\n" + result,
              "No adder takes `product`: the terms would be lost."},
        Wrong{start + "adders:\n  - name: sum\n    add: {product: exact}\n" + result,
              "No adder takes `acc`: what was accumulated would be lost."},
        Wrong{start +
                  "adders:\n  - name: dot\n    add: {product: {keep: 20, cut: down}}\n  - name: sum\n    add: "
                  "{product: exact, acc: exact}\n" +
                  result,
              "Adder dot is added to nothing; only the last one's sum is the result."},
        Wrong{start + sum + "    group: {terms: 2}\n" + result,
              "makes 2 sums side by side and can take one input only; add the others in a later adder."},
        Wrong{start + "adders:\n  - name: sum\n    add: {product: exact}\n    group: {terms: 2}\n" + result,
              "The last adder of a step must leave one sum, the new acc; sum leaves 2."},
        Wrong{start + sum + "    result: [{format: f17, cut: down}]\n",
              "adders[0].result[0].format is 'f17', which is no format; say d or one of"},
        Wrong{start + sum + "    result: [{format: e4m3, cut: down}]\n",
              "Format e4m3 has no infinity: say `overflow: largest` or `nan`."},
        Wrong{start + sum + "    result: [{format: d, cut: down, overflow: wrap}]\n",
              "`overflow: wrap` is for integers, and f32 is none: say `overflow: infinity`, `directed`, `largest` or "
              "`nan`."},
        Wrong{start + sum + "    result: [{format: f16, cut: down}]\n",
              "The last result of sum must be {format: f32}, the format of d."},
        Wrong{start + sum, "The last result of sum must be {format: f32}, the format of d."},
        Wrong{"name: mine\nk: 4\noperands: {a: f64, b: f64, c: f64, d: f64}\nspecials: step\n"
              "adders:\n  - name: pre\n    add: {product: exact}\n  - name: sum\n    add: {pre: exact, acc: exact}\n" +
                  result,
              "The sum of pre has 4198 significant bits; at most 124 travel between stages. Give it a `result`."}));

TEST(Messages, AProblemOfAnInheritedAdderNamesTheInheritedLine) {
  const std::string message = message_of(
      "name: mine\nlike: fused_f25\nk: 3\noperands: {a: f16, b: f16, c: f32, d: f32}\n"
      "k_order: {step: {terms: 2}}\n");
  EXPECT_EQ(message, "mine.yaml:5: k_order.step.terms is 2, which does not divide the 3 terms there are.");
}

TEST(Messages, AFileThatCannotBeRead) {
  try {
    read_yaml_file("/nowhere/mine.yaml");
    FAIL();
  } catch (const Error& e) {
    EXPECT_EQ(e.message, "/nowhere/mine.yaml: This file cannot be read: No such file or directory.");
  }
}

TEST(Messages, DeepNestingIsAnErrorAndNotACrash) {
  EXPECT_NE(message_of("name: " + std::string(10'000, '[')).find("This is not YAML"), std::string::npos);
}

// Nine levels of nine aliases each: a billion nodes if anybody walked them.
TEST(Messages, ExplodingAliasesAreAnError) {
  std::string text = "a0: &a0 [x, x, x, x, x, x, x, x, x]\n";
  for (int i = 1; i < 10; ++i) {
    const std::string alias = "*a" + std::to_string(i - 1);
    text += "a" + std::to_string(i) + ": &a" + std::to_string(i) + " [";
    for (int j = 0; j < 9; ++j) text += (j > 0 ? ", " : "") + alias;
    text += "]\n";
  }
  EXPECT_NE(message_of(text).find("unknown key"), std::string::npos);
  EXPECT_NE(message_of_json(text).find("with all aliases written out this is longer than 1 MiB."), std::string::npos);
}

TEST(Messages, AnAliasWithinItselfIsAnError) {
  EXPECT_NE(message_of_json("a: &x [*x]\n").find("nested deeper than 64 levels."), std::string::npos);
}

TEST(Messages, AKeyIsNotEndless) {
  EXPECT_EQ(
      message_of(start + std::string(500, 'k') + ": 1\n"),
      "mine.yaml:5: a key of 500 characters begins with '" + std::string(60, 'k') + "'; none is longer than 100.");
}

TEST(Messages, AnEndlessScalarIsShownInPart) {
  const std::string message = message_of("name: mine\nspecials: " + std::string(500'000, 's') + "\n" + sum);
  EXPECT_NE(message.find("mine.yaml:2: specials: found '" + std::string(60, 's')), std::string::npos);
  EXPECT_LT(message.size(), 300U);
}

// --- like ---

Plan plan_from(const std::string& text) { return plan_of(read_datapath_text(text, "mine.yaml", catalogue())); }

const std::string like_f25 = "name: mine\nlike: fused_f25\nk: 4\noperands: {a: f16, b: f16, c: f32, d: f32}\n";

TEST(Like, ChangesOneKeyOfAnAdderAndKeepsTheRest) {
  const Plan p = plan_from(like_f25 + "adders:\n  - name: sum\n    add: {product: {keep: 20}, acc: {keep: 21}}\n");
  ASSERT_EQ(p.adders.size(), 1u);
  EXPECT_EQ(p.adders[0].inputs[0].words.keep, 20);
  EXPECT_EQ(p.adders[0].inputs[1].words.keep, 21);
  EXPECT_EQ(p.adders[0].inputs[0].words.cut, Cut::toward_zero);
  EXPECT_EQ(p.adders[0].window.floor, -133);
  EXPECT_EQ(p.nan.code, 0x7fffffffu);
}

TEST(Like, NoneTakesAValueBack) {
  const Plan p = plan_from(like_f25 + "adders:\n  - name: sum\n    window: {floor: none}\n");
  EXPECT_FALSE(p.adders[0].window.floor.has_value());
}

TEST(Like, AListOfOtherNamesReplacesTheInheritedOne) {
  const Plan p = plan_from(
      like_f25 +
      "adders:\n  - name: all\n    add: {product: exact, acc: exact}\n    result: [{format: d, cut: down}]\n");
  ASSERT_EQ(p.adders.size(), 1u);
  EXPECT_EQ(p.adders[0].name, "all");
  EXPECT_FALSE(p.adders[0].inputs[0].words.keep.has_value());
}

}  // namespace
}  // namespace assay
