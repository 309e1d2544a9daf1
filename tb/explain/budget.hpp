// Where the error of a dot product was made: each place that cut, rounded, flushed or dropped something, with what this
// adds to d - exact. One walk over the circuit with the trace of one evaluation:
//
//   error of a place = (what left it - the exact value of what entered it) x what later places multiply it by
//
// What leaves a place is what enters the next one, so all of them add up to d - exact, to the last bit.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "tb/explain/exact.hpp"
#include "tb/explain/sums.hpp"

namespace assay::explain {

enum class Cause {
  flushed,     // a subnormal operand or result was taken as zero
  cut,         // bits below the window's last one
  floored,     // bits cut because the window stands at its floor, or where a zero counted as `empty`
  stepped,     // bits cut because the window was rounded up to a multiple of its step
  dropped,     // a whole number, `lost_below` the window
  sticky,      // the bit that says that ones were lost
  rounded,     // a result
  overflowed,  // a result beyond its format: the greatest number, or what wraps
  wired        // a value that is added twice, or multiplied by scales that are not its own
};

// A place of the circuit that may err, whatever the step and the term.
struct ErrorSource {
  std::string where;  // "sum.align product"
  Cause cause = Cause::cut;
  std::string words;  // "bits cut off"
};

// What one place of one evaluation adds to d - exact; never zero.
struct ErrorPart {
  int source = 0;
  int place = 0;  // of the plan
  exact::Dyadic error;
};

// One word of the datapath changed so that its place errs less.
struct Easement {
  std::string key;    // "adders.sum.add.acc.keep"
  std::string value;  // "26"
  std::string words;  // "one more bit of acc in sum"
  Datapath datapath;  // with that word
};

struct ErrorParts {
  std::vector<ErrorPart> parts;         // in the order of their places
  std::vector<exact::Dyadic> relieved;  // by easement: how d would move if no other sum erred otherwise than it did
};

// The places of a plan that may err, and the words that would ease them.
class ErrorSources {
 public:
  explicit ErrorSources(std::shared_ptr<const Plan> plan);

  const Plan& plan() const { return *plan_; }
  const std::vector<ErrorSource>& all() const { return all_; }
  const std::vector<Easement>& easements() const { return easements_; }

  // Of a trace that keeps its items. Nothing where a number on the way was infinite or NaN.
  std::optional<ErrorParts> parts(const Operand& operand, const Trace& trace) const;

 private:
  friend class ErrorWalk;

  // A source or an easement that a place has not is `none`.
  static constexpr int none = -1;
  // A result with an easement.
  struct EasedResult {
    int easement = none;
    ResultPlan plan;
  };
  struct OfResult {
    int rounded = none, flushed = none, overflowed = none;
    std::vector<EasedResult> eased;
  };
  // The words of an adder with an easement.
  struct EasedWords {
    int easement = none;
    std::vector<Input> inputs;
    Window window;
    std::vector<ResultPlan> results;
  };
  struct OfAdder {
    std::vector<int> cut, dropped;  // by input
    int floored = none, stepped = none, sticky = none;
    std::vector<OfResult> results;
    std::vector<EasedWords> eased;
  };
  struct OfOperand {
    int flushed = none, kept = none;
  };
  using AdderList = std::vector<Adder> Datapath::*;
  using ResultIn = std::function<Result&(Datapath&)>;

  int source(std::string where, Cause cause, std::string words);
  int easement(std::string key, std::string value, std::string words, Datapath datapath);
  OfOperand of_operand(const std::string& where, const std::string& name, Subnormals Datapath::*subnormals);
  OfResult of_result(const std::string& where, const std::string& key, const ResultPlan& plan, const ResultIn& words);
  OfAdder of_adder(AdderList list, const AdderPlan& adder, std::size_t index);
  void ease_inputs(AdderList list, const AdderPlan& adder, std::size_t index, OfAdder& of);
  void ease_throughout(AdderList list, const AdderPlan& adder, std::size_t index, OfAdder& of);
  void ease_window(AdderList list, const AdderPlan& adder, std::size_t index, OfAdder& of);
  static EasedWords words_of(const AdderPlan& adder);

  std::shared_ptr<const Plan> plan_;
  std::vector<ErrorSource> all_;
  std::vector<Easement> easements_;
  std::vector<SumSite> sites_;  // every step's, then those of the finish
  OfOperand a_, b_, c_, acc_;
  int both_kept_ = none;  // the easement of a and b together
  OfResult product_;
  int wired_ = none;
  std::vector<OfAdder> adders_, finish_;
  bool step_is_plain_ = true, finish_is_plain_ = true;  // each value is added once, and no scales multiply a sum
};

// The error of one case, attributed.
struct Budget {
  std::string none;  // a sentence that says why there is none, where there is none
  exact::Dyadic error;
  ErrorParts parts;
};

// Of the d that `trace` ends with, which the model made of the case on the plan of `sources`.
Budget budget_of(const ErrorSources& sources, const Case& one, const Trace& trace);

// All parts together: the error, to the last bit.
exact::Dyadic sum_of(const std::vector<ErrorPart>& parts);

}  // namespace assay::explain
