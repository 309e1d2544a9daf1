// Decoded operands in the order in which a kernel takes them.
#pragma once

#include <hwy/aligned_allocator.h>

#include <array>
#include <type_traits>
#include <vector>

#include "model/core/plan.hpp"
#include "model/fast/matrix.hpp"
#include "model/fast/tile.hpp"

namespace assay {

// Where a kernel asks for no exponents.
struct NoExponent {};

// One operand: its value, its exponent as the kernel counts it, and whether the kernel can take it.
template <class Value, class Exponent>
struct Decoded {
  Value value = 0;
  Exponent exponent = {};
  bool fits = true;
};

// Which terms of an instruction the kernel takes one after the other: numbers of products, and -1 for one that fills a
// group up.
using Sources = std::vector<int>;

// Those of a kernel that takes the products of one sum after the other, each sum's filled up to a multiple of so many.
Sources sources_of_sums(const Plan& plan, int multiple = 4);

// Those of one that takes the products of a step as they follow each other.
Sources sources_of_steps(const Plan& plan);

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

  static constexpr bool has_exponents = !std::is_empty_v<Exponent>;

  Pack() = default;
  Pack(std::size_t lines, std::size_t terms_of_line)
      : values(hwy::AllocateAligned<Value>(lines * terms_of_line)),
        fits(lines, 1),
        terms(static_cast<int>(terms_of_line)) {
    if (has_exponents) exponents = hwy::AllocateAligned<Exponent>(lines * ((terms_of_line + 3) / 4 * 4));
  }

  static std::size_t line_bytes(std::size_t terms_of_line) {
    return terms_of_line * sizeof(Value) + (has_exponents ? (terms_of_line + 3) / 4 * 4 * sizeof(Exponent) : 0);
  }
};

// Leaves to core what is in a row of A, or in a column of B, that does not fit: of a tile from `row` of a block on, or
// of cases side by side.
void redo_unfit(const std::vector<char>& a, int row, int rows, const std::vector<char>& b, Tile& tile);
void redo_unfit_cases(const std::vector<char>& a, const std::vector<char>& b, Tile& tile);

// An operand in memory: `count` lines, each of so many instructions of k terms. Line l is row first + l of `codes`,
// which for B is transposed.
struct OperandLines {
  Matrix codes;
  int first = 0, count = 0;
  int k = 0, instructions = 0;
  int pieces = 1;  // products of each element

  std::size_t element_of(int source) const { return static_cast<std::size_t>(source / pieces); }
};

// `decode(code, line, product)` is the operand of one line in one product, as they follow along K; `fill` is what fills
// a group up.
template <class Value, class Exponent, class Decode>
Pack<Value, Exponent> packed_rows(const Sources& sources, const OperandLines& from,
                                  const Decoded<Value, Exponent>& fill, const Decode& decode) {
  const int lines = (from.count + tile_rows - 1) / tile_rows * tile_rows;
  Pack<Value, Exponent> pack(static_cast<std::size_t>(lines),
                             sources.size() * static_cast<std::size_t>(from.instructions));
  std::vector<Code> codes(static_cast<std::size_t>(from.k));
  Value* values = pack.values.get();
  [[maybe_unused]] Exponent* exponents = pack.exponents.get();
  for (int line = 0; line < lines; ++line) {
    const bool there = line < from.count;
    bool fits = true;
    for (int first = 0; first < from.instructions * from.k; first += from.k) {
      if (there) from.codes.get_row(from.first + line, first, from.k, codes.data());
      for (const int source : sources) {
        const auto x =
            there && source >= 0 ? decode(codes[from.element_of(source)], line, first * from.pieces + source) : fill;
        *values++ = x.value;
        if constexpr (pack.has_exponents) *exponents++ = x.exponent;
        fits = fits && x.fits;
      }
    }
    pack.fits[static_cast<std::size_t>(line)] = static_cast<char>(fits);
  }
  return pack;
}

template <class Value, class Exponent, class Decode>
Pack<Value, Exponent> packed_panel(const Sources& sources, const OperandLines& from,
                                   const Decoded<Value, Exponent>& fill, const Decode& decode) {
  Pack<Value, Exponent> pack(panel_columns, sources.size() * static_cast<std::size_t>(from.instructions));
  const Matrix codes_of_terms = transposed(from.codes);
  std::array<Code, panel_columns> codes{};
  std::array<bool, panel_columns> fits{};
  fits.fill(true);
  Value* values = pack.values.get();
  [[maybe_unused]] Exponent* exponents = pack.exponents.get();
  int t = 0;
  for (int first = 0; first < from.instructions * from.k; first += from.k) {
    for (const int source : sources) {
      if (source >= 0) {
        const int element = first + static_cast<int>(from.element_of(source));
        codes_of_terms.get_row(element, from.first, from.count, codes.data());
      }
      for (int line = 0; line < panel_columns; ++line) {
        const auto at = static_cast<std::size_t>(line);
        const auto x = source >= 0 && line < from.count ? decode(codes[at], line, first * from.pieces + source) : fill;
        values[line] = x.value;
        if constexpr (pack.has_exponents) exponents[t / 4 * 4 * panel_columns + 4 * line + t % 4] = x.exponent;
        fits[at] = fits[at] && x.fits;
      }
      values += panel_columns;
      ++t;
    }
  }
  pack.fits.assign(fits.begin(), fits.end());
  return pack;
}

}  // namespace assay
