// Integers whose bits are literals, lowest first: sums, products, shifts and comparisons as gates.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "tb/prove/gates.hpp"

namespace assay {

struct GateWord {
  std::vector<Lit> bits;
  bool is_signed = false;

  int width() const { return static_cast<int>(bits.size()); }
  Lit top() const { return bits.empty() || !is_signed ? lit_false : bits.back(); }
  Lit bit(int index) const { return index < width() ? bits[static_cast<std::size_t>(index)] : top(); }
};

GateWord constant_word(std::uint64_t value, int width, bool is_signed);
// Its value where no bit of its depends on anything; of words wider than 64 bits, where those above repeat the top.
std::optional<std::int64_t> value_of(const GateWord& word);
// Cut off, or extended by its own sign.
GateWord extended(const GateWord& word, int width, bool is_signed);

class WordMaker {
 public:
  explicit WordMaker(Gates& gates) : gates_(gates) {}

  // All of the first word's width and sign, modulo 2^width.
  GateWord sum(const GateWord& x, const GateWord& y) { return added(x, y, false); }
  GateWord difference(const GateWord& x, const GateWord& y) { return added(x, y, true); }
  GateWord product(const GateWord& x, const GateWord& y);
  GateWord conjunction(const GateWord& x, const GateWord& y);
  GateWord disjunction(const GateWord& x, const GateWord& y);
  GateWord exclusion(const GateWord& x, const GateWord& y);
  GateWord complement(const GateWord& x);
  // By less than the width; what comes of greater distances is nobody's business.
  GateWord left(const GateWord& x, const GateWord& by);
  GateWord right(const GateWord& x, const GateWord& by);
  GateWord chosen(Lit which, const GateWord& then, const GateWord& otherwise);

  // Of a word that is not negative, by a constant.
  struct Division {
    GateWord quotient, remainder;
  };
  Division divided(const GateWord& x, std::uint64_t by);

  Lit is_same(const GateWord& x, const GateWord& y);
  Lit is_less(const GateWord& x, const GateWord& y);  // both of one sign and width
  Lit is_not_zero(const GateWord& x);

 private:
  GateWord added(const GateWord& x, const GateWord& y, bool subtracts);

  Gates& gates_;
};

}  // namespace assay
