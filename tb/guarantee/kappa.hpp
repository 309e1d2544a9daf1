// Kappa, by which IEEE P3109 measures an implementation: the most values of d's format that lie between what a unit
// gives and the defined result, which is the exact sum of c and all products, rounded once to nearest even, with the
// unit's own word for what is too large. Neighbours are 1 apart, infinity follows the greatest number, and -0 and +0
// are one value.
#pragma once

#include <gmpxx.h>

#include <optional>
#include <string>

#include "tb/guarantee/guarantee.hpp"
#include "tb/guarantee/property_search.hpp"
#include "tb/subject/subject.hpp"

namespace assay::guarantee {

// One case of numbers, without infinities and NaNs.
struct KappaCase {
  Case one;
  Code d = 0;                      // what the unit gives
  std::optional<Code> defined;     // none: a NaN
  std::optional<mpz_class> apart;  // none: one of both is a NaN and the other is not
};

// None of a case that has an infinity or a NaN among its operands.
std::optional<KappaCase> kappa_case(const Plan& plan, const Case& one, Registers& registers);

struct Kappa {
  std::string declined;              // why nothing is said, as a sentence; else empty
  std::optional<mpz_class> at_most;  // whatever the numbers are
  std::string why;                   // the argument for that
  std::uint64_t tried = 0;
  std::optional<KappaCase> reached;  // the farthest found; none where d was the defined result always
  // The same where nothing cancels, and the condition in words.
  std::optional<mpz_class> at_most_positive;
  std::string positive_where;
  std::optional<KappaCase> reached_positive;

  // A case was found that leaves nothing of the defined result: no bound of a few values can hold.
  bool unbounded(const Format& d) const;
};

// What arguments say, and where they leave something open, what was reached by `effort` cases.
Kappa kappa(const Plan& plan, const SearchEffort& effort);

// A Section of a Guarantee.
Section kappa_section(const Subject& subject, const Kappa& kappa);

}  // namespace assay::guarantee
