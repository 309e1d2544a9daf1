// Circuits, words, cuts and what merges equal nodes: against numbers, and against near misses.
#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <set>

#include "model/base/error.hpp"
#include "model/base/files.hpp"
#include "tb/prove/algebra.hpp"
#include "tb/prove/cut.hpp"
#include "tb/prove/named_values.hpp"
#include "tb/prove/netlist.hpp"
#include "tb/prove/sum_range.hpp"
#include "tb/prove/sweep.hpp"
#include "tb/prove/word.hpp"
#include "tb/tests/source_dir.hpp"

namespace assay {
namespace {

GateWord input_word(Gates& gates, int width, bool is_signed) {
  GateWord word{{}, is_signed};
  for (int i = 0; i < width; ++i) word.bits.push_back(gates.input());
  return word;
}

// A word's value in one of 64 cases.
std::int64_t value_in(const GateWord& word, const GateSimulation& simulation, int lane) {
  std::uint64_t value = 0;
  for (int i = 0; i < word.width(); ++i) value |= (simulation.of(word.bit(i)) >> lane & 1) << i;
  if (word.is_signed && (value >> (word.width() - 1) & 1) != 0) value |= ~std::uint64_t{0} << word.width();
  return static_cast<std::int64_t>(value);
}

std::int64_t wrapped(std::int64_t value, int width, bool is_signed) {
  const auto bits = static_cast<std::uint64_t>(value) & ((std::uint64_t{1} << width) - 1);
  const bool negative = is_signed && (bits >> (width - 1) & 1) != 0;
  return static_cast<std::int64_t>(negative ? bits | ~std::uint64_t{0} << width : bits);
}

struct Both {
  std::int64_t x, y;
};

// All of `made` at random values of two words, against what C++ computes.
void expect_numbers(bool is_signed, int width) {
  Gates gates;
  WordMaker words(gates);
  const GateWord x = input_word(gates, width, is_signed), y = input_word(gates, width, is_signed);
  const GateWord sum = words.sum(x, y), difference = words.difference(x, y), product = words.product(x, y);
  const GateWord by = extended({{y.bits.begin(), y.bits.begin() + 2}, false}, width, false);
  const GateWord left = words.left(x, by), right = words.right(x, by);
  const WordMaker::Division parts = words.divided(extended({x.bits, false}, width, false), 3);
  const Lit less = words.is_less(x, y), same = words.is_same(x, y);
  GateSimulation simulation(gates);
  std::mt19937_64 random(7);
  for (int round = 0; round < 20; ++round) {
    std::vector<std::uint64_t> inputs;
    for (int i = 0; i < 2 * width; ++i) inputs.push_back(random());
    simulation.run(inputs);
    for (int lane = 0; lane < 64; ++lane) {
      const std::int64_t p = value_in(x, simulation, lane), q = value_in(y, simulation, lane);
      const auto expect = [&](const GateWord& word, std::int64_t value) {
        EXPECT_EQ(value_in(word, simulation, lane), wrapped(value, width, is_signed)) << p << " " << q;
      };
      expect(sum, p + q);
      expect(difference, p - q);
      expect(product, p * q);
      expect(left, p * (std::int64_t{1} << (q & 3)));
      expect(right, p >> (q & 3));
      const std::int64_t plain = wrapped(p, width, false);
      EXPECT_EQ(wrapped(value_in(parts.quotient, simulation, lane), width, false), plain / 3);
      EXPECT_EQ(wrapped(value_in(parts.remainder, simulation, lane), width, false), plain % 3);
      EXPECT_EQ((simulation.of(less) >> lane & 1) != 0, p < q);
      EXPECT_EQ((simulation.of(same) >> lane & 1) != 0, p == q);
    }
  }
}

TEST(Gates, ComputeWithSignedWords) { expect_numbers(true, 9); }
TEST(Gates, ComputeWithUnsignedWords) { expect_numbers(false, 8); }

TEST(Gates, AreThereOnce) {
  Gates gates;
  const Lit x = gates.input(), y = gates.input();
  EXPECT_EQ(gates.both(x, y), gates.both(y, x));
  EXPECT_EQ(gates.both(x, inverted(x)), lit_false);
  EXPECT_EQ(gates.both(x, lit_true), x);
  EXPECT_EQ(gates.both(gates.both(x, y), inverted(x)), lit_false);
  EXPECT_EQ(gates.both(x, inverted(gates.both(x, y))), gates.both(x, inverted(y)));
  const Lit z = gates.input();
  EXPECT_EQ(gates.both(gates.both(x, y), gates.both(inverted(y), z)), lit_false);
  EXPECT_EQ(gates.both(inverted(gates.both(inverted(y), z)), gates.both(x, y)), gates.both(x, y));
  EXPECT_EQ(gates.choose(x, y, y), y);
  EXPECT_EQ(gates.differ(x, inverted(y)), inverted(gates.differ(x, y)));
}

TEST(Cuts, AreThoseThatBothSidesShare) {
  Gates gates;
  std::vector<Lit> in;
  for (int i = 0; i < 8; ++i) in.push_back(gates.input());
  const Lit p = gates.differ(gates.differ(in[0], in[1]), gates.differ(in[2], in[3]));
  const Lit q = gates.both(gates.both(in[4], in[5]), gates.both(in[6], in[7]));
  const Lit x = gates.both(p, q), y = gates.either(p, q);
  const auto cut = smallest_cut(gates, {x}, {y}, 4);
  ASSERT_TRUE(cut);
  EXPECT_EQ(*cut, (std::vector<std::uint32_t>{node_of(p), node_of(q)}));
  EXPECT_FALSE(smallest_cut(gates, {x}, {y}, 1));
}

// Whether every way from a root down to an input meets one of these nodes.
bool cuts_all(const Gates& gates, const std::vector<Lit>& roots, std::uint64_t nodes) {
  const auto is_in = [&](std::uint32_t node) { return (nodes >> node & 1) != 0; };
  for (const std::uint32_t node : cone_of(gates, roots, is_in)) {
    if (gates.is_input(node) && !is_in(node)) return false;
  }
  return true;
}

std::uint64_t set_of(const std::vector<std::uint32_t>& nodes) {
  std::uint64_t set = 0;
  for (const std::uint32_t node : nodes) set |= std::uint64_t{1} << node;
  return set;
}

// Of all sets of nodes of small circuits, tried one by one, none is smaller; of those as small the one found lies
// lowest, or highest where that is asked for.
TEST(Cuts, AreTheSmallestOfAllSets) {
  std::mt19937_64 random(7);
  for (int number = 0; number < 60; ++number) {
    Gates gates;
    std::vector<Lit> made;
    for (int i = 0; i < 5; ++i) made.push_back(gates.input());
    while (gates.size() < 15) {
      const auto any = [&] { return inverted_if(made[random() % made.size()], random() % 2 != 0); };
      const Lit l = gates.both(any(), any());
      if (!is_constant(l)) made.push_back(l);
    }
    const std::vector<Lit> roots{made[made.size() - 1], made[made.size() - 2], made[made.size() - 3]};
    const std::uint64_t barred = random() & 0x7fc0;  // gates alone, which may not be in the cut
    const auto may_cut = [&](std::uint32_t node) { return (barred >> node & 1) == 0; };
    std::size_t fewest = 64;
    for (std::uint64_t set = 0; set < 1 << 15; set += 2) {
      const auto size = static_cast<std::size_t>(__builtin_popcountll(set));
      if (size < fewest && (set & barred) == 0 && cuts_all(gates, roots, set)) fewest = size;
    }
    const auto is_leaf = [](std::uint32_t) { return false; };
    const auto low = smallest_cut(gates, {roots, may_cut, is_leaf, false}, 15);
    const auto high = smallest_cut(gates, {roots, may_cut, is_leaf, true}, 15);
    ASSERT_TRUE(low && high) << number;
    for (const auto& cut : {*low, *high}) {
      EXPECT_EQ(cut.size(), fewest) << number;
      EXPECT_EQ(set_of(cut) & barred, 0U) << number;
      EXPECT_TRUE(cuts_all(gates, roots, set_of(cut))) << number;
    }
    for (std::uint64_t set = 0; set < 1 << 15; set += 2) {
      if (static_cast<std::size_t>(__builtin_popcountll(set)) != fewest || (set & barred) != 0) continue;
      if (!cuts_all(gates, roots, set)) continue;
      std::vector<Lit> nodes, of_high;
      for (std::uint32_t node = 1; node < gates.size(); ++node) {
        if ((set >> node & 1) != 0) nodes.push_back(lit_of(node));
      }
      for (const std::uint32_t node : *high) of_high.push_back(lit_of(node));
      EXPECT_TRUE(cuts_all(gates, nodes, set_of(*low))) << number << ": a cut lies lower";
      EXPECT_TRUE(cuts_all(gates, of_high, set)) << number << ": a cut lies higher";
    }
    EXPECT_FALSE(smallest_cut(gates, {roots, may_cut, is_leaf, false}, static_cast<int>(fewest) - 1)) << number;
  }
}

TEST(Cuts, HaveAllValuesTried) {
  Gates gates;
  std::vector<Lit> in;
  std::vector<std::uint32_t> leaves;
  Lit all = lit_true;
  for (int i = 0; i < 13; ++i) {
    in.push_back(gates.input());
    leaves.push_back(node_of(in.back()));
    all = gates.both(all, inverted_if(in.back(), (0x0a5c >> i & 1) == 0));
  }
  EXPECT_EQ(all_values(gates, all, leaves, 5, {}), (std::vector<std::uint64_t>{0x0a5c}));
  EXPECT_EQ(all_values(gates, inverted(all), leaves, 10000, {}).size(), (1U << 13) - 1);
  EXPECT_EQ(all_values(gates, in[2], {leaves[0], leaves[1], leaves[2]}, 10, {}).size(), 4U);
}

// --- what merges ---

std::vector<std::vector<std::uint64_t>> random_patterns(std::size_t inputs) {
  std::mt19937_64 random(1);
  std::vector<std::vector<std::uint64_t>> patterns(inputs);
  for (auto& words : patterns) words = {random(), random()};
  return patterns;
}

// Two multipliers, rows added in turn; of the second, whose rows are b's bits from the top, one value's bit 5 is
// turned.
struct Multipliers {
  Gates gates;
  std::vector<Lit> x, y;

