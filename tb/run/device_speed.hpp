// How fast a run goes: cases a second with a device at work, and what a case costs the processors.
#pragma once

#include "tb/run/comparison.hpp"

namespace assay {

struct DeviceSpeed {
  std::uint64_t cases = 0;
  double a_second = 0;      // by the clock on the wall
  double host = 0;          // processor time a case, in seconds: of this program ...
  double device = 0;        // ... and of the processes of the device, which have ended
  std::uint64_t wrong = 0;  // of the cases; a device that is wrong is measured all the same
};

// Generated cases, as many as take so many seconds: d alone, or every place that both have.
DeviceSpeed speed_of(const Subject& subject, const Party& reference, const Party& device, double seconds, bool places,
                     int threads);

}  // namespace assay
