// Stage reduce: the fixed-point sum of aligned addends, as a number again.
#pragma once

#include "model/core/align.hpp"
#include "model/core/number.hpp"

namespace assay {

// So many leading bits of a wide register are read out; ones below them are jammed into the last. No later cut comes
// within two bits of it: `plan` sees to that.
inline constexpr int readout_bits = 124;

//   sum       s s s s . s s s s s s
//   sticky                         | t     one more bit where the adder has a sticky: were any ones cut off above?
inline Number read_out(i128 sum, int grid) {
  Number n;
  n.negative = sum < 0;
  n.magnitude = n.negative ? -static_cast<u128>(sum) : static_cast<u128>(sum);
  n.quantum = grid;
  return n;
}

template <int Words>
Number read_out(const Wide<Words>& sum, int grid) {
  Number n;
  n.negative = sum.negative();
  const Wide<Words> magnitude = n.negative ? -sum : sum;
  const int below = std::max(0, magnitude.bit_length() - readout_bits);
  n.magnitude = magnitude.window(below) & low_mask(readout_bits);
  n.quantum = grid + below;
  if (magnitude.any_below(below)) n.magnitude |= 1;
  return n;
}

// The sum of the addends seen so far, and whether any lost ones.
template <class Register>
struct Reduction {
  Register sum{};
  bool lost = false;

  void add(const Addend<Register>& addend) {
    sum += addend.value;
    lost = lost || addend.lost;
  }

  Number number(int window, const SumPlan& plan, Sticky sticky) const {
    const int grid = plan.fixed_quantum ? *plan.fixed_quantum : window - plan.fraction_bits;
    Number n = read_out(sum, grid);
    n.lost = sticky == Sticky::at_result && lost && n.magnitude != 0;
    if (lost) n.raised = raises::inexact;
    if (sticky == Sticky::below_sum) {
      n.magnitude = n.magnitude << 1 | (lost ? 1 : 0);
      n.quantum -= 1;
    }
    n.exponent = window;
    return n;
  }
};

// The exponent that goes on with a sum.
inline Number with_exponent(Number n, bool empty, Cancelled cancelled) {
  if (empty || (n.magnitude == 0 && cancelled == Cancelled::none)) n.exponent = Number::no_exponent;
  return n;
}

// What a sum is known to come out as, where that is not what it is.
//
//   minus_one   1 1 1 .. 1 1 1 = -1 unit, whose leading one is looked for in vain
inline Number as_found(Number n, int window, const AdderPlan& adder) {
  if (!adder.errata.minus_one || !n.negative || n.magnitude == 0) return n;
  const int unit = window - *adder.inputs.front().words.keep;
  const bool is_unit = leading_exponent(n) == unit && n.quantum + trailing_zeros(n.magnitude) == unit;
  if (!is_unit) return n;
  n.magnitude = 1;
  n.quantum = window + *adder.errata.minus_one;
  return n;
}

// Beside what the addends raised: what its items did, and a window that leaves nothing of them.
inline Number with_raised(Number n, unsigned by_items, bool nothing_left) {
  n.raised |= by_items | (nothing_left ? raises::inexact : 0);
  return n;
}

// Sign of an exactly zero sum. IEEE: zeros of one sign keep it; everything else is +0, or -0 when rounding down.
class ZeroSignFinder {
 public:
  void see(const Number& n) {
    if (n.absent) return;
    only_zeros_ = only_zeros_ && n.is_zero();
    (n.negative ? any_negative_ : any_positive_) = true;
  }
  bool only_zeros() const { return only_zeros_; }
  bool negative(ZeroSign rule, bool rounds_down) const {
    if (rule == ZeroSign::positive) return false;
    if (only_zeros_ && any_negative_ != any_positive_) return any_negative_;
    return rounds_down && (any_negative_ || any_positive_);  // a sum of nothing is +0
  }

 private:
  bool only_zeros_ = true, any_negative_ = false, any_positive_ = false;
};

}  // namespace assay
