// Every word of every instruction's datapath decides something: changed by one step, it changes d for some case of
// level 1 - or there is an argument why no case can tell (tb/generate/equivalence.cpp), which must then hold for every
// case tried. Instructions that are the same plan are tried once.
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <map>
#include <set>

#include "model/config/catalogue.hpp"
#include "model/config/home.hpp"
#include "tb/generate/equivalence.hpp"
#include "tb/generate/generator.hpp"
#include "tb/generate/levels.hpp"
#include "tb/generate/mutations.hpp"
#include "tb/score/score.hpp"
#include "tb/tests/equality/corner_cases.hpp"
#include "tb/tests/equality/datapath_text.hpp"
#include "tb/tests/equality/effort.hpp"
#include "tb/tests/equality/random_datapath.hpp"

namespace assay {
namespace {

const Catalogue& catalogue() {
  static const Catalogue shipped = shipped_catalogue();
  return shipped;
}

std::string operands_text(const Plan& p) {
  return p.a.name + " x " + p.b.name + " + " + p.c.name + " to " + p.d.name + ", k " + std::to_string(p.k);
}

// A file of the second revision serves the instructions of the first as well.
std::string serving(const std::string& datapath) {
  const auto suffix = datapath.rfind("_revision1");
  return suffix == std::string::npos ? datapath : datapath.substr(0, suffix);
}

// One plan for each choice of operands that some instruction makes of the datapath; its own where none does.
std::vector<Plan> plans_of(const std::string& datapath) {
  std::vector<Plan> plans;
  std::set<std::string> seen;
  for (const Architecture& architecture : catalogue().architectures()) {
    for (Instruction i : architecture.instructions) {
      if (i.datapath != serving(datapath)) continue;
      i.datapath = datapath;
      Plan p = catalogue().plan_of(i);
      const std::string block = p.scale ? p.scale->name + std::to_string(p.scale_block) : "";
      if (seen.insert(operands_text(p) + block).second) plans.push_back(std::move(p));
    }
  }
  if (plans.empty()) plans.push_back(plan_of(catalogue().datapath(datapath)));
  return plans;
}

// Of mutants that have an argument, those that some case kills all the same.
std::string refuted(const KillScore& score, const std::string& where) {
  std::string lines;
  for (const Mutant& m : score.mutants()) {
    if (m.killer && !m.argument.empty()) lines += m.name + " (" + where + "), although: " + m.argument + "\n";
  }
  return lines;
}

// open_mutants.txt: what neither level 1 kills nor an argument settles, and why so far as it is known.
const std::set<std::string>& known_open() {
  static const std::set<std::string> known = [] {
    std::set<std::string> lines;
    std::ifstream file(home() + "/tb/tests/equality/open_mutants.txt");
    for (std::string line; std::getline(file, line);) {
      if (!line.empty() && line.front() != '#') lines.insert(line);
    }
    return lines;
  }();
  return known;
}

// Files of the first revision serve no instruction of the catalogue. The exponent that a zero c counts with there,
// which decides ties of sums below all normal numbers, is left to more cases than those of level 1.
bool left_to_more_cases(const std::string& datapath, const Mutant& m) {
  if (known_open().count(datapath + " " + m.name) != 0) return true;
  return serving(datapath) != datapath && m.name.find(".acc.empty ") != std::string::npos;
}

std::string open(const KillScore& score, const std::string& datapath, const std::string& where) {
  std::string lines;
  for (const Mutant& m : score.mutants()) {
    if (m.fate() == Fate::open && !left_to_more_cases(datapath, m)) lines += m.name + " (" + where + ")\n";
  }
  return lines;
}

constexpr std::uint64_t batch = 500;

void see_level_one(KillScore& score, const Plan& plan, std::uint64_t seed) {
  const Generator generator(plan, seed);
  for (std::uint64_t first = 0; first < levels().front().cases; first += batch) {
    std::vector<Case> cases;
    for (std::uint64_t i = 0; i < batch; ++i) cases.push_back(generator.make(first + i));
    score.see(cases);
  }
}

// Other cases than those that the arguments were thought up beside.
void see_corners(KillScore& score, const Plan& plan) {
  std::vector<Case> cases;
  for (std::uint64_t i = 0; i < batch; ++i) cases.push_back(corner_case(plan, i));
  score.see(cases);
}

class EveryWord : public testing::TestWithParam<std::string> {};

TEST_P(EveryWord, IsKilledByLevelOneOrShownToDecideNothing) {
  Counts all;
  for (const Plan& plan : plans_of(GetParam())) {
    for (const NanRule rule : {NanRule::bits, NanRule::any}) {
      if (rule == NanRule::any && usual_nan_rule(plan) == NanRule::bits) continue;  // one NaN: both rules are one
      KillScore level_one(plan, rule), corners = level_one;
      see_level_one(level_one, plan, 1);
      see_corners(corners, plan);
      EXPECT_EQ(open(level_one, GetParam(), operands_text(plan)), "") << "no case of level 1 kills these";
      EXPECT_EQ(refuted(level_one, operands_text(plan)) + refuted(corners, operands_text(plan)), "");
      EXPECT_EQ(level_one.cases(), 5000U);
      all.killed += level_one.counts().killed;
      all.equivalent += level_one.counts().equivalent;
    }
  }
  EXPECT_GT(all.killed, 0U);
  RecordProperty("killed", static_cast<int>(all.killed));
  RecordProperty("argued", static_cast<int>(all.equivalent));
}

// One seed a plan, drawn by lot long ago: level 1 owes nothing to the luck of seed 1.
TEST_P(EveryWord, IsKilledWithAnySeed) {
  constexpr std::uint64_t seeds[] = {271828, 1913388632, 123456789, 42, 31337, 18446744073709551615ULL, 3, 5};
  std::size_t turn = GetParam().size();
  for (const Plan& plan : plans_of(GetParam())) {
    const std::uint64_t seed = seeds[turn++ % std::size(seeds)];
    KillScore score(plan, NanRule::bits);
    see_level_one(score, plan, seed);
    EXPECT_EQ(open(score, GetParam(), operands_text(plan)), "") << "no case of level 1 kills these, seed " << seed;
  }
}

TEST(OpenMutants, AreMutantsOfTheirDatapathsThatHaveNoArgument) {
  std::map<std::string, std::set<std::string>> of_datapath;
  for (const std::string& line : known_open()) {
    const std::size_t end = line.find(' ');
    ASSERT_NE(end, std::string::npos) << line;
    of_datapath[line.substr(0, end)].insert(line.substr(end + 1));
  }
  EXPECT_FALSE(of_datapath.empty());
  for (const auto& [datapath, names] : of_datapath) {
    std::set<std::string> without_argument;
    for (const Plan& plan : plans_of(datapath)) {
      for (const Mutant& m : mutants_of(plan, NanRule::bits)) {
        if (m.argument.empty()) without_argument.insert(m.name);
      }
    }
    for (const std::string& name : names) EXPECT_EQ(without_argument.count(name), 1U) << datapath << " " << name;
  }
}

// Of the mutants that have an argument, those that cases of both kinds kill.
std::string refuted_of(const Plan& plan, std::uint64_t cases) {
  std::vector<Mutant> argued = mutants_of(plan, NanRule::bits);
  argued.erase(std::remove_if(argued.begin(), argued.end(), [](const Mutant& m) { return m.argument.empty(); }),
               argued.end());
  if (argued.empty()) return "";
  KillScore score(plan, NanRule::bits, std::move(argued));
  const Generator generator(plan, 1);
  std::vector<Case> tried;
  for (std::uint64_t i = 0; i < cases; ++i)
    tried.push_back(i % 2 == 0 ? generator.make(i / 2) : corner_case(plan, i / 2));
  score.see(tried);
  return refuted(score, operands_text(plan));
}

TEST(Equivalence, IsTrueOfDatapathsThatNobodyBuilt) {
  const int numbers = quick_or_full(40, 20'000);
  for (int number = 0; number < numbers; ++number) {
    for (std::uint64_t attempt = 0; attempt < 100; ++attempt) {
      const OwnDatapath own = random_datapath(static_cast<std::uint64_t>(number), attempt);
      const auto made = plan(own.words, own.k);
      const Plan* good = std::get_if<Plan>(&made);
      if (good == nullptr) continue;
      EXPECT_EQ(refuted_of(*good, 200), "") << "number " << number << "\n" << datapath_text(own.words, own.k);
      break;
    }
  }
}

std::string argument_for(const std::string& datapath, const std::string& mutation) {
  const Plan right = plans_of(datapath).front();
  for (const Mutation& m : mutations(right.datapath, right.k)) {
    if (m.name != mutation) continue;
    return std::string(equivalence(right, std::get<Plan>(plan(m.changed, right.k)), m));
  }
  return "There is no such mutation.";
}

TEST(Equivalence, IsArguedWhereItHoldsAndNowhereElse) {
  EXPECT_EQ(argument_for("fma_chain", "adders.fma.shape serial"), "Two terms can be added in one way only.");
  EXPECT_EQ(argument_for("fma_chain", "adders.fma.sticky on"),
            "No bit is cut off, or the first result cuts the sticky bit off again.");
  EXPECT_EQ(argument_for("fused_f25", "adders.sum.add.product.keep +1"), "");
  EXPECT_EQ(argument_for("pair_sum_coarse", "adders.sum.result[0].overflow largest"), "");  // the sticky bit is half
  EXPECT_EQ(argument_for("pair_sum_coarse", "adders.sum.sticky off"), "");
}

// Datapaths of one's own whose mutants look as if no case could tell: some case does.
struct Telling {
  const char* mutant;
  const char* words;
};

std::vector<Telling> telling() {
  return {
      {"adders.sum.add.acc.keep +1",  // nothing's words are those of the sums that follow
       "k: 4, operands: {a: f16, b: f16, c: f32, d: f32}, specials: operation, start: none, adders: [{name: sum, "
       "shape: "
       "neighbours, add: {acc: {keep: 6, cut: toward_zero}, product: {keep: 12, cut: toward_zero}}, result: [{format: "
       "d, cut: nearest_even}]}]"},
      {"adders.sum.add.acc.keep none",  // and place the sticky bit
       "k: 4, operands: {a: f16, b: f16, c: f32, d: f32}, specials: operation, start: none, adders: [{name: sum, "
       "sticky: or, add: {product: {keep: 10, cut: toward_zero}, acc: {keep: 6, cut: toward_zero}}, result: [{format: "
       "d, cut: nearest_even}]}]"},
      {"subnormals.c signed_zero",  // c comes late, after nothing too
       "k: 4, operands: {a: f16, b: f16, c: f32, d: f32}, specials: operation, start: none, subnormals: {c: zero}, "
       "adders: [{name: sum, zero: ieee, add: {product: exact}, result: [{format: d, cut: nearest_even}]}], finish: "
       "[{name: late, zero: ieee, add: {lanes: exact, c: exact}, result: [{format: d, cut: nearest_even}]}]"},
      {"adders.second.result[0].overflow largest",  // -128 is of the format, and becomes -127
       "k: 1, operands: {a: i8, b: i8, c: i32, d: i32}, specials: numbers, adders: [{name: first, add: {product: "
       "exact}, result: [{format: i8, cut: down, overflow: wrap}]}, {name: second, add: {first: exact}, result: "
       "[{format: i8, cut: down, overflow: symmetric}]}, {name: sum, add: {second: exact, acc: exact}, result: "
       "[{format: "
       "d, cut: down, overflow: wrap}]}]"},
      {"product.round exact",  // a step decides on rounded products
       "k: 1, operands: {a: f32, b: f32, c: f32, d: f32}, specials: step, product: {round: {format: f32, cut: "
       "nearest_even}}, adders: [{name: first, zero: ieee, add: {product: exact}, result: [{format: f32, cut: "
       "nearest_even}]}, {name: sum, zero: ieee, add: {first: exact, acc: exact}, result: [{format: d, cut: "
       "nearest_even}]}]"},
      {"specials operation",  // an infinity below zero is none in a format without a sign
       "k: 2, operands: {a: f16, b: f16, c: f32, d: f32}, specials: step, nan: 7fc00000, adders: [{name: first, add: "
       "{product: exact}, result: [{format: ue4m3, cut: toward_zero, overflow: largest}]}, {name: sum, add: {first: "
       "exact, acc: exact}, result: [{format: d, cut: nearest_even}]}]"},
      {"k_order.from last",  // the list of NaNs names places of the step
       "k: 8, operands: {a: e5m2fnuz, b: e5m2fnuz, c: f32, d: f32}, specials: operation, nan: {take: ['a[1]', acc]}, "
       "adders: [{name: sum, zero: ieee, add: {acc: exact, product: exact}, result: [{format: d, cut: "
       "nearest_even}]}]"},
  };
}

TEST(Equivalence, IsNotArguedWhereSomeCaseTells) {
  for (const Telling& one : telling()) {
    const DatapathFile file = read_datapath_text("{name: own, " + std::string(one.words) + "}", "own", catalogue());
    const Plan right = plan_of(file);
    std::vector<Mutant> mutants = mutants_of(right, NanRule::bits);
    mutants.erase(std::remove_if(mutants.begin(), mutants.end(), [&](const Mutant& m) { return m.name != one.mutant; }),
                  mutants.end());
    ASSERT_EQ(mutants.size(), 1u) << one.mutant;
    EXPECT_EQ(mutants.front().argument, "") << one.mutant;
    KillScore score(right, NanRule::bits, std::move(mutants));
    see_level_one(score, right, 1);
    EXPECT_EQ(score.counts().killed, 1u) << one.mutant;
  }
}

INSTANTIATE_TEST_SUITE_P(Datapaths, EveryWord, testing::ValuesIn(catalogue().datapath_names()),
                         [](const auto& tested) { return tested.param; });

}  // namespace
}  // namespace assay
