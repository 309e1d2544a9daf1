// What an infinitely precise dot product would give, worked out from the operands' codes alone: no stage of any
// datapath takes part.
#pragma once

#include <optional>
#include <string>

#include "tb/devices/device.hpp"
#include "tb/oracle/datum.hpp"

namespace assay::explain {

// Decodes as the oracle does. `numbers`: codes of infinity and NaN are read as numbers of the top exponent.
exact::Datum exact_value(const Format& format, Code code, Specials specials);

struct ExactSum {
  exact::Datum sum;             // of c and all products; by IEEE's rules where a term is not finite
  std::optional<Code> nearest;  // the sum in d's format, rounded to nearest even; none where it is not finite
  bool beyond = false;          // its magnitude is greater than any number of d's format
  std::optional<long> ulp;      // the last place of d's format at the sum weighs 2^ulp
  std::string why_none = {};    // where the words ask for more than a sum of products and c: what
};

ExactSum exact_sum(const Plan& plan, const Case& one);

// d - sum, where both are finite.
std::optional<exact::Dyadic> error_of(const Plan& plan, const ExactSum& exact, Code d);

}  // namespace assay::explain
