// What helps a proof: each lemma and law is true of the model in every case, and those that a unit needs are there.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <set>
#include <stdexcept>

#include "tb/generate/generator.hpp"
#include "tb/prove/aids.hpp"
#include "tb/tests/prove/inputs.hpp"
#include "tb/tests/rtl/units.hpp"

namespace assay {
namespace {

// A model, which is its own unit.
struct Aided {
  Plan plan;
  Gates gates;
  std::vector<Aid> aids;
  std::vector<Law> laws;

  explicit Aided(Plan of) : plan(std::move(of)) {
    const ModelGates model = make_model(plan, make_operands(plan, gates), gates);
    const ShownPlaces unit(model.places.begin(), model.places.end());
    aids = aids_of(plan, model, unit, gates);
    laws = laws_of(plan, model, unit, gates);
  }

  std::vector<std::uint64_t> inputs(std::uint64_t first) const { return inputs_of(plan, gates, first); }

  // By their names, in so many cases.
  std::set<std::string> untrue(std::uint64_t count) const {
    std::set<std::string> names;
    GateSimulation simulation(gates);
    const auto hold = [&](const std::string& name, Lit always) {
      if (~simulation.of(always) != 0) names.insert(name);
    };
    // Where it is one by what it is known by to be, a function of places is what the model has.
    const auto hold_over = [&](const std::string& name, const OverPlaces& over, const std::vector<std::uint64_t>& has) {
      std::uint64_t is_one = ~std::uint64_t{0};
      for (const auto* list : {&over.is_model, &over.is_same}) {
        for (const Lit always : *list) is_one &= simulation.of(always);
      }
      for (std::size_t i = 0; i < over.made.size(); ++i) {
        if (((simulation.of(over.made[i]) ^ has[i]) & is_one) != 0) names.insert(name + " over places");
      }
    };
    for (std::uint64_t first = 0; first < count; first += 64) {
      simulation.run(inputs(first));
      for (const Aid& aid : aids) {
        for (const Lit always : aid.is_lemma ? aid.word : std::vector<Lit>()) hold(aid.name, always);
        if (aid.of_unit != lit_none) hold("the unit's " + aid.name, aid.of_unit);
        std::vector<std::uint64_t> has;
        for (std::size_t bit = 0; bit < aid.word.size(); ++bit)
          has.push_back(~(simulation.of(aid.word[bit]) ^ simulation.of(aid.made[bit])));
        hold_over(aid.name, aid.over_places, has);
      }
      for (const Law& law : laws) {
        hold(law.name, law.of_model);
        hold("the unit's " + law.name, law.of_unit);
        hold_over(law.name, law.over_places, {simulation.of(law.of_model)});
      }
    }
    return names;
  }

  // Of what is read of places, what is not made of their bits in some case.
  std::set<std::string> read_otherwise(std::uint64_t count) const {
    std::set<std::string> names;
    GateSimulation simulation(gates);
    for (std::uint64_t first = 0; first < count; first += 64) {
      simulation.run(inputs(first));
      for (const Aid& aid : aids) {
        for (std::size_t bit = 0; bit < aid.word.size() && !aid.is_lemma; ++bit) {
          if (simulation.of(aid.word[bit]) != simulation.of(aid.made[bit])) names.insert(aid.name);
        }
      }
    }
    return names;
  }

