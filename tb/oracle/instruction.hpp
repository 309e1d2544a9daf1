// The oracle's table of instructions: one row an instruction, as tb/oracle/instructions.csv lists them.
#pragma once

#include <iosfwd>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/core/format.hpp"
#include "tb/oracle/datum.hpp"

namespace assay::exact {

enum class Algorithm {
  sfma,
  fda,
  cofda,
  emulated_fp8,
  gdfs,
  fdrda,
  cofdrda,
  gfdrda,
  cogfdrda,
  gps,
  exact,
  integer,
  x86_amx_bf16,
  x86_amx_f16,
  x86_avx512_bf16,
  projected,
  integer_saturating,
  // grouped.hpp
  grouped_nearest,
  integer_magnitudes,
  // tree.hpp
  fda_plus_zero,
  dot_then_add,
  sfma_flush,
  nvidia_fma,
  power_fma,
  power_pair,
  power_pair_sig24,
  arm_fma,
  arm_exact,
  arm_pair,
  arm_pair_to_odd,
  arm_dot,
  arm_two_pairs,
  arm_rounded_pair,
  // Of these, riscv.hpp.
  riscv_fma,
  riscv_bulk,
};

// Those whose NaNs have payloads, nvidia_fma and all that start with power_ and arm_: pairs.hpp.
bool is_of_pairs(Algorithm algorithm);

// What becomes of the products p and of c, written after the algorithm: power_fma.np. Where a text says more, it
// stands with the algorithm.
enum class Form {
  pp,     // p + c; not written
  pn,     // p - c
  np,     // c - p
  nn,     // -p - c
  minus,  // c - p, each a with its sign turned before it is multiplied
  alone,  // p, without c
};

// What else an algorithm asks for, written after it as well: grouped_nearest.phases012.minus_one.
enum class Extra {
  phases,       // phases012: the slices of the operands that are multiplied, pass after pass
  minus_one,    // a sum of exactly -1 unit comes out wrong
  ones_filled,  // an operand's code of all ones has ones in all bits that it gains, too
  tf32,         // operands are rounded to tf32
  pieces,       // pieces8: each operand is multiplied in pieces of so many bits, from the low end
  idle,         // idle4: so many terms of a step are always +0
  shortcut,     // a product's exponent is that of its leading one, and zero products are not quite zero
  tiny_after,   // a result is tiny where it is after rounding as if the exponent had no end
  mask,         // the case brings a bit of each product; those that are off are (+0) x (+0)
  sparse,       // sparse24: the same, and of each 4 neighbours 2 are on
};

// What an Arm processor's FPCR and FPMR say; a name says it behind the instruction's, as bfmmla.ebf.fz does. The
// direction of a chain of fused multiply-adds stands behind its algorithm: sfma.rz, nvidia_fma.rm.
struct Modes {
  bool ebf = false, ah = false, fz = false, fiz = false, fz16 = false, dn = false, osm = false;
  Direction direction = Direction::nearest;
  int lscale = 0;
};

struct Instruction {
  std::string architecture;
  std::string name;
  int m = 0;
  std::string n;  // a number, or a range of them: "8:256:8" is 8, 16, ... 256; several with a space between
  int k = 0;
  Format a, b, c, d;
  std::optional<Format> scale;
  int scale_block = 0;  // elements that share one scale; 0 without scales
  Algorithm algorithm = Algorithm::fda;
  Form form = Form::pp;
  std::map<Extra, std::string> extras;  // with the digits that follow, if any
  int terms_per_step = 0;
  std::optional<int> fraction_bits;         // F: kept of each aligned significand
  std::optional<int> exponent_floor;        // the aligning exponent is never below it
  std::optional<int> output_fraction_bits;  // kept of the result's significand
  std::string evidence;
  Modes modes = {};

  int scales() const { return scale_block == 0 ? 0 : k / scale_block; }  // of each operand
  bool has(Extra extra) const { return extras.count(extra) != 0; }
  bool takes_mask() const { return has(Extra::mask) || has(Extra::sparse); }
  int number(Extra extra) const { return has(extra) ? std::stoi(extras.at(extra)) : 0; }
};

// "architecture name", for messages.
std::string title(const Instruction& instruction);

// Why the algorithm cannot run as the row describes it, as a sentence; empty where it can.
std::string fault(const Instruction& instruction);

// `where` names the text in messages. Throws std::runtime_error with where, line, what was found and what would be
// right.
std::vector<Instruction> read_instructions(std::istream& text, const std::string& where);
std::vector<Instruction> read_instructions(const std::string& path);

// By its name, with the modes of Arm behind it; nothing where there is none, or no such modes.
std::optional<Instruction> instruction_called(const std::vector<Instruction>& instructions,
                                              std::string_view architecture, std::string_view name);

// nullptr where there is none.
const Instruction* find_instruction(const std::vector<Instruction>& instructions, std::string_view architecture,
                                    std::string_view name);

}  // namespace assay::exact
