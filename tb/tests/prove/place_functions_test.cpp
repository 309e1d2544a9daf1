// The model's stages as functions of places: they are what the model has, or what they are known by says that they are
// not.
#include <gtest/gtest.h>

#include <map>

#include "tb/prove/place_functions.hpp"
#include "tb/prove/sat.hpp"
#include "tb/prove/shown.hpp"
#include "tb/tests/prove/inputs.hpp"
#include "tb/tests/rtl/units.hpp"

namespace assay {
namespace {

struct Pair {
  Plan plan;
  Gates gates;
  ModelGates model;

  explicit Pair(const std::string& nans)
      : plan(plan_of_text("name: pair\nk: 2\noperands: {a: f16, b: f16, c: f32, d: f32}\nlike: fused_f25\n" + nans)) {
    model = make_model(plan, make_operands(plan, gates), gates);
  }

  int place(const std::string& name) const { return plan.places.find(name); }
  const std::vector<Lit>& at(const std::string& name) const {
    return model.places[static_cast<std::size_t>(place(name))];
  }
  std::optional<PlaceFunction> of(const std::string& stage, const std::vector<std::string>& names,
                                  const EmptySums& empty = {}) {
    std::vector<int> places;
    for (const std::string& name : names) places.push_back(place(name));
    return PlaceFunctions(plan, model, gates, places, empty).of(at(stage));
  }

  // Of all lanes of 1,024 cases, those in which all of these are true.
  std::uint64_t cases_of(const std::vector<Lit>& list) {
    std::uint64_t count = 0;
    GateSimulation simulation(gates);
    for (std::uint64_t first = 0; first < 1024; first += 64) {
      simulation.run(inputs_of(plan, gates, first));
      std::uint64_t all = ~std::uint64_t{0};
      for (const Lit l : list) all &= simulation.of(l);
      count += static_cast<std::uint64_t>(__builtin_popcountll(all));
    }
    return count;
  }
  std::uint64_t cases_in_which_it_is(const std::string& stage, const std::vector<Lit>& made) {
    return cases_of({inverted(differ_in_any(at(stage), made, gates))});
  }

  // Whatever the places and what they do not show are.
  bool is_always(const std::vector<Lit>& list, const std::vector<std::string>& places, const PlaceFunction& of) {
    Gates free;
    std::vector<Lit> map(gates.size(), lit_none);
    const auto make_free = [&](Lit l) {
      if (!is_constant(l) && map[node_of(l)] == lit_none) map[node_of(l)] = free.input();
    };
    for (const std::string& name : places) {
      for (const Lit l : at(name)) make_free(l);
    }
    for (const Lit l : of.free) make_free(l);
    Solving solving(free);
    for (const Lit l : copied(gates, list, map, free)) {
      if (solving.ask({inverted(l)}, -1) != SolverAnswer::never) return false;
    }
    return true;
  }
};

constexpr std::uint64_t all = 1024;

TEST(PlaceFunctions, AreWhatTheModelHas) {
  Pair pair("");
  const std::string item = "multiply[0]", window = "step[0].sum.window";
  const auto addend = pair.of("step[0].sum.align[0]", {item, window}, {{pair.model.empty.front()}, lit_false});
  ASSERT_TRUE(addend);
  EXPECT_EQ(pair.cases_of(addend->is_model), all);
  EXPECT_EQ(pair.cases_in_which_it_is("step[0].sum.align[0]", addend->made), all);
  EXPECT_TRUE(pair.is_always(addend->is_same, {item, window}, *addend));
  const std::vector<std::string> items{"multiply[0]", "multiply[1]", "decode.c"};
  const auto exponent = pair.of(window, items);
  ASSERT_TRUE(exponent);
  EXPECT_EQ(pair.cases_of(exponent->is_model), all);
  EXPECT_EQ(pair.cases_in_which_it_is(window, exponent->made), all);
}

TEST(PlaceFunctions, AreNoneOfFewerPlaces) {
  Pair pair("");
  EXPECT_FALSE(pair.of("step[0].sum.align[0]", {"multiply[0]"}));
  EXPECT_FALSE(pair.of("step[0].sum.window", {"multiply[0]", "decode.c"}));
}

// What a step leaves of infinities the place of its decision says. A payload no place shows: with one that goes on the
// code is no function of them.
TEST(PlaceFunctions, KnowWhatPlacesDoNotShow) {
  const std::vector<std::string> before{"step[0].special", "step[0].sum.round"};
  Pair canonical("");
  const auto acc = canonical.of("step[0].acc", before);
  ASSERT_TRUE(acc);
  EXPECT_EQ(canonical.cases_in_which_it_is("step[0].acc", acc->made), all);
  Pair propagates("nan: propagate\n");
  const auto code = propagates.of("encode", {"step[0].acc"});
  ASSERT_TRUE(code);
  EXPECT_LT(propagates.cases_in_which_it_is("encode", code->made), all);
  EXPECT_FALSE(propagates.is_always(code->is_same, {"step[0].acc"}, *code));
}

// A model that reads a number in another way than is said of it.
TEST(PlaceFunctions, SeeAWrongRead) {
  Pair pair("");
  for (ReadOn& read : pair.model.read_on[static_cast<std::size_t>(pair.place("multiply[0]"))]) {
    if (read.kind == ReadOn::Kind::exponent) read.made.front() = inverted(read.made.front());
  }
  const auto exponent = pair.of("step[0].sum.window", {"multiply[0]", "multiply[1]", "decode.c"});
  ASSERT_TRUE(exponent);
  EXPECT_LT(pair.cases_of(exponent->is_model), all);
}

}  // namespace
}  // namespace assay
