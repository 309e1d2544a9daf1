// Results for cases that have none: what `assay run` does.
#pragma once

#include <functional>

#include "tb/devices/device.hpp"
#include "tb/run/tally.hpp"
#include "tb/vectors/reader.hpp"
#include "tb/vectors/writer.hpp"

namespace assay {

// Each case of `reader`, with the device's d, goes to `writer`; `progress`, which may be empty, hears how many have
// gone. The device is closed and the file finished when it returns. Throws Error where a case got no d, or the
// device failed at its end.
Tally fill_in(VectorReader& reader, const Plan& plan, Device& device, VectorWriter& writer,
              const std::function<void(std::uint64_t done)>& progress = {});

}  // namespace assay
