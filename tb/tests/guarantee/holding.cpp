#include "tb/tests/guarantee/holding.hpp"

#include "tb/subject/command_line.hpp"

namespace assay {

using guarantee::Measured;
using guarantee::Promise;
using guarantee::Reference;
using guarantee::Signs;

std::vector<Promise> promises_of(const Plan& plan, const guarantee::Chain& chain) {
  std::vector<Promise> all;
  for (const Signs signs : {Signs::any, Signs::positive}) {
    for (const Reference reference : {Reference::sum, Reference::greatest})
      all.push_back(guarantee::promise(plan, chain, reference, signs));
  }
  return all;
}

Holding::Holding(const Plan& plan, std::vector<Promise> promises)
    : plan_(plan), chain_{plan.k, 0, 1}, promises_(std::move(promises)), unseen_(guarantee::overflows_unseen(plan)) {}

Holding::Holding(const Plan& plan, const guarantee::Chain& chain)
    : plan_(plan), chain_(chain), promises_(promises_of(plan, chain)), unseen_(guarantee::overflows_unseen(plan)) {}

::testing::AssertionResult Holding::hold(const Case& one) {
  const Measured m = guarantee::measure(plan_, chain_, one, registers_);
  ++cases;
  if (!m.terms_finite) return ::testing::AssertionSuccess();
  const bool within = guarantee::within(promises_.front().limits, m);
  if (within && !m.finite)
    return ::testing::AssertionFailure() << "d is not finite though S is within the limits: "
                                         << operand_options(plan_, one);
  if (!m.finite || (!within && unseen_)) return ::testing::AssertionSuccess();
  ++compared;
  for (const Promise& promise : promises_) {
    if (promise.signs == Signs::positive && !m.positive) continue;
    if (auto held = hold(promise, m, one); !held) return held;
  }
  return ::testing::AssertionSuccess();
}

::testing::AssertionResult Holding::hold(const Promise& promise, const Measured& m, const Case& one) const {
  if (guarantee::holds(promise, m)) return ::testing::AssertionSuccess();
  return ::testing::AssertionFailure() << "d - exact is " << m.error.get_d() << ", and promised are "
                                       << guarantee::bound_of(promise, m, sgn(m.error) < 0).get_d() << " against "
                                       << (promise.reference == Reference::sum ? "S" : "2^E") << " of "
                                       << m.reference(promise.reference).get_d()
                                       << (promise.signs == Signs::any ? "" : ", no term below zero") << ": "
                                       << operand_options(plan_, one);
}

}  // namespace assay
