// What is said of places is asked of them before anything rests on it.
#include "tb/prove/merging.hpp"

#include <gtest/gtest.h>

#include <chrono>

#include "tb/tests/prove/inputs.hpp"
#include "tb/tests/rtl/units.hpp"

namespace assay {
namespace {

constexpr const char* datapath = "name: tiny\nk: 1\noperands: {a: e4m3, b: e4m3, c: f32, d: f32}\nlike: fused_f25\n";

// A unit whose window is another one for one c, which no case has.
struct WrongForOneC {
  Plan plan = plan_of_text(datapath);
  Gates gates;
  ModelGates model = make_model(plan, make_operands(plan, gates), gates);
  int c = plan.places.find("decode.c"), window = plan.places.find("step[0].sum.window");
  Lit is_other_c = lit_none;  // true but for that one
  std::vector<PlaceSides> sides;

  WrongForOneC() {
    Lit is_one = lit_true;
    const std::vector<std::uint32_t>& inputs = gates.inputs();
    for (std::size_t bit = 0; bit < 32; ++bit)
      is_one = gates.both(is_one, inverted_if(lit_of(inputs[inputs.size() - 32 + bit]), (0xdeadbeef >> bit & 1) == 0));
    is_other_c = inverted(is_one);
    PlaceSides at{model.places[static_cast<std::size_t>(window)], model.places[static_cast<std::size_t>(window)]};
    at.unit.front() = gates.differ(at.unit.front(), is_one);
    sides.push_back(at);
  }

  Aid lemma() const {
    Aid aid;
    aid.place = c;
    aid.name = "c is another one";
    aid.word = {is_other_c};
    aid.made = {lit_true};
    aid.is_lemma = true;
    aid.for_places = {window};
    aid.over_places.places = {c};
    aid.over_places.is_asked = true;
    aid.over_places.made = {lit_true};
    return aid;
  }
  Aid read() const {
    Aid aid;
    aid.place = window;
    aid.name = "what is read of the window";
    aid.word = {sides.front().reference.front()};
    aid.made = {sides.front().unit.front()};
    aid.over_places = lemma().over_places;
    return aid;
  }

  ProofAnswer proved_with(const Aid& aid) const {
    const std::vector<Aid> aids{aid};
    const std::vector<Law> laws;
    const std::vector<OwnStage> own;
    std::vector<PlaceProof> places(1);
    places.front().name = "step[0].sum.window";
    places.front().place = window;
    std::vector<std::vector<std::uint64_t>> cases;
    for (std::uint64_t first = 0; first < 256; first += 64) cases.push_back(inputs_of(plan, gates, first));
    ProofAnswers answers(places);
    answers.change([](std::vector<PlaceProof>&) {});
    const ProofTask task{plan, gates, model, aids, laws, own, places, sides};
    Merging merging(task, answers, MergingWay::at_places, cases);
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(60);
    bool is_refuted = false;
    merging.run([&] { return !is_refuted && std::chrono::steady_clock::now() < end; },
                [&](const Solving&, const Gates&) { is_refuted = true; });
    return answers.of(0);
  }
};

// The unit would be right if it were so.
TEST(Merging, TakesNothingForGrantedOfPlaces) {
  const WrongForOneC unit;
  for (const Aid& aid : {unit.lemma(), unit.read()}) {
    for (auto part : {&OverPlaces::made, &OverPlaces::is_model, &OverPlaces::is_same}) {
      Aid untrue = aid;
      untrue.over_places.*part = {unit.is_other_c};
      EXPECT_EQ(unit.proved_with(untrue), ProofAnswer::open) << aid.name;
    }
  }
}

// These see that it would be proved: of a lemma that claims nothing, and has nothing to be known by, all is taken.
TEST(Merging, TakesWhatIsTrueOverPlaces) {
  const WrongForOneC unit;
  EXPECT_EQ(unit.proved_with(unit.lemma()), ProofAnswer::proved);
  EXPECT_EQ(unit.proved_with(unit.read()), ProofAnswer::proved);
}

}  // namespace
}  // namespace assay
