#include "model/layout/layout.hpp"

#include <algorithm>
#include <utility>

namespace assay::layout {
namespace {

int coordinate(const Coordinates& e, char name) {
  switch (name) {
    case 'm': return e.m;
    case 'n': return e.n;
    case 'k': return e.k;
    case 'b': return e.b;
    case 's': return e.s;
    default: return 0;  // '.'
  }
}

// "k1 ~k2 m0": the number whose bits these are.
int gather(std::string_view bits, const Coordinates& e) {
  int number = 0;
  for (int i = 0; !bits.empty(); ++i) {
    const std::string_view word = bits.substr(0, bits.find(' '));
    const bool turned = word[0] == '~';
    const std::string_view bit = word.substr(turned ? 1 : 0);
    const int from = bit.size() > 1 ? bit[1] - '0' : 0;
    number |= (((coordinate(e, bit[0]) >> from) & 1) ^ (turned ? 1 : 0)) << i;
    bits.remove_prefix(std::min(word.size() + 1, bits.size()));
  }
  return number;
}

int count_of_bits(std::string_view bits) {
  return bits.empty() ? 0 : static_cast<int>(std::count(bits.begin(), bits.end(), ' ')) + 1;
}

int slots_of(const Fragment& f) {
  // Of named registers every slot is in use; of others n need not be a power of two.
  if (f.home == Home::named_registers) return 1 << count_of_bits(f.layout.slot);
  const Coordinates last{f.size.m - 1, f.size.n - 1, f.size.k - 1, f.size.b - 1, f.size.s - 1};
  return gather(f.layout.slot, last) + 1;
}

}  // namespace

constexpr int run = 16;  // slots

int Fragment::words() const {
  const int slots = slots_of(*this);
  const int all_bits = run_bits == 0 ? slots * slot_bits : (slots + run - 1) / run * run_bits;
  return (all_bits + 31) / 32;
}

//   | slot 0 | slot 1 |  ...  | slot 15 | padding | slot 16 |      each of slot_bits
//   |..eeee..|..eeee..|                                            the element from `shift` on
Location place_of(const Fragment& f, const Coordinates& e) {
  const int slot = gather(f.layout.slot, e);
  const int first = f.run_bits == 0 ? slot * f.slot_bits : slot / run * f.run_bits + slot % run * f.slot_bits;
  return {gather(f.layout.lane, e), first + f.shift};
}

Fragment in_named_registers(const Layout& layout, const Coordinates& size, int bits) {
  return {Home::named_registers, layout, 1 << count_of_bits(layout.lane), size, bits, bits, 0, 0};
}

void put(Words& words, const Fragment& f, const Coordinates& e, std::uint64_t code) {
  const Location place = place_of(f, e);
  write_bits(&words[static_cast<std::size_t>(place.lane * f.words())], place.bit, f.bits, code);
}

std::uint64_t get(const Words& words, const Fragment& f, const Coordinates& e) {
  const Location place = place_of(f, e);
  return read_bits(&words[static_cast<std::size_t>(place.lane * f.words())], place.bit, f.bits);
}

}  // namespace assay::layout
