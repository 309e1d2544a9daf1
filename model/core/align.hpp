// Stage window: the exponent all addends are brought to. Stage align: a number as an addend on that window's grid.
#pragma once

#include <algorithm>
#include <type_traits>

#include "model/core/cut.hpp"
#include "model/core/plan.hpp"

namespace assay {

inline int exponent_counted(const Number& n, const Input& input) {
  if (n.has_exponent() || !input.empty || n.absent) return n.exponent;
  return *input.empty;
}

inline int round_up_to_multiple(int value, int step) {
  const int remainder = ((value % step) + step) % step;
  return remainder == 0 ? value : value + step - remainder;
}

// The least multiple that is not below, counted from a place of its own.
inline int stepped(int value, const Window& window) {
  return window.step == 1 ? value : window.step_from + round_up_to_multiple(value - window.step_from, window.step);
}

class WindowFinder {
 public:
  explicit WindowFinder(const Window& window) : window_(window) {}
  void see(const Number& n, const Input& input) { largest_ = std::max(largest_, exponent_counted(n, input)); }
  // The sum is a zero without an exponent.
  bool empty() const { return largest_ == Number::no_exponent || (window_.lost_at && exponent() <= *window_.lost_at); }
  // Number::no_exponent where nothing has an exponent and nothing else gives one: the sum is zero.
  int exponent() const {
    if (window_.exponent == WindowExponent::fixed) return window_.at;
    const int raised = largest_ == Number::no_exponent ? largest_ : largest_ + window_.raise;
    const int floored = window_.floor ? std::max(raised, *window_.floor) : raised;
    return floored == Number::no_exponent ? floored : stepped(floored, window_);
  }

 private:
  const Window& window_;
  int largest_ = Number::no_exponent;
};

// An addend in a register of its sum: i128, or Wide for exact windows.
template <class Register>
struct Addend {
  Register value{};
  bool lost = false;  // ones were cut off
};

template <class Register>
Register in_register(u128 magnitude, int distance) {
  if constexpr (std::is_same_v<Register, i128>) {
    return static_cast<i128>(shift_left(magnitude, distance));
  } else {
    return Register::shifted(magnitude, distance);
  }
}

inline bool dropped_whole(const Number& n, int window, const Input& input) {
  return input.lost_below && n.has_exponent() && n.exponent < window - *input.lost_below;
}

// Where `again` says so, it is cut once more: of k k k k | x x first the x, by themselves, then k's.
//
//   2^window                    2^(window - keep)
//        |                        |
//     1 . m m m m m m m m m m m m m | x x x 0 0     m kept, x cut; zeros fill a grid finer than `keep`
//                                           |
//                                         grid
template <class Register>
Addend<Register> align(const Number& n, int window, const Input& input, const SumPlan& sum) {
  if (!n.is_finite() || n.magnitude == 0) return {};
  if (dropped_whole(n, window, input)) return {Register{}, true};
  CutResult kept{n.magnitude, false};
  int quantum = n.quantum;
  const auto cut = [&](int keep, Cut how) {
    if (quantum >= window - keep) return;
    const bool lost = kept.lost;
    kept = cut_bits(kept.magnitude, window - keep - quantum, n.negative, how);
    kept.lost = kept.lost || lost;
    quantum = window - keep;
  };
  if (input.keep) cut(*input.keep, input.cut);
  for (const Recut& again : input.again) cut(again.keep, again.cut);
  const int grid = sum.fixed_quantum ? *sum.fixed_quantum : window - sum.fraction_bits;
  assert(quantum >= grid || kept.magnitude == 0);
  if (kept.magnitude == 0) return {Register{}, kept.lost};
  const Register value = in_register<Register>(kept.magnitude, quantum - grid);
  return {n.negative ? -value : value, kept.lost};
}

}  // namespace assay