  Multipliers(int width, bool has_fault) {
    WordMaker words(gates);
    const GateWord a = extended(input_word(gates, width, false), 2 * width, false);
    const GateWord b = extended(input_word(gates, width, false), 2 * width, false);
    x = words.product(a, b).bits;
    GateWord sum = constant_word(0, 2 * width, false);
    for (int row = width - 1; row >= 0; --row) {
      GateWord part = constant_word(0, 2 * width, false);
      for (int i = 0; i < width; ++i) part.bits[static_cast<std::size_t>(i + row)] = gates.both(a.bit(i), b.bit(row));
      sum = words.sum(sum, part);
    }
    y = sum.bits;
    if (!has_fault) return;
    Lit when = lit_true;
    for (int i = 0; i < width; ++i)
      when = gates.both(when, gates.both(inverted_if(a.bit(i), i % 2 == 0), inverted_if(b.bit(i), i % 3 == 0)));
    y[5] = gates.differ(y[5], when);
  }

  std::size_t bits_equal(const SweepLimits& limits) {
    Sweep sweep(gates, random_patterns(gates.inputs().size()), limits, [] { return true; });
    sweep.run({x, y});
    std::size_t equal = 0;
    for (std::size_t i = 0; i < x.size(); ++i) equal += sweep.of(x[i]) == sweep.of(y[i]) ? 1 : 0;
    return equal;
  }
};

TEST(Sweeps, MergeWhatIsEqual) { EXPECT_EQ(Multipliers(7, false).bits_equal({}), 14U); }

// One of 2^14 values, which no pattern has.
TEST(Sweeps, DoNotMergeWhatDiffersForOneValue) { EXPECT_EQ(Multipliers(7, true).bits_equal({}), 13U); }

// Whichever engine is left to find it.
TEST(Sweeps, DoNotMergeItByAnyEngine) {
  SweepLimits no_solver;
  no_solver.local_conflicts = no_solver.conflicts = no_solver.goal_conflicts = 0;
  EXPECT_EQ(Multipliers(6, false).bits_equal(no_solver), 12U);
  EXPECT_EQ(Multipliers(6, true).bits_equal(no_solver), 11U);
  SweepLimits no_cut;
  no_cut.cut = no_cut.goal_cut = 0;
  no_cut.conflicts = no_cut.goal_conflicts = 100000;
  EXPECT_EQ(Multipliers(5, false).bits_equal(no_cut), 10U);
  EXPECT_LT(Multipliers(6, true).bits_equal(no_cut), 12U);
}

// --- what is assumed ---

// One bit that the sides differ by, for one value of `a` and where b's square ends in certain 8 bits: 0x35, which never
// is, or 0x31. That this is never is the lemma, and no case has it.
struct Guarded {
  Gates gates;
  std::vector<Lit> x, y;
  Lit lemma = lit_true;

