// Two units: no case lies farther apart than is promised, for a unit and each of its mutants.
#include "tb/guarantee/against.hpp"

#include <gtest/gtest.h>

#include "tb/generate/generator.hpp"
#include "tb/generate/mutations.hpp"
#include "tb/subject/command_line.hpp"
#include "tb/tests/equality/corner_cases.hpp"
#include "tb/tests/guarantee/shipped.hpp"

namespace assay {
namespace {

using guarantee::Against;
using guarantee::Apart;
using guarantee::Measured;
using guarantee::Rational;

struct Pair {
  const Plan &x, &y;
  guarantee::Promise of_x, of_y;

  // No result became another number where it was too large.
  bool speaks_of(const Measured& m, const Measured& n) const {
    if (!m.terms_finite || !m.finite || !n.finite) return false;
    const bool seen = !guarantee::overflows_unseen(x) && !guarantee::overflows_unseen(y);
    return seen || (guarantee::within(of_x.limits, m) && guarantee::within(of_y.limits, n));
  }
};

Rational most(const Apart& apart, const Measured& m) {
  const guarantee::Amount& amount = m.positive ? apart.positive : apart.any;
  return amount.relative * m.reference(apart.reference) + amount.absolute;
}

// How many cases were held against what is promised.
int hold(const Pair& pair, const Against& promised, const std::string& name) {
  const Generator generator(pair.x, 1);
  Registers registers;
  int compared = 0;
  for (std::uint64_t i = 0; i < 60; ++i) {
    const Case one = i % 2 == 0 ? corner_case(pair.x, i / 2) : generator.make(i / 2);
    const Measured m = guarantee::measure(pair.x, one, dot(pair.x, one.operand(), registers));
    const Measured n = guarantee::measure(pair.y, one, dot(pair.y, one.operand(), registers));
    if (!pair.speaks_of(m, n)) continue;
    ++compared;
    for (const Apart& apart : {promised.by_sum, promised.by_greatest})
      EXPECT_LE(abs(m.error - n.error), most(apart, m)) << name << " " << operand_options(pair.x, one);
  }
  return compared;
}

// Rounded to f16 a subnormal of e4m3 is the same number with a lesser exponent, and the window stands lower: an item
// that is cut in one unit is kept in the other. 2^-12 beside 0.875 is lost without.
TEST(Against, CountsWhatFactorsBecome) {
  const std::string plain = "name: plain\nlike: fused_f13_e133\nk: 32\noperands: {a: e4m3, b: e4m3, c: f32, d: f32}\n";
  const Plan x = plan_of_text(plain + "factors: {b: {round: {format: f16, cut: nearest_even}}}\n");
  const Plan y = plan_of_text(plain);
  Case one = corner_case(y, 0);
  one.a.assign(32, 0), one.b.assign(32, 0), one.c = 0;
  one.a[0] = 0x7e, one.b[0] = 0x01, one.a[1] = one.b[1] = 0x08;
  Registers registers;
  ASSERT_EQ(dot(x, one.operand(), registers), 0x3f601000u);
  ASSERT_EQ(dot(y, one.operand(), registers), 0x3f600000u);
  const Measured m = guarantee::measure(x, one, 0x3f601000), n = guarantee::measure(y, one, 0x3f600000);
  const Against promised = guarantee::apart(x, y, {32, 0, 1});
  for (const Apart& apart : {promised.by_sum, promised.by_greatest}) EXPECT_LE(abs(m.error - n.error), most(apart, m));
}

TEST(Against, HoldsForEveryMutant) {
  int pairs = 0, compared = 0, alike = 0;
  std::size_t turn = 0;
  for (const Form& form : shipped_forms()) {
    const guarantee::Chain chain{form.plan.k, 0, 1};
    const std::vector<Mutation> mutants = mutations(form.plan.datapath, form.plan.k);
    // Each form takes two others of its mutants.
    for (int taken = 0; taken < 2 && !mutants.empty(); ++taken) {
      const Mutation& mutant = mutants[turn++ * 7 % mutants.size()];
      const auto made = plan(mutant.changed, form.plan.k);
      const Plan* other = std::get_if<Plan>(&made);
      if (other == nullptr || !guarantee::against_problem(form.plan, *other).empty()) continue;
      if (!guarantee::chain_problem(*other, chain).empty()) continue;
      const Pair pair{form.plan, *other, promise(form.plan, chain, guarantee::Reference::sum, guarantee::Signs::any),
                      promise(*other, chain, guarantee::Reference::sum, guarantee::Signs::any)};
      const Against promised = guarantee::apart(form.plan, *other, chain);
      compared += hold(pair, promised, form.instructions.front() + ", " + mutant.name);
      alike += promised.alike.empty() ? 0 : 1;
      ++pairs;
    }
  }
  EXPECT_GT(pairs, 200);
  EXPECT_GT(compared, 5000);
  EXPECT_GT(alike, 100);
}

}  // namespace
}  // namespace assay
