// The search, on costs that are made up: against all points, by threads, after a kill, and with each kind of limit.
#include <sys/stat.h>

#include <cmath>
#include <cstdlib>
#include <fstream>
#include <map>
#include <utility>

#include "tb/design/page.hpp"
#include "tb/tests/design/make.hpp"
#include "tb/tests/source_dir.hpp"

namespace assay::design {
namespace {

// The cheapest of all points for which `good` holds, by hand.
template <class Good>
std::string cheapest(const Made& made, const Good& good) {
  double least = 1e300;
  std::string name;
  for (int p = 0; p < static_cast<int>(made.space.size()); ++p) {
    const auto at = static_cast<std::size_t>(p);
    const double area = made_up(*made.space.machines[at], "").cost->area;
    if (good(p) && area < least) {
      least = area;
      name = made.space.machines[at]->point.name;
    }
  }
  return name;
}

// 15 x 15 points less a triangle, with three ways to promote.
std::string larger_spec() {
  std::string text = substituted(small_spec, "product.keep, values: 5..10", "product.keep, values: 3..17");
  text = substituted(text, "acc.keep, values: 5..10", "acc.keep, values: 3..17");
  text = substituted(text, "m: 4, n: 4", "m: 16, n: 16");
  return substituted(text,
                     "conditions:", "  - {name: promotion, set: promote_every, values: [none, 16, 32]}\nconditions:");
}

TEST(Search, ExhaustsAllPoints) {
  const Made made(small_spec, exhausting());
  EXPECT_EQ(made.found.syntheses, 21U);
  EXPECT_DOUBLE_EQ(made.found.trials, 1);
  EXPECT_EQ(made.found.hopeful, 0U);
  for (const Standing& s : made.found.points) EXPECT_TRUE(s.finished && s.cost);
}

// Also those that miss a limit on their first two.
TEST(Search, ExhaustsAllSeeds) {
  const Made made(substituted(small_spec, "want: area", "want: area\nmust: [{measure: normwise, most: 0.002}]"),
                  exhausting());
  EXPECT_DOUBLE_EQ(made.found.trials, 1);
  int missed = 0;
  for (const Standing& s : made.found.points) {
    EXPECT_TRUE(s.finished);
    missed += s.is_out() ? 1 : 0;
  }
  EXPECT_GT(missed, 0);
  EXPECT_LT(missed, 21);
}

// An accumulator of 4 exponent bits overflows in every sum, one of 5 in none: no error is no answer.
TEST(Search, WhatIsInfiniteMeetsNoLimitOfErrors) {
  const Scratch scratch;
  scratch.file("unit.yaml", R"(name: unit
k: 16
formats: {n: {exponent: 5, mantissa: 10, bias: 7, infinity: true, nan: ieee, signed_zero: true}}
operands: {a: e4m3, b: e4m3, c: f32, d: f32}
specials: step
adders:
  - name: sum
    add: {product: exact, acc: exact}
    result: [{format: n, cut: nearest_even}, {format: f32, cut: nearest_even}]
)");
  const Spec spec = read_spec(scratch.file("spec.yaml", R"(design: infinite
title: How many exponent bits
datapath: unit.yaml
vary:
  - {name: E, set: formats.n.exponent, values: [4, 5]}
inputs: [{name: pos, normal: {positive: true}}]
shapes: {m: 8, n: 8, k: 768}
seeds: 4
must: [{measure: normwise, most: 0.1}, {measure: sqnr_db, least: 10}]
want: area
)"),
                              test_catalogue());
  const Space space = space_of(spec, test_catalogue());
  Trials trials(spec.study, space.machines, "test", scratch / "run", 1);
  const Searched found = searched(spec, space, {test_catalogue(), made_up, scratch / "run", exhausting(), {}}, trials);
  ASSERT_EQ(found.points.size(), 2U);
  for (int limit = 0; limit < 2; ++limit) {
    EXPECT_EQ(found.points[0].limits[static_cast<std::size_t>(limit)], Judged::missed);
    EXPECT_EQ(found.points[1].limits[static_cast<std::size_t>(limit)], Judged::met);
  }
  EXPECT_NE(found.points[0].found[0].find(" results are NaN or infinite"), std::string::npos)
      << found.points[0].found[0];
  const DesignAnswer answer = answer_of(spec, space, found);
  ASSERT_EQ(answer.chosen.size(), 1U);
  EXPECT_EQ(answer.chosen.front().point, 1);
}

TEST(Search, FindsMostOfTheFrontWithFewSyntheses) {
  const Made all(larger_spec(), exhausting());
  SearchAllowance effort;
  effort.syntheses = 0.2;
  const Searched found = all.run(effort, made_up, all.scratch / "search");
  EXPECT_LE(found.syntheses, found.wirings / 5);
  FrontSpot worst{0, 0, -1};
  for (std::size_t i = 0; i < all.space.size(); ++i) {
    worst.cost = std::max(worst.cost, all.found.points[i].cost->area);
    worst.error = std::max(worst.error, all.found.points[i].error.mean);
  }
  EXPECT_GT(hypervolume(found.fronts[0], worst), 0.97 * hypervolume(all.found.fronts[0], worst))
      << answer_text(all.spec, all.space, all.found, all.answer)
      << answer_text(all.spec, all.space, found, answer_of(all.spec, all.space, found));
}

TEST(Search, IsTheSameWithAnyThreads) {
  const Made one(larger_spec());
  SearchAllowance effort;
  effort.threads = 3;
  const Made three(larger_spec(), effort);
  EXPECT_EQ(answer_json(one.spec, one.space, one.found, one.answer, "x"),
            answer_json(three.spec, three.space, three.found, three.answer, "x"));
  EXPECT_EQ(points_csv(one.spec, one.space, one.found), points_csv(three.spec, three.space, three.found));
  EXPECT_EQ(text_of_file(one.scratch / "run/journal.jsonl"), text_of_file(three.scratch / "run/journal.jsonl"));
}

// A run that was killed left some lines, the last one torn.
TEST(Search, GoesOnAfterAKill) {
  const Made made(larger_spec());
  const std::string journal = text_of_file(made.scratch / "run/journal.jsonl");
  ::mkdir((made.scratch / "killed").c_str(), 0777);
  std::ofstream(made.scratch / "killed/journal.jsonl", std::ios::binary) << journal.substr(0, journal.size() / 3);
  const Searched again = made.run({}, made_up, made.scratch / "killed");
  EXPECT_EQ(points_csv(made.spec, made.space, again), points_csv(made.spec, made.space, made.found));
  EXPECT_EQ(text_of_file(made.scratch / "killed/journal.jsonl"), journal);
}

TEST(Search, AskedForErrorsNoMoreItFindsTheCheapest) {
  const std::string text =
      substituted(larger_spec(), "want: area", "want: area\nerror: none\nmust: [{measure: normwise, most: 0.001}]");
  const Made all(text, exhausting());
  const Made made(text);
  ASSERT_EQ(made.answer.chosen.size(), 1U);
  EXPECT_EQ(made.names(), all.names());
  const std::string expected =
      cheapest(all, [&](int p) { return all.found.points[static_cast<std::size_t>(p)].limits[0] == Judged::met; });
  EXPECT_EQ(made.names().front(), expected);
}

TEST(Search, AMeasureIsMetByItsWholeInterval) {
  const Made made(substituted(small_spec, "want: area", "want: area\nmust: [{measure: normwise, most: 0.02}]"),
                  exhausting());
  int met = 0, missed = 0;
  for (const Standing& s : made.found.points) {
    ASSERT_NE(s.limits[0], Judged::open);
    (s.limits[0] == Judged::met ? met : missed) += 1;
    if (s.limits[0] == Judged::met && s.finished) {
      EXPECT_LE(s.error.high, 0.02);
    }
    if (s.limits[0] == Judged::missed && s.finished) {
      EXPECT_GT(s.error.high, 0.02);
    }
  }
  EXPECT_GT(met, 0);
  EXPECT_GT(missed, 0);
  EXPECT_NE(made.answer.chosen.front().smaller.find("misses normwise at most 0.02"), std::string::npos)
      << made.answer.chosen.front().smaller;
}

// Of a fused sum a bit more of both keeps about halves the bound.
TEST(Search, BoundsAreJudgedForAllOperands) {
  std::string text = substituted(small_spec, "k: 64}", "k: 4}");
  text = substituted(text, "want: area", "want: area\nmust: [{bound: sum, most: 0.01}]");
  const Made made(text, exhausting());
  int met = 0;
  for (std::size_t p = 0; p < made.space.size(); ++p) {
    const std::vector<int>& values = made.space.machines[p]->point.values;
    const double product_unit = std::ldexp(1.0, -(5 + values[0]));
    if (made.found.points[p].limits[0] == Judged::met) {
      ++met;
      EXPECT_LT(3 * product_unit, 0.01) << made.space.machines[p]->point.name;  // three products may lose almost a unit
    }
  }
  EXPECT_GT(met, 0);
  EXPECT_LT(met, 21);
}

// Asked of the circuit, without samples.
TEST(Search, BoundsCanBeTradedAgainstCosts) {
  const Made made(substituted(small_spec, "want: area", "want: area\nerror: bound"), exhausting());
  const std::vector<FrontSpot>& front = made.found.fronts[0];
  ASSERT_GT(front.size(), 3U);
  for (const FrontSpot& spot : front) {
    const Machine& machine = *made.space.machines[static_cast<std::size_t>(spot.point)];
    EXPECT_EQ(spot.error, derived_bound(made.spec.study, machine).relative) << machine.point.name;
  }
  EXPECT_LT(front.back().error, front.front().error / 4);
}

// No point meets the bound, so that none is run: the closest miss of the measure is said all the same.
TEST(Search, WhereNothingIsGoodEnoughEachLimitHasItsClosestMiss) {
  const Made made(substituted(small_spec, "want: area",
                              "want: area\nmust: [{bound: sum, most: 1e-9}, {measure: normwise, most: 1e-9}, "
                              "{property: sign_symmetry}]"));
  EXPECT_TRUE(made.answer.chosen.empty());
  ASSERT_EQ(made.answer.misses.size(), 3U);
  for (std::size_t i = 0; i < 2; ++i)
    EXPECT_NE(made.answer.misses[i].find("; product = 10, acc = 10 comes nearest: "), std::string::npos)
        << made.answer.misses[i];
  EXPECT_NE(made.answer.misses[2].find("met by some points"), std::string::npos) << made.answer.misses[2];
}

TEST(Search, EqualToAnInstruction) {
  // Fused_f25's own width is the only one that gives its bits on operands of so wide a range.
  const std::string text = R"(design: equal
title: Equal
datapath: fused_f25
operands: {a: f16, b: f16, c: f32, d: f32}
k: 16
vary:
  - {name: F, set: [adders.sum.add.product.keep, adders.sum.add.acc.keep], values: 22..27}
inputs: [{log_uniform: {least: -8, greatest: 8}}]
shapes: {m: 16, n: 16, k: 64}
seeds: 2
must: [{equals: "hopper:wgmma.m64nNk16.f32.f16.f16"}]
want: area
)";
  const Made made(text, exhausting());
  EXPECT_EQ(made.names(), std::vector<std::string>{"F = 25"});

