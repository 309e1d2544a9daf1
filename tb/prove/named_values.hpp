// Values of operands that a unit names: where it says `c_i == 32'hdeadbeef`, its gates have an `and` of many of an
// operand's bits. No family draws that value, and a solver may take long to come upon it.
#pragma once

#include <vector>

#include "tb/prove/gates.hpp"

namespace assay {

// Literals of inputs that one `and` of those that `roots` are made of takes together, the longest such lists first:
// `most` of them at most.
std::vector<std::vector<Lit>> named_values(const Gates& gates, const std::vector<Lit>& roots, std::size_t most);

}  // namespace assay
