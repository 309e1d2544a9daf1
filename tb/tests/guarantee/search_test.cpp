// Verdicts: by argument, by all cases, by a failing case made small; and the tables made of them.
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "tb/guarantee/property_argument.hpp"
#include "tb/guarantee/property_report.hpp"
#include "tb/tests/guarantee/shipped.hpp"
#include "tb/tests/source_dir.hpp"

namespace assay::guarantee {
namespace {

PropertyFinding found(const Plan& plan, const std::string& name, bool argues = true, std::uint64_t cases = 1500) {
  SearchEffort effort;
  effort.cases = cases;
  effort.argues = argues;
  return property_findings(plan, {*find_property(name)}, effort).front();
}

const std::string hopper = "hopper:wgmma.m64nNk16.f32.f16.f16";

// What is known of units, by other means than ours.
TEST(Properties, OfKnownUnitsAreFound) {
  const struct {
    const char *unit, *property;
    HoldState state;
  } known[] = {
      {"hopper:wgmma.m64nNk16.f32.f16.f16", "sign_symmetry", HoldState::holds},
      {"hopper:wgmma.m64nNk16.f32.f16.f16", "monotone_in_c", HoldState::fails},
      {"hopper:wgmma.m64nNk16.f32.f16.f16", "right_sign", HoldState::fails},
      {"hopper:wgmma.m64nNk32.f32.e4m3.e4m3", "c_alone_stays", HoldState::fails},  // 13 fraction bits
      {"cdna3:v_mfma_f32_32x32x8_f16", "sign_symmetry", HoldState::fails},         // rounds down
      {"cdna2:v_mfma_f32_32x32x8f16", "c_alone_stays", HoldState::fails},          // flushes c
      {"x86:tdpbf16ps", "never_subnormal", HoldState::holds},
      {"x86:tdpbssd", "sign_symmetry", HoldState::fails},  // -2^31 has no opposite
      {"x86:tdpbssd", "correctly_rounded", HoldState::holds},
      {"cdna1:v_mfma_f32_32x32x1f32", "ieee_fma", HoldState::holds},
      {"cdna1:v_mfma_f32_32x32x1f32", "correctly_rounded", HoldState::holds},
      {"ampere:mma.m8n8k4.f64.f64.f64.f64", "opposite_terms_cancel", HoldState::fails},  // a chain of FMAs
      {"ampere:mma.m8n8k4.f64.f64.f64.f64", "monotone_in_c", HoldState::holds},
      {"ampere:mma.m16n8k16.f32.f16.f16.f32", "two_of_half_the_terms", HoldState::holds},
      {"hopper:wgmma.m64nNk16.f32.f16.f16", "ieee_fma", HoldState::idle},
      {"x86:tdpbssd", "never_subnormal", HoldState::idle},
  };
  for (const auto& k : known)
    EXPECT_EQ(found(plan_called(k.unit), k.property).state, k.state) << k.unit << " " << k.property;
}

// A factor that is rounded keeps its value here, and has a lesser exponent: what the product's one bit keeps is
// another.
TEST(Properties, AFactorThatIsRoundedIsNotReadAsTheOther) {
  const std::string plain =
      "name: plain\nspecials: step\nk: 1\noperands: {a: e2m1, b: e2m1, c: f32, d: f32}\nadders:\n"
      "  - name: sum\n    add: {product: {keep: 0, cut: toward_zero}, acc: {keep: 23, cut: toward_zero}}\n"
      "    result: [{format: d, cut: nearest_even}]\n";
  EXPECT_EQ(found(plan_of_text(plain), "swap_a_b").state, HoldState::holds);
  const std::string rounded = plain + "factors: {b: {round: {format: f16, cut: nearest_even}}}\n";
  EXPECT_EQ(found(plan_of_text(rounded), "swap_a_b").state, HoldState::fails);
}

TEST(Properties, IdleOnesSayWhy) {
  EXPECT_EQ(found(plan_called(hopper), "ieee_fma").why, "It has 16 terms.");
  EXPECT_EQ(found(plan_called("x86:tdpbssd"), "never_subnormal").why, "i32 has no subnormals.");
  EXPECT_EQ(found(plan_called("x86:tdpbsud"), "swap_a_b").why, "a is i8 and b is u8.");
  EXPECT_EQ(found(plan_called("x86:tdpbuud"), "sign_symmetry").why, "What is to be negated has no sign.");
  EXPECT_EQ(found(plan_called("cdna1:v_mfma_f32_32x32x1f32"), "order_of_terms").why, "There is one term.");
}

// Small enough for all cases, in all words that make a difference between holding and failing.
const std::string small_unit =
    "name: own\nk: TERMS\nformats: {tiny: {exponent: 1, mantissa: 1, bias: 0, infinity: false, nan: none, signed_zero: "
    "true}}\n"
    "operands: {a: SMALL, b: SMALL, c: SMALL, d: e3m2}\nspecials: numbers\nadders:\n"
    "  - name: sum\n    add: {product: WORDS, acc: WORDS}\n    result: [{format: d, cut: CUT, overflow: largest}]\n";

std::string with(std::string text, const std::string& word, const std::string& by) {
  for (std::size_t at = text.find(word); at != std::string::npos; at = text.find(word))
    text.replace(at, word.size(), by);
  return text;
}

// The search without arguments settles everything by all cases, and agrees with every argument.
struct Agreed {
  int argued = 0, failed = 0, exhausted = 0;
};
void all_cases_agree(const Plan& plan, Agreed& seen) {
  for (const Property& property : properties()) {
    const PropertyFinding by_cases = found(plan, property.name, false, 0);
    EXPECT_NE(by_cases.state, HoldState::open) << property.name;
    if (by_cases.state == HoldState::idle) continue;
    const bool holds = by_cases.state == HoldState::holds;
    ++(holds ? seen.exhausted : seen.failed);
    if (holds) {
      EXPECT_EQ(by_cases.why, "Every case was tried.");
    }
    if (argument(plan, property).empty()) continue;
    ++seen.argued;
    EXPECT_TRUE(holds) << property.name;
  }
}

TEST(Properties, AllCasesAgreeWithArguments) {
  Agreed seen;
  const std::string one_term = with(with(small_unit, "TERMS", "1"), "SMALL", "e2m1");
  all_cases_agree(plan_of_text(with(with(one_term, "WORDS", "exact"), "CUT", "nearest_even")), seen);
  all_cases_agree(plan_of_text(with(with(one_term, "WORDS", "{keep: 4, cut: toward_zero}"), "CUT", "up")), seen);
  all_cases_agree(plan_of_text(with(with(one_term, "WORDS", "{keep: 2, cut: down}"), "CUT", "nearest_even")), seen);
  const std::string two_terms = with(with(small_unit, "TERMS", "2"), "SMALL", "tiny");
  all_cases_agree(plan_of_text(with(with(two_terms, "WORDS", "{keep: 1, cut: toward_zero}"), "CUT", "nearest_even")),
                  seen);
  EXPECT_GE(seen.argued, 10);
  EXPECT_GE(seen.failed, 5);
  EXPECT_GE(seen.exhausted, 15);
}

int terms_of(const Case& one) {
  int count = 0;
  for (std::size_t i = 0; i < one.a.size(); ++i) count += one.a[i] != 0 && one.b[i] != 0 ? 1 : 0;
  return count;
}

TEST(Properties, FailingCasesAreSmallAndTheSameEachTime) {
  const Plan plan = plan_called(hopper);
  const PropertyFinding one = found(plan, "correctly_rounded"), again = found(plan, "correctly_rounded");
  ASSERT_TRUE(one.failure && again.failure);
  EXPECT_EQ(one.failure->first.a, again.failure->first.a);
  EXPECT_EQ(one.failure->first.b, again.failure->first.b);
  EXPECT_EQ(one.failure->first.c, again.failure->first.c);
  EXPECT_LE(terms_of(one.failure->first), 2);
  // A jump of the window that takes more than it gives needs more than four lost terms beside 25 kept bits.
  const PropertyFinding monotone = found(plan, "monotone_in_c");
  ASSERT_TRUE(monotone.failure);
  EXPECT_GT(terms_of(monotone.failure->first), 4);
  // What is reported is what the unit does.
  Registers registers;
  EXPECT_EQ(dot(plan, monotone.failure->first.operand(), registers), monotone.failure->d);
  EXPECT_EQ(dot(plan, monotone.failure->second->operand(), registers), *monotone.failure->second_d);
}

// The user's own goes the way of the rows: an argument, all cases, a failing case.
TEST(Properties, AFilesOwnAreSearchedLikeTheRows) {
  const Plan plan = plan_called(hopper);
  const auto of = [&](const std::string& text) {
    SearchEffort effort;
    effort.cases = 400;
    return property_findings(plan, read_properties_text("name: mine\n" + text, "mine.yaml"), effort).front();
  };
  EXPECT_FALSE(of("second: [negate c, negate b]\nresults: negated\n").why.empty());
  EXPECT_EQ(of("second: [negate c]\nresults: negated\n").state, HoldState::fails);
  EXPECT_EQ(of("first: [replace c by 0]\nsecond: exact\nresults: within 1 ulp\n").state, HoldState::fails);
  EXPECT_EQ(of("second: [replace b by 0, replace a by 12345]\nresults: equal\n").why, "12345 has more bits than f16.");
  const PropertyFinding never = of("first: [replace a by 7c00]\nsecond: none\nresults: not subnormal\n");
  EXPECT_EQ(never.state, HoldState::idle);
  const PropertyFinding nan = of("first: [replace c by 7fc00000]\nsecond: none\nresults: finite\n");
  EXPECT_EQ(nan.state, HoldState::idle);
  EXPECT_EQ(nan.why, "7fc00000 of f32 is no finite number, and cases with others count only with `any operands`.");
  EXPECT_EQ(of("first: [replace c by 7fc00000]\nsecond: none\nresults: finite\nwhen: [any operands]\n").state,
            HoldState::fails);
}

TEST(Properties, DifferencesOfTwoUnitsAreNamed) {
  SearchEffort effort;
  effort.cases = 300;
  const auto one = property_findings(plan_called(hopper), properties(), effort);
  const auto other = property_findings(plan_called("cdna3:v_mfma_f32_32x32x8_f16"), properties(), effort);
  EXPECT_TRUE(differences(one, one).empty());
  const auto found = differences(one, other);
  const auto sign =
      std::find_if(found.begin(), found.end(), [](const auto& d) { return d.property.name == "sign_symmetry"; });
  ASSERT_NE(sign, found.end());
  EXPECT_EQ(sign->of_one, HoldState::holds);
  EXPECT_EQ(sign->of_other, HoldState::fails);
}

TEST(Properties, JsonSaysTheSame) {
  const Subject subject = subject_of(catalogue(), catalogue().instruction(hopper));
  SearchEffort effort;
  effort.cases = 300;
  const auto json = properties_json(subject, property_findings(subject.plan, properties(), effort));
  EXPECT_EQ(json.at("subject"), hopper);
  ASSERT_EQ(json.at("properties").size(), properties().size());
  for (const auto& p : json.at("properties")) {
    EXPECT_EQ(p.at("state") == "fails", p.contains("failure"));
    if (p.at("state") == "fails") {
      EXPECT_GE(p.at("failure").at("commands").size(), 1U);
    }
    if (p.at("state") == "holds") {
      EXPECT_FALSE(p.at("why").empty());
    }
  }
}

// --- the page ---

// Holds the part of the page between two marks to `text`; with ASSAY_UPDATE_GOLDEN=1 writes it.
void expect_on_page(const std::string& mark, const std::string& text) {
  const std::string file = source_dir() + "/docs/guarantees.md";
  const std::string begin = "<!-- written by tb/tests/guarantee: " + mark + " -->\n", end = "<!-- end -->\n";
  std::ostringstream read;
  read << std::ifstream(file).rdbuf();
  std::string page = read.str();
  const std::size_t first = page.find(begin);
  ASSERT_NE(first, std::string::npos) << mark << " is not on " << file;
  const std::size_t from = first + begin.size(), to = page.find(end, from);
  ASSERT_NE(to, std::string::npos);
  if (std::getenv("ASSAY_UPDATE_GOLDEN") != nullptr) {
    page.replace(from, to - from, text);
    std::ofstream(file) << page;
    return;
  }
  EXPECT_EQ(page.substr(from, to - from), text) << "ASSAY_UPDATE_GOLDEN=1 writes docs/guarantees.md anew.";
}

TEST(PropertiesPage, ListsTheRows) {
  std::string text = "| property | what it says | operands | results | counted when |\n|---|---|---|---|---|\n";
  for (const Property& p : properties())
    text += "| `" + p.name + "` | " + p.says + " | " + operands_text(p) + " | " + results_text(p) + " | " +
            conditions_text(p) + " |\n";
  expect_on_page("PROPERTIES", text);
}

TEST(PropertiesPage, SaysWhatHoldsOfEachInstruction) {
  SearchEffort effort;
  effort.cases = 1000;
  effort.makes_small = false;
  expect_on_page("SURVEY", survey_table(survey(catalogue(), effort)));
}

}  // namespace
}  // namespace assay::guarantee