  explicit Guarded(std::uint64_t end) {
    WordMaker words(gates);
    const GateWord a = input_word(gates, 12, false), b = input_word(gates, 8, false);
    const Lit ends = words.is_same(words.product(b, b), constant_word(end, 8, false));
    const Lit when = gates.both(ends, words.is_same(a, constant_word(0xbee, 12, false)));
    lemma = inverted(when);
    x = {gates.differ(a.bit(0), b.bit(1))};
    y = {gates.differ(x.front(), when)};
  }

  Sweep swept() {
    Sweep sweep(gates, random_patterns(gates.inputs().size()), {}, [] { return true; });
    SweepStage lemma_stage{{lemma}, {lit_true}}, stage{x, y};
    lemma_stage.is_lemma = true;
    lemma_stage.name = "never";
    stage.given = {0};
    sweep.run(lemma_stage);
    sweep.run(stage);
    return sweep;
  }
};

TEST(Lemmas, ThatAreProvedMayBeUsed) {
  Guarded guarded(0x35);
  const Sweep sweep = guarded.swept();
  EXPECT_TRUE(sweep.is_proved(0));
  EXPECT_EQ(sweep.of(guarded.x.front()), sweep.of(guarded.y.front()));
}

// No case has it; the stage is equal if it is assumed.
TEST(Lemmas, ThatAreWrongAreNotAssumed) {
  Guarded guarded(0x31);
  const Sweep sweep = guarded.swept();
  EXPECT_FALSE(sweep.is_proved(0));
  EXPECT_NE(sweep.of(guarded.x.front()), sweep.of(guarded.y.front()));
  EXPECT_TRUE(sweep.efforts()[1].under.empty());
}

// Three words of four bits in a sum of eight, of which the highest bits are to be the one below them.
struct AboveSum {
  Gates gates;
  std::vector<std::vector<Lit>> addends;
  std::vector<Lit> sum;

  // `more`: a bit is added that is in none of the words.
  explicit AboveSum(bool more = false) {
    WordMaker words(gates);
    GateWord total = constant_word(0, 8, true);
    if (more) total = extended({{gates.input()}, true}, 8, true);
    for (int i = 0; i < 3; ++i) {
      const GateWord word = input_word(gates, 4, true);
      addends.push_back(word.bits);
      total = words.sum(total, extended(word, 8, true));
    }
    sum = total.bits;
  }

