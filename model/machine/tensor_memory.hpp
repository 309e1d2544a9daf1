// Tensor memory: 128 lanes x 512 columns of 32 bits, columns of it allocated, read and written by warps, filled from
// shared memory, and shifted by a lane. What is refused throws Error with a sentence and changes nothing.
//
// An address has a lane in bits 31..16 and a column in bits 15..0.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "model/layout/layout.hpp"
#include "model/machine/shared_memory.hpp"

namespace assay::machine {

inline constexpr int tensor_lanes = 128, tensor_columns = 512, warp_lanes = 32;

struct TensorAddress {
  int lane = 0, column = 0;
};

inline TensorAddress tensor_address(std::uint32_t bits) {
  return {static_cast<int>(bits >> 16), static_cast<int>(bits & 0xffff)};
}
inline std::uint32_t address_bits(const TensorAddress& a) {
  return static_cast<std::uint32_t>(a.lane) << 16 | static_cast<std::uint32_t>(a.column);
}

// How a warp's ld or st looks at memory: 32x32b.x4 and the like.
struct WarpAccess {
  std::string shape;  // 32x32b, 16x64b, 16x128b, 16x256b, 16x32bx2
  int repeat = 1;
  int warp = 0;   // of the four: it reaches the lanes from 32 x warp on
  int split = 0;  // of 16x32bx2: columns from the first half to the second
};

// What tcgen05.cp copies: a shape, which warps' lanes it goes to, and whether packed elements become bytes.
struct CopyForm {
  std::string shape;      // 128x256b, 4x256b, 128x128b, 64x128b, 32x128b
  std::string multicast;  // 64x128b: 02_13 or 01_23; 32x128b: warpx4; else empty
  int packed_bits = 0;    // 4 or 6: of 16 elements in each 16 bytes, that become bytes
};

class TensorMemory {
 public:
  // `banks` of each quarter of the lanes: 8 of 64 columns or 4 of 128. They count cycles and do nothing else.
  explicit TensorMemory(int banks = 8);

  // The first of so many free columns.
  int allocate(int columns);
  void free(int first, int columns);

  // Registers of a warp, lane after lane, as many as registers_of says.
  layout::Words load(const WarpAccess& access, const TensorAddress& at);
  void store(const WarpAccess& access, const TensorAddress& at, const layout::Words& registers);

  void copy(const CopyForm& form, const TensorAddress& at, std::uint64_t descriptor, const SharedMemory& from);
  // Throws what copy would, and changes nothing: for two memories that are written together.
  void check_copy(const CopyForm& form, const TensorAddress& at, std::uint64_t descriptor,
                  const SharedMemory& from) const;

  // Each lane takes what the next one held, of 8 columns; the last lane keeps what it has.
  void shift_down(const TensorAddress& at);
  void check_shift(const TensorAddress& at) const;

  std::uint32_t word(int lane, int column) const { return words_[place(lane, column)]; }
  void set_word(int lane, int column, std::uint32_t word) { words_[place(lane, column)] = word; }
  // Empty where all of these columns are allocated; else a sentence that begins with `what`.
  std::string problem(const std::string& what, int first, int columns) const;

  std::uint64_t cycles() const { return cycles_; }
  std::uint64_t dwords_copied() const { return dwords_copied_; }  // read from shared memory by copy

 private:
  static std::size_t place(int lane, int column) { return static_cast<std::size_t>(lane * tensor_columns + column); }
  void check(const std::string& what, int first, int columns) const;

  template <class Visit>
  void each_word(const WarpAccess& access, const TensorAddress& at, Visit&& visit);

  int banks_;
  std::vector<std::uint32_t> words_;
  std::vector<int> owner_;  // of each column: the first of its allocation, or free_column
  std::uint64_t cycles_ = 0, dwords_copied_ = 0;
};

// Of each lane of a warp; throws Error where there is no such shape or repeat.
int registers_of(const WarpAccess& access);

}  // namespace assay::machine
