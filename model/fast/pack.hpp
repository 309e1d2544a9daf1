// Decoded operands in the order in which a kernel takes them.
#pragma once

#include <hwy/aligned_allocator.h>

#include <vector>

#include "model/fast/matrix.hpp"
#include "model/fast/tile.hpp"

namespace assay {

// One operand: its value, its exponent as the kernel counts it, and whether the kernel can take it.
template <class Value, class Exponent>
struct Decoded {
  Value value = 0;
  Exponent exponent = 0;
  bool fits = true;
};

// Which terms of an instruction the kernel takes one after the other: indices in k, and -1 for one that fills a group
// up to a multiple of four.
using Sources = std::vector<int>;

// Lines, which are rows of A or columns of B.
//
//   of rows     values      row 0: t0 t1 t2 ..   row 1: ..          exponents alike
//   of a panel  values      t0: line 0, 1, .. 15   t1: ..
//               exponents   line 0: t0 t1 t2 t3   line 1: t0 t1 t2 t3 ..   and then t4 to t7
template <class Value, class Exponent>
struct Pack {
  hwy::AlignedFreeUniquePtr<Value[]> values;
  hwy::AlignedFreeUniquePtr<Exponent[]> exponents;
  std::vector<char> fits;  // each line
  int terms = 0;           // of a line

  Pack() = default;
  Pack(std::size_t lines, std::size_t terms_of_line)
      : values(hwy::AllocateAligned<Value>(lines * terms_of_line)),
        exponents(hwy::AllocateAligned<Exponent>(lines * ((terms_of_line + 3) / 4 * 4))),
        fits(lines, 1),
        terms(static_cast<int>(terms_of_line)) {}

  void put(std::size_t line, std::size_t value_at, std::size_t exponent_at, const Decoded<Value, Exponent>& x) {
    values[value_at] = x.value;
    exponents[exponent_at] = x.exponent;
    fits[line] &= static_cast<char>(x.fits);
  }
};

// `at(line, index)` decodes the operand of one line at one index along K; `zero` is what a zero is decoded to.
template <class Value, class Exponent, class At>
Pack<Value, Exponent> packed_rows(const Sources& sources, int k, int count, int instructions,
                                  const Decoded<Value, Exponent>& zero, const At& at) {
  const auto lines = static_cast<std::size_t>((count + tile_rows - 1) / tile_rows * tile_rows);
  Pack<Value, Exponent> pack(lines, sources.size() * static_cast<std::size_t>(instructions));
  std::size_t to = 0;
  for (std::size_t line = 0; line < lines; ++line) {
    for (int instruction = 0; instruction < instructions; ++instruction) {
      for (const int source : sources) {
        const bool there = source >= 0 && static_cast<int>(line) < count;
        pack.put(line, to, to, there ? at(static_cast<int>(line), instruction * k + source) : zero);
        ++to;
      }
    }
  }
  return pack;
}

template <class Value, class Exponent, class At>
Pack<Value, Exponent> packed_panel(const Sources& sources, int k, int count, int instructions,
                                   const Decoded<Value, Exponent>& zero, const At& at) {
  Pack<Value, Exponent> pack(panel_columns, sources.size() * static_cast<std::size_t>(instructions));
  std::size_t t = 0;
  for (int instruction = 0; instruction < instructions; ++instruction) {
    for (const int source : sources) {
      for (std::size_t line = 0; line < panel_columns; ++line) {
        const bool there = source >= 0 && static_cast<int>(line) < count;
        pack.put(line, t * panel_columns + line, t / 4 * 4 * panel_columns + 4 * line + t % 4,
                 there ? at(static_cast<int>(line), instruction * k + source) : zero);
      }
      ++t;
    }
  }
  return pack;
}

}  // namespace assay