  // Whether they are, of a place so wide, by what the sum is of alone.
  bool is_sign(std::size_t narrow) {
    SweepLimits no_solver;
    no_solver.local_conflicts = no_solver.conflicts = no_solver.goal_conflicts = 0;
    no_solver.cut = no_solver.goal_cut = no_solver.word_cut = 0;
    Sweep sweep(gates, random_patterns(gates.inputs().size()), no_solver, [] { return true; });
    const auto from = sum.begin() + static_cast<std::ptrdiff_t>(narrow);
    SweepStage stage{{from, sum.end()}, std::vector<Lit>(sum.size() - narrow, sum[narrow - 1])};
    stage.is_aid = stage.is_rewritten = true;
    stage.sum = sum;
    stage.addends = addends;
    sweep.run(stage);
    return sweep.is_equal();
  }
};

// From -24 to 21: six bits.
TEST(AboveSums, AreItsSignWhereTheAddendsFit) { EXPECT_TRUE(AboveSum().is_sign(6)); }
TEST(AboveSums, AreNotWhereTheyDoNot) { EXPECT_FALSE(AboveSum().is_sign(5)); }
TEST(AboveSums, AreNotWhereMoreIsAdded) { EXPECT_FALSE(AboveSum(true).is_sign(6)); }
TEST(AboveSums, AreNotOfAWordLess) {
  AboveSum less;
  less.addends.erase(less.addends.begin());
  EXPECT_FALSE(less.is_sign(5));
}

// What is read of a place is written anew, made of the place: if it is proved to be that.
Sweep rewritten(const Guarded& guarded, const std::vector<Lit>& above, const std::vector<Lit>& made_above) {
  Sweep sweep(guarded.gates, random_patterns(guarded.gates.inputs().size()), {}, [] { return true; });
  SweepStage aid{guarded.x, guarded.y}, stage{above, made_above};
  aid.is_aid = aid.is_rewritten = true;
  stage.is_refuted = true;  // so that nobody proves it otherwise
  sweep.run(aid);
  sweep.run(stage);
  return sweep;
}

TEST(Lemmas, WhatIsReadIsWrittenAnewWhereThatIsProved) {
  for (const std::uint64_t end : {0x35, 0x31}) {  // never, and sometimes
    Guarded guarded(end);
    const Lit more = guarded.gates.input();
    const std::vector<Lit> x{guarded.gates.both(guarded.x.front(), more)},
        y{guarded.gates.both(guarded.y.front(), more)};
    const Sweep sweep = rewritten(guarded, x, y);
    EXPECT_EQ(sweep.of(x.front()) == sweep.of(y.front()), end == 0x35);
  }
}

// p and q are never both true, which a cut at both no longer shows.
TEST(Cuts, OfFreeNodesRefuteNothing) {
  Gates gates;
  const Lit a = gates.input(), b = gates.input(), c = gates.input();
  const Lit p = gates.both(a, b), q = gates.both(a, inverted(b));
  const std::vector<Lit> x{gates.both(c, gates.either(p, q))}, y{gates.both(c, gates.differ(p, q))};
  Sweep sweep(gates, random_patterns(3), {}, [] { return true; });
  sweep.run({x, y});
  EXPECT_EQ(sweep.of(x.front()), sweep.of(y.front()));
}

// --- what a sum's leading bit decides ---

enum class NormaliserFault { none, zero, positive, negative, never };

// The magnitude of a sum with its first one on top: shifted by the number of that bit, and by ever smaller powers of
// two as long as there are zeros above. The sum's three top bits are its sign, always. A fault is at zero, at 511, at
// -511, or where those three bits differ.
struct Normalised {
  static constexpr int width = 40;
  Gates gates;
  std::vector<Lit> leading, x, y;

  explicit Normalised(NormaliserFault fault) {
    WordMaker words(gates);
    const auto number = [](std::uint64_t value) { return constant_word(value, width, false); };
    const GateWord p = input_word(gates, width - 3, true), q = input_word(gates, width - 3, true);
    const GateWord sum = words.sum(extended(p, width, true), extended(q, width, true));
    const GateWord bits = extended(sum, width, false), zero = number(0);
    const GateWord magnitude = words.chosen(sum.top(), words.difference(zero, bits), bits);
    GateWord by = zero;
    for (int i = 0; i < width; ++i)
      by = words.chosen(magnitude.bit(i), number(static_cast<std::uint64_t>(width - 1 - i)), by);
    GateWord staged = magnitude;
    for (int step = 32; step > 0; step /= 2) {
      Lit is_zero = lit_true;
      for (int i = width - std::min(step, width); i < width; ++i)
        is_zero = gates.both(is_zero, inverted(staged.bit(i)));
      staged = words.chosen(is_zero, words.left(staged, number(static_cast<std::uint64_t>(step))), staged);
    }
    leading = sum.bits;
    x = words.left(magnitude, by).bits;
    y = staged.bits;
    y.front() = gates.differ(y.front(), where(fault, sum, magnitude, words));
  }

  Lit where(NormaliserFault fault, const GateWord& sum, const GateWord& magnitude, WordMaker& words) {
    const Lit is_511 = words.is_same(magnitude, constant_word(511, width, false));
    switch (fault) {
      case NormaliserFault::none: return lit_false;
      case NormaliserFault::zero: return words.is_same(magnitude, constant_word(0, width, false));
      case NormaliserFault::positive: return gates.both(is_511, inverted(sum.top()));
      case NormaliserFault::negative: return gates.both(is_511, sum.top());
      case NormaliserFault::never: return gates.differ(sum.bit(width - 2), sum.top());
    }
    return lit_false;
  }

