// Stages as functions of what a unit shows: of a unit that is the model in other gates, and of ones that are wrong.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "tb/prove/own_stages.hpp"
#include "tb/tests/prove/inputs.hpp"
#include "tb/tests/rtl/units.hpp"

namespace assay {
namespace {

// A model and a unit that shows all its places: the same circuit twice.
struct Twice {
  Plan plan;
  Gates gates;
  ModelGates model;
  ShownPlaces unit;

  explicit Twice(const std::string& more = "like: fused_f25\n")
      : Twice(plan_of_text("name: two\nk: 2\noperands: {a: f16, b: f16, c: f32, d: f32}\n" + more)) {}
  explicit Twice(Plan of) : plan(std::move(of)) {
    const std::vector<OperandGates> operands = make_operands(plan, gates);
    model = make_model(plan, operands, gates);
    unit.assign(model.places.begin(), model.places.end());
  }

  std::vector<Lit>& shown(const std::string& name) { return *unit[static_cast<std::size_t>(plan.places.find(name))]; }
  void hide(const std::string& name) { unit[static_cast<std::size_t>(plan.places.find(name))].reset(); }

  std::vector<std::uint64_t> inputs(std::uint64_t first) const { return inputs_of(plan, gates, first); }

  std::vector<OwnStage> stages() { return own_stages(plan, model, unit, gates, {inputs(0), inputs(64)}); }
  std::vector<std::string> places() {
    std::vector<std::string> names;
    for (const OwnStage& stage : stages()) names.push_back(plan.places.name(stage.place));
    return names;
  }

