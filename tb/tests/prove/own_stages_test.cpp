// Stages as functions of what a unit shows: of a unit that is the model in other gates, and of ones that are wrong.
#include <gtest/gtest.h>

#include <algorithm>

#include "tb/generate/generator.hpp"
#include "tb/prove/own_stages.hpp"
#include "tb/tests/rtl/units.hpp"

namespace assay {
namespace {

// A model and a unit that shows all its places: the same circuit twice.
struct Twice {
  Plan plan = plan_of_text("name: two\nlike: fused_f25\nk: 2\noperands: {a: f16, b: f16, c: f32, d: f32}\n");
  Gates gates;
  ModelGates model;
  ShownPlaces unit;

  Twice() {
    const std::vector<OperandGates> operands = make_operands(plan, gates);
    model = make_model(plan, operands, gates);
    unit.assign(model.places.begin(), model.places.end());
  }

  std::vector<Lit>& shown(const std::string& name) { return *unit[static_cast<std::size_t>(plan.places.find(name))]; }
  void hide(const std::string& name) { unit[static_cast<std::size_t>(plan.places.find(name))].reset(); }

  std::vector<OwnStage> stages() { return own_stages(plan, model, unit, gates); }
  std::vector<std::string> places() {
    std::vector<std::string> names;
    for (const OwnStage& stage : stages()) names.push_back(plan.places.name(stage.place));
    return names;
  }

  // The places of which the unit does not have what it makes of the places before, in 2,048 cases. The lemmas, which
  // are the model's alone, are true in all.
  std::vector<std::string> wrong() {
    const std::vector<OwnStage> all = stages();
    std::vector<std::string> names;
    const Generator generator(plan, 1);
    GateSimulation simulation(gates);
    for (std::uint64_t first = 0; first < 2048; first += 64) {
      std::vector<std::uint64_t> inputs(gates.inputs().size(), 0);
      for (std::uint64_t n = 0; n < 64; ++n) {
        const std::vector<bool> bits = bits_of_case(plan, generator.make(first + n));
        for (std::size_t i = 0; i < bits.size(); ++i) inputs[i] |= std::uint64_t{bits[i]} << n;
      }
      simulation.run(inputs);
      for (const OwnStage& stage : all) {
        const std::string name = plan.places.name(stage.place);
        for (const Lit always : stage.is_model) EXPECT_EQ(simulation.of(always), ~std::uint64_t{0}) << stage.name;
        EXPECT_EQ(simulation.of(stage.lemma), ~std::uint64_t{0}) << stage.lemma_name;
        std::uint64_t apart = 0;
        for (std::size_t bit = 0; bit < stage.shown.size(); ++bit)
          apart |= simulation.of(stage.shown[bit]) ^ simulation.of(stage.of_shown[bit]);
        if (apart != 0 && std::count(names.begin(), names.end(), name) == 0) names.push_back(name);
      }
    }
    return names;
  }
};

const std::vector<std::string> all_of_them = {"step[0].sum.align[0]", "step[0].sum.align[1]", "step[0].sum.align[2]",
                                              "step[0].sum.reduce", "step[0].sum.round"};

TEST(OwnStages, AreWhatTheModelMakesOfPlaces) {
  Twice twice;
  EXPECT_EQ(twice.places(), all_of_them);
  EXPECT_EQ(twice.wrong(), std::vector<std::string>());
}

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
  std::vector<std::string> wrong = addend.wrong();
  std::sort(wrong.begin(), wrong.end());
  EXPECT_EQ(wrong, (std::vector<std::string>{"step[0].sum.align[0]", "step[0].sum.reduce"}));
}

// An operand need not be shown: both sides have it.
TEST(OwnStages, NeedThePlacesThatTheyRead) {
  Twice twice;
  twice.hide("decode.c");
  EXPECT_EQ(twice.places(), all_of_them);
  EXPECT_EQ(twice.wrong(), std::vector<std::string>());
  twice.hide("multiply[0]");
  EXPECT_EQ(twice.places(), (std::vector<std::string>{all_of_them.begin() + 1, all_of_them.end()}));
  twice.hide("step[0].sum.align[2]");
  EXPECT_EQ(twice.places(), (std::vector<std::string>{"step[0].sum.align[1]", "step[0].sum.round"}));
  twice.hide("step[0].sum.window");
  EXPECT_EQ(twice.places(), std::vector<std::string>());
}

}  // namespace
}  // namespace assay
