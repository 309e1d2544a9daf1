// One matrix product on one device: each element of D is a chain of the instruction along K, d of each the c of the
// next, through the unit's own accumulator.
#pragma once

#include <memory>

#include "tb/gemm/operands.hpp"
#include "tb/run/case_source.hpp"
#include "tb/run/comparison.hpp"

namespace assay {

struct ChainChoice {
  gemm::Extents extents;
  std::uint64_t seed = 1;
  std::string family;  // empty: the one that products usually come from
};

// Throws Error where the subject cannot be chained, or K is no multiple of its terms.
void check_chain(const Subject& subject, const gemm::Extents& extents);

// The elements, row by row. Refers to the plan.
std::unique_ptr<CaseSource> chain_cases(const Plan& plan, const ChainChoice& choice);

// The first step of the chain in which the device differs when it is given what the reference has so far, as a line
// with the command that shows it; or that there is none.
std::string first_step(const Subject& subject, const Party& reference, const Party& device, const Case& element,
                       const RunOptions& options);

}  // namespace assay
