// A unit that computes a whole tile - rows x columns results, of each row of a with each column of b - and is asked one
// case at a time. The case stands in all rows and columns, or in all but one row, one column or one of each, which hold
// other operands: so each element is held to the others, and a row, a column or an addend that goes to the wrong place
// shows.
//
//             columns of b: case  other case
//   row of a: case            d1    ..   d3      d1, d3, d7 and d9 must be the same; nobody looks at the rest
//             other           ..    ..   ..
//             case            d7    ..   d9
//
// Which row and column are the others', and what they hold, follows from the case's codes, so that a case alone is
// asked what it was asked before: of rows from a's, of columns from b's, so that cases which share an operand give its
// ports the same. Places are those of element [0,0], where it is the case's. Standard library and
// serve.hpp only.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <string>
#include <utility>
#include <vector>

#include "tb/devices/serve.hpp"

namespace assay::rtl {

// What stood at the ports before an edge: a request's operands, and which of the beats in which they come.
struct Stood {
  Request request;
  std::size_t beat = 0;
};

// A row or a column that is not the case's.
struct OtherLine {
  static constexpr std::size_t none = ~std::size_t{0};
  std::size_t line = none;
  std::uint64_t seed = 0;  // of what stands there
};

struct Others {
  OtherLine row, column;

  bool leave(std::size_t r, std::size_t c) const { return r != row.line && c != column.line; }
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

// By how many clock edges the elements of an operand, or of d, come after the first.
struct Skew {
  std::size_t of_line = 0, of_element = 0;

  std::size_t at(std::size_t line, std::size_t i) const { return line * of_line + i * of_element; }
  std::size_t most(const TileLines& lines) const { return at(lines.count - 1, lines.length - 1); }
};

inline std::uint64_t mixed(std::uint64_t state, std::uint64_t code) {
  state = (state ^ code) * 0x9e3779b97f4a7c15;
  return state ^ state >> 29;
}

using CodeList = std::vector<std::uint64_t>;

inline OtherLine other_line(std::size_t lines, const CodeList& codes, std::uint64_t seed) {
  for (const std::uint64_t code : codes) seed = mixed(seed, code);
  const std::size_t line = (mixed(seed, 0) >> 32) % (lines + 1);
  return {lines == 1 || line == lines ? OtherLine::none : line, seed};
}

inline Others others_of(const Request& request, const TileShape& shape) {
  return {other_line(shape.rows, request.a, 1), other_line(shape.columns, request.b, 2)};
}

// In place of a code: its neighbour but for a bit, so that it is of the same kind, its complement, any; and for every
// other case zeros, infinities, NaN and what else is special in its format.
inline std::uint64_t other_code(std::uint64_t code, std::uint64_t neighbour, const CodeList& special,
                                std::uint64_t seed, std::uint64_t salt) {
  const std::uint64_t drawn = mixed(seed, salt), kind = drawn % (seed % 2 == 0 ? 3 : 5);
  if (kind > 2) return special[(drawn >> 8) % special.size()];
  return kind == 0 ? neighbour ^ 1 : kind == 1 ? ~code : drawn >> 8;
}

// What goes to the ports of an operand: `lines.length` of its codes, from `first` on, in each line, and other ones in
// that of the others.
inline CodeList in_lines(const CodeList& codes, std::size_t first, const TileLines& lines, const OtherLine& other,
                         const CodeList& special) {
  CodeList all(lines.count * lines.length);
  for (std::size_t line = 0; line < lines.count; ++line) {
    for (std::size_t i = 0; i < lines.length; ++i) {
      const std::uint64_t code = codes[first + i], next = codes[(first + i + 1) % codes.size()];
      all[lines.place(line, i)] = line == other.line ? other_code(code, next, special, other.seed, first + i) : code;
    }
  }
  return all;
}

inline CodeList portion(const CodeList& codes, std::size_t first, std::size_t count) {
  const auto begin = codes.begin() + static_cast<std::ptrdiff_t>(first);
  return {begin, begin + static_cast<std::ptrdiff_t>(count)};
}

// What stands at the ports of an operand whose elements come late: `all` without those that were asked for earlier,
// `list(request, beat)` of then.
template <class List>
CodeList skewed(CodeList all, const List& list, const std::deque<Stood>* past, const TileLines& lines,
                const Skew& skew) {
  if (past == nullptr) return all;
  for (std::size_t edges = 1; edges <= std::min(skew.most(lines), past->size()); ++edges) {
    const Stood& stood = (*past)[edges - 1];
    const CodeList then = list(stood.request, stood.beat);
    for (std::size_t line = 0; line < lines.count; ++line) {
      for (std::size_t i = 0; i < lines.length; ++i) {
        if (skew.at(line, i) == edges) all[lines.place(line, i)] = then[lines.place(line, i)];
      }
    }
  }
  return all;
}

// Results that come one after the other, kept until the last is there.
class Settling {
 public:
  explicit Settling(std::size_t edges) : edges_(edges) {}

