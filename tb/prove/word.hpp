// Integers whose bits are literals, lowest first: sums, products, shifts and comparisons as gates.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "tb/prove/gates.hpp"

namespace assay {

struct Word {
  std::vector<Lit> bits;
  bool is_signed = false;

  int width() const { return static_cast<int>(bits.size()); }
  Lit top() const { return bits.empty() || !is_signed ? lit_false : bits.back(); }
  Lit bit(int index) const { return index < width() ? bits[static_cast<std::size_t>(index)] : top(); }
};

Word constant_word(std::uint64_t value, int width, bool is_signed);
// Its value where no bit of its depends on anything; of words wider than 64 bits, where those above repeat the top.
std::optional<std::int64_t> value_of(const Word& word);
// Cut off, or extended by its own sign.
Word extended(const Word& word, int width, bool is_signed);

class WordMaker {
 public:
  explicit WordMaker(Gates& gates) : gates_(gates) {}

  // All of the first word's width and sign, modulo 2^width.
  Word sum(const Word& x, const Word& y) { return added(x, y, false); }
  Word difference(const Word& x, const Word& y) { return added(x, y, true); }
  Word product(const Word& x, const Word& y);
  Word conjunction(const Word& x, const Word& y);
  Word disjunction(const Word& x, const Word& y);
  Word exclusion(const Word& x, const Word& y);
  Word complement(const Word& x);
  // By less than the width; what comes of greater distances is nobody's business.
  Word left(const Word& x, const Word& by);
  Word right(const Word& x, const Word& by);
  Word chosen(Lit which, const Word& then, const Word& otherwise);

  // Of a word that is not negative, by a constant.
  struct Division {
    Word quotient, remainder;
  };
  Division divided(const Word& x, std::uint64_t by);

  Lit is_same(const Word& x, const Word& y);
  Lit is_less(const Word& x, const Word& y);  // both of one sign and width
  Lit is_not_zero(const Word& x);

 private:
  Word added(const Word& x, const Word& y, bool subtracts);

  Gates& gates_;
};

}  // namespace assay
