// What the RTL of a DUT file could be, by the number and the width of its operands: said where its claim does not fit.
#pragma once

#include <string>
#include <vector>

#include "tb/devices/rtl/dut.hpp"
#include "tb/devices/rtl/ports.hpp"
#include "tb/subject/subject.hpp"

namespace assay {

// " Of the catalogue, .. would fit these ports: ..": instructions whose formats are as wide, whose k is as large and
// whose cases bring the same. Begins with a space.
std::string what_fits(const Dut& dut, const std::vector<RtlPort>& ports, const Catalogue& catalogue);

// "a of f16, b of f16, c of f32, d of f32, k 16": what has to be the same for one to stand for the other.
std::string operands_text(const Plan& plan);

}  // namespace assay
