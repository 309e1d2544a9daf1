// RTL as a device: Verilator makes a program of the sources that answers the process protocol.
#pragma once

#include <iosfwd>
#include <string>

#include "model/config/dut.hpp"
#include "model/core/plan.hpp"

namespace assay {

// The path of the program, built unless one with the same content was built before. Builds lie in
// ${XDG_CACHE_HOME:-~/.cache}/assay/rtl/HASH, with Verilator's and the compiler's words in build.log; `progress`, where
// given, hears what takes long. `plan` is what the DUT is to compute. Throws DeviceError.
std::string build_rtl(const Dut& dut, const Plan& plan, std::ostream* progress);

}  // namespace assay
