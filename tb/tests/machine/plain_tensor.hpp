// Matrices in shared memory as the PTX manual draws them, by arithmetic that the model does not have.
#pragma once

#include <random>
#include <string>
#include <vector>

#include "model/machine/tensor_mma.hpp"

namespace assay::machine::testing {

using Random = std::mt19937_64;

inline int bits_of(const std::string& format) { return find_format(format)->stored_bits; }

inline std::vector<Code> random_codes(Random& random, int count, int bits) {
  std::vector<Code> codes(static_cast<std::size_t>(count));
  for (Code& code : codes) code = random() & (~Code{0} >> (64 - bits));
  return codes;
}

// Byte of element (row, k) of a matrix of `bytes` a piece of 16: the canonical layouts of the manual in units of 16
// bytes, then the swizzle, "the 16-byte chunk's number within the row is XORed with the row's number".
struct Place {
  std::uint64_t byte;
  int bit;
};

struct Put {
  MatrixDescriptor matrix;
  bool mn_major = false;
  int bits = 16, slot = 16;

  Place operator()(int row, int k) const {
    const int each = 128 / slot, along = mn_major ? row : k, across = mn_major ? k : row;
    const int piece = along / each, rest = along % each * bits;
    const int width = matrix.width, pieces = width / 16;
    std::uint64_t offset = 0;
    if (width == 16) {
      const std::uint64_t group = mn_major ? matrix.leading : matrix.stride,
                          next = mn_major ? matrix.stride : matrix.leading;
      offset = static_cast<std::uint64_t>(across / 8) * group + static_cast<std::uint64_t>(piece) * next +
               static_cast<std::uint64_t>(across % 8) * 16;
    } else {
      // Rows of `width` bytes: eight of them are `width` / 16 chunks wide; row r lies 16 r / pieces.. of 128-byte
      // lines.
      const int line = across % 8 * width / 128, chunk = across % 8 * width % 128 / 16 + piece % pieces;
      const int turned = chunk / pieces * pieces + (chunk % pieces ^ line % pieces);
      offset = static_cast<std::uint64_t>(across / 8) * matrix.stride +
               static_cast<std::uint64_t>(piece / pieces) * matrix.leading +
               static_cast<std::uint64_t>(128 * line + 16 * turned);
    }
    return {matrix.start + offset + static_cast<std::uint64_t>(rest / 8), rest % 8};
  }
};

inline void put_matrix(SharedMemory& shared, const Put& put, const std::vector<Code>& codes, int rows, int k) {
  for (int row = 0; row < rows; ++row) {
    for (int i = 0; i < k; ++i) {
      const Place at = put(row, i);
      const Code code = codes[static_cast<std::size_t>(row * k + i)];
      for (int bit = 0; bit < put.bits; ++bit) {
        const int where = at.bit + bit;
        std::uint8_t& byte = shared.at(at.byte + static_cast<std::uint64_t>(where / 8));
        byte =
            static_cast<std::uint8_t>((byte & ~(1 << (where % 8))) | static_cast<int>(code >> bit & 1) << (where % 8));
      }
    }
  }
}

struct MmaCase {
  MmaKind kind;
  MmaShape shape;
};

inline MmaCase case_of(MmaKind kind, int m, int n, int k, const char* a, const char* b, const char* d = "f32",
                       const char* scale = "", int block = 0) {
  MmaShape s;
  s.m = m;
  s.n = n;
  s.k = k;
  s.a = a;
  s.b = b;
  s.d = d;
  s.scale = scale;
  s.scale_block = block;
  return {kind, s};
}

inline Put place(const MmaCase& c, bool is_a, int width, std::uint32_t start) {
  const MmaShape& s = c.shape;
  Put put;
  put.bits = bits_of(is_a ? s.a : s.b);
  put.slot = s.k == 64 ? 4 : std::max(put.bits, 8);
  put.mn_major = is_a ? s.a_is_mn_major : s.b_is_mn_major;
  const auto rows = static_cast<std::uint32_t>(is_a ? s.m : s.n);
  put.matrix.start = start;
  put.matrix.width = width;
  const auto w = static_cast<std::uint32_t>(width);
  if (width == 16) {
    put.matrix.leading = put.mn_major ? rows * static_cast<std::uint32_t>(put.slot) : 128;
    put.matrix.stride = put.mn_major ? 128 : 256;
  } else {
    // A row of k takes 32 of a row's bytes; along m or n, `width` bytes and then the next 8 x width x (k / 8).
    put.matrix.stride = 8 * w;
    put.matrix.leading = put.mn_major ? w * static_cast<std::uint32_t>(s.k) : 16;
  }
  return put;
}

}  // namespace assay::machine::testing
