// What a finite number at some place can be. All widths follow from ranges.
#pragma once

#include <optional>

namespace assay {

struct Range {
  int least_exponent = 0;
  int greatest_exponent = 0;
  int integer_bits = 1;              // |value| < 2^(exponent + integer_bits)
  int fraction_bits = 0;             // quantum = exponent - fraction_bits, where the quantum follows the exponent
  std::optional<int> fixed_quantum;  // else the quantum is this constant (exact sums)

  int least_quantum() const { return fixed_quantum ? *fixed_quantum : least_exponent - fraction_bits; }
  int significand_bits() const {
    return fixed_quantum ? greatest_exponent + integer_bits - *fixed_quantum : integer_bits + fraction_bits;
  }
  int exponent_bits() const;  // of a two's complement field
};

// Of the exact product of two numbers.
Range product_range(const Range& a, const Range& b);

}  // namespace assay
