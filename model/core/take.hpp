// Stage take: of several NaNs in a step, the one whose payload and sign the step leaves.
#pragma once

#include "model/core/number.hpp"
#include "model/core/plan.hpp"

namespace assay {

// `numbers`: what stands at each place of the list. Nothing where none of them is a NaN.
//
//   take   a[1]   a[0] b[0] product[0]   acc        with `signalling: first` a signalling NaN goes before
//          run 0        run 1            run 2      the quiet ones of its run
inline const Number* taken(const NanTake& take, const Number* numbers) {
  const Number* first = nullptr;
  for (std::size_t i = 0; i < take.places.size(); ++i) {
    if (first != nullptr && take.places[i].run != take.places[i - 1].run) break;
    const Number& n = numbers[i];
    if (n.cls != Class::nan) continue;
    if (take.signalling_first && is_signalling(n)) return &n;
    if (first == nullptr) first = &n;
  }
  return first;
}

// What a step leaves, where `sum` is what its last adder left.
inline Number take_nan(const NanTake& take, const Number* numbers, const Number& sum) {
  if (sum.cls != Class::nan) return sum;
  const Number* found = taken(take, numbers);
  if (found == nullptr) return sum;
  Number left = *found;
  left.raised |= sum.raised;
  return left;
}

}  // namespace assay
