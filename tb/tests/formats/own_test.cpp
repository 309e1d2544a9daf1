// Formats of one's own: read from a datapath or from a file beside it, and the sentence of every mistake.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "model/base/error.hpp"
#include "model/config/catalogue.hpp"
#include "model/config/datapath_text.hpp"
#include "model/config/describe_format.hpp"
#include "model/core/decode.hpp"
#include "tb/tests/scratch.hpp"

namespace assay {
namespace {

const Catalogue& catalogue() {
  static const Catalogue shipped = shipped_catalogue();
  return shipped;
}

std::string with_format(const std::string& words) {
  return "name: own\nk: 4\nformats:\n  mine: " + words +
         "\noperands: {a: mine, b: f16, c: f32, d: f32}\nspecials: step\nadders:\n  - {name: sum, add: {product: "
         "exact, "
         "acc: exact}, result: [{format: d, cut: nearest_even}]}\n";
}

Plan plan_with(const std::string& words) {
  return plan_of(read_datapath_text(with_format(words), "own.yaml", catalogue()));
}

std::string refused(const std::string& words) {
  try {
    plan_with(words);
  } catch (const Error& error) {
    return error.message;
  }
  return "not refused";
}

std::string meaning(Code code, const Format& format) {
  return exact_text(decode(code, format, Subnormals::keep, Specials::step));
}

TEST(OwnFormat, IsReadByFieldsByRuleAsAListAndAsAnInteger) {
  const Format last = plan_with(
                          "{exponent: 4, mantissa: 3, bias: 8, infinity: true, infinity_codes: last, nan: "
                          "negative_zero, signed_zero: false}")
                          .a;
  EXPECT_EQ(meaning(0x7f, last), "+inf");
  EXPECT_EQ(meaning(0x80, last), "nan");
  EXPECT_EQ(meaning(0x7e, last), "7*2^5");
  const Format plain = plan_with(
                           "{exponent: 2, mantissa: 2, bias: 1, signed: false, infinity: false, nan: none, "
                           "signed_zero: false, unused_high: 1}")
                           .a;
  EXPECT_EQ(plain.stored_bits, 5);
  EXPECT_EQ(meaning(0xf, plain), "7");
  EXPECT_EQ(meaning(0x1f, plain), "7") << "the unused bit is read as zero";
  const Format posit = plan_with("{rule: posit, parameters: {bits: 6, es: 1}}").a;
  EXPECT_EQ(meaning(0x10, posit), "1");
  EXPECT_EQ(meaning(0x1f, posit), "1*2^8");
  const Format listed = plan_with("{values: [0, 1.5, -0.375, nan]}").a;
  EXPECT_EQ(meaning(2, listed), "-3*2^-3");
  const Format integer = plan_with("{integer: 5, fraction: 2}").a;
  EXPECT_EQ(meaning(0x1f, integer), "-1*2^-2");
}

TEST(OwnFormat, IsReadFromAFileBesideTheDatapath) {
  const Scratch folder;
  const std::string steps = folder.file("steps.yaml", "name: steps\nabout: two steps\nvalues: [0, 1, 3, -2]\n");
  const Plan plan = plan_of(read_datapath_file(folder.file("unit.yaml", with_format("steps.yaml")), catalogue()));
  EXPECT_EQ(plan.a.name, "mine");
  EXPECT_EQ(meaning(3, plan.a), "-1*2^1");
  EXPECT_NE(describe_format(format_named(steps)).find("two steps"), std::string::npos);
  const std::string text = yaml_text(plan.datapath, plan.k);
  EXPECT_EQ(yaml_text(read_datapath_text(text, "again.yaml", catalogue()).datapath, plan.k), text);
}

TEST(OwnFormat, IsRefusedWithASentence) {
  const std::vector<std::pair<std::string, std::string>> wrong{
      {"{rule: posits, parameters: {bits: 6, es: 1}}",
       "there is no rule 'posits'; the rules are posit, prefix, p3109."},
      {"{rule: posit, parameters: {bits: 6}}", "the rule 'posit' needs `es`, a number from 0 to 4; it is missing."},
      {"{rule: posit, parameters: {bits: 40, es: 1}}", "needs `bits`, a number from 3 to 16, not '40'."},
      {"{rule: prefix, parameters: {bits: 6, exponent: 4}}", "leaves a code of `exponent` bits no mantissa"},
      {"{rule: p3109, parameters: {bits: 8, precision: 3, sign: x, domain: f}}", "needs `sign`, either s or u."},
      {"{values: [0, 1, 2]}", "so 2, 4, 8 .. 65536 of them, not 3."},
      {"{values: [0, 0.1, 2, 3]}", "'0.1' is no value; say an exact one such as 3, -0.75"},
      {"{values: [0, -1, 2, inf]}", "has infinities of both signs, or none."},
      {"{values: [0, nan]}", "a list needs a finite value that is not zero."},
      {"{values: [0, 1*2^-90, 1*2^90, 1]}", "the values reach from 2^-90 to 2^90"},
      {"{exponent: 4, mantissa: 3, bias: 7, signed: false, infinity: false, nan: negative_zero, signed_zero: false}",
       "nan: negative_zero needs a sign."},
      {"{exponent: 4, mantissa: 3, bias: 7, signed: false, infinity: false, nan: none, signed_zero: true}",
       "without a sign there is no -0: say signed_zero: false."},
      {"{integer: 4, fraction: 9}", "fraction is 9, more bits than it has."},
      {"mine.txt", "or the name of a file beside this one that ends in .yaml."}};
  for (const auto& [words, sentence] : wrong)
    EXPECT_NE(refused(words).find(sentence), std::string::npos) << words << ": " << refused(words);
}

TEST(OwnFormat, OfAListKnowsNoSubnormalsAndNoChance) {
  const auto refused_of = [](const std::string& from, const std::string& to) {
    std::string text = with_format("{values: [0, 1, -1, nan]}");
    text.replace(text.find(from), from.size(), to);
    try {
      plan_of(read_datapath_text(text, "own.yaml", catalogue()));
    } catch (const Error& error) {
      return error.message;
    }
    return std::string("not refused");
  };
  EXPECT_NE(refused_of("specials: step", "specials: numbers").find("with `specials: numbers` its NaN would have none"),
            std::string::npos);
  EXPECT_NE(refused_of("specials: step", "specials: step\nsubnormals: {a: zero}").find("leave `subnormals.a` out"),
            std::string::npos);
  EXPECT_NE(refused_of("result: [{", "result: [{format: mine, cut: stochastic_a, random_bits: 4, overflow: largest}, {")
                .find("chance rounds to multiples of a power of two"),
            std::string::npos);
}

}  // namespace
}  // namespace assay
