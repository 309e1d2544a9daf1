// A unit that computes a whole tile - rows x columns results, of each row of a with each column of b - and is asked one
// case at a time. The case stands in all rows and columns but one row and one column, which hold other operands: so
// each element is held to the others, and a row, a column or an addend that goes to the wrong place shows.
//
//             columns of b: case  other case
//   row of a: case            d1    ..   d3      d1, d3, d7 and d9 must be the same; nobody looks at the rest
//             other           ..    ..   ..
//             case            d7    ..   d9
//
// Which row and column are the others', and what they hold, follows from the case's codes, so that a case alone is
// asked what it was asked before. Places are those of element [0,0], where it is the case's. Standard library and
// serve.hpp only.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "tb/devices/serve.hpp"

namespace assay::rtl {

// The row and the column that are not the case's.
struct Others {
  static constexpr std::size_t none = ~std::size_t{0};
  std::size_t row = none, column = none;
  std::uint64_t seed = 0;  // of what stands there

  bool leave(std::size_t r, std::size_t c) const { return r != row && c != column; }
};

struct TileShape {
  std::size_t rows = 1, columns = 1;
};

// Where the elements of an operand, or of d, lie: line after line (a row of a, a column of b, a row of c), or across
// them: the first of each line, then the second of each.
struct TileLines {
  std::size_t count = 1, length = 1;
  bool across = false;

  std::size_t place(std::size_t line, std::size_t i) const { return across ? i * count + line : line * length + i; }
};

inline std::uint64_t mixed(std::uint64_t state, std::uint64_t code) {
  state = (state ^ code) * 0x9e3779b97f4a7c15;
  return state ^ state >> 29;
}

inline Others others_of(const Request& request, const TileShape& shape) {
  std::uint64_t seed = mixed(1, request.c);
  for (const auto* codes : {&request.a, &request.b}) {
    for (const std::uint64_t code : *codes) seed = mixed(seed, code);
  }
  const auto one_of = [](std::size_t lines, std::uint64_t drawn) {
    const std::size_t line = drawn % (lines + 1);
    return lines == 1 || line == lines ? Others::none : line;
  };
  return {one_of(shape.rows, seed >> 32), one_of(shape.columns, mixed(seed, 0) >> 32), seed};
}

// In place of a code: its neighbour but for a bit, so that it is of the same kind, its complement, any, or zero.
inline std::uint64_t other_code(std::uint64_t code, std::uint64_t neighbour, std::uint64_t drawn) {
  switch (drawn % 4) {
    case 0: return neighbour ^ 1;
    case 1: return ~code;
    case 2: return drawn >> 2;
    default: return 0;
  }
}

// What goes to the ports of an operand: `lines.length` of its codes, from `first` on, in each line, and other ones in
// line `other`.
inline std::vector<std::uint64_t> in_lines(const std::vector<std::uint64_t>& codes, std::size_t first,
                                           const TileLines& lines, std::size_t other, std::uint64_t seed) {
  std::vector<std::uint64_t> all(lines.count * lines.length);
  for (std::size_t line = 0; line < lines.count; ++line) {
    for (std::size_t i = 0; i < lines.length; ++i) {
      const std::uint64_t code = codes[first + i], next = codes[(first + i + 1) % codes.size()];
      all[lines.place(line, i)] = line == other ? other_code(code, next, mixed(seed, first + i)) : code;
    }
  }
  return all;
}

// c of each element.
inline std::vector<std::uint64_t> addends(std::uint64_t c, const TileLines& lines, const Others& others) {
  std::vector<std::uint64_t> all(lines.count * lines.length);
  for (std::size_t row = 0; row < lines.count; ++row) {
    for (std::size_t column = 0; column < lines.length; ++column) {
      const std::size_t at = lines.place(row, column);
      all[at] = others.leave(row, column) ? c : other_code(c, c, mixed(others.seed, ~at));
    }
  }
  return all;
}

// d of the case. Where its elements have several: "Element [1,2] of the tile gives 3f800001 where 12 with the same
// operands give 3f800000."
inline Reply reply_of(const std::vector<std::uint64_t>& d, const TileLines& lines, const Others& others, int digits) {
  struct Result {
    std::size_t row, column;
    std::uint64_t d;
  };
  std::vector<Result> results;
  for (std::size_t row = 0; row < lines.count; ++row) {
    for (std::size_t column = 0; column < lines.length; ++column) {
      if (others.leave(row, column)) results.push_back({row, column, d[lines.place(row, column)]});
    }
  }
  const auto many = [&](std::uint64_t value) {
    return std::count_if(results.begin(), results.end(), [&](const Result& r) { return r.d == value; });
  };
  std::uint64_t usual = results.front().d;
  auto most = many(usual);
  if (most == static_cast<std::ptrdiff_t>(results.size())) return {usual, digits};
  for (const Result& r : results) {
    if (const auto times = many(r.d); times > most) usual = r.d, most = times;
  }
  const auto odd = std::find_if(results.begin(), results.end(), [&](const Result& r) { return r.d != usual; });
  const std::size_t rest = results.size() - static_cast<std::size_t>(most) - 1;
  Reply reply{usual, digits};
  reply.error =
      "Element [" + std::to_string(odd->row) + "," + std::to_string(odd->column) + "] of the tile gives " +
      hex_text(odd->d, digits) + " where " + std::to_string(most) + " with the same operands " +
      (most == 1 ? "gives " : "give ") + hex_text(usual, digits) +
      (rest == 0 ? "." : "; " + std::to_string(rest) + " more " + (rest == 1 ? "gives" : "give") + " others.");
  return reply;
}

}  // namespace assay::rtl
