// How matrices lie in the operand window.
//
//   A | B | scales of A | scales of B | MORE | C | D      each from a multiple of 8 bytes on, row-major
//
// MORE: one after the other, what cases of the datapath bring besides. Of side a M x n, of side b n x N, of random
// words (M x N) x n, where n is as many codes as all steps along K take.
//
// An element takes 1, 2, 4 or 8 bytes, the fewest that hold it, little-endian, in their low bits; bits above it are
// ignored in operands and zero in D.
#pragma once

#include <cstdint>
#include <vector>

#include "model/core/matmul.hpp"

namespace assay::bus {

struct OperandRegion {
  std::uint64_t offset = 0;
  std::uint64_t count = 0;  // of elements
  int element_bytes = 1;
  int element_bits = 8;

  std::uint64_t end() const { return offset + count * static_cast<std::uint64_t>(element_bytes); }
};

struct OperandWindow {
  int m = 0, n = 0, k = 0;
  OperandRegion a, b, scale_a, scale_b, c, d;
  std::vector<OperandRegion> more = {};  // of each of plan.more

  std::uint64_t bytes() const { return d.end(); }
};

// `steps` instructions along K.
OperandWindow window_of(const Plan& plan, int m, int n, int steps);

// All operands of `matrices` as the bytes from A on up to D.
std::vector<unsigned char> pack(const OperandWindow& window, const Matrices& matrices);
Matrices unpack(const OperandWindow& window, const unsigned char* bytes);

// One region, from and to its own bytes.
void pack(const OperandRegion& region, const std::vector<Code>& codes, unsigned char* bytes);
std::vector<Code> unpack(const OperandRegion& region, const unsigned char* bytes);

}  // namespace assay::bus
