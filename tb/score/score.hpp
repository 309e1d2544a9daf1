// The kill score: how good a set of cases is, as the number of a plan's mutants that it kills. A mutant is the plan
// with one word of its datapath changed by one step, or with a fault in its rule of special values; a case kills it
// where its d differs from the plan's, or, where the word is one of `flags`, what is raised beside d.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "tb/score/special_faults.hpp"
#include "tb/scoreboard/scoreboard.hpp"

namespace assay {

enum class Fate {
  killed,
  equivalent,  // no case can kill it, by `argument`
  open,        // neither
};

struct Mutant {
  std::string name;  // "adders.sum.add.product.keep +1"
  std::string from, to;
  Plan plan;
  std::string argument;               // why no case can kill it, as a sentence; empty: none is known
  std::optional<Case> killer;         // the first case that did
  std::optional<Case> witness;        // of an open one: a case that would, found by trying all there are
  std::optional<SpecialFault> fault;  // of the right plan, which is `plan` then

  // Its word changes what stands beside d, and no d.
  bool is_of_flags() const { return !fault && name.rfind("flags.", 0) == 0; }
  Fate fate() const {
    if (killer) return Fate::killed;
    return argument.empty() ? Fate::open : Fate::equivalent;
  }
};

// Where every NaN equals every other, the plan gives one of them only: plans that were equal but for NaNs are equal
// then bit for bit.
Plan by_rule(const Plan& plan, NanRule nan);

// Every mutation that can be planned, by that rule, and every fault of the rule of special values. Here and below the
// result is the same whatever the number of threads.
std::vector<Mutant> mutants_of(const Plan& plan, NanRule nan, int threads = 1);

// What `plan` gives for a case of `right`, of which it may be a mutant. A whole-matrix element is run as its chain.
Code result_of(const Plan& plan, const Plan& right, const Case& given, Registers& registers);
Code result_of(const Mutant& mutant, const Plan& right, const Case& given, Registers& registers);

// A mutant's d, or what it raises where that is what its word is of: of the right plan for all of its mutants, and of
// one of these.
struct Told {
  Code d = 0;
  unsigned raised = 0;

  bool same_for(const Mutant& mutant, const Told& o) const {
    return mutant.is_of_flags() ? raised == o.raised : d == o.d;
  }
};
Told told_by(const Plan& right, const Case& given, Registers& registers);
Told told_by(const Mutant& mutant, const Plan& right, const Case& given, Registers& registers);

struct Counts {
  std::size_t killed = 0, equivalent = 0, open = 0;
  std::size_t all() const { return killed + equivalent + open; }
};

class KillScore {
 public:
  KillScore(const Plan& plan, NanRule nan, int threads = 1)
      : KillScore(plan, nan, mutants_of(plan, nan, threads), 0, threads) {}
  // `seen`: so many cases made these mutants what they are.
  KillScore(const Plan& plan, NanRule nan, std::vector<Mutant> mutants, std::uint64_t seen = 0, int threads = 1);

  // Cases in their order; their d, where recorded, is not looked at.
  void see(const std::vector<Case>& cases);

  // Tries every case there is on the open mutants, where they are few enough: see input_bits.
  void exhaust();

  const Plan& plan() const { return plan_; }
  const std::vector<Mutant>& mutants() const { return mutants_; }
  Counts counts() const;
  std::uint64_t cases() const { return cases_; }  // seen so far
  int threads() const { return threads_; }

 private:
  // judge(..) of each of these, by several threads with registers of their own.
  void each(const std::vector<Mutant*>& mutants, const std::function<void(Mutant&, Registers&)>& judge) const;

  Plan plan_;
  std::vector<Mutant> mutants_;
  std::uint64_t cases_ = 0;
  int threads_;
};

}  // namespace assay
