// Cases made for what a property can fail on: they stand on either side of where a window moves, a cut or a range ends,
// or a sum cancels. Beside them the families of tb/generate take their turns.
#pragma once

#include <string_view>

#include "tb/generate/generator.hpp"

namespace assay::guarantee {

// Case N of a source is a function of (plan, seed, N).
class DirectedCases {
 public:
  // Refers to `plan`, which must outlive it.
  DirectedCases(const Plan& plan, std::uint64_t seed);

  Case make(std::uint64_t number) const;
  std::string_view family(std::uint64_t number) const;

 private:
  const Plan& plan_;
  Anatomy facts_;
  std::uint64_t seed_;
  Generator generator_;
};

}  // namespace assay::guarantee