  const Made none(substituted(text, "values: 22..27", "values: [20, 22, 24]"), exhausting());
  ASSERT_EQ(none.answer.misses.size(), 1U);
  EXPECT_NE(none.answer.misses[0].find("F = 24 comes nearest: "), std::string::npos) << none.answer.misses[0];
  EXPECT_NE(none.answer.misses[0].find(" of 256 elements differ on "), std::string::npos) << none.answer.misses[0];
}

TEST(Search, EqualToOneOfOtherOperandsIsRefused) {
  const std::string text =
      substituted(small_spec, "want: area", "want: area\nmust: [{equals: \"hopper:wgmma.m64nNk16.f32.f16.f16\"}]");
  EXPECT_NE(error_of([&] { const Made made(text); }).find("other formats than every point"), std::string::npos);
}

// Cut toward zero, c and -c give d and -d; cut down they do not.
TEST(Search, PropertiesMustHold) {
  std::string text = substituted(small_spec, "product.keep, values: 5..10", "product.keep, values: 8..9");
  text = substituted(text, "acc.keep, values: 5..10", "acc.keep, values: 9..10");
  text = substituted(text, "conditions:",
                     "  - {name: cut, set: [adders.sum.add.product.cut, adders.sum.add.acc.cut], values: [toward_zero, "
                     "down]}\nconditions:");
  text = substituted(text, "want: area", "want: area\nmust: [{property: sign_symmetry}]");
  const Made made(text, exhausting());
  ASSERT_FALSE(made.answer.chosen.empty());
  for (std::size_t p = 0; p < made.space.size(); ++p) {
    const bool is_down = made.space.machines[p]->point.values[2] == 1;
    EXPECT_EQ(made.found.points[p].limits[0], is_down ? Judged::missed : Judged::met);
  }
}

class Program : public ::testing::Test {
 protected:
  // A spec whose program runs `script`.
  std::string answer_with(const std::string& script) {
    const std::string path = scratch_.file("task.sh", "#!/bin/sh\n" + script);
    ::chmod(path.c_str(), 0755);
    const std::string file = scratch_.file(
        "spec.yaml", substituted(small_spec, "want: area", "want: area\nmust: [{program: task.sh, least: 8}]"));
    return error_of([&] {
      const Spec spec = read_spec(file, test_catalogue());
      const Space space = space_of(spec, test_catalogue());
      Trials trials(spec.study, space.machines, "test", scratch_ / "run", 1);
      const Searched found =
          searched(spec, space, {test_catalogue(), made_up, scratch_ / "run", exhausting(), {}}, trials);
      const DesignAnswer answer = answer_of(spec, space, found);
      smallest_ =
          answer.chosen.empty() ? "" : space.machines[static_cast<std::size_t>(answer.chosen[0].point)]->point.name;
      misses_ = answer.misses;
    });
  }

