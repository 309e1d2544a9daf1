#include "tb/coverage/round_point.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "model/core/round.hpp"

namespace assay {
namespace {

bool is_format(const ResultPlan& r) { return r.words.at == ResultAt::format; }
bool is_integer(const ResultPlan& r) { return is_format(r) && r.format.is_integer(); }
bool is_list(const ResultPlan& r) { return is_format(r) && r.format.rounds_to_list(); }
bool flushes(const ResultPlan& r) { return is_format(r) && r.words.subnormals != Subnormals::keep; }

int fraction_bits(const ResultPlan& r) { return is_format(r) ? r.format.mantissa_bits : r.words.keep; }

// Of the numbers on one side of zero.
Number greatest_magnitude(const ResultPlan& r, bool negative) {
  return r.format.is_integer() ? integer(greatest_integer(r.words, r.format, negative), false, r.format)
                               : greatest(r.format, false);
}

// The exponent below which the leading one is not looked for.
std::optional<int> least_exponent(const ResultPlan& r) {
  return is_format(r) ? r.format.least_exponent() : r.words.least_exponent;
}

// The weight of the last bit that a result keeps of `n`.
int last_kept(const Number& n, const ResultPlan& r) {
  if (is_integer(r)) return r.format.last_place();
  if (r.words.at == ResultAt::window) return n.exponent - r.words.keep;
  const int leading = leading_exponent(n);
  return std::max(leading, least_exponent(r).value_or(leading)) - fraction_bits(r);
}

// The most bits that are ever cut off at once.
int most_cut(const RoundingReach& r) {
  const ResultPlan& result = *r.result;
  const Extent& x = r.before;
  if (x.always_zero) return 0;
  const int keep = fraction_bits(result);
  if (is_integer(result)) return result.format.last_place() - x.low;
  if (result.words.at == ResultAt::window) return x.greatest - keep - x.low;
  const int span = std::min(x.bits - 1, x.top - x.low);
  const std::optional<int> floor = least_exponent(result);
  if (!floor) return span - keep;
  // Where subnormals become zero, only what rounds up to the least normal number is cut there and seen.
  const int below = flushes(result) ? std::min(*floor - keep - x.low, x.bits - keep) : *floor - keep - x.low;
  return std::max(span - keep, below);
}

std::string multiples(const Extent& x) { return fmt::format("Every number here is a multiple of 2^{}.", x.low); }

std::string why_not_below(const RoundingReach& r, int exponent) {
  return r.before.always_zero || r.before.low >= exponent ? multiples(r.before) : "";
}

std::string why_never_full(const RoundingReach& r) {
  const Result& words = r.result->words;
  const bool fits = r.before.always_zero || r.before.top - (r.before.least - words.keep) + 2 < *words.bits;
  return fits ? fmt::format("No number here takes all {} bits of the register.", *words.bits) : "";
}

std::string overflow_name(const ResultPlan& r) {
  switch (r.words.overflow) {
    case Overflow::infinity: return "too large: infinity";
    case Overflow::largest: return "too large: the greatest number";
    case Overflow::wrap: return "too large: wraps";
    case Overflow::nan: return "too large: NaN";
    case Overflow::directed: return "too large: infinity, or the greatest number";
    case Overflow::symmetric: return "too large: the greatest number, or minus that";
    case Overflow::top: return "too large: the first of the top exponent";
  }
  return "";
}

// What is below zero is not rounded to a float or a list that has none.
bool has_no_sign(const ResultPlan& r) { return is_format(r) && !is_integer(r) && !r.format.has_sign; }

std::string below_zero_name(const ResultPlan& r) {
  switch (r.words.negative) {
    case OfNegative::zero: return "below zero: zero";
    case OfNegative::nan: return "below zero: NaN";
    case OfNegative::directed: return "below zero: by the cut's direction";
  }
  return "";
}

// Of the two multiples of 2^quantum beside `n`.
bool is_neither_neighbour(const Number& n, int quantum, const Number& after) {
  const Number nearer = to_quantum(n, quantum, Cut::toward_zero);
  const bool exact = compare(nearer, n) == 0 && !n.lost;
  const bool same_sign = after.negative == n.negative || after.is_zero();
  const u128 farther = nearer.magnitude + (exact ? 0 : 1);
  return !same_sign || (after.magnitude != nearer.magnitude && after.magnitude != farther);
}

// By chance, what was cut is not known here: an infinity tells, or what is too large even if cut toward zero.
bool is_overflow(const Number& n, const ResultPlan& r, const Number& after) {
  if (r.words.bits) return is_neither_neighbour(n, last_kept(n, r), after);
  if (is_list(r) && !is_stochastic(r.words.cut)) return !rounded_to_list(n, r.words.cut, r.format);
  if (is_integer(r)) {
    if (n.quantum + bit_length(n.magnitude) > r.format.stored_bits + r.format.last_place() + 1) return true;
    if (is_stochastic(r.words.cut)) return is_neither_neighbour(n, r.format.last_place(), after);
    const Number whole = to_quantum(n, r.format.last_place(), r.words.cut);
    return whole.magnitude != after.magnitude || (whole.magnitude != 0 && whole.negative != after.negative);
  }
  if (is_stochastic(r.words.cut)) {
    ResultPlan steady = r;
    steady.words.cut = Cut::toward_zero;
    return after.cls == Class::infinity || is_overflow(n, steady, after);
  }
  const Number whole = round_at_leading_one(n, r.format.mantissa_bits, r.words.cut, r.format.least_exponent());
  return is_too_large(whole, r.words, r.format);
}

}  // namespace

bool may_vanish(const RoundingReach& r) {
  const ResultPlan& result = *r.result;
  if (r.before.always_zero) return false;
  if (is_list(result)) return true;
  if (is_integer(result)) return r.before.low < result.format.last_place();
  if (flushes(result)) return r.before.low < result.format.least_exponent();
  if (result.words.bits && result.words.overflow == Overflow::wrap) return true;
  if (result.words.at == ResultAt::window) return r.before.low < r.before.greatest - result.words.keep;
  const std::optional<int> floor = least_exponent(result);
  return floor && r.before.low < *floor - fraction_bits(result);
}

RoundPoint::RoundPoint(const RoundingReach& rounding, const std::string& name) : result_(*rounding.result) {
  bin_.fill(-1);
  point_.name = name;
  point_.about = "what is cut, and the ends";
  if (is_list(result_)) {
    list_bins();
  } else {
    cutting_bins(rounding);
    end_bins(rounding);
  }
  if (has_no_sign(result_))
    add(RoundBin::below_zero, below_zero_name(result_), rounding.negative ? "" : "Nothing here is below zero.");
}

void RoundPoint::add(RoundBin decision, const std::string& name, const std::string& unreachable) {
  bin_[static_cast<std::size_t>(decision)] = static_cast<int>(point_.bins.size());
  point_.bins.push_back({name, unreachable});
}

void RoundPoint::count(RoundBin decision) {
  const int bin = bin_[static_cast<std::size_t>(decision)];
  if (bin >= 0) ++point_.bins[static_cast<std::size_t>(bin)].count;
}

// What can be reached hangs on the values of the list, and is not told here.
void RoundPoint::list_bins() {
  const Cut cut = result_.words.cut;
  const std::string nearer = cut == Cut::toward_zero ? "The cut is toward zero." : "";
  add(RoundBin::kept, "in the list", "");
  add(RoundBin::below_half, "between two values: the one nearer to zero", "");
  add(RoundBin::above_half, "between two values: the one farther from zero", nearer);
  add(RoundBin::overflows, overflow_name(result_), "");
}

void RoundPoint::see_in_list(const Number& before, const Number& after) {
  if (is_overflow(before, result_, after)) return count(RoundBin::overflows);
  Number x = before, y = after;
  x.negative = y.negative = false;
  const int grown = compare(y, x);
  count(grown == 0 ? RoundBin::kept : grown < 0 ? RoundBin::below_half : RoundBin::above_half);
}

void RoundPoint::cutting_bins(const RoundingReach& rounding) {
  const int most = most_cut(rounding);
  const std::string whole = most >= 1 ? "" : "Nothing that arrives here has a bit to cut off.";
  const std::string half = most >= 2 ? "" : most == 1 ? "At most one bit is cut off: half a unit or nothing." : whole;
  const std::string negative = has_no_sign(result_) ? "What is below zero is not rounded to a format without a sign."
                               : rounding.negative  ? ""
                                                    : "Nothing here is below zero.";
  const Cut cut = result_.words.cut;
  if (is_nearest(cut)) {
    add(RoundBin::kept, "kept exactly", "");
    add(RoundBin::below_half, "below half: down", half);
    if (cut == Cut::nearest_even) {
      add(RoundBin::tie_down, "tie: down to even", whole);
      add(RoundBin::tie_up, "tie: up to even", whole);
    } else if (cut == Cut::nearest_up) {
      add(RoundBin::tie_down, "tie: toward zero from below", negative.empty() ? whole : negative);
      add(RoundBin::tie_up, "tie: away from zero above", whole);
    } else {
      add(RoundBin::tie_away, "tie: away from zero", whole);
    }
    add(RoundBin::above_half, "above half: up", half);
  } else {
    add(RoundBin::kept_positive, "nothing cut off, positive", "");
    add(RoundBin::kept_negative, "nothing cut off, negative", negative);
    add(RoundBin::cut_positive, "ones cut off, positive", whole);
    add(RoundBin::cut_negative, "ones cut off, negative", negative.empty() ? whole : negative);
  }
  if (is_stochastic(cut)) {
    add(RoundBin::chance_nearer, "by chance: the one nearer to zero", whole);
    add(RoundBin::chance_farther, "by chance: the one farther from zero", whole);
  }
  if (may_carry(cut) && !is_integer(result_) && result_.words.at != ResultAt::window)
    add(RoundBin::carries, "carries into the next exponent", whole);
}

void RoundPoint::end_bins(const RoundingReach& rounding) {
  if (is_integer(result_)) {
    add(RoundBin::overflows, overflow_name(result_), rounding.overflows ? "" : "All terms together stay in range.");
    return;
  }
  if (result_.words.at == ResultAt::leading_one && result_.words.least_exponent)
    add(RoundBin::held, "leading one below the least exponent", why_not_below(rounding, *result_.words.least_exponent));
  const std::string zero = may_vanish(rounding) ? "" : multiples(rounding.before);
  if (!is_format(result_)) {
    if (result_.words.at == ResultAt::window || result_.words.least_exponent)
      add(RoundBin::vanishes, "too small: zero", zero);
    if (result_.words.bits) add(RoundBin::overflows, overflow_name(result_), why_never_full(rounding));
    return;
  }
  const Format& f = result_.format;
  const std::string cut_there = why_not_below(rounding, f.least_exponent() - f.mantissa_bits);
  if (flushes(result_)) {
    add(RoundBin::flushed, "subnormal: made zero", zero);
  } else {
    add(RoundBin::subnormal, "subnormal", why_not_below(rounding, f.least_exponent()));
    add(RoundBin::vanishes, "too small: zero", zero);
    if (may_carry(result_.words.cut)) add(RoundBin::least_normal, "rounds up to the least normal number", cut_there);
  }
  add(RoundBin::overflows, overflow_name(result_),
      rounding.overflows ? "" : "What is added to a number of this format never rounds up its greatest.");
}

void RoundPoint::see(const Number& before, const Number& after) {
  if (!before.is_finite()) return;
  if (before.negative && has_no_sign(result_)) return count(RoundBin::below_zero);
  if (is_list(result_)) return see_in_list(before, after);
  const bool lost_as_subnormal = after.is_zero() && flushes(result_);
  if (!lost_as_subnormal) see_cut(before, last_kept(before, result_));
  if (!lost_as_subnormal && is_stochastic(result_.words.cut)) see_chance(before, after);
  see_ends(before, after);
}

//   k k k k | h r r r     k kept, h half a unit, r the rest
void RoundPoint::see_cut(const Number& n, int quantum) {
  const int distance = quantum - n.quantum;
  const u128 dropped = distance > 0 ? n.magnitude & low_mask(distance) : 0;
  const Cut cut = result_.words.cut;
  const u128 kept = distance > 0 ? shift_right(n.magnitude, distance) : shift_left(n.magnitude, -distance);
  if (!is_nearest(cut)) {
    if (dropped == 0) {
      count(n.negative ? RoundBin::kept_negative : RoundBin::kept_positive);
    } else {
      count(n.negative ? RoundBin::cut_negative : RoundBin::cut_positive);
    }
  } else if (dropped == 0) {
    count(RoundBin::kept);
  } else {
    const bool half = distance <= 128 && (n.magnitude >> (distance - 1) & 1) != 0;
    const bool rest = (dropped & low_mask(distance - 1)) != 0 || n.lost;
    if (!half) {
      count(RoundBin::below_half);
    } else if (rest) {
      count(RoundBin::above_half);
    } else if (cut == Cut::nearest_away) {
      count(RoundBin::tie_away);
    } else {
      count(tie_grows(cut, n.negative, (kept & 1) != 0) ? RoundBin::tie_up : RoundBin::tie_down);
    }
  }
  const int before = bit_length(kept);
  const int after = bit_length(cut_bits(n.magnitude, distance, n.negative, cut).magnitude);
  const int whole = fraction_bits(result_) + 1;
  if (after > whole) count(RoundBin::carries);
  if (before < whole && after == whole && dropped != 0) count(RoundBin::least_normal);
}

//   k k k k | r r r     k nearer to zero, k + 1 farther; where that is too large both may lead to the greatest number
void RoundPoint::see_chance(const Number& n, const Number& after) {
  const int quantum = last_kept(n, result_), distance = quantum - n.quantum;
  if (distance <= 0 || (n.magnitude & low_mask(distance)) == 0 || !after.is_finite()) return;
  Number nearer, farther, left = after;
  nearer.magnitude = shift_right(n.magnitude, distance);
  farther.magnitude = nearer.magnitude + 1;
  nearer.quantum = farther.quantum = quantum;
  left.negative = false;
  if (is_format(result_) && compare(farther, greatest_magnitude(result_, n.negative)) > 0) return;
  if (compare(left, nearer) == 0) count(RoundBin::chance_nearer);
  if (compare(left, farther) != 0) return;
  count(RoundBin::chance_farther);
  if (nearer.magnitude + 1 != u128{1} << bit_length(nearer.magnitude)) return;
  const int whole = fraction_bits(result_) + 1, bits = bit_length(nearer.magnitude);
  if (bits == whole) count(RoundBin::carries);
  if (bits == whole - 1) count(RoundBin::least_normal);
}

void RoundPoint::see_ends(const Number& n, const Number& after) {
  if (!is_integer(result_)) {
    if (result_.words.least_exponent && leading_exponent(n) < *result_.words.least_exponent) count(RoundBin::held);
    if (after.is_zero()) count(flushes(result_) ? RoundBin::flushed : RoundBin::vanishes);
  }
  if ((is_format(result_) || result_.words.bits) && is_overflow(n, result_, after)) count(RoundBin::overflows);
  if (!is_format(result_)) return;
  const bool short_one = after.is_finite() && after.magnitude != 0 &&
                         bit_length(after.magnitude) + after.quantum <= result_.format.least_exponent();
  if (short_one && !is_integer(result_)) count(RoundBin::subnormal);
}

}  // namespace assay
