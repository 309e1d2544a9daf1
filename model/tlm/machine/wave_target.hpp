// A wavefront or warp on a bus: a TLM-2.0 target whose window is its registers, and which executes matrix instructions
// on them. Loosely timed: an instruction adds the cycles that it keeps its unit busy to the transaction's delay.
//
//   0x000000  the words of WaveReg, 32 bits each
//   0x100000  registers: word ((bank x 512 + number) x 64 + lane), of the vector bank 0 and the accumulation bank 1
#pragma once

#include <tlm_utils/simple_target_socket.h>
#include <tlm>

#include <memory>
#include <string>
#include <vector>

#include "model/machine/wavefront.hpp"
#include "model/tlm/machine/words.hpp"

namespace assay::bus {

// Byte offsets. A register of the wave is its number, + 512 of the accumulation bank; no_register where none is meant.
enum class WaveReg : std::uint32_t {
  id = 0x00,            // r: 0x45564157, the bytes WAVE
  lanes = 0x04,         // r
  instructions = 0x08,  // r: how many there are
  instruction = 0x0c,   // rw: the one selected
  d = 0x10,             // rw: its operands' first registers
  a = 0x14,
  b = 0x18,
  c = 0x1c,        // no_register: zeros
  scale_a = 0x20,  // no_register: there are none
  scale_b = 0x24,
  modifiers = 0x28,    // rw: cbsz in bits 3..0, abid in bits 11..4, blgp in bits 15..12
  start = 0x2c,        // w: 1 executes
  error = 0x30,        // rw: 1 after anything was refused; write 0
  busy_cycles = 0x34,  // r: of the matrix unit, the low word
  busy_cycles_high = 0x38,
  operations = 0x3c,  // r
};

inline constexpr std::uint32_t wave_id = 0x45564157;
inline constexpr std::uint32_t no_register = 0xffffffff;
inline constexpr std::uint64_t wave_window = 0x100000;

inline std::uint64_t register_address(machine::Bank bank, int number, int lane) {
  const int file = bank == machine::Bank::accumulation ? 512 : 0;
  return wave_window + 4 * static_cast<std::uint64_t>((file + number) * 64 + lane);
}

class WaveTarget : public sc_core::sc_module {
 public:
  tlm_utils::simple_target_socket<WaveTarget> socket{"socket"};

  WaveTarget(const sc_core::sc_module_name& name, const layout::RegisterFiles& files,
             std::vector<machine::WaveInstruction> instructions);

  void listen(machine::ProductListener listener) { wave_.listener = std::move(listener); }

  const machine::Wavefront& wave() const { return wave_; }
  // The last refusal, as a sentence; empty where nothing was refused since ERROR was 0.
  const std::string& why() const { return why_; }

 private:
  void b_transport(::tlm::tlm_generic_payload& payload, sc_core::sc_time& delay);
  Refusal access(::tlm::tlm_generic_payload& payload, sc_core::sc_time& delay);
  Refusal access_registers(::tlm::tlm_generic_payload& payload);
  Refusal read(WaveReg reg, std::uint32_t& word) const;
  Refusal write(WaveReg reg, std::uint32_t word, sc_core::sc_time& delay);
  Refusal start(sc_core::sc_time& delay);

  std::vector<std::unique_ptr<machine::WaveUnit>> units_;
  machine::Wavefront wave_;
  std::uint32_t selected_ = 0, modifiers_ = 0;
  // d, a, b, c, scale_a, scale_b
  std::vector<std::uint32_t> operands_{0, 0, 0, no_register, no_register, no_register};
  std::string why_;
};

}  // namespace assay::bus
