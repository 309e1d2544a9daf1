// wgmma: a warpgroup's 128 lanes, D in their registers, A there or in shared memory, B in shared memory.
//
// Its matrix descriptor has start, leading and stride offsets where tcgen05's has them, and the swizzle in bits 63..62:
// 0 none, 1 of 128 bytes, 2 of 64, 3 of 32. All other bits but the base offset are zero.
#pragma once

#include <cstdint>
#include <string>

#include "model/machine/shared_memory.hpp"
#include "model/machine/wave_unit.hpp"

namespace assay::machine {

// Empty, and `into` is what it says; or a sentence that begins with `name`.
std::string read_warpgroup_descriptor(const std::string& name, std::uint64_t bits, MatrixDescriptor& into);
std::uint64_t warpgroup_descriptor_bits(const MatrixDescriptor& descriptor);

struct WarpgroupOperation {
  Registers32 a_registers;  // where A is not in shared memory: as four warps of 16 rows hold it
  std::uint64_t a = 0, b = 0;
  RegistersOut32 d;
  bool scale_d = true;  // D enters; else zeros
  bool negate_a = false, negate_b = false;
  bool a_is_mn_major = false, b_is_mn_major = false;  // of formats of 16 bits alone
};

class Warpgroup {
 public:
  // wgmma of a catalogue; `why_no_warpgroup` has nothing against it.
  explicit Warpgroup(WaveInstruction instruction);
  Warpgroup(const Warpgroup&) = delete;
  Warpgroup& operator=(const Warpgroup&) = delete;

  const WaveInstruction& instruction() const { return instruction_; }
  // Throws Error with a sentence, and nothing is written.
  void execute(const WarpgroupOperation& operation, const SharedMemory& shared) const;

 private:
  std::vector<Code> codes_in_shared(const std::string& name, std::uint64_t bits, bool is_a, bool mn_major,
                                    const SharedMemory& shared) const;
  std::vector<Code> codes_in_registers(const Registers32& from) const;

  const WaveInstruction instruction_;
  const Kernel kernel_;
};

std::string why_no_warpgroup(const WaveInstruction& instruction);

}  // namespace assay::machine
