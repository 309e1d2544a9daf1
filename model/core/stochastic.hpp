// A cut that lets a random word decide: what is dropped, as so many bits, plus the word; the carry rounds away from
// zero.
#pragma once

#include "model/core/cut.hpp"

namespace assay {

// How a result is cut, and the random word where that takes one.
struct Cutting {
  Cutting(Cut how, int bits = 0, Code word = 0) : cut(how), random_bits(bits), random(word) {}

  Cut cut;
  int random_bits;
  Code random;
};

//   k k k k k | d d d d d d d        k kept, d dropped
//             + r r r r              stochastic_a: d cut to as many bits as r has
//             + r r r r              stochastic_c: d rounded to as many
//             + r r r r 1            stochastic_b: d cut to one more, r in the middle of its step
inline u128 cut_by_chance(u128 magnitude, int distance, const Cutting& how) {
  const u128 kept = shift_right(magnitude, distance), dropped = magnitude & low_mask(distance);
  const bool halfway = how.cut == Cut::stochastic_b;
  const int bits = how.random_bits + (halfway ? 1 : 0);
  const Cut first = how.cut == Cut::stochastic_c ? Cut::nearest_even : Cut::toward_zero;
  const u128 word = how.random & low_mask(how.random_bits);
  const u128 fraction = cut_bits(dropped, distance - bits, false, first).magnitude;
  return kept + shift_right(fraction + (halfway ? 2 * word + 1 : word), bits);
}

// The magnitude without its low `distance` bits. `below`: ones even lower were lost before.
inline u128 cut_magnitude(u128 magnitude, int distance, bool negative, const Cutting& how, bool below = false) {
  if (distance > 0 && is_stochastic(how.cut)) return cut_by_chance(magnitude, distance, how);
  return cut_bits(magnitude, distance, negative, how.cut, below).magnitude;
}

}  // namespace assay