  // Whether a split on the leading bit shows that both are; and whether anything does.
  std::pair<bool, bool> are_one(int conflicts = 500) {
    SweepLimits few;
    few.local_conflicts = few.conflicts = 50;
    few.goal_conflicts = conflicts;
    few.cut = few.goal_cut = few.word_cut = 8;
    Sweep sweep(gates, random_patterns(gates.inputs().size()), few, [] { return true; });
    SweepStage stage{x, y};
    stage.is_aid = stage.is_rewritten = true;
    stage.leading = leading;
    sweep.run(stage);
    return {sweep.efforts().back().engines.count(ProofEngine::case_split) != 0, sweep.is_equal()};
  }
};

TEST(CaseSplits, ShowWhatALeadingBitDecides) {
  const std::pair<bool, bool> shown{true, true};
  EXPECT_EQ(Normalised(NormaliserFault::none).are_one(), shown);
  EXPECT_EQ(Normalised(NormaliserFault::never).are_one(), shown) << "a case that does not come up";
}

TEST(CaseSplits, TakeNothingForNeverThatNobodyShows) {
  EXPECT_FALSE(Normalised(NormaliserFault::never).are_one(0).first);
}

TEST(CaseSplits, LeaveNoCaseOut) {
  for (const NormaliserFault fault : {NormaliserFault::zero, NormaliserFault::positive, NormaliserFault::negative})
    EXPECT_EQ(Normalised(fault).are_one(), (std::pair<bool, bool>{false, false})) << static_cast<int>(fault);
}

// --- what a unit reads around a place ---

// A place shows a product, of which nobody proves in time that both sides have it. The unit counts from 77 on: it shows
// 77 less than what it goes on with, and the next stage reads what it goes on with.
struct Biased {
  static constexpr int width = 16;
  Multipliers products;
  std::vector<Lit> place, shown, x, y;

  explicit Biased(bool has_fault, std::uint64_t bias_read = 77) : products(width / 2, has_fault) {
    WordMaker words(products.gates);
    const auto number = [](std::uint64_t value) { return constant_word(value, width, false); };
    const GateWord biased = words.sum({products.y, false}, number(77));
    place = products.x;
    shown = words.difference(biased, number(77)).bits;
    x = words.sum({place, false}, number(0x5a5)).bits;
    y = words.sum(biased, number(0x5a5 - bias_read)).bits;
  }

  // Bits of the next stage that are one; the first place's sides are known to be equal, or nobody has proved it.
  std::size_t bits_equal(bool is_known, bool reads) {
    SweepLimits few;
    few.local_conflicts = few.conflicts = few.goal_conflicts = 200;
    few.cut = few.goal_cut = few.word_cut = 10;
    Sweep sweep(products.gates, random_patterns(products.gates.inputs().size()), few, [] { return true; });
    SweepStage before{place, shown}, stage{x, y};
    before.is_known = is_known;
    before.shown = shown;
    if (reads) stage.reads = {0};
    sweep.run(before);
    sweep.run(stage);
    std::size_t equal = 0;
    for (std::size_t i = 0; i < x.size(); ++i) equal += sweep.of(x[i]) == sweep.of(y[i]) ? 1 : 0;
    return equal;
  }
};

TEST(Around, APlaceThatIsProvedIsWhatTheUnitShows) { EXPECT_EQ(Biased(false).bits_equal(true, true), 16U); }
TEST(Around, NothingIsProvedWithoutIt) { EXPECT_LT(Biased(false).bits_equal(true, false), 16U); }
// Another number for one value of the operands, which no case has.
TEST(Around, APlaceThatIsNotProvedIsNotUsed) { EXPECT_LT(Biased(true).bits_equal(false, true), 16U); }
TEST(Around, AStageThatReadsSomethingElseIsNotProved) { EXPECT_LT(Biased(false, 78).bits_equal(true, true), 16U); }

// --- what laws decide ---

// The largest of three numbers, found in two orders, and what is true of it.
struct Largest {
  Gates gates;
  WordMaker words{gates};
  std::vector<GateWord> numbers;
  GateWord model, unit;

  Largest() {
    for (int i = 0; i < 3; ++i) numbers.push_back(input_word(gates, 9, false));
    model = larger(larger(numbers[0], numbers[1]), numbers[2]);
    unit = larger(numbers[0], larger(numbers[2], numbers[1]));
  }
  GateWord larger(const GateWord& x, const GateWord& y) { return words.chosen(words.is_less(x, y), y, x); }
  Lit is_none_above(const GateWord& n) {
    Lit all = lit_true;
    for (const GateWord& one : numbers) all = gates.both(all, inverted(words.is_less(n, one)));
    return all;
  }
  Lit is_one(const GateWord& n) {
    Lit any = lit_false;
    for (const GateWord& one : numbers) any = gates.either(any, words.is_same(n, one));
    return any;
  }

  // By those of two laws that are asked for, of each side, and by nothing else.
  bool are_one(bool none_above, bool one) {
    std::vector<SweepStage> stages;
    SweepStage by_laws{model.bits, unit.bits};
    const auto add = [&](Lit of_model, Lit of_unit) {
      for (const Lit law : {of_model, of_unit}) {
        by_laws.laws.push_back(stages.size());
        stages.push_back({{law}, {lit_true}});
        stages.back().is_lemma = stages.back().is_aid = true;
        stages.back().is_of_unit = law == of_unit;
      }
    };
    if (none_above) add(is_none_above(model), is_none_above(unit));
    if (one) add(is_one(model), is_one(unit));
    for (const GateWord& n : numbers) by_laws.below.insert(by_laws.below.end(), n.bits.begin(), n.bits.end());
    Sweep sweep(gates, random_patterns(gates.inputs().size()), {}, [] { return true; });
    for (SweepStage& stage : stages) sweep.run(std::move(stage));
    sweep.run(std::move(by_laws));
    return sweep.is_equal();
  }
};

TEST(Laws, ProveWhatTheyDecide) { EXPECT_TRUE(Largest().are_one(true, true)); }

TEST(Laws, ProveNothingWhereTheyLeaveTwoValues) {
  EXPECT_FALSE(Largest().are_one(true, false));
  EXPECT_FALSE(Largest().are_one(false, true));
}

// For one value of two of the numbers it is the third: no case shows that.
TEST(Laws, ThatAUnitDoesNotObeyProveNothing) {
  Largest wrong;
  GateWord both = wrong.numbers[0];
  both.bits.insert(both.bits.end(), wrong.numbers[1].bits.begin(), wrong.numbers[1].bits.end());
  wrong.unit =
      wrong.words.chosen(wrong.words.is_same(both, constant_word(0x2f9d3, 18, false)), wrong.numbers[2], wrong.unit);
  EXPECT_FALSE(wrong.are_one(true, true));
}

// --- sums ---

// Numbers added one after the other, and with carries saved.
struct Sums {
  Gates gates;
  std::vector<Lit> x, y;

