// The error of one element of D, attributed along its whole sum: errors of its instructions, of promotion, of the
// output.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tb/explain/budget.hpp"
#include "tb/explore/machine.hpp"

namespace assay {

// Places outside the unit, behind those of its plan.
enum class WalkPlace {
  start,    // c as an f32
  scale,    // the product of two scales as an f32
  product,  // a sum times that
  promote,  // a sum added to what was promoted before
  runs,     // c and the runs of split_k added to each other
  output,   // the last rounding
  count
};
explain::ErrorSource source_of(WalkPlace place);

struct ElementErrors {
  exact::Dyadic exact;                   // c + the sum of all products, from the codes alone
  exact::Dyadic error;                   // d - exact
  std::vector<exact::Dyadic> by_source;  // adds up to `error`
  std::vector<exact::Dyadic> relieved;   // by easement of the plan
};

class ElementWalk {
 public:
  // `sources` are those of the machine's plan, or nothing where only d is asked for.
  ElementWalk(const Machine& machine, const Plan& plan, const explain::ErrorSources* sources, const Workload& w)
      : machine_(machine), plan_(plan), sources_(sources), w_(w) {}

  // Nothing where a number on the way is infinite or NaN.
  std::optional<ElementErrors> errors(int row, int column);

  // d, as its value; by any plan of the machine's operands and k.
  std::optional<exact::Dyadic> d(int row, int column);

  // c + the sum of all products of the element.
  exact::Dyadic exact(int row, int column) const;

 private:
  const Machine& machine_;
  const Plan& plan_;
  const explain::ErrorSources* sources_;
  const Workload& w_;
};

}  // namespace assay
