// Stage round: a sum to fewer bits, at its window, at its leading one, or in a format.
#pragma once

#include "model/core/plan.hpp"
#include "model/core/stochastic.hpp"
#include "model/core/values.hpp"

namespace assay {

// Brings `n` to quantum 2^quantum: cuts what lies below, fills with zeros where there was less.
inline Number to_quantum(Number n, int quantum, const Cutting& how) {
  n.magnitude = cut_magnitude(n.magnitude, quantum - n.quantum, n.negative, how, n.lost);
  n.quantum = quantum;
  n.lost = false;
  return n;
}

//   0 0 1 m m m m | r r r     `keep` bits m after the leading one; it is never looked for below `least_exponent`
inline Number round_at_leading_one(Number n, int keep, const Cutting& how, std::optional<int> least_exponent) {
  const int leading = leading_exponent(n);
  n.exponent = least_exponent ? std::max(leading, *least_exponent) : leading;
  n = to_quantum(n, n.exponent - keep, how);
  if (bit_length(n.magnitude) > keep + 1) {  // 1.11..1 carried into 10.00..0
    n.magnitude >>= 1;
    n.quantum += 1;
    n.exponent += 1;
  }
  return n;
}

inline Number flushed(const Number& n, Subnormals subnormals, const Format& format) {
  return Number::zero(subnormals == Subnormals::signed_zero && n.negative && format.has_signed_zero);
}

inline bool is_tiny(const Number& exact, const Number& rounded, Tiny tiny, const Format& format, const Cutting& how) {
  const int least = format.least_exponent();
  switch (tiny) {
    case Tiny::before: return leading_exponent(exact) < least;
    case Tiny::after: return round_at_leading_one(exact, format.mantissa_bits, how, std::nullopt).exponent < least;
    case Tiny::result: return bit_length(rounded.magnitude) <= format.mantissa_bits;
  }
  return false;
}

inline Number greatest(const Format& format, bool negative) {
  if (format.is_list()) {
    const ValueTable& t = format.values();
    return negative ? t.ascending.front().number : t.ascending.back().number;
  }
  Number n;
  const Code mantissa = format.greatest_finite() & ((Code{1} << format.mantissa_bits) - 1);
  n.negative = negative;
  n.magnitude = mantissa | (Code{1} << format.mantissa_bits);
  n.exponent = format.greatest_exponent();
  n.quantum = n.exponent - format.mantissa_bits;
  return n;
}

// The first number of the top exponent.
inline Number first_of_top(const Format& format, bool negative) {
  Number n = greatest(format, negative);
  n.magnitude = u128{1} << format.mantissa_bits;
  return n;
}

// The greatest magnitude that an integer of so many bits and that sign has. `alike`: the same on both sides of zero.
inline u128 greatest_of_bits(int bits, bool has_sign, bool alike, bool negative) {
  const u128 codes = u128{1} << bits;
  const u128 greatest = (has_sign ? codes / 2 : codes) - 1;
  return negative && !alike ? codes - 1 - greatest : greatest;
}

inline u128 greatest_integer(const Result& words, const Format& format, bool negative) {
  const bool alike = words.overflow == Overflow::symmetric || format.sign_magnitude;
  return greatest_of_bits(format.stored_bits, format.has_sign, alike, negative);
}

// What is left of a number in so many bits, two's complement where they have a sign.
inline Number low_bits(Number n, int count, bool has_sign) {
  const u128 codes = u128{1} << count;
  const u128 bits = (n.negative ? -n.magnitude : n.magnitude) & (codes - 1);
  n.negative = has_sign && bits >= codes / 2;
  n.magnitude = n.negative ? codes - bits : bits;
  return n;
}

inline Number integer(u128 magnitude, bool negative, const Format& format) {
  if (magnitude == 0) return Number::zero();
  Number n;
  n.negative = negative;
  n.magnitude = magnitude;
  n.exponent = 0;
  n.quantum = -format.fraction_bits;
  return n;
}

// The number of a result that lies farthest on one side of zero; zero where there is none.
inline Number farthest(const Result& words, const Format& format, bool negative) {
  if (format.is_integer()) return integer(greatest_integer(words, format, negative), negative, format);
  return negative && !format.has_sign ? Number::zero() : greatest(format, negative);
}

inline Number wrapped(const Number& n, const Format& format) {
  const Number low = low_bits(n, format.stored_bits, format.has_sign);
  return integer(low.magnitude, low.negative, format);
}

// Whether the code of the number farthest from zero on one side is odd.
inline bool has_odd_code(const Number& farthest, const Format& format) {
  if (format.is_list()) return code_in_list(farthest, format) % 2 != 0;
  return format.is_integer() ? (farthest.magnitude & 1) != 0 : format.greatest_finite() % 2 != 0;
}

// Whether a number that is too large is cut back to the largest one: of it and infinity, which stands at the next
// multiple, the cut takes one as it does of any two.
inline bool leads_back(Cut cut, const Number& largest, const Format& format) {
  switch (cut) {
    case Cut::toward_zero: return true;
    case Cut::down: return !largest.negative;
    case Cut::up: return largest.negative;
    case Cut::nearest_even:
    case Cut::nearest_away:
    case Cut::nearest_up:
    case Cut::stochastic_a:
    case Cut::stochastic_b:
    case Cut::stochastic_c: return false;
    case Cut::to_odd: return has_odd_code(largest, format);
  }
  return false;
}

// What a number beyond the farthest of its side becomes.
inline Number in_place_of(const Number& n, const Result& words, const Format& format) {
  const Number largest = farthest(words, format, n.negative);
  switch (words.overflow) {
    case Overflow::infinity: return Number::infinity(n.negative);
    case Overflow::nan: return Number::made_nan(n.negative);
    case Overflow::wrap: return wrapped(n, format);
    case Overflow::directed: return leads_back(words.cut, largest, format) ? largest : Number::infinity(n.negative);
    case Overflow::top: return first_of_top(format, n.negative);
    case Overflow::largest:
    case Overflow::symmetric: break;
  }
  return largest;
}

inline Number too_large(const Number& n, const Result& words, const Format& format) {
  Number made = in_place_of(n, words, format);
  made.raised = raises::overflow;
  return made;
}

// What a number below zero becomes in a floating format without a sign.
inline Number below_zero(const Result& words) {
  const bool to_zero = words.negative == OfNegative::zero || (words.negative == OfNegative::directed &&
                                                              (words.cut == Cut::toward_zero || words.cut == Cut::up));
  return to_zero ? Number::zero() : Number::made_nan();
}

inline Number infinity_to_format(const Number& n, const Result& words, const Format& format) {
  if (n.negative && !format.has_sign && !format.is_integer())
    return words.negative == OfNegative::zero ? Number::zero() : Number::made_nan();
  switch (words.infinity) {
    case OfInfinity::keep: break;
    case OfInfinity::largest: return farthest(words, format, n.negative);
    case OfInfinity::nan: return Number::made_nan(n.negative);
  }
  return n;
}

inline Number nan_to_format(const Number& n, const Result& words, const Format& format) {
  switch (words.nan) {
    case OfNan::keep: break;
    case OfNan::positive: return Number::made_nan(false);
    case OfNan::zero: return Number::zero();
    case OfNan::largest: return farthest(words, format, false);
  }
  return n;
}

// A register of so many bits, the last of which weighs 2^n.quantum.
inline Number in_register(Number n, const Result& words) {
  const u128 farthest = greatest_of_bits(*words.bits, true, words.overflow == Overflow::symmetric, n.negative);
  if (n.magnitude <= farthest) return n;
  n.raised = raises::overflow;
  if (words.overflow == Overflow::wrap) return low_bits(n, *words.bits, true);
  n.magnitude = farthest;
  return n;
}

inline Number round_to_integer(const Number& n, const Result& words, const Format& format, const Cutting& how) {
  const bool huge =
      n.quantum + bit_length(n.magnitude) > format.stored_bits - format.fraction_bits + 1;  // also before it is cut
  if (huge && words.overflow != Overflow::wrap) return too_large(n, words, format);
  // Of one so huge the register has the low bits alone, which is all that wrapping takes.
  const Number r = to_quantum(n, -format.fraction_bits, how);
  if (huge || r.magnitude > greatest_integer(words, format, r.negative)) return too_large(r, words, format);
  return integer(r.magnitude, r.negative, format);
}

inline Number round_to_list(const Number& n, const Result& words, const Format& format) {
  if (n.negative && !format.has_sign) return below_zero(words);
  const std::optional<Number> found = rounded_to_list(n, words.cut, format);
  return found ? *found : too_large(n, words, format);
}

// A number of one bit, in a format without mantissa. Below zero, where there is no sign, it is rounded as its magnitude
// is.
inline std::optional<Number> round_to_power(Number n, Cut cut, const Format& format) {
  if (n.negative && !format.has_sign) {
    n.negative = false;
    cut = cut == Cut::down ? Cut::up : cut == Cut::up ? Cut::down : cut == Cut::nearest_up ? Cut::nearest_even : cut;
  }
  return rounded_to_list(n, cut, format);
}

// With `overflow: top` the top exponent is no place for results.
inline bool is_too_large(const Number& n, const Result& words, const Format& format) {
  const Number top = greatest(format, n.negative);
  if (words.overflow == Overflow::top) return n.exponent >= top.exponent;
  return n.exponent > top.exponent || (n.exponent == top.exponent && n.magnitude > top.magnitude);
}

inline Number round_to_format(const Number& n, const Result& words, const Format& format, const Cutting& how) {
  if (format.is_integer()) return round_to_integer(n, words, format, how);
  if (format.is_list()) return round_to_list(n, words, format);
  // Beyond the greatest number, where there is a list, is nothing. Chance looks at multiples, not at codes.
  const std::optional<Number> r = format.rounds_to_list() && !is_stochastic(how.cut)
                                      ? round_to_power(n, words.cut, format)
                                      : round_at_leading_one(n, format.mantissa_bits, how, format.least_exponent());
  if (r && words.subnormals != Subnormals::keep && is_tiny(n, *r, words.tiny, format, how))
    return flushed(n, words.subnormals, format);
  if (r && r->magnitude == 0) return Number::zero(n.negative && format.has_signed_zero);
  if (n.negative && !format.has_sign) return below_zero(words);
  return !r || is_too_large(*r, words, format) ? too_large(n, words, format) : *r;
}

inline Number round_finite(const Number& n, const ResultPlan& result, Code random) {
  const Result& words = result.words;
  const Cutting how{words.cut, words.random_bits, random};
  if (n.magnitude == 0) {
    if (words.at != ResultAt::format) return n;
    return Number::zero(n.negative && result.format.has_signed_zero);
  }
  switch (words.at) {
    case ResultAt::window: {
      const Number kept = to_quantum(n, n.exponent - words.keep, how);
      return words.bits ? in_register(kept, words) : kept;
    }
    case ResultAt::leading_one: return round_at_leading_one(n, words.keep, how, words.least_exponent);
    case ResultAt::format: return round_to_format(n, words, result.format, how);
  }
  return n;
}

inline Number round_special(const Number& n, const ResultPlan& result) {
  const Result& words = result.words;
  if (words.at != ResultAt::format) return n;
  return n.cls == Class::nan ? nan_to_format(n, words, result.format) : infinity_to_format(n, words, result.format);
}

// A list of values has no subnormals: in it too small is what becomes zero.
inline bool is_too_small(const Number& exact, const Number& made, const ResultPlan& result, const Cutting& how) {
  if (result.words.at != ResultAt::format || result.format.is_integer() || exact.magnitude == 0) return false;
  if (result.format.rounds_to_list()) return made.is_zero();
  return is_tiny(exact, made, result.flags->tiny, result.format, how);
}

// What a rounding raises, by itself, where `made` became of the finite number `exact`.
inline unsigned raised_rounding(const Number& exact, const Number& made, const ResultPlan& result, const Cutting& how) {
  const bool overflows = (made.raised & raises::overflow) != 0;
  if (made.cls == Class::nan && !overflows) return raises::invalid;  // below zero, where there is no sign
  const bool inexact = overflows || exact.lost || compare(exact, made) != 0;
  const bool underflows = inexact && !overflows && is_too_small(exact, made, result, how);
  return (overflows ? raises::overflow : 0) | (underflows ? raises::underflow : 0) | (inexact ? raises::inexact : 0);
}

// And what was raised before it. Where d's rounding alone counts, all others tell of invalid operations only.
inline unsigned raised_so_far(unsigned before, unsigned own, const ResultPlan& result) {
  if (result.flags->of == FlagsOf::all) return before | own;
  return (before & raises::invalid) | (result.leaves_d ? own : own & raises::invalid);
}

// `random`: the word of this rounding, where its cut is stochastic.
inline Number round(const Number& n, const ResultPlan& result, Code random = 0) {
  const Result& words = result.words;
  Number exact = n;
  exact.raised = 0;
  Number made = n.is_finite() ? round_finite(exact, result, random) : round_special(exact, result);
  if (n.is_finite() && words.minus_zero == MinusZero::never && made.is_zero()) made.negative = false;
  if (!result.flags) {
    made.raised = 0;
    return made;
  }
  const Cutting how{words.cut, words.random_bits, random};
  const unsigned own = n.is_finite() ? raised_rounding(exact, made, result, how) : 0;
  made.raised = raised_so_far(n.raised, own, result);
  return made;
}

}  // namespace assay
