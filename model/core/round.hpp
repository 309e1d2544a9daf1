// Stage round: a sum to fewer bits, at its window, at its leading one, or in a format.
#pragma once

#include "model/core/cut.hpp"
#include "model/core/plan.hpp"
#include "model/core/values.hpp"

namespace assay {

// Brings `n` to quantum 2^quantum: cuts what lies below, fills with zeros where there was less.
inline Number to_quantum(Number n, int quantum, Cut cut) {
  n.magnitude = cut_bits(n.magnitude, quantum - n.quantum, n.negative, cut).magnitude;
  n.quantum = quantum;
  return n;
}

//   0 0 1 m m m m | r r r     `keep` bits m after the leading one; it is never looked for below `least_exponent`
inline Number round_at_leading_one(Number n, int keep, Cut cut, std::optional<int> least_exponent) {
  const int leading = n.quantum + bit_length(n.magnitude) - 1;
  n.exponent = least_exponent ? std::max(leading, *least_exponent) : leading;
  n = to_quantum(n, n.exponent - keep, cut);
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

inline bool is_tiny(const Number& exact, const Number& rounded, const Result& words, const Format& format) {
  const int least = format.least_exponent();
  switch (words.tiny) {
    case Tiny::before: return exact.quantum + bit_length(exact.magnitude) - 1 < least;
    case Tiny::after:
      return round_at_leading_one(exact, format.mantissa_bits, words.cut, std::nullopt).exponent < least;
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

inline Number round_to_integer(const Number& n, const Result& words, const Format& format) {
  Number r = to_quantum(n, -format.fraction_bits, words.cut);
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

inline Number round_to_list(const Number& n, const Result& words, const Format& format) {
  if (const std::optional<Number> found = rounded_to_list(n, words.cut, format)) return *found;
  return words.overflow == Overflow::infinity ? Number::infinity(n.negative) : greatest(format, n.negative);
}

inline Number round_to_format(const Number& n, const Result& words, const Format& format) {
  if (format.is_integer()) return round_to_integer(n, words, format);
  if (format.is_list()) return round_to_list(n, words, format);
  // Beyond the greatest number, where there is a list, is nothing.
  const std::optional<Number> r =
      format.rounds_to_list() ? rounded_to_list(n, words.cut, format)
                              : round_at_leading_one(n, format.mantissa_bits, words.cut, format.least_exponent());
  if (r && words.subnormals != Subnormals::keep && is_tiny(n, *r, words, format))
    return flushed(n, words.subnormals, format);
  if (r && r->magnitude == 0) return Number::zero(n.negative && format.has_signed_zero);
  const Number top = greatest(format, n.negative);
  if (!r || r->exponent > top.exponent || (r->exponent == top.exponent && r->magnitude > top.magnitude)) {
    return words.overflow == Overflow::infinity ? Number::infinity(n.negative) : top;
  }
  return *r;
}

inline Number round(const Number& n, const ResultPlan& result) {
  if (!n.is_finite()) return n;
  const Result& words = result.words;
  if (n.magnitude == 0) {
    if (words.at != ResultAt::format) return n;
    return Number::zero(n.negative && result.format.has_signed_zero);
  }
  switch (words.at) {
    case ResultAt::window: return to_quantum(n, n.exponent - words.keep, words.cut);
    case ResultAt::leading_one: return round_at_leading_one(n, words.keep, words.cut, words.least_exponent);
    case ResultAt::format: return round_to_format(n, words, result.format);
  }
  return n;
}

}  // namespace assay