  // What stands at the ports before an edge.
  void see(CodeList d, bool valid) {
    seen_.push_front({std::move(d), valid});
    if (seen_.size() > edges_) seen_.pop_back();
  }
  void forget() { seen_.clear(); }

  // Of the result whose first element was there so many edges ago.
  bool valid() const { return seen_.size() == edges_ && seen_.back().second; }
  CodeList settled(CodeList now, const TileLines& lines, const Skew& skew) const {
    for (std::size_t line = 0; line < lines.count; ++line) {
      for (std::size_t i = 0; i < lines.length; ++i) {
        const std::size_t ago = edges_ - skew.at(line, i), at = lines.place(line, i);
        if (ago > 0 && ago <= seen_.size()) now[at] = seen_[ago - 1].first[at];
      }
    }
    return now;
  }

 private:
  std::size_t edges_;
  std::deque<std::pair<CodeList, bool>> seen_;  // the newest first
};

// c of each element.
inline CodeList addends(std::uint64_t c, const TileLines& lines, const Others& others, const CodeList& special) {
  CodeList all(lines.count * lines.length);
  const std::uint64_t seed = mixed(mixed(others.row.seed, others.column.seed), c);
  for (std::size_t row = 0; row < lines.count; ++row) {
    for (std::size_t column = 0; column < lines.length; ++column) {
      const std::size_t at = lines.place(row, column);
      all[at] = others.leave(row, column) ? c : other_code(c, c, special, seed, ~at);
    }
  }
  return all;
}

// Which codes of d are NaN: those whose bits under `mask` are `value`, and of whose bits under `any` one is set, unless
// that is 0.
struct NanCodesOf {
  std::uint64_t mask = 0, value = 1, any = 0;

  bool has(std::uint64_t code) const { return (code & mask) == value && (any == 0 || (code & any) != 0); }
};

struct TileResult {
  std::size_t row, column;
  std::uint64_t d;

  std::string element() const { return "[" + std::to_string(row) + "," + std::to_string(column) + "]"; }
};

inline std::vector<TileResult> results_of_case(const CodeList& d, const TileLines& lines, const Others& others) {
  std::vector<TileResult> results;
  for (std::size_t row = 0; row < lines.count; ++row) {
    for (std::size_t column = 0; column < lines.length; ++column) {
      if (others.leave(row, column)) results.push_back({row, column, d[lines.place(row, column)]});
    }
  }
  return results;
}

// What more than half of them give; nothing where there is no such d.
inline const TileResult* usual(const std::vector<TileResult>& results) {
  for (const TileResult& one : results) {
    const auto same = std::count_if(results.begin(), results.end(), [&](const TileResult& r) { return r.d == one.d; });
    if (2 * static_cast<std::size_t>(same) > results.size()) return &one;
  }
  return nullptr;
}

// Elements whose operands are the same, and whose results are not: `odd` differs from `most`, or where that is nothing
// from the first.
inline std::string apart(const std::vector<TileResult>& results, const TileResult* most, const TileResult& odd,
                         int digits) {
  if (most == nullptr) {
    const TileResult& first = results.front();
    return "Elements " + first.element() + " and " + odd.element() +
           " of the tile, whose operands are the same, give " + hex_text(first.d, digits) + " and " +
           hex_text(odd.d, digits) + ".";
  }
  const auto same = std::count_if(results.begin(), results.end(), [&](const TileResult& r) { return r.d == most->d; });
  const std::size_t rest = results.size() - static_cast<std::size_t>(same) - 1;
  return "Element " + odd.element() + " of the tile gives " + hex_text(odd.d, digits) + " where " +
         std::to_string(same) + " with the same operands give " + hex_text(most->d, digits) +
         (rest == 0 ? "." : "; " + std::to_string(rest) + " more " + (rest == 1 ? "gives" : "give") + " others.");
}

// d of the case, or what is wrong where its elements have several. NaNs of several codes are left to the host, which
// knows whether these count: it is given one that others have not.
inline Reply reply_of(const CodeList& d, const TileLines& lines, const Others& others, int digits,
                      const NanCodesOf& nan) {
  const std::vector<TileResult> results = results_of_case(d, lines, others);
  const TileResult* most = usual(results);
  const std::uint64_t expected = most != nullptr ? most->d : results.front().d;
  Reply reply{expected, digits};
  for (const TileResult& one : results) {
    if (one.d == expected) continue;
    reply.d = one.d;
    if (nan.has(one.d) && nan.has(expected)) continue;
    reply.error = apart(results, most, one, digits);
    return reply;
  }
  return reply;
}

}  // namespace assay::rtl
