// Every case a plan can be given, counted.
#pragma once

#include "tb/devices/device.hpp"

namespace assay {

// Bits of all operands together.
int input_bits(const Plan& plan);

// More than these are not tried.
inline constexpr int most_input_bits = 20;

// Case `number` of 2^input_bits(plan): its bits dealt out to a, b, c and the scales, a[0] lowest.
Case numbered_input(const Plan& plan, std::uint64_t number);

}  // namespace assay