  // The places of which the unit does not have what it makes of the places before, in 2,048 cases. The lemmas, which
  // are the model's alone, are true in all; that of a unit's sum is named where it is not.
  std::vector<std::string> wrong() {
    const std::vector<OwnStage> all = stages();
    std::set<std::string> wrong;
    GateSimulation simulation(gates);
    for (std::uint64_t first = 0; first < 2048; first += 64) {
      simulation.run(inputs(first));
      for (const OwnStage& stage : all) {
        const std::string name = plan.places.name(stage.place);
        for (const Lit always : stage.over.is_model) EXPECT_EQ(simulation.of(always), ~std::uint64_t{0}) << stage.name;
        EXPECT_EQ(simulation.of(stage.left), ~std::uint64_t{0}) << stage.left_name;
        if (~simulation.of(stage.lemma) != 0) wrong.insert(stage.lemma_name);
        std::uint64_t apart = 0;
        for (std::size_t bit = 0; bit < stage.shown.size(); ++bit)
          apart |= simulation.of(stage.shown[bit]) ^ simulation.of(stage.of_shown[bit]);
        if (apart != 0) wrong.insert(name);
      }
    }
    return {wrong.begin(), wrong.end()};
  }
};

const std::vector<std::string> all_of_them = {
    "step[0].sum.align[0]", "step[0].sum.align[1]", "step[0].sum.align[2]", "step[0].sum.reduce",
    "step[0].sum.round",    "step[0].acc",          "step[0].special",      "encode"};

// Of units whose steps do not decide, or do not show all that they decide of.
std::vector<std::string> but_of_special(std::vector<std::string> places) {
  places.erase(std::remove(places.begin(), places.end(), "step[0].special"), places.end());
  return places;
}

TEST(OwnStages, AreWhatTheModelMakesOfPlaces) {
  Twice twice;
  EXPECT_EQ(twice.places(), all_of_them);
  EXPECT_EQ(twice.wrong(), std::vector<std::string>());
}

class OwnStagesOf : public testing::TestWithParam<Unit> {};

// Of every unit: what is said of the model is true of it, in cases that were not asked for that, and what the unit
// should make of its places it has.
TEST_P(OwnStagesOf, AreTrueInEveryCase) {
  const Plan plan = plan_of_unit(GetParam());
  if (!why_no_gates(plan).empty()) GTEST_SKIP() << GetParam().name << ": " << why_no_gates(plan);
  Twice twice(plan);
  const std::vector<OwnStage> stages = twice.stages();
  std::set<std::string> untrue;
  GateSimulation simulation(twice.gates);
  for (std::uint64_t first = 128; first < 1152; first += 64) {
    simulation.run(twice.inputs(first));
    for (const OwnStage& stage : stages) {
      for (const Lit always : stage.over.is_model) {
        if (~simulation.of(always) != 0) untrue.insert(stage.name);
      }
      for (std::size_t bit = 0; bit < stage.shown.size(); ++bit) {
        if (simulation.of(stage.shown[bit]) != simulation.of(stage.of_shown[bit])) untrue.insert("not " + stage.name);
      }
      if (~simulation.of(stage.lemma) != 0) untrue.insert(stage.lemma_name);
      if (~simulation.of(stage.left) != 0) untrue.insert(stage.left_name);
    }
  }
  EXPECT_EQ(untrue, std::set<std::string>());
}

const auto name_of_unit = [](const auto& unit) { return std::string(unit.param.name); };
INSTANTIATE_TEST_SUITE_P(Units, OwnStagesOf, testing::ValuesIn(units()), name_of_unit);
INSTANTIATE_TEST_SUITE_P(FurtherUnits, OwnStagesOf, testing::ValuesIn(further_units()), name_of_unit);
INSTANTIATE_TEST_SUITE_P(FlaggedUnits, OwnStagesOf, testing::ValuesIn(flagged_units()), name_of_unit);

// The products' addends follow the window that is shown; c's too, and what the sum is rounded to. The sum is one of the
// addends as they are.
TEST(OwnStages, FollowWhatIsShown) {
  Twice window;
  window.shown("step[0].sum.window")[0] ^= 1;
  EXPECT_EQ(window.wrong(), (std::vector<std::string>{"step[0].sum.align[0]", "step[0].sum.align[1]",
                                                      "step[0].sum.align[2]", "step[0].sum.round"}));
  Twice product;
  product.shown("multiply[1]")[9] ^= 1;
  EXPECT_EQ(product.wrong(), std::vector<std::string>{"step[0].sum.align[1]"});
  Twice addend;
  addend.shown("step[0].sum.align[0]")[3] ^= 1;
  EXPECT_EQ(addend.wrong(), (std::vector<std::string>{"step[0].sum.align[0]", "step[0].sum.reduce"}));
}

// A bit below the sum says whether ones were lost, of the numbers as they were.
TEST(OwnStages, KnowWhatIsLostBelowASum) {
  const std::string sticky = R"(
specials: operation
nan: 7fffffff
adders:
  - name: sum
    add: {product: {keep: 12, cut: toward_zero, lost_below: 30}, acc: {keep: 20, cut: down}}
    sticky: or
    result: [{format: d, cut: nearest_even}]
)";
  Twice right(sticky);
  EXPECT_EQ(right.places(), but_of_special(all_of_them));
  EXPECT_EQ(right.wrong(), std::vector<std::string>());
  for (const OwnStage& stage : right.stages()) {
    if (stage.leading.empty()) continue;
    EXPECT_EQ(stage.leading.size() + 1, right.shown("step[0].sum.reduce").size());
  }
  Twice wrong(sticky);
  wrong.shown("step[0].sum.reduce").front() ^= 1;
  EXPECT_EQ(wrong.wrong(), (std::vector<std::string>{"step[0].sum.reduce", "step[0].sum.round",
                                                     "the unit's step[0].sum.reduce is zero where nothing counts"}));
}

// A sum of nothing has no exponent where its window stands still; one in which numbers cancel has: what is rounded of
// either, as it stands, is told apart by what counts.
TEST(OwnStages, TellASumOfNothingFromAZero) {
  const std::string stands = R"(
specials: step
nan: 7fffffff
adders:
  - name: sum
    add: {product: {keep: 30, cut: toward_zero}, acc: {keep: 30, cut: up}}
    window: {exponent: fixed, at: 40}
    result:
      - {at: leading_one, keep: 15, cut: to_odd}
      - {format: d, cut: down, overflow: infinity}
)";
  Twice right(stands);
  const std::vector<std::string> places = right.places();
  EXPECT_EQ(std::count(places.begin(), places.end(), "step[0].sum.round[0]"), 1);
  EXPECT_EQ(right.wrong(), std::vector<std::string>());
  Twice wrong(stands);
  Lit& sign = wrong.shown("step[0].sum.round[0]").end()[-3];
  sign = inverted(sign);
  const std::vector<std::string> found = wrong.wrong();
  EXPECT_EQ(std::count(found.begin(), found.end(), "step[0].sum.round[0]"), 1);
}

