#include "tb/layout/layout.hpp"

#include <algorithm>
#include <utility>

namespace assay::layout {
namespace {

int coordinate(const Element& e, char name) {
  switch (name) {
    case 'm': return e.m;
    case 'n': return e.n;
    case 'k': return e.k;
    case 'b': return e.b;
    case 's': return e.s;
    default: return 0;  // '.'
  }
}

// "k1 k2 m0": the number whose bits these are.
int gather(std::string_view bits, const Element& e) {
  int number = 0;
  for (int i = 0; !bits.empty(); ++i) {
    const std::string_view word = bits.substr(0, bits.find(' '));
    const int from = word.size() > 1 ? word[1] - '0' : 0;
    number |= ((coordinate(e, word[0]) >> from) & 1) << i;
    bits.remove_prefix(std::min(word.size() + 1, bits.size()));
  }
  return number;
}

std::uint64_t mask(int bits) { return bits == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << bits) - 1; }

}  // namespace

int Fragment::words() const {
  const Place last = place_of(*this, {size.m - 1, size.n - 1, size.k - 1, size.b - 1, size.s - 1});
  return (last.bit - shift + slot_bits + 31) / 32;
}

//   | slot 0 | slot 1 |  ...        each of slot_bits
//   |..eeee..|..eeee..|             the element from `shift` on
Place place_of(const Fragment& f, const Element& e) {
  return {gather(f.layout.lane, e), gather(f.layout.slot, e) * f.slot_bits + f.shift};
}

void put(Words& words, const Fragment& f, const Element& e, std::uint64_t code) {
  const Place place = place_of(f, e);
  const std::size_t at = static_cast<std::size_t>(place.lane * f.words() + place.word());
  const int low = place.bit % 32;
  const std::uint64_t cleared = mask(f.bits) << low;
  words[at] = static_cast<std::uint32_t>((words[at] & ~cleared) | (code & mask(f.bits)) << low);
  if (f.bits == 64) words[at + 1] = static_cast<std::uint32_t>(code >> 32);
}

std::uint64_t get(const Words& words, const Fragment& f, const Element& e) {
  const Place place = place_of(f, e);
  const std::size_t at = static_cast<std::size_t>(place.lane * f.words() + place.word());
  std::uint64_t bits = words[at];
  if (f.bits == 64) bits |= static_cast<std::uint64_t>(words[at + 1]) << 32;
  return bits >> (place.bit % 32) & mask(f.bits);
}

}  // namespace assay::layout
