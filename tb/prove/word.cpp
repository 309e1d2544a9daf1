#include "tb/prove/word.hpp"

#include <algorithm>

namespace assay {
namespace {

// How many low bits say all: those above repeat the uppermost of these, or are zero.
int signed_width(const GateWord& word) {
  int width = word.width();
  const Lit top = word.top();
  while (width > 0 && word.bits[static_cast<std::size_t>(width - 1)] == top) --width;
  return width + 1;
}

int unsigned_width(const GateWord& word) {
  int width = word.width();
  while (width > 0 && word.bits[static_cast<std::size_t>(width - 1)] == lit_false) --width;
  return width;
}

}  // namespace

GateWord constant_word(std::uint64_t value, int width, bool is_signed) {
  GateWord word{{}, is_signed};
  for (int i = 0; i < width; ++i) {
    const bool set = i < 64 ? (value >> i & 1) != 0 : is_signed && (value >> 63 & 1) != 0;
    word.bits.push_back(set ? lit_true : lit_false);
  }
  return word;
}

std::optional<std::int64_t> value_of(const GateWord& word) {
  std::uint64_t value = 0;
  for (int i = 0; i < std::max(word.width(), 64); ++i) {
    const Lit l = word.bit(i);
    if (!is_constant(l) || (i >= 64 && l != word.bit(63))) return std::nullopt;
    if (i < 64 && l == lit_true) value |= std::uint64_t{1} << i;
  }
  return static_cast<std::int64_t>(value);
}

GateWord extended(const GateWord& word, int width, bool is_signed) {
  GateWord made{{}, is_signed};
  made.bits.reserve(static_cast<std::size_t>(width));
  for (int i = 0; i < width; ++i) made.bits.push_back(word.bit(i));
  return made;
}

// A signed word only as wide as the exact result can be: what is above repeats its sign. An unsigned one may hold a
// two's complement: all its cells are there, which algebra needs.
GateWord WordMaker::added(const GateWord& x, const GateWord& y, bool subtracts) {
  const int enough = std::max(signed_width(x), signed_width(y)) + 1;
  const int width = x.is_signed ? std::min(x.width(), enough) : x.width();
  GateWord made{{}, true};
  Lit carry = subtracts ? lit_true : lit_false;
  for (int i = 0; i < width; ++i) {
    const Lit p = x.bit(i), q = inverted_if(y.bit(i), subtracts);
    made.bits.push_back(gates_.differ(gates_.differ(p, q), carry));
    carry = gates_.majority(p, q, carry);
  }
  return extended(made, x.width(), x.is_signed);
}

GateWord WordMaker::product(const GateWord& x, const GateWord& y) {
  const bool is_plain = !x.is_signed && !y.is_signed;
  const int width = is_plain ? std::min(x.width(), unsigned_width(x) + unsigned_width(y)) : x.width();
  GateWord made = constant_word(0, width, false);
  for (int row = 0; row < std::min(width, is_plain ? unsigned_width(y) : y.width()); ++row) {
    GateWord part = constant_word(0, width, false);
    for (int i = 0; row + i < width; ++i)
      part.bits[static_cast<std::size_t>(row + i)] = gates_.both(x.bit(i), y.bit(row));
    made = sum(made, part);
  }
  return extended(made, x.width(), x.is_signed);
}

GateWord WordMaker::conjunction(const GateWord& x, const GateWord& y) {
  GateWord made{{}, x.is_signed};
  for (int i = 0; i < x.width(); ++i) made.bits.push_back(gates_.both(x.bit(i), y.bit(i)));
  return made;
}

GateWord WordMaker::disjunction(const GateWord& x, const GateWord& y) {
  GateWord made{{}, x.is_signed};
  for (int i = 0; i < x.width(); ++i) made.bits.push_back(gates_.either(x.bit(i), y.bit(i)));
  return made;
}

GateWord WordMaker::exclusion(const GateWord& x, const GateWord& y) {
  GateWord made{{}, x.is_signed};
  for (int i = 0; i < x.width(); ++i) made.bits.push_back(gates_.differ(x.bit(i), y.bit(i)));
  return made;
}

GateWord WordMaker::complement(const GateWord& x) {
  GateWord made = x;
  for (Lit& l : made.bits) l = inverted(l);
  return made;
}

GateWord WordMaker::chosen(Lit which, const GateWord& then, const GateWord& otherwise) {
  GateWord made{{}, then.is_signed};
  for (int i = 0; i < then.width(); ++i) made.bits.push_back(gates_.choose(which, then.bit(i), otherwise.bit(i)));
  return made;
}

GateWord WordMaker::left(const GateWord& x, const GateWord& by) {
  GateWord made = x;
  for (int i = 0; i < by.width() && (std::int64_t{1} << i) < x.width(); ++i) {
    GateWord moved = constant_word(0, x.width(), x.is_signed);
    for (int to = 1 << i; to < x.width(); ++to) moved.bits[static_cast<std::size_t>(to)] = made.bit(to - (1 << i));
    made = chosen(by.bit(i), moved, made);
  }
  return made;
}

GateWord WordMaker::right(const GateWord& x, const GateWord& by) {
  GateWord made = x;
  for (int i = 0; i < by.width() && (std::int64_t{1} << i) < x.width(); ++i) {
    GateWord moved = made;
    for (int to = 0; to < x.width(); ++to) moved.bits[static_cast<std::size_t>(to)] = made.bit(to + (1 << i));
    made = chosen(by.bit(i), moved, made);
  }
  return made;
}

Lit WordMaker::is_same(const GateWord& x, const GateWord& y) {
  Lit same = lit_true;
  for (int i = 0; i < std::max(x.width(), y.width()); ++i)
    same = gates_.both(same, inverted(gates_.differ(x.bit(i), y.bit(i))));
  return same;
}

// Bit after bit, as on paper.
WordMaker::Division WordMaker::divided(const GateWord& x, std::uint64_t by) {
  const GateWord divisor = constant_word(by, x.width() + 1, false);
  GateWord rest = constant_word(0, x.width() + 1, false), quotient = constant_word(0, x.width(), x.is_signed);
  for (int i = unsigned_width(x) - 1; i >= 0; --i) {
    rest.bits.pop_back();
    rest.bits.insert(rest.bits.begin(), x.bit(i));
    const Lit fits = inverted(is_less(rest, divisor));
    quotient.bits[static_cast<std::size_t>(i)] = fits;
    rest = chosen(fits, difference(rest, divisor), rest);
  }
  return {quotient, extended(rest, x.width(), x.is_signed)};
}

// The sign of a difference that is wide enough.
Lit WordMaker::is_less(const GateWord& x, const GateWord& y) {
  const int width = std::max(x.width(), y.width()) + 1;
  const GateWord wide_x = extended(x, width, true), wide_y = extended(y, width, true);
  return difference(wide_x, wide_y).bits.back();
}

Lit WordMaker::is_not_zero(const GateWord& x) {
  Lit any = lit_false;
  for (const Lit l : x.bits) any = gates_.either(any, l);
  return any;
}

}  // namespace assay
