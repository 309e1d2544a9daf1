// RTL run twice, from other register contents and with other stalls: what it computes must not depend on either.
#pragma once

#include <functional>
#include <memory>

#include "tb/devices/device.hpp"

namespace assay {

inline constexpr std::size_t reseeded_cases = 1000;

// `device`, whose first `reseeded_cases` cases are also given to what `again` opens; where the two differ, the answer
// is an error that says so.
std::unique_ptr<Device> reseeded(std::unique_ptr<Device> device, std::function<std::unique_ptr<Device>()> again);

}  // namespace assay
