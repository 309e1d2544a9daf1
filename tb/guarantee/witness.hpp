// A case that comes near a bound: built from where the bound is lost, then sharpened bit by bit.
#pragma once

#include <functional>
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

// Cases that lose something right behind each cut, and what they are.
struct Designed {
  Case one;
  std::string built;
};
std::vector<Designed> designed_cases(const Plan& plan);

// Flips bits of a case's operands, one after the other, and keeps each flip that is `better`, until none is.
void sharpen(const Plan& plan, Case one, const std::function<bool(const Case&)>& better);

// The best found for each claim; none where its bound is zero.
std::vector<std::optional<Witness>> witnesses(const Plan& plan, const Chain& chain, const std::vector<Promise>& claims);

}  // namespace assay::guarantee
