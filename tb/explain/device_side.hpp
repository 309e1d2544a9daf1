// What a device makes of one case, as a side of an explanation.
#pragma once

#include <iosfwd>

#include "tb/devices/device.hpp"
#include "tb/explain/explanation.hpp"
#include "tb/subject/subject.hpp"

namespace assay::explain {

// A device that was opened for the question's plan; it is closed when this returns.
Answered device_side(Device& device, const Question& question);

// A device by its name, "rtl:DUT.yaml"; the model's sides show every stage. `log` hears what opening it says. Throws
// Error.
Answered named_side(const std::string& spec, const Question& question, const Subject& subject,
                    const Catalogue& catalogue, std::ostream& log);

}  // namespace assay::explain
