// The bundle that travels between stages.
#pragma once

#include <climits>

#include "model/core/integer.hpp"

namespace assay {

enum class Class : std::uint8_t { finite, infinity, nan };

// What a dot product may raise beside d; docs/datapath.md says when (*Flags*).
namespace raises {
inline constexpr unsigned invalid = 1, overflow = 2, underflow = 4, inexact = 8;
}

// Payloads of NaNs are left-aligned in 52 bits, the quiet bit on top, so that they move between formats unchanged. The
// bit above says that the code was a signalling one.
inline constexpr int payload_bits = 52;
inline constexpr u128 quiet_bit = u128{1} << (payload_bits - 1);
inline constexpr u128 signalling_bit = u128{1} << payload_bits;

// A finite number is (-1)^negative x magnitude x 2^quantum.
//
//   magnitude   1 . m m m m          the leading 1 is a 0 in a subnormal; products keep two bits before the point
//                 ^       ^
//          2^exponent   2^quantum
//
// `exponent` is nominal: what the hardware carries beside the significand, not the place of the leading one. An operand
// has its encoded exponent (1 - bias for a subnormal), a product the sum of two, a sum that of its window.
// A zero operand or product has none and takes no part in finding a largest exponent; a sum that cancels keeps its own.
struct Number {
  static constexpr int no_exponent = INT_MIN;

  u128 magnitude = 0;  // of a NaN: its payload; 0 where an operation made it
  int exponent = no_exponent;
  int quantum = 0;
  Class cls = Class::finite;
  bool negative = false;
  bool absent = false;  // a zero that stands for nothing at all: acc, where a first step adds to nothing
  bool lost = false;    // ones were cut off below, which its next rounding looks at (`sticky: at_result`)
  unsigned raised = 0;  // by all that led to it

  bool is_finite() const { return cls == Class::finite; }
  bool is_zero() const { return is_finite() && magnitude == 0; }
  bool has_exponent() const { return exponent != no_exponent; }

  static Number zero(bool negative = false) {
    Number n;
    n.negative = negative;
    return n;
  }
  static Number infinity(bool negative) {
    Number n;
    n.cls = Class::infinity;
    n.negative = negative;
    return n;
  }
  static Number nothing() {
    Number n;
    n.absent = true;
    return n;
  }
  static Number nan(bool negative = false, u128 payload = quiet_bit) {
    Number n;
    n.cls = Class::nan;
    n.negative = negative;
    n.magnitude = payload;
    return n;
  }
  // That an operation makes of numbers and infinities.
  static Number made_nan(bool negative = true) { return nan(negative, 0); }

  bool operator==(const Number& o) const {
    return magnitude == o.magnitude && exponent == o.exponent && quantum == o.quantum && cls == o.cls &&
           negative == o.negative && absent == o.absent && lost == o.lost && raised == o.raised;
  }
};

inline bool is_made_nan(const Number& n) { return n.cls == Class::nan && n.magnitude == 0; }
inline bool is_signalling(const Number& n) { return n.cls == Class::nan && (n.magnitude & signalling_bit) != 0; }

// By what led to it, and by an operation that reads it.
inline unsigned raised_reading(const Number& n) { return n.raised | (is_signalling(n) ? raises::invalid : 0); }

// Its sign turned; a NaN keeps its own.
inline Number negated(Number n) {
  if (n.cls != Class::nan && !n.absent) n.negative = !n.negative;
  return n;
}

// The place of the leading one of a number that is not zero.
inline int leading_exponent(const Number& n) { return n.quantum + bit_length(n.magnitude) - 1; }

// The same number with its last bit at 2^quantum. What is shifted out must be zero.
inline Number with_quantum(Number n, int quantum) {
  n.magnitude = quantum <= n.quantum ? shift_left(n.magnitude, n.quantum - quantum)
                                     : shift_right(n.magnitude, quantum - n.quantum);
  n.quantum = quantum;
  return n;
}

}  // namespace assay
