// An explanation without any command: what a library or a page asks for.
#include "tb/explain/explanation.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "model/config/catalogue.hpp"
#include "tb/tests/source_dir.hpp"

namespace assay::explain {
namespace {

// 1 x 1 + c, with c a hair above -1: the sum is 2^-24.
Question question(const std::string& instruction) {
  const Catalogue catalogue = shipped_catalogue();
  const auto plan = std::make_shared<const Plan>(catalogue.plan_of(catalogue.instruction(instruction)));
  const auto k = static_cast<std::size_t>(plan->k);
  Case one;
  one.a.resize(k), one.b.resize(k);
  one.a[0] = one.b[0] = 0x3c00;
  one.c = 0xbf7fffff;
  return {instruction, plan, one};
}

const std::string hopper = "hopper:wgmma.m64nNk16.f32.f16.f16";

// A device that answers and shows no stages.
Answered without_stages(const std::string& name, const Question& q, Code d) {
  Answer answer;
  answer.d = d;
  return {name, q.plan, answer};
}

TEST(Explanation, OfTheModelAlone) {
  const Explanation e = explained(question(hopper));
  EXPECT_EQ(e.shown.name, "model");
  EXPECT_EQ(e.shown.answer.d, 0x33800000u);
  const auto data = as_json(e);
  EXPECT_EQ(data.at("subject"), hopper);
  EXPECT_EQ(data.at("exact").at("sum").at("fraction"), "1/16777216");
  EXPECT_EQ(data.at("places").size(), e.question.plan->places.size());
  EXPECT_FALSE(data.contains("sides"));
  const std::string text = as_text(e, false);
  EXPECT_EQ(text.rfind(hopper + "\n\n", 0), 0u) << text;
  EXPECT_NE(text.find("\nerror       d - exact = 0 ulp;"), std::string::npos) << text;
}

// Operands, sum and d with bits after the point: 0.5 x 0.25 = 2^-3, and 0.015625 x 0.015625 = 2^-12 is cut from d.
TEST(Explanation, OfIntegersWithAPoint) {
  Datapath words;
  words.name = "mx";
  words.operands = {"mxint8", "mxint8", "i32", "mxint8", "", 0};
  words.adders.resize(1);
  Adder& sum = words.adders.front();
  sum.name = "sum";
  sum.add.resize(2);
  sum.add[0].source = "product";
  sum.add[1].source = "acc";
  sum.results.resize(1);
  sum.results.front().format = "d";
  sum.results.front().overflow = Overflow::largest;
  const auto mx = std::make_shared<const Plan>(std::get<Plan>(plan(words, 2)));
  Case one;
  one.a = {0x20, 0x01}, one.b = {0x10, 0x01};
  const Explanation e = explained(Question{"mx", mx, one});
  EXPECT_EQ(e.shown.answer.d, 0x08u);
  const auto data = as_json(e);
  EXPECT_EQ(data.at("exact").at("sum").at("fraction"), "513/4096");
  EXPECT_EQ(data.at("exact").at("nearest"), "08");
  EXPECT_NE(as_text(e, false).find("error       d - exact = -0.01562 ulp;"), std::string::npos) << as_text(e, false);
}

// The text of one case of a shipped instruction whose first pair is a x b and all others zero.
std::string text_of(const std::string& instruction, Code a, Code b, Code c) {
  Question q = question(instruction);
  q.one.a[0] = a, q.one.b[0] = b, q.one.c = c;
  return as_text(explained(q), false);
}

void expect_shown(const std::string& text, const std::string& line) {
  EXPECT_NE(text.find(line), std::string::npos) << "It lacks: " << line << "\n" << text;
}

// 1 x 1 - (1 + 2^-23) is -1 unit of the window, which the hardware turns into -2^4 windows.
TEST(Explanation, NamesAnErratumWhereItStrikes) {
  const std::string unit = "wormhole:mvmul.f32.f16.f16.lofi";
  const std::string text = text_of(unit, 0x3c00, 0x3c00, 0xbf800001);
  expect_shown(text, "sum: -1 unit, which comes out as -2^4 (errata)\n");
  expect_shown(text, "\nd           c1800000   -16\n");
  EXPECT_EQ(text_of(unit, 0x3c00, 0x3c00, 0xbf800002).find("errata"), std::string::npos);
}

TEST(Explanation, ListsThePiecesOfAProductUnderItsOperands) {
  const std::string text = text_of("gaudi3:mme.f32.f16.f16", 0x3c01, 0x3c03, 0);
  for (const std::string piece :
       {"a[0].0..2 x b[0].0..2  +1 x 2^0\n", "a[0].0..2 x b[0].3..10  +0.0000000011 x 2^0\n",
        "a[0].3..10 x b[0].0..2  +0.0000000001 x 2^0\n", "a[0].3..10 x b[0].3..10  +0.00000000000000000011 x 2^0\n"})
    expect_shown(text, "            " + piece);
}

// Of a datapath of docs/examples/semantics.
std::string text_of_own(const std::string& name, std::vector<Code> a, std::vector<Code> b, Code c) {
  const std::string file = source_dir() + "/docs/examples/semantics/" + name + ".yaml";
  const DatapathFile own = read_datapath_file(file, shipped_catalogue());
  const auto made = std::make_shared<const Plan>(std::get<Plan>(plan(own.datapath, *own.k)));
  Case one;
  one.a = std::move(a), one.b = std::move(b), one.c = c;
  return as_text(explained(Question{name, made, one}), false);
}

TEST(Explanation, ListsTheRowsOfAProductUnderItsOperands) {
  const std::string text = text_of_own("rows_with_constant", {0x4100}, {0x3e00}, 0);
  expect_shown(text, "            a[0] x b[0] sum  +");
  expect_shown(text, "            a[0] x b[0] carry  +");
  expect_shown(text, "            a[0] x b[0] constant  -");
  expect_shown(text, "   a[0] x b[0] constant\n");
  expect_shown(text, "\nd           40800000   +4\n");
}

TEST(Explanation, SaysWhichZeroSetsTheWindow) {
  const std::string text = text_of_own("factors_empty", {0}, {0x3c00}, 0x40400000);
  expect_shown(text, "\nfactors.a\n  [0]       +0, which counts as 2^6   from +0\n");
  expect_shown(text, "window    2^6   the largest exponent, of a[0] x b[0], a zero that counts with it\n");
}

TEST(Explanation, SaysWhereLostOnesJoinAResult) {
  const std::string cut = text_of_own("sticky_of_cancelled", {0x3c10}, {0x3c00}, 0x3f800000);
  expect_shown(cut, "+2.0000002   (f32, up; the lost ones stand below)\n");
  EXPECT_EQ(cut.find("nothing cut"), std::string::npos) << cut;
  const std::string whole = text_of_own("sticky_of_cancelled", {0x3c00}, {0x3c00}, 0x3f800000);
  EXPECT_EQ(whole.find("stand below"), std::string::npos) << whole;
}

TEST(Explanation, SaysThatASumOfZeroHasNoExponent) {
  const std::string text = text_of_own("cancelled", {0x4800, 0xc800}, {0x3c00, 0x3c00}, 0x3e000000);
  expect_shown(text, "   sum, without an exponent\n");
}

TEST(Explanation, SaysWhatIsReadAsZero) {
  expect_shown(text_of_own("nan_is_zero", {0x80000000}, {0x3f800000}, 0xffc00000), "c  ffc00000  +0 (NaN)\n");
}

TEST(Explanation, SaysThatTheTopExponentHasOneNumber) {
  expect_shown(text_of_own("top_number", {0x7f7fffff}, {0x41000000}, 0),
               "(f32, toward zero; the only number of the top exponent)\n");
}

// 2^-64 x 2^-63: the group's window lies where all it has is lost.
TEST(Explanation, SaysWhereAWindowLosesAllItHas) {
  const std::string text = text_of("blackhole:mvmul.f32.bf16.bf16.lofi", 0x1f80, 0x2000, 0);
  expect_shown(text, ", lost with its window\n");
  expect_shown(text, "; at 2^-127 or below nothing is");
  expect_shown(text, "\nd           00000000   +0\n");
  EXPECT_EQ(text_of("blackhole:mvmul.f32.bf16.bf16.lofi", 0x3f80, 0x3f80, 0).find("lost with"), std::string::npos);
}

// -1 x 1 + 2, of integers that are a sign and a magnitude: -1 is 81.
TEST(Explanation, ReadsIntegersOfSignAndMagnitude) {
  Question q = question("wormhole:mvmul.i32.i8.i8");
  q.one.a[0] = 0x81, q.one.b[0] = 0x01, q.one.c = 2;
  const Explanation e = explained(q);
  EXPECT_EQ(e.shown.answer.d, 1u);
  EXPECT_EQ(as_json(e).at("exact").at("sum").at("fraction"), "1");
}

TEST(Explanation, ShowsTheStagesOfTheReferenceFirst) {
  const Question q = question(hopper);
  const Explanation e = explained(q, {model_side("one", q.plan, q.one), model_side("other", q.plan, q.one)});
  EXPECT_EQ(e.shown.name, "one");
  EXPECT_TRUE(e.sides->same_d());
}

TEST(Explanation, ShowsTheDevicesStagesWhereTheReferenceHasNone) {
  const Question q = question(hopper), other = question("ampere:mma.m16n8k16.f32.f16.f16.f32");
  const Explanation e =
      explained(q, {without_stages("reference", q, 0x33800000), model_side("other", other.plan, q.one)});
  EXPECT_EQ(e.shown.name, "other");
  const auto data = as_json(e);
  EXPECT_EQ(data.at("sides").at("reference").at("traced"), false);
  EXPECT_EQ(data.at("sides").at("device").at("traced"), true);
  EXPECT_EQ(data.at("sides").at("places_compared"), 0);
}

// A device may call itself whatever it likes: that it is a model is seen by its trace.
TEST(Explanation, ShowsItsOwnStagesWhereNobodyHasAny) {
  const Question q = question(hopper);
  const Explanation e =
      explained(q, {without_stages("model:mine", q, 0x33800000), without_stages("model:yours", q, 0x33800001)});
  EXPECT_EQ(e.shown.name, "model");
  EXPECT_FALSE(e.sides->same_d());
  EXPECT_NE(as_text(e, false).find("model:mine shows none; only d is compared"), std::string::npos);
}

TEST(Explanation, HasNoSameDWithoutAnAnswer) {
  const Question q = question(hopper);
  Answered silent = without_stages("silent", q, 0x33800000);
  silent.answer.error = "it said nothing";
  EXPECT_FALSE((Sides{without_stages("reference", q, 0x33800000), silent}.same_d()));
}

TEST(Explanation, ColoursOnlyTheMarks) {
  const Question q = question(hopper);
  const Sides sides{without_stages("one", q, 0x33800000), without_stages("other", q, 0x33800001)};
  std::string coloured = as_text(explained(q, sides), true);
  EXPECT_NE(coloured.find("\x1b[31m"), std::string::npos);
  for (const std::string code : {"\x1b[31m", "\x1b[0m"}) {
    for (std::size_t at; (at = coloured.find(code)) != std::string::npos;) coloured.erase(at, code.size());
  }
  EXPECT_EQ(coloured, as_text(explained(q, sides), false));
}

}  // namespace
}  // namespace assay::explain
