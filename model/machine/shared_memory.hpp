// Shared memory, and where a matrix lies in it: what a 64-bit matrix descriptor says.
//
//   bits 13..0   start address / 16        bits 48..46  001
//   bits 29..16  leading byte offset / 16  bits 51..49  base offset
//   bits 45..32  stride byte offset / 16   bits 63..61  swizzle
//
// All others are zero. A matrix is made of rows of 16-byte pieces; eight rows of `width` bytes repeat, width being 16
// without swizzle and 32, 64 or 128 with one.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace assay::machine {

// `along` is the direction in which elements lie side by side.
enum class Major { k, mn };

struct MatrixDescriptor {
  std::uint32_t start = 0, leading = 0, stride = 0;  // bytes
  int width = 16;                                    // bytes of a row that repeats: 16, 32, 64 or 128

  // Where piece `piece` of row `row` begins, rows along m or n and pieces along k (Major::k), or rows along k and
  // pieces along m or n (Major::mn).
  std::uint64_t address(Major major, int row, int piece) const;
};

// Empty, and `into` is what it says; or a sentence. `name` begins it: "the descriptor of A".
std::string read_descriptor(const std::string& name, std::uint64_t bits, MatrixDescriptor& into);
std::uint64_t descriptor_bits(const MatrixDescriptor& descriptor);
// Empty where a matrix may start there; else a sentence. What is swizzled repeats, and a base offset is not held here.
std::string matrix_start_problem(const std::string& name, const MatrixDescriptor& descriptor, int base_offset);

class SharedMemory {
 public:
  explicit SharedMemory(std::size_t bytes = std::size_t{227} << 10) : bytes_(bytes) {}

  std::size_t size() const { return bytes_.size(); }
  std::uint8_t& at(std::uint64_t address) { return bytes_[address]; }
  std::uint8_t at(std::uint64_t address) const { return bytes_[address]; }
  // Up to 32 bits that do not cross the 16 bytes they begin in.
  std::uint64_t bits(std::uint64_t address, int first, int count) const;
  void set_bits(std::uint64_t address, int first, int count, std::uint64_t code);
  bool holds(std::uint64_t address, std::uint64_t count) const {
    return address <= bytes_.size() && count <= bytes_.size() - address;
  }

 private:
  std::vector<std::uint8_t> bytes_;
};

// An element begins with bit `first` of the 16 bytes at `address`.
struct ElementPlace {
  std::uint64_t address = 0;
  int first = 0;
};

// How a matrix of rows x k elements is read: 16 bytes hold `each` of them, packed, of so many bits.
struct MatrixReading {
  int rows = 0, k = 0;
  Major major = Major::k;
  int each = 0, bits = 0;

  ElementPlace place(const MatrixDescriptor& matrix, int row, int column) const;
};

// Row after row. Throws Error where the matrix leads beyond the memory; `name` is the operand's.
std::vector<std::uint64_t> read_matrix(const std::string& name, const MatrixDescriptor& matrix,
                                       const MatrixReading& reading, const SharedMemory& shared);

}  // namespace assay::machine