  Scratch scratch_;
  std::string smallest_;
  std::vector<std::string> misses_;
};

TEST_F(Program, GetsTheDatapathAndPrintsANumber) {
  // The first `keep` of the file is that of the products.
  EXPECT_EQ(answer_with("echo trying\ngrep -o 'keep: [0-9]*' \"$1\" | head -n 1 | cut -d ' ' -f 2\n"), "");
  EXPECT_EQ(smallest_, "product = 8, acc = 8");
}

TEST_F(Program, ThatFailsEndsTheSearch) {
  const std::string message = answer_with("echo no weights\nexit 3\n");
  EXPECT_NE(message.find("ended with status 3"), std::string::npos) << message;
  EXPECT_NE(message.find("spec.yaml:14: The limit task.sh at least 8: "), std::string::npos) << message;
}

TEST_F(Program, ThatPrintsNoNumberEndsTheSearch) {
  EXPECT_NE(answer_with("echo 97 percent\n").find("printed no number as its last line"), std::string::npos);
}

TEST_F(Program, ThatIsNotThereEndsTheSearch) {
  answer_with("exit 0\n");
  ::unlink((scratch_ / "task.sh").c_str());
  const std::string text = substituted(small_spec, "want: area", "want: area\nmust: [{program: nobody.sh, least: 8}]");
  EXPECT_NE(error_of([&] { const Made made(text, exhausting()); }).find("cannot be started"), std::string::npos);
}

TEST_F(Program, NothingGoodEnoughNamesTheClosest) {
  EXPECT_EQ(answer_with("echo 7.5\n"), "");
  EXPECT_EQ(smallest_, "");
  ASSERT_EQ(misses_.size(), 1U);
  EXPECT_NE(misses_[0].find("comes nearest: 7.5"), std::string::npos) << misses_[0];
}

// Two seeds are enough to see that a narrow one misses the limit: the others are asked for more.
TEST(Search, WhatIsSurelyMissedIsNotTriedOn) {
  const std::string text =
      substituted(larger_spec(), "want: area", "want: area\nmust: [{measure: normwise, most: 0.002}]");
  const Spec spec = spec_of(text);
  const Space space = space_of(spec, test_catalogue());
  const Scratch scratch;
  Trials trials(spec.study, space.machines, "test", scratch / "run", 1);
  const Searched found = searched(spec, space, {test_catalogue(), made_up, scratch / "run", {}, {}}, trials);
  int early = 0;
  for (int p = 0; p < static_cast<int>(space.size()); ++p) {
    const Standing& s = found.points[static_cast<std::size_t>(p)];
    EXPECT_GE(trials.seeds_of(p), 2);
    if (s.limits[0] != Judged::missed) continue;
    early += trials.seeds_of(p) == 2 ? 1 : 0;
    // The whole interval lies beyond the limit, or all seeds were run and some of it does.
    EXPECT_TRUE(s.error.low > 0.002 || (s.finished && s.error.high > 0.002)) << space.machines[p]->point.name;
  }
  EXPECT_GT(early, static_cast<int>(space.size()) / 4);
}

// A tensor of a file is an input like others, and a limit may be on it alone.
TEST(Search, LimitsOnATensorOfAFile) {
  const Scratch scratch;
  std::string header = R"({"a":{"dtype":"F32","shape":[4,64],"data_offsets":[0,1024]},)"
                       R"("b":{"dtype":"F32","shape":[64,4],"data_offsets":[1024,2048]}})";
  std::string values;
  for (int i = 0; i < 512; ++i) {
    const float value = 1 + static_cast<float>(i % 7) / 8;
    values.append(reinterpret_cast<const char*>(&value), sizeof value);
  }
  scratch.file("layer.safetensors",
               std::string(1, static_cast<char>(header.size())) + std::string(7, '\0') + header + values);
  std::string text =
      substituted(small_spec, "[normal]", "[normal, {name: layer, tensor: {file: layer.safetensors, a: a, b: b}}]");
  text = substituted(text, "want: area", "want: area\nmust: [{measure: normwise, most: 0.05, input: INPUT}]");
  const auto met = [&](const std::string& input) {
    const Spec spec = read_spec(scratch.file(input + ".yaml", substituted(text, "INPUT", input)), test_catalogue());
    const Space space = space_of(spec, test_catalogue());
    Trials trials(spec.study, space.machines, "test", scratch / input, 1);
    const Searched found =
        searched(spec, space, {test_catalogue(), made_up, scratch / input, exhausting(), {}}, trials);
    return std::count_if(found.points.begin(), found.points.end(),
                         [](const Standing& s) { return s.limits[0] == Judged::met; });
  };
  // Terms of one sign add up to sums of which a narrow window drops much.
  EXPECT_GT(met("normal"), met("layer"));
  EXPECT_GT(met("layer"), 0);
}

TEST(Search, OfATensorOfAnotherShapeItSaysWhich) {
  const Scratch scratch;
  const std::string header = R"({"a":{"dtype":"F32","shape":[2,3],"data_offsets":[0,24]},)"
                             R"("b":{"dtype":"F32","shape":[3,2],"data_offsets":[24,48]}})";
  scratch.file("layer.safetensors", std::string(1, static_cast<char>(header.size())) + std::string(7, '\0') + header +
                                        std::string(48, '\0'));
  const std::string spec_file = scratch.file(
      "spec.yaml", substituted(small_spec, "[normal]", "[{tensor: {file: layer.safetensors, a: a, b: b}}]"));
  const std::string message = error_of([&] {
    const Spec spec = read_spec(spec_file, test_catalogue());
    const Space space = space_of(spec, test_catalogue());
    Trials trials(spec.study, space.machines, "test", scratch / "run", 1);
  });
  EXPECT_NE(message.find("The shape 4 x 4 x 64 is larger than what 'a' and 'b' make: 2 x 2 x 3."), std::string::npos)
      << message;
}

// Hopper's FP8 unit takes 32 terms: its window stands beside units of four as one of four.
TEST(Page, UnitsOfTheCatalogueStandBeside) {
  const Spec spec = spec_of(small_spec);
  const Space space = space_of(spec, test_catalogue());
  const Machines units = units_beside(spec, space, test_catalogue());
  ASSERT_FALSE(units.empty());
  bool has_hopper = false;
  for (const auto& unit : units) {
    EXPECT_EQ(unit->plan.k, 4);
    EXPECT_EQ(unit->operands.key(), space.machines.front()->operands.key());
    has_hopper = has_hopper || unit->point.reference == "hopper:wgmma.m64nNk32.f32.e4m3.e4m3 of 4 terms";
  }
  EXPECT_TRUE(has_hopper);
}

// A library on which everything costs twice as much changes no order; one on which acc is dear changes some.
TEST(Ranks, ThatHoldOnOneLibraryOnlyAreMarked) {
  Made made(small_spec, exhausting());
  const auto marked = [&](const Costs& elsewhere) {
    hold_ranks(made.spec, made.space, made.found, elsewhere, 2, made.answer);
    int count = 0;
    for (Chosen& c : made.answer.chosen) count += std::exchange(c.ranks_otherwise, false) ? 1 : 0;
    return count;
  };
  ASSERT_GT(made.answer.chosen.size(), 3U);
  EXPECT_EQ(marked([](const Machine& machine, const std::string& wiring) {
              CostAnswer answer = made_up(machine, wiring);
              answer.cost->area *= 2;
              return answer;
            }),
            0);
  EXPECT_EQ(marked([](const Machine& machine, const std::string& wiring) {
              CostAnswer answer = made_up(machine, wiring);
              answer.cost->area = 1000 - answer.cost->area;
              return answer;
            }),
            static_cast<int>(made.answer.chosen.size()));
}

// Software's additions and an FPGA's tables are no library's; whatever else is wanted is held to the second one.
TEST(Ranks, AreThoseOfTheFirstCostThatIsOfALibrary) {
  const auto ranked = [](const std::string& want) {
    return spec_of(substituted(small_spec, "want: area", "clock: 4\nfpga: [ice40]\nwant: " + want)).ranked();
  };
  EXPECT_EQ(ranked("[additions, delay, area]"), std::size_t{1});
  EXPECT_EQ(ranked("[tables, clocked_area, energy]"), std::size_t{2});
  EXPECT_EQ(ranked("[tables, clocked_area]"), std::nullopt);
}

TEST(Search, WithoutACostNothingIsChosen) {
  const Made made(small_spec, exhausting(), [](const Machine&, const std::string&) {
    return CostAnswer{std::nullopt, "Not this one.", ""};
  });
  EXPECT_TRUE(made.answer.chosen.empty());
  ASSERT_EQ(made.found.without_cost.size(), 1U);
  EXPECT_EQ(made.found.without_cost[0].points.size(), 21U);
  const std::string text = answer_text(made.spec, made.space, made.found, made.answer);
  EXPECT_NE(text.find("product = 5, acc = 5 and 20 others are left out, having no cost: Not this one."),
            std::string::npos)
      << text;
}

// No synthesis is asked for what no block can do: it is left out before, and the others are chosen from.
TEST(Search, AFormWithoutBlocksIsLeftOutByName) {
  std::string values = "0";
  for (int i = 1; i < 2048; ++i) values += ", " + std::to_string(i);
  const Scratch folder;
  const std::string unit =
      folder.file("unit.yaml", "name: unit\nlike: fused_f25\nformats: {listed: {values: [" + values + "]}}\n");
  const std::string text = substituted(
      substituted(small_spec, "datapath: fused_f25", "datapath: " + unit),
      "conditions:", "  - {name: codes, values: {few: {operands.b: e4m3}, many: {operands.b: listed}}}\nconditions:");
  int asked = 0;
  const Made made(text, exhausting(), [&](const Machine& machine, const std::string& wiring) {
    ++asked;
    return made_up(machine, wiring);
  });
  ASSERT_EQ(made.space.size(), 42U);
  EXPECT_EQ(asked, 21);
  ASSERT_EQ(made.found.without_cost.size(), 1U);
  EXPECT_EQ(made.found.without_cost[0].points.size(), 21U);
  EXPECT_EQ(
      made.found.without_cost[0].why,
      "The blocks of rtl_ref cannot do it: operands.b: export-sv writes a list of values as a table of all codes, "
      "and listed has 2048 of them, for which a simulator takes minutes: use a list of at most 1024 codes, or a "
      "format that a rule or fields describe.");
  EXPECT_FALSE(made.answer.chosen.empty());
  const std::string csv = points_csv(made.spec, made.space, made.found);
  EXPECT_NE(csv.find("1,5,5,many,,,,0,,,,,,\"The blocks of rtl_ref"), std::string::npos) << csv;
}

// What a bit of f32 buys ends at 25: Hopper's own window is the most exact point of the front.
TEST(Published, AWindowOf25BitsEndsTheFrontOfF16) {
  Spec spec = read_spec(source_dir() + "/configs/design/near25.yaml", test_catalogue());
  const Space space = space_of(spec, test_catalogue());
  const Scratch scratch;
  Trials trials(spec.study, space.machines, "test", scratch / "run", 2);
  // How far it is is said one by one, to the end.
  std::map<std::string, std::uint64_t> done, totals;
  const SearchReport report{{}, [&](std::uint64_t now, std::uint64_t total, const char* what) {
                              if (now != 0) {
                                EXPECT_EQ(now, done[what] + 1) << what;
                              }
                              done[what] = now;
                              totals[what] = total;
                            }};
  const Searched found =
      searched(spec, space, {test_catalogue(), made_up, scratch / "run", exhausting(), report}, trials);
  EXPECT_EQ(space.machines[static_cast<std::size_t>(found.fronts[0].back().point)]->point.name, "F = 25");
  EXPECT_GT(totals["trials"], 0U);
  EXPECT_EQ(totals["syntheses"], found.wirings);
  EXPECT_EQ(done, totals);
}

TEST(Published, PromotionEvery128IsTheSeldomestThatIsEnough) {
  Spec spec = read_spec(source_dir() + "/configs/design/promotion.yaml", test_catalogue());
  spec.study.shapes = {{8, 8, 7168}};
  const Space space = space_of(spec, test_catalogue());
  const Scratch scratch;
  Trials trials(spec.study, space.machines, "test", scratch / "run", 2);
  const Searched found = searched(spec, space, {test_catalogue(), made_up, scratch / "run", {}, {}}, trials);
  ASSERT_FALSE(found.fronts[0].empty());
  EXPECT_EQ(space.machines[static_cast<std::size_t>(found.fronts[0].front().point)]->point.name, "promotion = 128");
  EXPECT_EQ(found.fronts[0].front().cost, 56);
}

}  // namespace
}  // namespace assay::design
