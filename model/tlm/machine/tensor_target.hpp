// Tensor memory, shared memory and the unit between them on a bus: a TLM-2.0 target that a program of transactions
// drives. What a command takes stands in registers; COMMAND carries it out and returns when it is done. What is refused
// changes nothing, sets ERROR, and why() says it in a sentence.
//
//   0x000000  the words of TensorReg
//   0x100000  registers of the warp that ld and st work with: word (register x 32 + lane), 128 registers
//   0x200000  shared memory
#pragma once

#include <tlm_utils/simple_target_socket.h>
#include <tlm>

#include <array>
#include <string>

#include "model/machine/tensor_mma.hpp"
#include "model/tlm/machine/words.hpp"

namespace assay::bus {

enum class TensorCommand : std::uint32_t { alloc = 1, dealloc, ld, st, cp, shift, mma };

// Byte offsets.
enum class TensorReg : std::uint32_t {
  id = 0x00,       // r: 0x4d454d54, the bytes TMEM
  command = 0x04,  // w
  error = 0x08,    // rw: 1 after anything was refused; write 0
  result = 0x0c,   // r: the address that alloc gave
  address = 0x10,  // of dealloc, ld, st, cp, shift; of mma D's
  columns = 0x14,  // of alloc and dealloc
  shape = 0x18,    // of ld and st, or of cp: its number in the list of `access_shape_names`, `copy_shape_names`
  repeat = 0x1c,
  warp = 0x20,
  split = 0x24,
  multicast = 0x28,  // 0 none, 1 02_13, 2 01_23, 3 warpx4
  packed = 0x2c,     // bits of packed elements that cp widens, or 0
  a_low = 0x30,      // matrix descriptors; of cp A's
  a_high = 0x34,
  b_low = 0x38,
  b_high = 0x3c,
  kind = 0x40,         // 0 f16, 1 tf32, 2 f8f6f4, 3 mxf8f6f4, 4 mxf4, 5 mxf4nvf4, 6 i8
  instruction = 0x44,  // the instruction descriptor
  // bit 0 enable-input-d; 1 A in tensor memory; 2 the pair; 7..4 scale-input-d; 9..8 collector; others are zero
  flags = 0x48,
  a_address = 0x4c,
  scale_a = 0x50,  // addresses; no_address: there are none
  scale_b = 0x54,
  scale_block = 0x58,  // of mxf4nvf4: 16 or 32; of others 32 or 0
  disabled = 0x60,     // to 0x6c: a bit a lane
  cycles = 0x70,       // r, as all that follow: of ld, st, cp and shift
  a_dwords = 0x74,     // read from shared memory by mma
  b_dwords = 0x78,
  a_saved = 0x7c,             // found in the collector's buffer
  copied = 0x80,              // Dwords read from shared memory by cp
  disabled_in_second = 0x90,  // rw, to 0x9c: a bit a lane of the second of a pair
};

inline constexpr std::uint32_t tensor_id = 0x4d454d54;
inline constexpr std::uint32_t no_address = 0xffffffff;
inline constexpr std::uint64_t warp_window = 0x100000, shared_window = 0x200000;
inline constexpr std::array<const char*, 5> access_shape_names{"32x32b", "16x64b", "16x128b", "16x256b", "16x32bx2"};
inline constexpr std::array<const char*, 5> copy_shape_names{"128x256b", "4x256b", "128x128b", "64x128b", "32x128b"};
// In the order of MULTICAST and of KIND.
inline constexpr std::array<const char*, 4> multicast_names{"", "02_13", "01_23", "warpx4"};
inline constexpr std::array<const char*, 7> mma_kind_names{"f16",  "tf32",     "f8f6f4", "mxf8f6f4",
                                                           "mxf4", "mxf4nvf4", "i8"};

class TensorTarget : public sc_core::sc_module {
 public:
  tlm_utils::simple_target_socket<TensorTarget> socket{"socket"};

  TensorTarget(const sc_core::sc_module_name& name, machine::MmaDatapaths units, int banks = 8);

  // With the second multiprocessor of a pair, which this one is the first of: cp, shift and mma whose FLAGS have bit 2
  // are carried out by both, as cta_group::2 is.
  void pair_with(TensorTarget& second) { second_ = &second; }
  void listen(machine::ProductListener listener) { machine_.listener = std::move(listener); }

  const machine::TensorMachine& machine() const { return machine_; }
  const std::string& why() const { return why_; }

 private:
  static constexpr std::uint32_t end_of_registers = 0xa0;

  void b_transport(::tlm::tlm_generic_payload& payload, sc_core::sc_time& delay);
  Refusal access(::tlm::tlm_generic_payload& payload, sc_core::sc_time& delay);
  Refusal access_words(::tlm::tlm_generic_payload& payload);
  Refusal access_shared(::tlm::tlm_generic_payload& payload);
  Refusal write(TensorReg reg, std::uint32_t word, sc_core::sc_time& delay);
  std::uint32_t read(TensorReg reg) const;
  void carry_out(TensorCommand command);
  void copy(const machine::TensorAddress& at);
  void shift(const machine::TensorAddress& at);
  // Those that carry a command out: this, or both of the pair.
  std::vector<machine::TensorMachine*> group();
  machine::WarpAccess warp_access() const;
  machine::CopyForm copy_form() const;
  machine::MmaOperation mma_operation() const;

  std::uint32_t& at(TensorReg reg) { return words_[static_cast<std::size_t>(reg) / 4]; }
  std::uint32_t at(TensorReg reg) const { return words_[static_cast<std::size_t>(reg) / 4]; }

  std::uint64_t both(TensorReg low, TensorReg high) const {
    return at(low) | static_cast<std::uint64_t>(at(high)) << 32;
  }

  machine::TensorMachine machine_;
  std::array<std::uint32_t, end_of_registers / 4> words_{};
  std::array<std::uint32_t, 128 * 32> warp_{};
  TensorTarget* second_ = nullptr;
  std::string why_;
};

}  // namespace assay::bus
