// What an instruction delivers, found with exact rationals straight from the prose of docs/numerics.md. It shares the
// format table with the model and nothing else, and is written to be read, not to be fast.
#pragma once

#include <cstdint>
#include <vector>

#include "tb/oracle/instruction.hpp"

namespace assay::exact {

struct OracleOperands {
  std::vector<Code> a, b;  // k codes each
  Code c = 0;
  std::vector<Code> scale_a = {}, scale_b = {};  // instruction.scales() codes each
  std::vector<Code> mask = {};                   // k bits, where the instruction takes a mask
};

struct OracleResult {
  bool is_nan = false;
  std::uint64_t bits = 0;  // d; of a NaN its one canonical code, or 0 where that page names none and any NaN is right
};

// The rounding of fdrda, gfdrda and their chains: as first published, and as the authors later replaced it.
enum class Revision { first = 1, second = 2 };

// Throws std::invalid_argument with a sentence where the operands do not fit the instruction.
OracleResult oracle(const Instruction& instruction, const OracleOperands& operands,
                    Revision revision = Revision::second);

// Is d what the oracle says? Where it says "any NaN", every NaN of the instruction's d is.
bool agrees(const Instruction& instruction, const OracleResult& result, Code d);

}  // namespace assay::exact
