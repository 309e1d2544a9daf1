#include <algorithm>

#include "model/core/decode.hpp"
#include "tb/generate/codes.hpp"
#include "tb/generate/fills.hpp"

namespace assay::fills {

// Without a sign the least is zero.
//
//     greatest - 1   greatest   greatest + 1
//          |            | . . . . . |
//                           tie
Aim end_of(const Format& d, bool negative, int quarters) {
  const Number end = decode(greatest_code(d, negative), d, Subnormals::keep, Specials::numbers);
  if (negative && !d.has_sign)
    return {-quarters, (d.is_integer() ? d.last_place() : d.least_exponent() - d.mantissa_bits) - 2};
  // The end of a list may lie below its greatest magnitude, and have bits below that one's last place.
  const int unit = d.is_integer() ? d.last_place() : std::min(last_bit_of_greatest(d), end.quantum);
  const i128 whole = 4 * static_cast<i128>(shift_left(end.magnitude, end.quantum - unit)) + quarters;
  return {negative ? -whole : whole, unit - 2};
}

namespace {

// As much of the aim as one code holds, which is taken off it.
Code part_of(Aim& aim, const Format& format) {
  Number n;
  n.negative = aim.units < 0;
  n.magnitude = static_cast<u128>(n.negative ? -aim.units : aim.units);
  n.quantum = aim.quantum;
  const Code code = rounded_code(format, n, Cut::toward_zero);
  const Number held = decode(code, format, Subnormals::keep, Specials::numbers);
  const int up = held.quantum - aim.quantum;
  const auto units = static_cast<i128>(up >= 0 ? shift_left(held.magnitude, up) : shift_right(held.magnitude, -up));
  aim.units -= held.negative ? -units : units;
  return code;
}

// An infinity or a NaN in one place, and zeros or ones beside it.
void one_special(Maker& m, int turn) {
  const Plan& p = m.plan();
  const bool negative = turn % 2 == 1, nan = turn / 2 % 2 == 1, beside_one = turn / 4 % 4 != 3;
  const auto special = [&](const Format& f) {
    return nan ? nan_code(f, negative, m.choice().bits()) : infinity_code(f, negative);
  };
  const int i = m.index(m.choice().between(0, m.count() - 1));
  switch (turn / 16 % 3) {
    case 0:
      m.code_at(m.place_of_a(i)) = special(p.a);
      if (beside_one) m.code_at(m.place_of_b(i)) = one_code(p.b);
      return;
    case 1:
      m.code_at(m.place_of_b(i)) = special(p.b);
      if (beside_one) m.code_at(m.place_of_a(i)) = one_code(p.a);
      return;
    default: m.code_at(m.place_of_c()) = special(p.c); return;
  }
}

}  // namespace

void hit(Maker& m, Aim aim, bool c_first) {
  const Plan& p = m.plan();
  if (c_first) m.code_at(m.place_of_c()) = part_of(aim, p.c);
  for (int x = 0; x < m.count() && aim.units != 0; ++x) {
    m.code_at(m.place_of_a(m.index(x))) = part_of(aim, p.a);
    m.code_at(m.place_of_b(m.index(x))) = one_code(p.b);
  }
  if (!c_first) m.code_at(m.place_of_c()) = part_of(aim, p.c);
}

void result_ends(Maker& m) {
  const auto turn = static_cast<int>(m.turn() / 3 % 65536);
  if (m.counted(3) == 2) return one_special(m, turn);
  constexpr int quarters = 12;
  hit(m, end_of(m.plan().d, turn % 2 == 1, turn / 2 % quarters - 5), m.counted(3) == 0);
}

}  // namespace assay::fills
