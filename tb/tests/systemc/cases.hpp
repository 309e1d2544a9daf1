// Cases for the tests: the one with a given number is always the same.
#pragma once

#include <cstdint>

#include "model/core/dot.hpp"
#include "model/systemc/bundle.hpp"

namespace assay::testing {

std::uint64_t hash(std::uint64_t seed, std::uint64_t number, std::uint64_t index);

// One in four each: any codes; numbers near one; special values, limits and zeros; sums that cancel.
systemc::Codes make_case(const Plan& plan, std::uint64_t number);

std::vector<systemc::Codes> make_cases(const Plan& plan, int count);

Operand operand(const systemc::Codes& codes);

}  // namespace assay::testing
