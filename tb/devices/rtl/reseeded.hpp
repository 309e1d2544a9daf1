// RTL run twice, from other register contents, with other stalls, in another order of cases, and with what else may
// come amid its work: what it computes must depend on none of these.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "tb/devices/device.hpp"
#include "tb/devices/rtl/build.hpp"

namespace assay {

inline constexpr std::size_t reseeded_cases = 1000;

// `device`, whose first `reseeded_cases` cases are also given to what `again` opens, the last one first, and then in
// orders drawn: generated cases come by families in turn, so that either way some kinds of case never follow each
// other. Where the two differ, what `again` opens is asked in the order of the run: where that agrees, the order of the
// cases decides, and the answer says so beside its d; where not, the answer is an error, which names the disturbance
// without which they agree. d is shown with `digits`. `bears` is all that comes amid the work of what `again` opens
// first, `advice` the device's advice_on_shift.
using OpenAgain = std::function<std::unique_ptr<Device>(const Disturbance&)>;
std::unique_ptr<Device> reseeded(std::unique_ptr<Device> device, OpenAgain again, int digits,
                                 const Disturbance& bears = {}, std::function<std::string(int by)> advice = {});

}  // namespace assay
