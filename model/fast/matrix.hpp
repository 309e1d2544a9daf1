// Matrices of codes as they lie in memory.
#pragma once

#include <cstddef>
#include <cstring>
#include <vector>

#include "model/core/format.hpp"

namespace assay {

// Element (i, j) takes `bytes` bytes, 1, 2, 4 or 8 and little-endian, at data + (i x row + j x column) x bytes. So a
// transposed matrix is the same one with `row` and `column` exchanged. No alignment is asked for.
template <class Byte>
struct MatrixView {
  Byte* data = nullptr;
  int bytes = 8;
  std::ptrdiff_t row = 0, column = 1;

  Byte* at(int i, int j) const { return data + (i * row + j * column) * bytes; }

  Code get(int i, int j) const {
    Code code;
    get_row(i, j, 1, &code);
    return code;
  }
  void set(int i, int j, Code code) const { set_row(i, j, 1, &code); }

  // Elements (i, j) to (i, j + count - 1).
  void get_row(int i, int j, int count, Code* codes) const {
    with_element([&](auto element) {
      const Byte* from = at(i, j);
      for (std::ptrdiff_t n = 0; n < count; ++n) {
        std::memcpy(&element, from + n * column * static_cast<std::ptrdiff_t>(sizeof element), sizeof element);
        codes[n] = element;
      }
    });
  }
  void set_row(int i, int j, int count, const Code* codes) const {
    with_element([&](auto element) {
      Byte* to = at(i, j);
      for (std::ptrdiff_t n = 0; n < count; ++n) {
        element = static_cast<decltype(element)>(codes[n]);
        std::memcpy(to + n * column * static_cast<std::ptrdiff_t>(sizeof element), &element, sizeof element);
      }
    });
  }

 private:
  template <class Use>
  void with_element(const Use& use) const {
    switch (bytes) {
      case 1: return use(std::uint8_t{});
      case 2: return use(std::uint16_t{});
      case 4: return use(std::uint32_t{});
      default: return use(std::uint64_t{});
    }
  }
};

using Matrix = MatrixView<const unsigned char>;
using MatrixOut = MatrixView<unsigned char>;

template <class Element>
Matrix row_major(const Element* data, int columns) {
  return {reinterpret_cast<const unsigned char*>(data), sizeof(Element), columns, 1};
}
template <class Element>
MatrixOut row_major(Element* data, int columns) {
  return {reinterpret_cast<unsigned char*>(data), sizeof(Element), columns, 1};
}
template <class View>
View transposed(View matrix) {
  return {matrix.data, matrix.bytes, matrix.column, matrix.row};
}

// D = A x B + C as model/core/matmul.hpp has it. D may be C, but overlap nothing else.
struct Gemm {
  int m = 0, n = 0, k = 0;
  Matrix a;        // m x k
  Matrix b;        // k x n
  Matrix c;        // m x n
  Matrix scale_a;  // m x (k / plan.k x plan.scales), where the plan has scales: each instruction has its own
  Matrix scale_b;  // (k / plan.k x plan.scales) x n
  MatrixOut d;     // m x n
  std::vector<Matrix> more = {};  // of each of plan.more, as `matrix_size` has it
};

// Of A, B, C and D together; once where D is C.
inline std::size_t matrix_bytes(const Gemm& g) {
  const auto of = [](int rows, int columns, int bytes) {
    return static_cast<std::size_t>(rows) * static_cast<std::size_t>(columns) * static_cast<std::size_t>(bytes);
  };
  const std::size_t d = g.d.data == g.c.data ? 0 : of(g.m, g.n, g.d.bytes);
  return of(g.m, g.k, g.a.bytes) + of(g.k, g.n, g.b.bytes) + of(g.m, g.n, g.c.bytes) + d;
}

}  // namespace assay
