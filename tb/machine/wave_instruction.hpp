// An instruction of the catalogue as one of lanes.
#pragma once

#include "model/config/catalogue.hpp"
#include "model/machine/warpgroup.hpp"
#include "model/machine/wave_unit.hpp"

namespace assay::machine {

// Throws Error where it does not work on the registers of lanes.
WaveInstruction wave_instruction(const Catalogue& catalogue, const Instruction& instruction);

// B in shared memory, D in registers.
bool is_of_warpgroup(const Instruction& instruction);
// An instruction of a warpgroup with so many columns, or the fewest it takes. Throws Error where it is none.
WaveInstruction warpgroup_instruction(const Catalogue& catalogue, const Instruction& instruction,
                                      std::optional<int> n = std::nullopt);

// Its operands in registers, in the order of files: a, b, c, scale_a, scale_b; then d. So many words in each lane.
struct WaveOperand {
  std::string name;
  int words = 0, lanes = 0;
};
std::vector<WaveOperand> operands_of(const layout::Fragments& fragments);

}  // namespace assay::machine