// An operand need not be shown: both sides have it.
TEST(OwnStages, NeedThePlacesThatTheyRead) {
  Twice twice;
  twice.hide("decode.c");
  EXPECT_EQ(twice.places(), all_of_them);
  EXPECT_EQ(twice.wrong(), std::vector<std::string>());
  twice.hide("multiply[0]");
  EXPECT_EQ(twice.places(), but_of_special({all_of_them.begin() + 1, all_of_them.end()}));
  twice.hide("step[0].sum.align[2]");
  EXPECT_EQ(twice.places(),
            (std::vector<std::string>{"step[0].sum.align[1]", "step[0].sum.round", "step[0].acc", "encode"}));
  twice.hide("step[0].sum.window");
  EXPECT_EQ(twice.places(), (std::vector<std::string>{"step[0].acc", "encode"}));
}

// What is said of a rounded number is not true of one without its leading one, nor of one that does not count where it
// shows.
TEST(OwnStages, SayHowANumberIsLeft) {
  const auto left = [](const Twice& twice, const std::vector<OwnStage>& stages) {
    GateSimulation simulation(twice.gates);
    simulation.run(twice.inputs(0));
    for (const OwnStage& stage : stages) {
      if (stage.left_name.find("step[0].sum.round ") != std::string::npos) return simulation.of(stage.left);
    }
    return std::uint64_t{0};
  };
  Twice twice;
  EXPECT_EQ(left(twice, twice.stages()), ~std::uint64_t{0});
  const Place round = twice.plan.places[static_cast<std::size_t>(twice.plan.places.find("step[0].sum.round"))];
  std::vector<Lit>& bits = twice.shown("step[0].sum.round");
  const std::vector<Lit> right = bits;
  bits[static_cast<std::size_t>(round.fraction_bits)] = lit_false;
  EXPECT_NE(left(twice, twice.stages()), ~std::uint64_t{0}) << "no leading one";
  bits = right;
  const Lit hides = twice.gates.input();
  for (int i = 0; i < round.exponent_width; ++i) {
    Lit& l = bits[static_cast<std::size_t>(round.significand_width + i)];
    l = twice.gates.both(twice.gates.input(), hides);
  }
  EXPECT_NE(left(twice, twice.stages()), ~std::uint64_t{0}) << "it does not count";
}

// Products of two numbers near 1 say how large an addend can be; that of a unit that adds more is not within it.
TEST(OwnStages, SayHowLargeAnAddendIs) {
  Twice twice;
  const std::vector<OwnStage> stages = twice.stages();
  const auto rounded =
      std::find_if(stages.begin(), stages.end(), [](const OwnStage& stage) { return !stage.addends.empty(); });
  ASSERT_NE(rounded, stages.end());
  ASSERT_EQ(rounded->addends.size(), 3U);
  GateSimulation simulation(twice.gates);
  for (const std::uint64_t first : {0, 64}) {
    simulation.run(twice.inputs(first));
    for (const OwnAddend& addend : rounded->addends) {
      EXPECT_EQ(simulation.of(addend.is_within), ~std::uint64_t{0}) << addend.name;
      EXPECT_GT(addend.most, 0U) << addend.name;
    }
  }
  Twice wrong;
  std::vector<Lit>& bits = wrong.shown("step[0].sum.align[1]");
  const std::uint64_t most = rounded->addends[1].most;
  const GateWord beyond = constant_word(most + 1, static_cast<int>(bits.size()), true);
  const Lit rarely = wrong.gates.input();  // in no case
  for (std::size_t bit = 0; bit < bits.size(); ++bit)
    bits[bit] = wrong.gates.choose(rarely, beyond.bits[bit], bits[bit]);
  const std::vector<OwnStage> of_wrong = wrong.stages();
  std::vector<std::uint64_t> inputs = wrong.inputs(0);
  for (const OwnStage& stage : of_wrong) {
    if (stage.addends.empty()) continue;
    EXPECT_EQ(stage.addends[1].most, most);
    GateSimulation beyond_it(wrong.gates);
    inputs.back() = 1;
    beyond_it.run(inputs);
    EXPECT_EQ(beyond_it.of(stage.addends[1].is_within), ~std::uint64_t{1});
  }
}

}  // namespace
}  // namespace assay
