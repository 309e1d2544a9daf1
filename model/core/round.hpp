// Stage round: a sum to fewer bits, at its window, at its leading one, or in a format.
#pragma once

#include "model/core/plan.hpp"
#include "model/core/stochastic.hpp"

namespace assay {

// Brings `n` to quantum 2^quantum: cuts what lies below, fills with zeros where there was less.
inline Number to_quantum(Number n, int quantum, const Cutting& how) {
  n.magnitude = cut_magnitude(n.magnitude, quantum - n.quantum, n.negative, how);
  n.quantum = quantum;
  return n;
}

//   0 0 1 m m m m | r r r     `keep` bits m after the leading one; it is never looked for below `least_exponent`
inline Number round_at_leading_one(Number n, int keep, const Cutting& how, std::optional<int> least_exponent) {
  const int leading = n.quantum + bit_length(n.magnitude) - 1;
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

inline bool is_tiny(const Number& exact, const Number& rounded, const Result& words, const Format& format,
                    const Cutting& how) {
  const int least = format.least_exponent();
  switch (words.tiny) {
    case Tiny::before: return exact.quantum + bit_length(exact.magnitude) - 1 < least;
    case Tiny::after: return round_at_leading_one(exact, format.mantissa_bits, how, std::nullopt).exponent < least;
    case Tiny::result: return bit_length(rounded.magnitude) <= format.mantissa_bits;
  }
  return false;
}

inline Number greatest(const Format& format, bool negative) {
  Number n;
  const Code mantissa = format.greatest_finite() & ((Code{1} << format.mantissa_bits) - 1);
  n.negative = negative;
  n.magnitude = mantissa | (Code{1} << format.mantissa_bits);
  n.exponent = format.greatest_exponent();
  n.quantum = n.exponent - format.mantissa_bits;
  return n;
}

inline Number round_to_integer(const Number& n, const Result& words, const Format& format, const Cutting& how) {
  Number r = to_quantum(n, 0, how);
  r.exponent = 0;
  const u128 codes = u128{1} << format.stored_bits;
  const u128 greatest = (format.has_sign ? codes / 2 : codes) - 1, least = codes - 1 - greatest;  // least: below zero
  if (r.magnitude > (r.negative ? least : greatest)) {
    if (words.overflow == Overflow::wrap) {
      const u128 bits = (r.negative ? -r.magnitude : r.magnitude) & (codes - 1);
      r.negative = bits > greatest;
      r.magnitude = r.negative ? codes - bits : bits;
    } else {
      r.magnitude = r.negative ? least : greatest;
    }
  }
  return r.magnitude == 0 ? Number::zero() : r;
}

inline Number round_to_format(const Number& n, const Result& words, const Format& format, const Cutting& how) {
  if (format.is_integer()) return round_to_integer(n, words, format, how);
  Number r = round_at_leading_one(n, format.mantissa_bits, how, format.least_exponent());
  if (words.subnormals != Subnormals::keep && is_tiny(n, r, words, format, how))
    return flushed(n, words.subnormals, format);
  if (r.magnitude == 0) return Number::zero(r.negative && format.has_signed_zero);
  const Number top = greatest(format, r.negative);
  if (r.exponent > top.exponent || (r.exponent == top.exponent && r.magnitude > top.magnitude)) {
    return words.overflow == Overflow::infinity ? Number::infinity(r.negative) : top;
  }
  return r;
}

// `random`: the word of this rounding, where its cut is stochastic.
inline Number round(const Number& n, const ResultPlan& result, Code random = 0) {
  if (!n.is_finite()) return n;
  const Result& words = result.words;
  const Cutting how{words.cut, words.random_bits, random};
  if (n.magnitude == 0) {
    if (words.at != ResultAt::format) return n;
    return Number::zero(n.negative && result.format.has_signed_zero);
  }
  switch (words.at) {
    case ResultAt::window: return to_quantum(n, n.exponent - words.keep, how);
    case ResultAt::leading_one: return round_at_leading_one(n, words.keep, how, words.least_exponent);
    case ResultAt::format: return round_to_format(n, words, result.format, how);
  }
  return n;
}

}  // namespace assay