  // `spells_out`: carries of which each pair of bits is one `and`.
  Sums(int count, int width, int grown, bool spells_out = false) {
    WordMaker words(gates);
    GateWord sum = constant_word(0, grown, false), saved = sum, carries = sum;
    const auto carry = [&](Lit p, Lit q, Lit r) {
      return spells_out ? gates.either(gates.either(gates.both(p, q), gates.both(p, r)), gates.both(q, r))
                        : gates.majority(p, q, r);
    };
    for (int i = 0; i < count; ++i) {
      const GateWord term = extended(input_word(gates, width, true), grown, false);
      sum = words.sum(sum, term);
      GateWord next = constant_word(0, grown, false);
      for (int bit = 0; bit < grown; ++bit) {
        const auto at = static_cast<std::size_t>(bit);
        if (bit + 1 < grown) next.bits[at + 1] = carry(saved.bits[at], carries.bits[at], term.bits[at]);
        saved.bits[at] = gates.differ(gates.differ(saved.bits[at], carries.bits[at]), term.bits[at]);
      }
      carries = next;
    }
    x = sum.bits;
    y = words.sum(saved, carries).bits;
  }
};

TEST(Sums, AreTheSameInEveryOrder) {
  const Sums few(4, 8, 11);
  EXPECT_TRUE(is_same_sum(few.gates, few.x, few.y));
  const Sums many(17, 28, 33);
  EXPECT_TRUE(is_same_sum(many.gates, many.x, many.y));
}

// Where the sign's bits are many, the second row adds a sum and a carry of the same two bits, never set together.
TEST(Sums, AreTheSameWhereACarryIsNoCells) {
  for (const int count : {5, 17}) {
    const Sums sums(count, 28, 33, true);
    EXPECT_TRUE(is_same_sum(sums.gates, sums.x, sums.y)) << count;
    EXPECT_TRUE(is_same_sum(sums.gates, sums.y, sums.x)) << count;
    std::vector<Lit> turned = sums.y;
    turned.back() = inverted(turned.back());
    EXPECT_FALSE(is_same_sum(sums.gates, sums.x, turned)) << count;
  }
}

TEST(Sums, AreNotWhereABitIsAnother) {
  for (const std::size_t bit : {std::size_t{0}, std::size_t{5}, std::size_t{10}}) {
    Sums sums(4, 8, 11);
    std::vector<Lit> turned = sums.y;
    turned[bit] = inverted(turned[bit]);
    EXPECT_FALSE(is_same_sum(sums.gates, sums.x, turned)) << bit;
    std::swap(sums.y[bit], sums.y[bit == 0 ? 1 : bit - 1]);
    EXPECT_FALSE(is_same_sum(sums.gates, sums.x, sums.y)) << bit;
  }
  Sums sums(3, 8, 10);
  EXPECT_FALSE(is_same_sum(sums.gates, sums.x, {sums.y.begin(), sums.y.end() - 1}));
}

// Signed words of several widths, and their sum in another order.
TEST(SumRange, KnowsWhatASumIsOf) {
  Gates gates;
  WordMaker words(gates);
  std::vector<std::vector<Lit>> addends;
  GateWord sum = constant_word(0, 9, true);
  for (const int width : {4, 7, 5}) {
    const GateWord word = input_word(gates, width, true);
    addends.insert(addends.begin(), word.bits);
    sum = words.sum(sum, extended(word, 9, true));
  }
  EXPECT_TRUE(is_sum_of(gates, sum.bits, addends));
  const auto with = [](std::vector<Lit> bits, std::size_t bit) {
    bits[bit] = inverted(bits[bit]);
    return bits;
  };
  for (std::size_t bit = 0; bit < 9; ++bit) EXPECT_FALSE(is_sum_of(gates, with(sum.bits, bit), addends)) << bit;
  EXPECT_FALSE(is_sum_of(gates, sum.bits, {addends[0], addends[1]}));
  EXPECT_FALSE(is_sum_of(gates, sum.bits, {addends[0], addends[1], addends[1]}));
  const GateWord unsigned_sum = words.sum(sum, extended({{gates.input()}, false}, 9, true));
  EXPECT_FALSE(is_sum_of(gates, unsigned_sum.bits, addends));
}

// Against all numbers of all small ranges.
TEST(SumRange, HasTheLeadingBitsOfItsNumbers) {
  for (int least = -20; least <= 20; ++least) {
    for (int greatest = least; greatest <= 20; ++greatest) {
      std::set<std::pair<int, bool>> seen;
      for (int n = least; n <= greatest; ++n) {
        int first = 5;
        while (first >= 0 && (n >> first & 1) == (n < 0 ? 1 : 0)) --first;
        seen.insert({first, n < 0});
      }
      for (int first = -1; first <= 5; ++first) {
        for (const bool negative : {false, true})
          EXPECT_EQ((SumRange{least, greatest}.has(first, negative)), seen.count({first, negative}) != 0)
              << least << " to " << greatest << ": " << first << (negative ? " negative" : "");
      }
    }
  }
}

// --- products of which not all values are tried ---

enum class ProductFault { none, value, mask, payload, partial };

// A product of 12 bits by 12 as a model has it and as a unit has it. Both show a payload where an operand is special.
// Where it is switched off the model hides the product, the unit an operand. The unit adds rows from the top, and masks
// each bit of the other operand by what that bit says anyway: that some bit is set.
struct WideProduct {
  static constexpr int width = 12;
  Gates gates;
  SweepStage stage;

