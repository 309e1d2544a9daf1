// Numbers as values and back, for tests of single stages.
#pragma once

#include <cmath>
#include <ostream>
#include <vector>

#include "model/core/datapath.hpp"
#include "model/core/number.hpp"

namespace assay {

// For GoogleTest's messages.
inline std::ostream& operator<<(std::ostream& out, const Number& n) {
  if (n.cls == Class::nan) return out << "NaN";
  out << (n.negative ? "-" : "+");
  if (n.cls == Class::infinity) return out << "infinity";
  return out << static_cast<std::uint64_t>(n.magnitude) << " x 2^" << n.quantum << " exponent " << n.exponent;
}

namespace test {

inline Number number(u128 magnitude, int quantum, bool negative = false) {
  Number n;
  n.magnitude = magnitude;
  n.quantum = quantum;
  n.negative = negative;
  if (magnitude != 0) n.exponent = quantum + bit_length(magnitude) - 1;
  return n;
}

// The same, its nominal exponent elsewhere than at the leading one.
inline Number number_at(int exponent, u128 magnitude, int quantum, bool negative = false) {
  Number n = number(magnitude, quantum, negative);
  n.exponent = exponent;
  return n;
}

inline double value(const Number& n) {
  const double high = std::ldexp(static_cast<double>(static_cast<std::uint64_t>(n.magnitude >> 64)), 64);
  const double low = static_cast<double>(static_cast<std::uint64_t>(n.magnitude));
  const double magnitude = std::ldexp(high + low, n.quantum);
  return n.negative ? -magnitude : magnitude;
}

// `x` as a multiple of `unit` by the mode's definition; both are powers of two apart by less than a double's bits.
inline double to_multiple(double x, double unit, Cut cut) {
  const double down = std::floor(x / unit), up = std::ceil(x / unit);
  const double fraction = x / unit - down;
  const double toward_zero = x < 0 ? up : down, away = x < 0 ? down : up;
  const auto even = [](double y) { return std::fmod(y, 2) == 0; };
  if (fraction == 0) return x;
  switch (cut) {
    case Cut::toward_zero: return toward_zero * unit;
    case Cut::down: return down * unit;
    case Cut::up: return up * unit;
    case Cut::nearest_even: return (fraction < 0.5 || (fraction == 0.5 && even(down)) ? down : up) * unit;
    case Cut::nearest_away: return (fraction == 0.5 ? away : fraction < 0.5 ? down : up) * unit;
    case Cut::nearest_up: return (fraction < 0.5 ? down : up) * unit;
    case Cut::to_odd: return (even(toward_zero) ? away : toward_zero) * unit;
    case Cut::stochastic_a:
    case Cut::stochastic_b:
    case Cut::stochastic_c: break;  // tests of their own
  }
  return 0;
}

inline const std::vector<Cut>& cuts() {
  static const std::vector<Cut> list{Cut::toward_zero,  Cut::down,       Cut::up,    Cut::nearest_even,
                                     Cut::nearest_away, Cut::nearest_up, Cut::to_odd};
  return list;
}

}  // namespace test
}  // namespace assay
