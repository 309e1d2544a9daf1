// Every word of every instruction's datapath decides something: changed by one step, it changes d for some case of
// level 1 - or there is an argument why no case can tell (tb/generate/equivalence.cpp), which must then hold for every
// case tried. Instructions that are the same plan are tried once.
#include <gtest/gtest.h>

#include <algorithm>
#include <optional>
#include <set>

#include "model/config/catalogue.hpp"
#include "tb/generate/equivalence.hpp"
#include "tb/generate/generator.hpp"
#include "tb/generate/levels.hpp"
#include "tb/generate/mutations.hpp"
#include "tb/generate/random.hpp"
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
      const std::string mask = p.mask < 0 ? "" : ", masked";
      if (seen.insert(operands_text(p) + block + mask).second) plans.push_back(std::move(p));
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

// Files of the first revision serve no instruction of the catalogue. The exponent that a zero c counts with there,
// which decides ties of sums below all normal numbers, is left to more cases than those of level 1.
bool left_to_more_cases(const std::string& datapath, const Mutant& m) {
  return serving(datapath) != datapath && m.name.find(".acc.empty ") != std::string::npos;
}

std::string open(const KillScore& score, const std::string& datapath, const Plan& plan) {
  std::string lines;
  for (const Mutant& m : score.mutants()) {
    if (m.fate() == Fate::open && !left_to_more_cases(datapath, m))
      lines += m.name + " (" + operands_text(plan) + ")\n";
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
      EXPECT_EQ(open(level_one, GetParam(), plan), "") << "no case of level 1 kills these";
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
    EXPECT_EQ(open(score, GetParam(), plan), "") << "no case of level 1 kills these, seed " << seed;
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

// A shipped datapath with two of its words changed; nothing where that is none.
std::optional<Plan> two_steps_away(std::uint64_t number) {
  Draws draws = Random{1, number}.at(Part::choice);
  const auto one_of = [&](const auto& list) { return list[draws.below(list.size())]; };
  Plan reached = one_of(plans_of(one_of(catalogue().datapath_names())));
  for (int step = 0; step < 2; ++step) {
    const auto made = plan(one_of(mutations(reached.datapath, reached.k)).changed, reached.k);
    if (std::get_if<Plan>(&made) == nullptr) return std::nullopt;
    reached = std::get<Plan>(made);
  }
  return reached;
}

// Random datapaths seldom look like those that somebody built, which most arguments are about.
TEST(Equivalence, IsTrueTwoStepsFromShippedDatapaths) {
  const int numbers = quick_or_full(60, 20'000);
  int tried = 0;
  for (int number = 0; number < numbers; ++number) {
    const std::optional<Plan> reached = two_steps_away(static_cast<std::uint64_t>(number));
    if (!reached) continue;
    ++tried;
    EXPECT_EQ(refuted_of(*reached, 200), "") << "number " << number << "\n"
                                             << datapath_text(reached->datapath, reached->k);
  }
  EXPECT_GT(tried, numbers / 3);
}

std::string argument_in(const Plan& right, const std::string& mutation) {
  for (const Mutation& m : mutations(right.datapath, right.k)) {
    if (m.name != mutation) continue;
    return std::string(equivalence(right, std::get<Plan>(plan(m.changed, right.k)), m.spot));
  }
  return "There is no such mutation.";
}

// With elements of that format, where it is named.
std::string argument_for(const std::string& datapath, const std::string& mutation, const std::string& a = "") {
  for (const Plan& right : plans_of(datapath)) {
    if (a.empty() || right.a.name == a) return argument_in(right, mutation);
  }
  return "There is no such plan.";
}

std::string argument_of_words(const std::string& words, const std::string& mutation) {
  return argument_in(plan_of(read_datapath_text("{name: own, " + words + "}", "own", catalogue())), mutation);
}

TEST(Equivalence, IsArguedWhereItHoldsAndNowhereElse) {
  EXPECT_EQ(argument_for("fma_chain", "adders.fma.shape serial"), "Two terms can be added in one way only.");
  EXPECT_EQ(argument_for("fma_chain", "adders.fma.sticky or"),
            "No bit is cut off, or the first result cuts the sticky bit off again.");
  EXPECT_EQ(argument_for("fused_f25", "adders.sum.add.product.keep +1"), "");
  EXPECT_EQ(argument_for("pair_sum_coarse", "adders.sum.result[0].overflow largest"), "");  // the sticky bit is half
  EXPECT_EQ(argument_for("pair_sum_coarse", "adders.sum.sticky none"), "");
  EXPECT_EQ(argument_for("split_f25", "subnormals.acc zero"), "No step reads an acc that is subnormal.");
  const std::string two_steps =
      ", specials: step, adders: [{name: sum, add: {product: exact, acc: exact}, result: [{format: d, cut: "
      "nearest_even}]}]";
  const std::string of_bf16 = "k: 4, operands: {a: bf16, b: bf16, c: f32, d: f32}, k_order: {step: {terms: 2}}";
  EXPECT_EQ(argument_of_words(of_bf16 + ", start: none" + two_steps, "subnormals.acc zero"), "");
  EXPECT_EQ(
      argument_of_words("k: 4, operands: {a: e4m3, b: e4m3, c: f32, d: f32}, k_order: {step: {terms: 2}}" + two_steps,
                        "subnormals.acc zero"),
      "");
}

// An argument, a mutant of a shipped datapath for which it holds, and one that looks alike and that level 1 kills
// (EveryWord).
struct Likeness {
  const char *argument, *datapath, *mutant, *unlike, *killed;
  const char *a = "", *unlike_a = "";
};

TEST(Equivalence, OfShippedDatapathsEndsWhereACaseTells) {
  const Likeness all[] = {
      {"Rounding to nearest never goes back to the greatest number.", "f24_plus_zero_tf32_step2",
       "factors.a.round.overflow directed", "f24_plus_zero_tf32_step2", "factors.a.round.overflow largest"},
      {"Rounding to nearest never goes back to the greatest number.", "dot_f46_add_pieces4_step2",
       "adders.sum.result[0].overflow directed", "f24_plus_zero_tf32_step2", "adders.sum.result[0].overflow directed"},
      {"Every NaN is written as one code.", "f24_plus_zero_tf32_step2", "factors.a.round.nan positive",
       "f24_plus_zero_tf32_step2", "factors.a.round.nan zero"},
      {"The sign of this zero is lost in the sum that takes it.", "dot_f46_add_tf32_step4",
       "factors.a.round.subnormals zero", "dot_f46_add_tf32_step4", "factors.a.round.subnormals keep"},
      {"Where the second cut looks, both ways of the first one's ties are one.", "groups8_f10",
       "adders.sum.add.groups.cut nearest_even", "groups8_f10", "adders.sum.add.groups.cut nearest_away"},
      {"No product is negative: both ways of cutting are one.", "f24_plus_zero_pieces4_step2",
       "adders.sum.add.product.cut down", "f24_plus_zero_pieces4_step2", "adders.sum.add.product.cut down", "ufp16",
       "f16"},
      {"Nothing negative is added after the first step: sums stop at the greatest number.", "pieces4_saturating_u8",
       "slices.pairs[3] first", "pieces4_saturating_i7", "slices.pairs[3] first"},
      {"Nothing negative is added after the first step: sums stop at the greatest number.", "pieces4_saturating_u8",
       "slices.pairs[2] first", "pieces4_saturating_u8", "slices.pairs[1] first"},
      {"Each first sum takes a slice of every element: all windows are one.", "dot_f46_add_pieces4_step2",
       "adders.dot.shape halves", "dot_f46_add_pieces4_step2", "adders.dot.shape serial"},
      {"What is subnormal in c lies below all that its first sum keeps.", "groups8_f23_f16", "subnormals.c keep",
       "groups8_f23", "subnormals.c keep"},
      {"No sum is so small.", "groups8_f23_f16", "adders.sum.result[0].subnormals keep", "groups8_f23",
       "adders.sum.result[0].subnormals keep"},
      {"The slices take the same bits of every number, and have the same exponents.", "groups8_f10_f16",
       "slices.pairs[0] removed", "groups8_f10_f16", "slices.pairs[0] removed", "e5m2", "f16"},
      {"The sum is exact: its window only places it.", "pieces4_saturating_i7", "slices.exponent slice",
       "groups8_f23_passes2", "slices.exponent operand"},
      {"Sums of products are exact: only the last addition rounds.", "pieces4_saturating_i7", "adders.sum.shape serial",
       "pieces4_saturating_i7", "adders.sum.shape halves"},
      {"Every sum adds the same, in another order, and there is one NaN.", "groups8_f23_err", "adders.sum.add reversed",
       "groups8_f23_err", "adders.sum.errata.minus_one +1"},
      {"No result here is -0.", "f24_plus_zero_pieces4_step2", "adders.sum.result[0].minus_zero keep",
       "f24_plus_zero_pieces8_step1", "adders.sum.result[0].minus_zero keep"},
      {"No result here is -0.", "fma_even_odd_flush_acc", "finish.late.result[0].minus_zero never",
       "fma_even_odd_flush", "finish.late.result[0].minus_zero never"},
      {"No result here is -0.", "pair_sum_coarse", "adders.sum.result[0].minus_zero never", "group_scaled_f35",
       "adders.sum.result[0].minus_zero keep"},
      {"Nothing added to the greatest number reaches half its last bit.", "f24_plus_zero_leading_step8",
       "adders.sum.result[0].overflow largest", "f24_plus_zero_tf32_step2", "adders.sum.result[0].overflow largest"},
  };
  for (const Likeness& one : all) {
    EXPECT_EQ(argument_for(one.datapath, one.mutant, one.a), one.argument) << one.datapath << " " << one.mutant;
    EXPECT_EQ(argument_for(one.unlike, one.killed, one.unlike_a), "") << one.unlike << " " << one.killed;
  }
}

constexpr const char* f16_rounded_down_to_nearest_up =
    "k: 4, operands: {a: f16, b: f16, c: f32, d: f16}, specials: operation, adders: [{name: sum, add: {product: exact, "
    "acc: exact}, result: [{format: d, cut: nearest_up}]}]";

std::string with_rows(const std::string& rows, const std::string& product) {
  return "k: 2, operands: {a: f16, b: e5m2, c: f32, d: f32}, specials: step, product: {rows: {of: b, " + rows +
         "}}, adders: [{name: sum, add: {product: " + product + ", acc: exact}, result: [{format: d, cut: down}]}]";
}

TEST(Equivalence, OfRowsEndsWhereACaseTells) {
  const std::string cut = "{keep: 6, cut: down}", few = "Of five rows or fewer both ways make the same two.",
                    whole = "All rows are added as they are: their sum is the product, whichever they are.";
  EXPECT_EQ(argument_of_words(with_rows("digits: booth4", cut), "product.rows.compress chain"), few);
  EXPECT_EQ(argument_of_words(with_rows("digits: booth4", cut), "product.rows.sign digits"), "");
  EXPECT_EQ(argument_of_words(with_rows("digits: booth4", "exact"), "product.rows.sign digits"), whole);
  EXPECT_EQ(argument_of_words(with_rows("digits: booth4", "exact"), "product.rows none"), "");
  const std::string many =
      "k: 2, operands: {a: f16, b: f16, c: f32, d: f32}, specials: step, product: {rows: {of: b, "
      "digits: booth4}}, adders: [{name: sum, add: {product: {keep: 6, cut: down}, acc: exact}, "
      "result: [{format: d, cut: down}]}]";
  EXPECT_EQ(argument_of_words(many, "product.rows.compress chain"), "");
}

TEST(Equivalence, OfWhatIsTooLargeHoldsTowardZero) {
  const auto unit = [](const std::string& cut, const std::string& overflow) {
    return "k: 2, operands: {a: f16, b: f16, c: f16, d: f16}, specials: step, adders: [{name: sum, add: {product: "
           "exact, "
           "acc: exact}, result: [{format: d, cut: " +
           cut + ", overflow: " + overflow + "}]}]";
  };
  const char* says = "Rounding toward zero always goes back to the greatest number.";
  EXPECT_EQ(argument_of_words(unit("toward_zero", "directed"), "adders.sum.result[0].overflow largest"), says);
  EXPECT_EQ(argument_of_words(unit("toward_zero", "largest"), "adders.sum.result[0].overflow directed"), says);
  EXPECT_EQ(argument_of_words(unit("toward_zero", "directed"), "adders.sum.result[0].overflow infinity"), "");
  EXPECT_EQ(argument_of_words(unit("down", "directed"), "adders.sum.result[0].overflow largest"), "");
  EXPECT_EQ(argument_of_words(unit("nearest_even", "directed"), "adders.sum.result[0].overflow largest"), "");
}

TEST(Equivalence, OfWhatIsTooLargeHoldsForEveryNearest) {
  EXPECT_EQ(argument_of_words(f16_rounded_down_to_nearest_up, "adders.sum.result[0].overflow directed"),
            "Rounding to nearest never goes back to the greatest number.");
  EXPECT_EQ(argument_of_words(f16_rounded_down_to_nearest_up, "adders.sum.result[0].overflow largest"), "");
}

TEST(Equivalence, OfWhatIsTooLargeHoldsTowardZeroAndNotUpOrDown) {
  const char* largest = "adders.fma.result[0].overflow largest";
  EXPECT_EQ(argument_for("fma_chain_rz", largest), "Rounding toward zero always goes back to the greatest number.");
  EXPECT_EQ(argument_for("fma_chain_rz", "adders.fma.result[0].overflow infinity"), "");
  EXPECT_EQ(argument_for("fma_chain_rm", largest), "");
  EXPECT_EQ(argument_for("fma_chain_bca_rp", largest), "");
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
      {"factors.a.round.minus_zero never",  // a sum under the IEEE rule looks at signs of zeros
       "k: 2, operands: {a: f32, b: f32, c: f32, d: f32}, specials: step, nan: 7fffffff, factors: {a: {round: {format: "
       "tf32, cut: nearest_even}}}, adders: [{name: sum, zero: ieee, add: {product: {keep: 30, cut: toward_zero}, acc: "
       "exact}, result: [{format: d, cut: nearest_even}]}]"},
      {"factors.a.round.nan positive",  // NaNs keep their sign
       "k: 2, operands: {a: f32, b: f32, c: f32, d: f32}, specials: step, nan: signed, factors: {a: {round: {format: "
       "tf32, cut: nearest_even}}}, adders: [{name: sum, add: {product: {keep: 30, cut: toward_zero}, acc: exact}, "
       "result: [{format: d, cut: nearest_even}]}]"},
      {"factors.a.round.overflow directed",  // toward zero goes back to the greatest number
       "k: 2, operands: {a: f32, b: f32, c: f32, d: f32}, specials: step, nan: 7fffffff, factors: {a: {round: {format: "
       "f16, cut: toward_zero}}}, adders: [{name: sum, add: {product: {keep: 30, cut: toward_zero}, acc: exact}, "
       "result: [{format: d, cut: nearest_even}]}]"},
      {"adders.sum.result[1].overflow top",  // of the same numbers, those of the top exponent are too large
       "k: 6, operands: {a: e2m3, b: e2m3, c: bf16, d: e2m3}, specials: numbers, adders: [{name: sum, add: {product: "
       "exact, acc: {keep: 14, cut: toward_zero}}, result: [{format: d, cut: down, overflow: largest}, {format: d, "
       "cut: "
       "up, overflow: largest}]}]"},
      {"adders.sum.result[0].minus_zero never",  // a list may have no number beside zero
       "k: 4, formats: {listed: {values: [0, -0, -1, 1, 2, 3, 4, 8]}}, operands: {a: i4, b: i4, c: f16, d: listed}, "
       "specials: operation, adders: [{name: sum, add: {product: exact, acc: {keep: 6, cut: toward_zero}}, result: "
       "[{format: d, cut: nearest_even, overflow: largest, infinity: largest, nan: largest}]}]"},
      {"product.round exact",  // where windows are lost, the exponent of a product that is not its leading one's counts
       "k: 4, operands: {a: e3m2, b: e3m2, c: f32, d: f32}, specials: operation, product: {round: {format: d, cut: "
       "nearest_even}}, adders: [{name: first, add: {product: exact}, window: {lost_at: 0}, result: [{format: d, cut: "
       "nearest_even}]}, {name: sum, add: {first: exact, acc: exact}, result: [{format: d, cut: nearest_even}]}]"},
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
