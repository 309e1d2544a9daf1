// Dropping low bits: the one place where precision is lost.
#pragma once

#include "model/core/datapath.hpp"
#include "model/core/integer.hpp"

namespace assay {

struct CutResult {
  u128 magnitude = 0;
  bool lost = false;  // a one was among the bits dropped
};

inline bool is_nearest(Cut cut) {
  return cut == Cut::nearest_even || cut == Cut::nearest_away || cut == Cut::nearest_up;
}

// Of a cut to nearest: whether what lies halfway becomes the greater of both magnitudes.
inline bool tie_grows(Cut cut, bool negative, bool odd) {
  if (cut == Cut::nearest_up) return !negative;
  return cut == Cut::nearest_away || odd;
}

// Drops the low `distance` bits of a sign-magnitude number.
//
//   k k k k k | h r r r     k kept, h half, r the rest; `lost` = h or any r (or `below`: ones even lower, already gone)
//
// The kept magnitude may grow by one, and so by a bit.
inline CutResult cut_bits(u128 magnitude, int distance, bool negative, Cut cut, bool below = false) {
  if (distance <= 0) {
    // Nothing to drop; ones further down still count for the modes that look at them.
    CutResult result{shift_left(magnitude, -distance), below};
    if (!below) return result;
    switch (cut) {
      case Cut::toward_zero:
      case Cut::nearest_even:
      case Cut::nearest_away:
      case Cut::nearest_up:
      case Cut::stochastic_a:
      case Cut::stochastic_b:
      case Cut::stochastic_c: return result;
      case Cut::down: result.magnitude += negative; return result;
      case Cut::up: result.magnitude += !negative; return result;
      case Cut::to_odd: result.magnitude |= 1; return result;
    }
  }
  CutResult result;
  result.magnitude = shift_right(magnitude, distance);
  const u128 dropped = magnitude & low_mask(distance);
  result.lost = dropped != 0 || below;
  if (!result.lost) return result;
  switch (cut) {
    case Cut::stochastic_a:  // stochastic.hpp does these, by cuts of the other kinds
    case Cut::stochastic_b:
    case Cut::stochastic_c:
    case Cut::toward_zero: break;
    case Cut::down: result.magnitude += negative; break;
    case Cut::up: result.magnitude += !negative; break;
    case Cut::to_odd: result.magnitude |= 1; break;
    case Cut::nearest_even:
    case Cut::nearest_away:
    case Cut::nearest_up: {
      const bool half = distance <= 128 && (magnitude >> (distance - 1) & 1) != 0;
      const bool rest = (dropped & low_mask(distance - 1)) != 0 || below;
      const bool tie_up = tie_grows(cut, negative, (result.magnitude & 1) != 0);
      if (half && (rest || tie_up)) result.magnitude += 1;
      break;
    }
  }
  return result;
}

// Whether a cut may round a magnitude away from zero, and so carry into one more bit.
inline bool may_carry(Cut cut) { return cut != Cut::toward_zero && cut != Cut::to_odd; }

// Whether a cut turns a trace of something, however small, into a whole unit.
inline bool may_jump(Cut cut) { return cut == Cut::down || cut == Cut::up || cut == Cut::to_odd; }

}  // namespace assay
