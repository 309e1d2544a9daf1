// RTL run twice, from other register contents, with other stalls and in another order of cases: what it computes must
// depend on none of these.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "tb/devices/device.hpp"

namespace assay {

inline constexpr std::size_t reseeded_cases = 1000;

// `device`, whose first `reseeded_cases` cases are also given to what `again` opens, the last one first, and then in
// orders drawn: generated cases come by families in turn, so that either way some kinds of case never follow each
// other. Where the two differ, what `again` opens is asked in the order of the run: where that agrees, the order of the
// cases decides, and the answer says so beside its d; where not, the answer is an error. `advice` is the device's
// advice_on_shift.
std::unique_ptr<Device> reseeded(std::unique_ptr<Device> device, std::function<std::unique_ptr<Device>()> again,
                                 std::function<std::string(int by)> advice = {});

}  // namespace assay