  explicit WideProduct(ProductFault fault) {
    WordMaker words(gates);
    const GateWord a = extended(input_word(gates, width, false), 2 * width, false);
    const GateWord b = extended(input_word(gates, width, false), 2 * width, false);
    const GateWord payload = extended(input_word(gates, width, false), 2 * width, false);
    const Lit special = gates.input(), on = gates.input();
    const Lit unit_on = fault == ProductFault::mask ? lit_true : on;
    GateWord sum = constant_word(0, 2 * width, false);
    for (int row = width - 1; row >= 0; --row) {
      GateWord part = constant_word(0, 2 * width, false);
      for (int i = 0; i < width; ++i) {
        const bool is_wrong = fault == ProductFault::partial && i == 3 && row == 5;
        const Lit any = is_wrong ? a.bit(4) : words.is_not_zero(a);
        part.bits[static_cast<std::size_t>(i + row)] =
            gates.both(gates.both(a.bit(i), any), gates.both(b.bit(row), unit_on));
      }
      sum = words.sum(sum, part);
    }
    if (fault == ProductFault::value) {
      Lit when = on;
      for (int i = 0; i < width; ++i)
        when = gates.both(when, gates.both(inverted_if(a.bit(i), i % 2 == 0), inverted_if(b.bit(i), i % 3 == 0)));
      sum.bits[11] = gates.differ(sum.bits[11], when);
    }
    const GateWord product = words.product(a, b);
    for (int i = 0; i < 2 * width; ++i) {
      stage.model.push_back(gates.choose(special, payload.bit(i), gates.both(on, product.bit(i))));
      const Lit shown = fault == ProductFault::payload ? b.bit(i) : payload.bit(i);
      stage.unit.push_back(gates.choose(special, shown, sum.bit(i)));
    }
    for (auto* side : {&stage.model, &stage.unit}) side->insert(side->end(), {special, lit_false});
    stage.product_bits = 2 * width;
  }