  const Aid* lemma(const std::string& name) const {
    const auto found =
        std::find_if(aids.begin(), aids.end(), [&](const Aid& aid) { return aid.is_lemma && aid.name == name; });
    return found == aids.end() ? nullptr : &*found;
  }
};

Plan plan_of(const std::string& name) {
  for (const auto* list : {&units(), &further_units()}) {
    for (const Unit& unit : *list) {
      if (unit.name == name) return plan_of_unit(unit);
    }
  }
  throw std::runtime_error("no unit " + name);
}

class AidsOf : public testing::TestWithParam<Unit> {};

TEST_P(AidsOf, AreTrueInEveryCase) {
  const Plan plan = plan_of_unit(GetParam());
  if (!why_no_gates(plan).empty()) GTEST_SKIP() << GetParam().name << ": " << why_no_gates(plan);
  EXPECT_EQ(Aided(plan).untrue(1024), std::set<std::string>());
}

const auto name_of_unit = [](const auto& unit) { return std::string(unit.param.name); };
INSTANTIATE_TEST_SUITE_P(Units, AidsOf, testing::ValuesIn(units()), name_of_unit);
INSTANTIATE_TEST_SUITE_P(FurtherUnits, AidsOf, testing::ValuesIn(further_units()), name_of_unit);
INSTANTIATE_TEST_SUITE_P(FlaggedUnits, AidsOf, testing::ValuesIn(flagged_units()), name_of_unit);

// The number of a bf16 code; infinite or NaN where it is that.
double number_of(Code code) {
  const std::uint32_t bits = static_cast<std::uint32_t>(code) << 16;
  float number = 0;
  std::memcpy(&number, &bits, sizeof number);
  return number;
}

// A product that is too large to stay finite does not count: its exponent may be above the window's.
TEST(Aids, LeaveOutWhatIsTooLarge) {
  const Plan plan = plan_of("dot_late_floor");
  ASSERT_EQ(plan.datapath.product.infinity_at, 128);
  Gates gates;
  const ModelGates model = make_model(plan, make_operands(plan, gates), gates);
  const int product = plan.places.find("multiply[0]"), c = plan.places.find("decode.c"),
            window = plan.places.find("step[0].dot.window");
  const auto bits_at = [&](int place) { return model.places[static_cast<std::size_t>(place)]; };
  const Lit counts = item_words(plan, window, product, bits_at(product), gates).counts,
            of_c = item_words(plan, window, c, bits_at(c), gates).counts;
  const Generator generator(plan, 1);
  GateSimulation simulation(gates);
  int too_large = 0;
  for (std::uint64_t n = 0; n < 4096; ++n) {
    const Case one = generator.make(n);
    std::vector<std::uint64_t> inputs;
    for (const bool bit : bits_of_case(plan, one)) inputs.push_back(bit ? 1 : 0);
    simulation.run(inputs);
    const double magnitude = std::abs(number_of(one.a[0]) * number_of(one.b[0]));
    const bool is_finite = std::isfinite(number_of(one.a[0])) && std::isfinite(number_of(one.b[0]));
    if (is_finite && magnitude >= 0x1p128) ++too_large;
    EXPECT_EQ(simulation.of(counts) & 1, is_finite && magnitude > 0 && magnitude < 0x1p128 ? 1U : 0U) << magnitude;
    float acc = 0;
    const auto code = static_cast<std::uint32_t>(one.c);
    std::memcpy(&acc, &code, sizeof acc);
    EXPECT_EQ(simulation.of(of_c) & 1, std::isfinite(acc) && acc != 0 ? 1U : 0U) << acc;
  }
  EXPECT_GT(too_large, 10);
}

// A NaN goes on with its payload, which its place does not show.
TEST(Aids, MakeNumbersOfPlacesButOfNan) {
  const Aided aided(plan_of("dot_late_floor"));
  const std::set<std::string> names = aided.read_otherwise(2048);
  EXPECT_EQ(names.count("what is read of decode.a[0]"), 1U);
  EXPECT_EQ(names.count("what is read of decode.a[0] but of NaN"), 0U);
  EXPECT_EQ(names.count("what is read of multiply[0] but of NaN"), 0U);
}

// A sum that goes on as it stands has its window for its exponent.
TEST(Aids, KnowOfSumsThatGoOnAsTheyStand) {
  const Aided aided(plan_of("dot_late_floor"));
  const Aid* zero = aided.lemma("step[0].dot.reduce is zero where nothing counts");
  ASSERT_NE(zero, nullptr);
  EXPECT_EQ(aided.plan.places.name(zero->for_lemmas), "step[0].sum.window");
  const Aid* bound = aided.lemma("step[0].sum.window is not below step[0].dot.window");
  ASSERT_NE(bound, nullptr);
  ASSERT_EQ(bound->for_places.size(), 1U);
  EXPECT_EQ(aided.plan.places.name(bound->for_places.front()), "step[0].sum.align[0]");
}

// Whether ones are lost is asked of each item where the sum stands.
TEST(Aids, HelpWithWhatIsLostBelowASum) {
  const auto helps_with = [](const Aided& aided, const std::string& name) {
    std::set<std::string> places;
    const Aid* lemma = aided.lemma(name);
    for (const int place : lemma == nullptr ? std::vector<int>() : lemma->for_places)
      places.insert(aided.plan.places.name(place));
    return places;
  };
  const Aided sticky(plan_of("dot_pairs_sticky")), plain(plan_of("dot_late_floor"));
  EXPECT_EQ(helps_with(sticky, "step[0].sum.window is not below decode.c"),
            (std::set<std::string>{"step[0].sum.align[4]", "step[0].sum.reduce"}));
  EXPECT_EQ(helps_with(plain, "step[0].sum.window is not below decode.c"),
            (std::set<std::string>{"step[0].sum.align[1]"}));
}

// The model's largest exponent grows from item to item, which is proved before any law of the window.
TEST(Aids, FollowTheLargestExponent) {
  const Aided aided(plan_of("dot_late_floor"));
  for (int item = 1; item < 8; ++item) {
    const Aid* grows = aided.lemma("step[1].dot.window does not fall with item " + std::to_string(item));
    ASSERT_NE(grows, nullptr) << item;
    EXPECT_EQ(aided.plan.places.name(grows->for_lemmas), "step[1].dot.window");
    EXPECT_LT(grows->place, grows->for_lemmas);
    EXPECT_FALSE(is_constant(grows->word.front()));
  }
  EXPECT_EQ(aided.lemma("step[1].dot.window does not fall with item 8"), nullptr);
}

// What stands above a sum's place is known by its addends.
TEST(Aids, SayWhatASumIsOf) {
  const Aided aided(plan_of("dot_late_floor"));
  const int reduce = aided.plan.places.find("step[0].dot.reduce");
  int found = 0;
  for (const Aid& aid : aided.aids) {
    if (aid.place != reduce || aid.is_lemma) continue;
    ++found;
    EXPECT_EQ(aid.addends.size(), 8U);
    EXPECT_EQ(aid.sum.size(),
              static_cast<std::size_t>(aided.plan.places[static_cast<std::size_t>(reduce)].width) + aid.word.size());
  }
  EXPECT_EQ(found, 1);
}

// A lemma that a case shows to be untrue, and laws of which one is, are not tried.
TEST(Aids, ThatAreUntrueAreLeftOut) {
  Aided aided(plan_of("dot_late_floor"));
  const std::size_t aids = aided.aids.size(), laws = aided.laws.size();
  std::vector<std::vector<std::uint64_t>> cases{aided.inputs(0), aided.inputs(64)};
  leave_out_untrue(aided.gates, cases, aided.aids, aided.laws);
  EXPECT_EQ(aided.aids.size(), aids);
  EXPECT_EQ(aided.laws.size(), laws);

  const Lit sometimes = lit_of(aided.gates.inputs().front());
  const auto lemma = std::find_if(aided.aids.begin(), aided.aids.end(), [](const Aid& aid) { return aid.is_lemma; });
  lemma->word.front() = sometimes;
  const int window = aided.laws.front().place;
  const auto of_it =
      std::count_if(aided.laws.begin(), aided.laws.end(), [&](const Law& law) { return law.place == window; });
  aided.laws.front().of_model = sometimes;
  leave_out_untrue(aided.gates, cases, aided.aids, aided.laws);
  EXPECT_EQ(aided.aids.size(), aids - 1);
  EXPECT_GT(of_it, 1);
  EXPECT_EQ(aided.laws.size(), laws - static_cast<std::size_t>(of_it));
}

}  // namespace
}  // namespace assay
