// The register map of the unit: the one table that the target, its driver and docs/systemc.md go by.
//
// Registers are 32 bits wide, little-endian, and read and written whole, at addresses that are multiples of four. Each
// context has a page of its own, so that initiators which keep to their contexts do not disturb each other:
//
//   context * PAGE_BYTES + 0x0000   registers
//                        + 0x1000   operand window, WINDOW_BYTES long
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace assay::bus {

inline constexpr std::uint32_t identity = 0x59415341;  // the bytes "ASAY"
inline constexpr std::uint32_t map_version = 2;
inline constexpr std::uint32_t window_base = 0x1000;

enum class Reg : std::uint32_t {
  id = 0x00,
  version = 0x04,
  instructions = 0x08,
  rows = 0x0c,
  columns = 0x10,
  most_steps = 0x14,
  contexts = 0x18,
  page_bytes = 0x1c,
  window_bytes = 0x20,
  instruction = 0x24,
  steps = 0x28,
  depth = 0x2c,
  a_offset = 0x30,
  b_offset = 0x34,
  scale_a_offset = 0x38,
  scale_b_offset = 0x3c,
  c_offset = 0x40,
  d_offset = 0x44,
  operands = 0x48,
  start = 0x4c,
  status = 0x50,
  error = 0x54,
  interrupt_enable = 0x58,
  interrupt = 0x5c,
  operations = 0x60,
  reset = 0x64,
  more = 0x68,
  more_index = 0x6c,
  more_offset = 0x70,
};

enum class Access { read, write, both };

struct Register {
  Reg reg;
  std::string_view name;
  Access access;
  bool while_busy;  // may be written then
  std::string_view what;
};

inline constexpr std::array<Register, 29> registers{{
    {Reg::id, "ID", Access::read, false, "0x59415341, the bytes ASAY"},
    {Reg::version, "VERSION", Access::read, false, "2: this map"},
    {Reg::instructions, "INSTRUCTIONS", Access::read, false, "how many instructions the unit was made with"},
    {Reg::rows, "ROWS", Access::read, false, "M: rows of dot units"},
    {Reg::columns, "COLUMNS", Access::read, false, "N: columns of dot units"},
    {Reg::most_steps, "MOST_STEPS", Access::read, false,
     "the greatest value of STEPS that the selected instruction takes: 1 where its c and d have different formats"},
    {Reg::contexts, "CONTEXTS", Access::read, false, "how many contexts there are"},
    {Reg::page_bytes, "PAGE_BYTES", Access::read, false, "from one context's page to the next"},
    {Reg::window_bytes, "WINDOW_BYTES", Access::read, false, "the length of the operand window"},
    {Reg::instruction, "INSTRUCTION", Access::both, false,
     "the instruction selected, from 0 on; a write sets STEPS to 1 and OPERANDS to 0, and D is no longer there"},
    {Reg::steps, "STEPS", Access::both, false,
     "instructions along K; a write sets OPERANDS to 0, and D is no longer there"},
    {Reg::depth, "DEPTH", Access::read, false, "K: STEPS times the instruction's k"},
    {Reg::a_offset, "A_OFFSET", Access::read, false, "where A lies in the window, M x K, row-major"},
    {Reg::b_offset, "B_OFFSET", Access::read, false, "where B lies, K x N, row-major"},
    {Reg::scale_a_offset, "SCALE_A_OFFSET", Access::read, false, "where A's block scales lie, M x blocks"},
    {Reg::scale_b_offset, "SCALE_B_OFFSET", Access::read, false, "where B's block scales lie, blocks x N"},
    {Reg::c_offset, "C_OFFSET", Access::read, false, "where C lies, M x N"},
    {Reg::d_offset, "D_OFFSET", Access::read, false, "where D will lie, M x N"},
    {Reg::operands, "OPERANDS", Access::both, false,
     "1 once all of A, B, C, the scales and what else there is were written; write 1 after writing through DMI, 0 to "
     "forget them"},
    {Reg::start, "START", Access::write, false, "1: begin, and return when D is there; 2: begin, and return at once"},
    {Reg::status, "STATUS", Access::read, false, "bit 0 busy; bit 1 D is there; bit 2 ERROR is not 0"},
    {Reg::error, "ERROR", Access::both, true, "the first error since it was 0; write 0"},
    {Reg::interrupt_enable, "INTERRUPT_ENABLE", Access::both, true, "bit 0 D is there; bit 1 an error"},
    {Reg::interrupt, "INTERRUPT", Access::both, true, "what has come up, bits as above; write 1 to clear a bit"},
    {Reg::operations, "OPERATIONS", Access::read, false, "how many operations were finished since reset"},
    {Reg::reset, "RESET", Access::write, true, "1: as after power-on, for this context; what it had begun is dropped"},
    {Reg::more, "MORE", Access::read, false, "how many operands the instruction takes besides, in `describe`'s order"},
    {Reg::more_index, "MORE_INDEX", Access::both, true, "of which of them MORE_OFFSET speaks, from 0 on"},
    {Reg::more_offset, "MORE_OFFSET", Access::read, false, "where it lies"},
}};

constexpr bool well_placed() {
  for (std::size_t i = 0; i < registers.size(); ++i) {
    if (static_cast<std::size_t>(registers[i].reg) != 4 * i) return false;
  }
  return true;
}
static_assert(well_placed(), "one row a register, in the order of their addresses");

// nullptr where no register begins.
constexpr const Register* register_at(std::uint64_t offset) {
  return offset % 4 == 0 && offset / 4 < registers.size() ? &registers[offset / 4] : nullptr;
}

inline constexpr std::uint32_t busy_bit = 1, done_bit = 2, error_bit = 4;  // of STATUS
inline constexpr std::uint32_t done_interrupt = 1, error_interrupt = 2;    // of INTERRUPT and its ENABLE
inline constexpr std::uint32_t start_and_wait = 1, start_and_return = 2;   // of START

enum class ErrorCode : std::uint32_t {
  none,
  unknown_instruction,
  no_operands,
  busy,
  unaligned,
  out_of_range,
  read_only,
  write_only,
  bad_value,
  bad_length,
  byte_enables,
  no_command,
  aborted,
};

struct ErrorRow {
  ErrorCode error;
  std::string_view name;
  std::string_view what;  // a sentence
};

inline constexpr std::array<ErrorRow, 13> errors{{
    {ErrorCode::none, "none", "Nothing is wrong."},
    {ErrorCode::unknown_instruction, "unknown instruction", "INSTRUCTION takes numbers below INSTRUCTIONS."},
    {ErrorCode::no_operands, "no operands",
     "START needs all of A, B, C, the scales and what else there is written since the last selection."},
    {ErrorCode::busy, "busy", "An operation of this context is in progress; wait until STATUS bit 0 is 0."},
    {ErrorCode::unaligned, "unaligned", "Registers lie at multiples of four bytes."},
    {ErrorCode::out_of_range, "out of range",
     "There is no register there, or the window or the last page ends before."},
    {ErrorCode::read_only, "read only", "This register is not written."},
    {ErrorCode::write_only, "write only", "This register is not read."},
    {ErrorCode::bad_value, "bad value", "This register does not take this value."},
    {ErrorCode::bad_length, "bad length", "Registers take 4 bytes; the streaming width is no less than the length."},
    {ErrorCode::byte_enables, "byte enables", "Byte enables are not supported."},
    {ErrorCode::no_command, "no command", "The command is neither read nor write, or there is no data."},
    {ErrorCode::aborted, "aborted", "A reset cut the operation short."},
}};

constexpr bool in_order() {
  for (std::size_t i = 0; i < errors.size(); ++i) {
    if (static_cast<std::size_t>(errors[i].error) != i) return false;
  }
  return true;
}
static_assert(in_order(), "one row an error, in the order of their numbers");

// A register's value as it travels.
inline std::uint32_t to_word(const unsigned char* bytes) {
  return std::uint32_t{bytes[0]} | std::uint32_t{bytes[1]} << 8 | std::uint32_t{bytes[2]} << 16 |
         std::uint32_t{bytes[3]} << 24;
}

inline void from_word(std::uint32_t word, unsigned char* bytes) {
  for (int i = 0; i < 4; ++i) bytes[i] = static_cast<unsigned char>(word >> (8 * i) & 0xff);
}

constexpr const ErrorRow& row_of(ErrorCode error) { return errors[static_cast<std::size_t>(error)]; }

}  // namespace assay::bus
