// Matrices of codes as they lie in memory.
#pragma once

#include <cstddef>
#include <cstring>

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
    const Byte* from = at(i, j);
    switch (bytes) {
      case 1: return load<std::uint8_t>(from);
      case 2: return load<std::uint16_t>(from);
      case 4: return load<std::uint32_t>(from);
      default: return load<std::uint64_t>(from);
    }
  }

  void set(int i, int j, Code code) const { std::memcpy(at(i, j), &code, static_cast<std::size_t>(bytes)); }

 private:
  template <class Element>
  static Code load(const Byte* from) {
    Element element;
    std::memcpy(&element, from, sizeof element);
    return element;
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
  Matrix scale_a;  // m x blocks, where the plan has scales
  Matrix scale_b;  // blocks x n
  MatrixOut d;     // m x n
};

}  // namespace assay
