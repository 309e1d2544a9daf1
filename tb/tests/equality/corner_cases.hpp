// Cases beside the generator's families, for any plan: what it takes to see the last word of a datapath.
#pragma once

#include "tb/devices/device.hpp"

namespace assay {

inline constexpr int corner_styles = 12;  // they take turns

Case corner_case(const Plan& plan, std::uint64_t number);

}  // namespace assay