  // With cuts too small for its values.
  bool is_one(bool is_product = true) {
    SweepLimits limits;
    limits.cut = limits.goal_cut = limits.word_cut = 8;
    limits.local_conflicts = limits.conflicts = 10;
    limits.goal_conflicts = 1000;
    if (!is_product) stage.product_bits = 0;
    stage.is_aid = true;
    Sweep sweep(gates, random_patterns(gates.inputs().size()), limits, [] { return true; });
    sweep.run(stage);
    return sweep.is_equal();
  }
};

TEST(Products, AreTheSameHoweverTheyAreAddedAndMasked) { EXPECT_TRUE(WideProduct(ProductFault::none).is_one()); }

TEST(Products, AreNotSeenByOtherEngines) { EXPECT_FALSE(WideProduct(ProductFault::none).is_one(false)); }

// One of 2^24 values, which no pattern has; a number that is switched off; what is no number; a partial product.
TEST(Products, AreNotWhereOneValueOrMaskIsAnother) {
  for (const ProductFault fault :
       {ProductFault::value, ProductFault::mask, ProductFault::payload, ProductFault::partial})
    EXPECT_FALSE(WideProduct(fault).is_one()) << static_cast<int>(fault);
}

// What is left of both is paired by what the caller says is the same, and by nothing else.
TEST(Products, ArePairedByWhatIsSame) {
  Gates gates;
  WordMaker words(gates);
  const GateWord x = input_word(gates, 40, false), y = input_word(gates, 40, false);
  const GateWord wide_x = extended(x, 80, false), wide_y = extended(y, 80, false);
  const GateWord there = words.product(wide_x, wide_y), back = words.product(wide_y, wide_x);
  EXPECT_TRUE(is_same_sum(gates, there.bits, back.bits)) << "80 bits";
  std::vector<Lit> other = wide_x.bits;
  other[7] = gates.both(other[7], wide_x.bit(8));
  const GateWord wrong = words.product({other, false}, wide_y);
  EXPECT_FALSE(is_same_sum(gates, there.bits, wrong.bits, {[](Lit, Lit) { return false; }, {}}));
  std::size_t asked = 0;
  const auto is_same = [&](Lit p, Lit q) {
    ++asked;
    EXPECT_NE(p, q);
    return true;
  };
  EXPECT_TRUE(is_same_sum(gates, there.bits, wrong.bits, {is_same, {}}));
  EXPECT_EQ(asked, 40U) << "the partial products of one bit";
}

// Where no two bits are ever set, what they carry may be no gate: the sum below it is no cell's then.
TEST(Sums, HaveNoCarryWhereNoTwoBitsAreSet) {
  Gates gates;
  WordMaker words(gates);
  const Lit which = gates.input();
  const Lit x = gates.both(gates.both(which, gates.input()), gates.input());
  const Lit y = gates.both(gates.both(inverted(which), gates.input()), gates.input());
  const GateWord p = extended(input_word(gates, 4, false), 6, false);
  const std::vector<Lit> of_cells = words.sum(words.sum(p, {{x}, false}), {{y}, false}).bits;
  const auto without = [&](Lit l) { return words.sum(p, {{l}, false}).bits; };
  const std::vector<Lit> right[] = {without(gates.differ(x, y)), without(gates.either(x, y))};
  const std::vector<Lit> wrong[] = {without(x), without(gates.both(x, y))};
  std::vector<GateSimulation> all;
  for (unsigned batch = 0; batch < 8; ++batch) {
    std::vector<std::uint64_t> inputs = {0xaaaaaaaaaaaaaaaa, 0xcccccccccccccccc, 0xf0f0f0f0f0f0f0f0,
                                         0xff00ff00ff00ff00, 0xffff0000ffff0000, 0xffffffff00000000};
    for (unsigned bit = 0; bit < 3; ++bit) inputs.push_back((batch >> bit & 1) != 0 ? ~std::uint64_t{0} : 0);
    all.emplace_back(gates).run(inputs);
  }
  const auto are_never_both = [&](Lit a, Lit b) {
    return std::all_of(all.begin(), all.end(),
                       [&](const GateSimulation& values) { return (values.of(a) & values.of(b)) == 0; });
  };
  for (const std::vector<Lit>& word : right) {
    EXPECT_FALSE(is_same_sum(gates, of_cells, word));
    EXPECT_TRUE(is_same_sum(gates, of_cells, word, {{}, are_never_both}));
  }
  for (const std::vector<Lit>& word : wrong) EXPECT_FALSE(is_same_sum(gates, of_cells, word, {{}, are_never_both}));
}

// --- what a unit names ---

TEST(NamedValues, AreTheLongestThatOneGateTakes) {
  Gates gates;
  std::vector<Lit> c, b;
  for (int i = 0; i < 16; ++i) c.push_back(gates.input());
  for (int i = 0; i < 7; ++i) b.push_back(gates.input());
  const auto is_value = [&](const std::vector<Lit>& bits, unsigned value) {
    Lit all = lit_true;
    for (std::size_t i = 0; i < bits.size(); ++i) all = gates.both(all, inverted_if(bits[i], (value >> i & 1) == 0));
    return all;
  };
  // Where c is beef, and b is 5, which alone is too short a value to be kept; or where c is 1234 and b is not 5.
  const Lit five = is_value(b, 5), beef = gates.both(is_value(c, 0xbeef), five);
  const Lit other = gates.both(is_value(c, 0x1234), inverted(five));
  const std::vector<std::vector<Lit>> named = named_values(gates, {gates.either(beef, other)}, 10);
  ASSERT_EQ(named.size(), 2U);
  EXPECT_EQ(named[0].size(), 23U);
  EXPECT_EQ(named[1].size(), 16U);
  for (std::size_t i = 0; i < c.size(); ++i) {
    EXPECT_EQ(std::count(named[0].begin(), named[0].end(), inverted_if(c[i], (0xbeef >> i & 1) == 0)), 1) << i;
    EXPECT_EQ(named[1][i], inverted_if(c[i], (0x1234 >> i & 1) == 0)) << i;
  }
  EXPECT_EQ(named_values(gates, {gates.either(beef, other)}, 1).size(), 1U);
  EXPECT_TRUE(named_values(gates, {five}, 10).empty());
}

// --- what yosys writes ---

// The script of the formal example has the same cells.
TEST(Netlists, HaveTheCellsOfTheExample) {
  const std::string file = source_dir() + "/docs/examples/formal/giving_x.v";
  const std::string text = read_whole_file(file, 1, "a file");
  EXPECT_EQ(text.substr(text.find("(*")), cells_giving_x());
}

std::string refusal_of(const std::string& aiger) {
  try {
    parse_netlist(aiger, "", "unit.yaml");
  } catch (const Error& error) {
    return error.message;
  }
  return "";
}

TEST(Netlists, OfBrokenFilesAreRefused) {
  const std::string sentence = "unit.yaml: what yosys wrote is no AIGER file.";
  const std::string both("aig 3 2 0 1 1\n6\n\x02\x02", 18);
  EXPECT_EQ(refusal_of(both), "");
  for (const std::string& text : {std::string(), std::string("aag 3 2 0 1 1\n"), both.substr(0, 17), both.substr(0, 14),
                                  std::string("aig 4 2 0 1 1\n6\n\x02\x02"), std::string("aig 3 2 0 1 1\n9\n\x02\x02"),
                                  std::string("aig 3 2 0 1 1\nx\n\x02\x02"), std::string("aig 3 2 0 1 1\n6\n\x09\x02")})
    EXPECT_EQ(refusal_of(text), sentence) << text;
}

TEST(Netlists, FindBitsThatNothingDrivesOrThatAreConstant) {
  const std::string aiger("aig 3 2 0 3 1\n6\n1\n0\n\x02\x02", 22);
  const std::string list = "input 0 0 x\ninput 1 0 y\noutput 0 0 d\nconstant 1 1 d\nconstant 0 2 d\nopen 0 3 d\n";
  const Netlist netlist = parse_netlist(aiger, list, "unit.yaml");
  const auto& bits = netlist.outputs.at("d");
  ASSERT_EQ(bits.size(), 4U);
  EXPECT_EQ(bits.at(1), lit_true);
  EXPECT_EQ(bits.at(2), lit_false);
  EXPECT_FALSE(is_constant(bits.at(3)));
}

}  // namespace
}  // namespace assay
