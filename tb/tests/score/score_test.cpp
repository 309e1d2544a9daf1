// Which mutants a set of cases kills, with which case, and what is said of those that live.
#include "tb/score/score.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "model/config/catalogue.hpp"
#include "tb/generate/generator.hpp"
#include "tb/score/exhaust.hpp"
#include "tb/score/minimise.hpp"

namespace assay {
namespace {

const Catalogue& catalogue() {
  static const Catalogue shipped = shipped_catalogue();
  return shipped;
}

Plan plan_named(const std::string& instruction) { return catalogue().plan_of(catalogue().instruction(instruction)); }
Plan wgmma() { return plan_named("hopper:wgmma.m64nNk16.f32.f16.f16"); }

Plan plan_in_words(const std::string& text) { return plan_of(read_datapath_text(text, "tiny.yaml", catalogue())); }

std::vector<Case> generated(const Plan& plan, std::uint64_t count) {
  const Generator generator(plan, 1);
  std::vector<Case> cases;
  for (std::uint64_t i = 0; i < count; ++i) cases.push_back(generator.make(i));
  return cases;
}

const Mutant& named(const std::vector<Mutant>& mutants, const std::string& name) {
  const auto found = std::find_if(mutants.begin(), mutants.end(), [&](const Mutant& m) { return m.name == name; });
  if (found == mutants.end()) throw std::out_of_range("there is no mutant " + name);
  return *found;
}

// The number of the first case whose d is another one; -1 where there is none.
int first_difference(const Plan& right, const Mutant& m, const std::vector<Case>& cases) {
  Registers registers;
  const auto differs = [&](const Case& c) {
    const Code d = m.fault ? result_of(*m.fault, right, c.operand(), registers) : dot(m.plan, c.operand(), registers);
    return dot(right, c.operand(), registers) != d;
  };
  const auto found = std::find_if(cases.begin(), cases.end(), differs);
  return found == cases.end() ? -1 : static_cast<int>(found->number);
}

// No d tells these: what is raised does.
TEST(KillScore, TellsWordsOfFlagsByWhatIsRaised) {
  const Plan right = plan_in_words(
      "name: flagged\nk: 2\noperands: {a: f16, b: f16, c: f16, d: f16}\nspecials: operation\n"
      "flags: {of: all, tiny: after}\nadders:\n  - name: sum\n    add: {product: {keep: 14, cut: down}, acc: exact}\n"
      "    result: [{format: d, cut: nearest_even}]\n");
  KillScore score(right, NanRule::bits);
  score.see(generated(right, 5000));
  Minimiser least(right, NanRule::bits);
  least.see(generated(right, 5000));
  int seen = 0;
  for (const Mutant& m : score.mutants()) {
    if (!m.is_of_flags()) continue;
    ++seen;
    ASSERT_TRUE(m.killer) << m.name;
    Registers registers;
    EXPECT_EQ(dot(right, m.killer->operand(), registers), dot(m.plan, m.killer->operand(), registers)) << m.name;
  }
  EXPECT_EQ(seen, 4);
  EXPECT_EQ(least.smallest().killed, score.counts().killed);
}

TEST(KillScore, ArguesForWordsOfFlagsThatRaiseTheSame) {
  const Plan right = plan_in_words(
      "name: integers\nk: 2\noperands: {a: i8, b: i8, c: i32, d: i32}\nspecials: numbers\n"
      "flags: {of: d, tiny: after}\nadders:\n  - name: sum\n    add: {product: exact, acc: exact}\n"
      "    result: [{format: d, cut: toward_zero, overflow: wrap}]\n");
  KillScore score(right, NanRule::bits);
  score.see(generated(right, 1000));
  for (const auto& [name, argument] :
       {std::pair("flags.of all", "Nothing is lost but where d is rounded."),
        std::pair("flags.invalid nan", "Every code is a number: no NaN is written."),
        std::pair("flags.tiny before", "What is too small for d is a zero there, whenever it is looked at.")}) {
    EXPECT_EQ(named(score.mutants(), name).argument, argument);
    EXPECT_FALSE(named(score.mutants(), name).killer) << name;
  }
}

TEST(KillScore, NamesTheFirstCaseThatKills) {
  const Plan right = wgmma();
  const std::vector<Case> cases = generated(right, 600);
  KillScore score(right, NanRule::bits);
  score.see(cases);
  std::size_t killed = 0;
  for (const Mutant& m : score.mutants()) {
    const int first = first_difference(right, m, cases);
    ASSERT_EQ(m.killer.has_value(), first >= 0) << m.name;
    if (first < 0) continue;
    EXPECT_EQ(m.killer->number, static_cast<std::uint64_t>(first)) << m.name;
    ++killed;
  }
  EXPECT_GT(killed, 30u);
  EXPECT_EQ(score.counts().killed, killed);
  EXPECT_EQ(score.counts().all(), score.mutants().size());
  EXPECT_EQ(score.cases(), 600u);
}

TEST(KillScore, IsTheSameInBatches) {
  const Plan right = wgmma();
  const std::vector<Case> cases = generated(right, 400);
  KillScore whole(right, NanRule::bits), parts(right, NanRule::bits);
  whole.see(cases);
  for (std::size_t i = 0; i < cases.size(); i += 100) {
    parts.see({cases.begin() + static_cast<std::ptrdiff_t>(i), cases.begin() + static_cast<std::ptrdiff_t>(i + 100)});
  }
  for (std::size_t i = 0; i < whole.mutants().size(); ++i) {
    const Mutant &x = whole.mutants()[i], &y = parts.mutants()[i];
    ASSERT_EQ(x.fate(), y.fate()) << x.name;
    if (x.killer) {
      EXPECT_EQ(x.killer->number, y.killer->number) << x.name;
    }
  }
}

TEST(KillScore, TakesNoRecordedResultForAKill) {
  const Plan right = wgmma();
  Case zeros;
  zeros.a.assign(16, 0);
  zeros.b.assign(16, 0);
  zeros.d = 0x12345678;
  KillScore score(right, NanRule::bits);
  score.see({zeros});
  EXPECT_EQ(score.counts().killed, 0u);
  EXPECT_GT(score.counts().open, 30u);
}

TEST(KillScore, ACaseRefutesAnArgument) {
  const Plan right = wgmma();
  std::vector<Mutant> mutants = mutants_of(right, NanRule::bits);
  for (Mutant& m : mutants) m.argument = "Nothing matters.";
  KillScore score(right, NanRule::bits, std::move(mutants));
  EXPECT_EQ(score.counts().equivalent, score.mutants().size());
  score.see(generated(right, 300));
  EXPECT_GT(score.counts().killed, 30u);
}

TEST(KillScore, WhichNanIsGivenCountsByTheRule) {
  const Plan right = plan_named("cdna2:v_mfma_f64_16x16x4f64");
  ASSERT_TRUE(right.nan.propagate);
  const std::vector<Case> cases = generated(right, 1500);
  KillScore bits(right, NanRule::bits), any(right, NanRule::any);
  bits.see(cases);
  any.see(cases);
  const std::string other = "nan fff8000000000000", reversed = "adders.fma.add reversed";
  EXPECT_EQ(named(bits.mutants(), other).fate(), Fate::killed);
  EXPECT_EQ(named(any.mutants(), other).argument, "Every NaN equals every other here.");
  EXPECT_EQ(named(bits.mutants(), reversed).fate(), Fate::killed);
  EXPECT_EQ(named(any.mutants(), reversed).fate(), Fate::equivalent);
  EXPECT_EQ(named(any.mutants(), "subnormals.c zero").fate(), Fate::killed);
}

// 7f is a number of e4m3fnuz, whose one NaN is 80.
TEST(KillScore, ANumberInPlaceOfANanIsNoNan) {
  const Plan right = plan_in_words(
      "{name: tiny, k: 2, operands: {a: f16, b: f16, c: e4m3fnuz, d: e4m3fnuz}, specials: step, nan: propagate, "
      "adders: "
      "[{name: sum, add: {product: exact, acc: exact}, result: [{format: d, cut: nearest_even, overflow: largest, "
      "infinity: nan}]}]}\n");
  KillScore any(right, NanRule::any);
  any.see(generated(right, 1500));
  EXPECT_EQ(named(any.mutants(), "nan 7f").fate(), Fate::killed);
  EXPECT_EQ(named(any.mutants(), "nan signed").fate(), Fate::equivalent);
}

TEST(KillScore, RunsAMatrixElementAsItsChain) {
  const Plan right = wgmma();
  Case chain;  // the first instruction leaves what only the second one's c rounds differently
  chain.a.assign(32, 0);
  chain.b.assign(32, 0);
  chain.a[0] = chain.b[0] = 0x3c00;  // 1
  chain.a[16] = 0x3c00;              // + 2^-24, of which the product keeps 25 bits or 23
  chain.b[16] = 0x0001;
  KillScore score(right, NanRule::bits);
  score.see({chain});
  EXPECT_EQ(named(score.mutants(), "adders.sum.result[0].cut up").fate(), Fate::killed);
  EXPECT_EQ(named(score.mutants(), "adders.sum.result[0].cut nearest_even").fate(), Fate::open);

  chain.a.resize(16);
  chain.b.resize(16);
  KillScore first(right, NanRule::bits);
  first.see({chain});
  EXPECT_EQ(first.counts().killed, 0u);
}

TEST(KillScore, TheScalesOfABlockAreMutated) {
  const Plan right = plan_named("rtx_blackwell:mma.m16n8k64.block32.f32.e2m1.e2m1.f32.ue8m0");
  KillScore score(right, NanRule::bits);
  score.see(generated(right, 200));
  EXPECT_EQ(named(score.mutants(), "operands.scale_block doubled").fate(), Fate::killed);
}

const char* const tiny =
    "name: tiny\n"
    "k: 1\n"
    "formats: {t5: {exponent: 2, mantissa: 2, bias: 1, infinity: false, nan: none, signed_zero: true}}\n"
    "operands: {a: e2m1, b: e2m1, c: t5, d: t5}\n"
    "specials: numbers\n"
    "adders:\n"
    "  - name: sum\n"
    "    add: {product: exact, acc: exact}\n"
    "    result: [{format: d, cut: nearest_even, overflow: largest}]\n";

TEST(KillScore, TriesEveryInputWhereTheyAreFew) {
  const Plan right = plan_in_words(tiny);
  ASSERT_EQ(input_bits(right), 4 + 4 + 5);
  KillScore score(right, NanRule::bits);
  score.exhaust();
  const Counts counts = score.counts();
  EXPECT_EQ(counts.killed, 0u);
  EXPECT_GT(counts.open, 0u);
  EXPECT_GT(counts.equivalent, 0u);
  Registers registers;
  for (const Mutant& m : score.mutants()) {
    ASSERT_EQ(m.fate() == Fate::open, m.witness.has_value()) << m.name;
    if (!m.witness) continue;
    EXPECT_NE(dot(m.plan, m.witness->operand(), registers), dot(right, m.witness->operand(), registers)) << m.name;
  }
  EXPECT_EQ(named(score.mutants(), "nan propagate").argument, "All 8192 inputs give the same d.");
}

TEST(KillScore, TriesNotEveryInputWhereTheyAreMany) {
  KillScore score(wgmma(), NanRule::bits);
  const std::size_t open = score.counts().open;
  score.exhaust();
  EXPECT_EQ(score.counts().open, open);
}

TEST(NumberedInput, ReachesEveryCombinationOnce) {
  const Plan right = plan_in_words(tiny);
  std::vector<std::uint64_t> seen;
  for (std::uint64_t i = 0; i < std::uint64_t{1} << input_bits(right); ++i) {
    const Case made = numbered_input(right, i);
    seen.push_back(made.a[0] << 9 | made.b[0] << 5 | made.c);
  }
  std::sort(seen.begin(), seen.end());
  for (std::size_t i = 0; i < seen.size(); ++i) ASSERT_EQ(seen[i], i);
}

}  // namespace
}  // namespace assay
