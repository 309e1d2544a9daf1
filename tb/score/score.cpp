#include "tb/score/score.hpp"

#include <algorithm>

#include "model/base/parallel.hpp"
#include "tb/generate/equivalence.hpp"
#include "tb/generate/mutations.hpp"
#include "tb/score/exhaust.hpp"
#include "tb/scoreboard/difference.hpp"

namespace assay {
namespace {

constexpr std::uint64_t cases_for_an_argument = 1000;  // it is held to these; a case that refutes it kills the mutant

// Whether every NaN is a NaN of d, which may have no code for one, or write a number's.
bool writes_nans(const Plan& plan) {
  if (plan.d.nan == NanCodes::none) return false;
  const Nan& nan = plan.nan;
  if (nan.has_order()) return !nan.order.made || is_nan_code(plan.d, *nan.order.made);
  return !nan.writes_code() || is_nan_code(plan.d, nan.code);
}

std::string argument_for(const Plan& right, const Plan& changed, const Mutation& m, NanRule nan) {
  if (nan == NanRule::any && m.spot.key == "nan" && writes_nans(right) && writes_nans(changed))
    return "Every NaN equals every other here.";
  return std::string(equivalence(right, changed, m.spot));
}

}  // namespace

Plan by_rule(const Plan& plan, NanRule nan) {
  Plan judged = plan;
  if (nan == NanRule::any && writes_nans(plan)) judged.nan = {false, plan.d.stored(plan.d.quiet_nan())};
  return judged;
}

namespace {

// Nothing, where it cannot be planned.
std::optional<Mutant> mutant_of(const Plan& right, const Plan& judged, const Mutation& m, NanRule nan) {
  const auto made = plan(m.changed, right.k);
  const Plan* changed = std::get_if<Plan>(&made);
  if (changed == nullptr || !are_within(changed->more, right.more)) return std::nullopt;
  Plan mutated = by_rule(*changed, nan);
  std::string argument = argument_for(judged, mutated, m, nan);
  return Mutant{m.name, m.from, m.to, std::move(mutated), std::move(argument), {}, {}, {}};
}

}  // namespace

std::vector<Mutant> mutants_of(const Plan& right, NanRule nan, int threads) {
  const Plan judged = by_rule(right, nan);
  const std::vector<Mutation> changes = mutations(right.datapath, right.k);
  std::vector<std::optional<Mutant>> made(changes.size());
  parallel(static_cast<int>(changes.size()), threads, [&](int i, int) {
    const auto at = static_cast<std::size_t>(i);
    made[at] = mutant_of(right, judged, changes[at], nan);
  });
  std::vector<Mutant> mutants;
  for (std::optional<Mutant>& mutant : made) {
    if (mutant) mutants.push_back(std::move(*mutant));
  }
  for (SpecialFault& fault : special_faults(judged)) {
    Mutant m{fault.name, fault.from, fault.to, judged, {}, {}, {}, {}};
    m.fault = std::move(fault);
    mutants.push_back(std::move(m));
  }
  return mutants;
}

namespace {

// The right plan says how far the next instruction of a chain is: a mutant may group its scales otherwise.
template <class Gives>
Code end_of_chain(const Plan& right, const Case& given, Gives gives) {
  Operand next = given.operand();
  const Code* const end = next.a + given.a.size();
  for (; next.a != end; next.a += right.k, next.b += right.k) {
    next.c = gives(next);
    next.scale_a += right.scales;
    next.scale_b += right.scales;
  }
  return next.c;
}

}  // namespace

Code result_of(const Plan& plan, const Plan& right, const Case& given, Registers& registers) {
  return end_of_chain(right, given, [&](const Operand& next) { return dot(plan, next, registers); });
}

Code result_of(const Mutant& mutant, const Plan& right, const Case& given, Registers& registers) {
  if (!mutant.fault) return result_of(mutant.plan, right, given, registers);
  return end_of_chain(right, given,
                      [&](const Operand& next) { return result_of(*mutant.fault, right, next, registers); });
}

namespace {

// Beside d, by the last instruction of a chain.
unsigned raised_by(const Plan& plan, const Plan& right, const Case& given, Registers& registers) {
  Trace trace(plan);
  end_of_chain(right, given, [&](const Operand& next) { return dot(plan, next, registers, &trace); });
  const int first = plan.places.first(Region::flags);
  unsigned raised = 0;
  for (int i = 0; i < static_cast<int>(flag_names.size()); ++i)
    raised |= trace.field(first + i, "raised") == 0 ? 0U : 1U << i;
  return raised;
}

}  // namespace

Told told_by(const Plan& right, const Case& given, Registers& registers) {
  return {result_of(right, right, given, registers),
          right.datapath.flags ? raised_by(right, right, given, registers) : 0};
}

Told told_by(const Mutant& mutant, const Plan& right, const Case& given, Registers& registers) {
  if (mutant.is_of_flags()) return {0, raised_by(mutant.plan, right, given, registers)};
  return {result_of(mutant, right, given, registers), 0};
}

KillScore::KillScore(const Plan& plan, NanRule nan, std::vector<Mutant> mutants, std::uint64_t seen, int threads)
    : plan_(by_rule(plan, nan)), mutants_(std::move(mutants)), cases_(seen), threads_(threads) {}

void KillScore::each(const std::vector<Mutant*>& mutants, const std::function<void(Mutant&, Registers&)>& judge) const {
  std::vector<Registers> registers(static_cast<std::size_t>(threads_));
  parallel(static_cast<int>(mutants.size()), threads_, [&](int i, int worker) {
    judge(*mutants[static_cast<std::size_t>(i)], registers[static_cast<std::size_t>(worker)]);
  });
}

void KillScore::see(const std::vector<Case>& cases) {
  std::vector<Mutant*> alive;
  for (Mutant& m : mutants_) {
    if (!m.killer && (m.argument.empty() || cases_ < cases_for_an_argument)) alive.push_back(&m);
  }
  cases_ += cases.size();
  if (alive.empty()) return;
  Registers registers;
  std::vector<Told> right;
  for (const Case& c : cases) right.push_back(told_by(plan_, c, registers));
  each(alive, [&](Mutant& m, Registers& own) {
    for (std::size_t i = 0; i < cases.size() && !m.killer; ++i) {
      if (!right[i].same_for(m, told_by(m, plan_, cases[i], own))) m.killer = cases[i];
    }
  });
}

void KillScore::exhaust() {
  if (input_bits(plan_) > most_input_bits) return;
  const std::uint64_t inputs = std::uint64_t{1} << input_bits(plan_);
  std::vector<Mutant*> open;
  for (Mutant& m : mutants_) {
    if (m.fate() == Fate::open) open.push_back(&m);
  }
  each(open, [&](Mutant& m, Registers& registers) {
    for (std::uint64_t i = 0; i < inputs && !m.witness; ++i) {
      const Case tried = numbered_input(plan_, i);
      const Told right = told_by(plan_, tried, registers);
      if (!right.same_for(m, told_by(m, plan_, tried, registers))) m.witness = tried;
    }
    if (!m.witness)
      m.argument = "All " + std::to_string(inputs) + " inputs give the same " + (m.is_of_flags() ? "flags." : "d.");
  });
}

Counts KillScore::counts() const {
  const auto count = [&](Fate fate) {
    return static_cast<std::size_t>(
        std::count_if(mutants_.begin(), mutants_.end(), [&](const Mutant& m) { return m.fate() == fate; }));
  };
  return {count(Fate::killed), count(Fate::equivalent), count(Fate::open)};
}

}  // namespace assay
