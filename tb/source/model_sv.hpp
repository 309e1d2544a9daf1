// The model of a Plan as a SystemVerilog package: a function for each stage, one for the whole dot product. Two-state
// inside, and in the language that Verilator, Icarus Verilog 11 and Yosys read alike: flat vectors, no struct, no
// return.
#pragma once

#include <string>

#include "tb/source/model_c.hpp"

namespace assay {

std::string model_as_sv(const Plan& plan, const SourceFacts& facts);

// Whether the package has `places`: all of them are one vector, and tools need not take any length.
bool sv_has_places(const Plan& plan);

}  // namespace assay
