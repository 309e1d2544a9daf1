// A case that comes near a bound: built from where the bound is lost, then sharpened bit by bit.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tb/guarantee/measure.hpp"

namespace assay::guarantee {

struct Witness {
  Case one;           // of every operation of a chain; only the first one's c is used
  Measured measured;  // d - exact is its error
  Rational bound;     // what the claim says of this case, on the side of its error
  std::string built;  // "c sets the window, products 26 below it"

  Rational quotient() const { return abs(measured.error) / bound; }
};

// The best found for each claim; none where its bound is zero.
std::vector<std::optional<Witness>> witnesses(const Plan& plan, const Chain& chain, const std::vector<Claim>& claims);

}  // namespace assay::guarantee
