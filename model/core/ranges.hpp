// Ranges of what is made of numbers.
#pragma once

#include "model/core/range.hpp"

namespace assay {

// Of the exact product of two numbers.
Range product_range(const Range& a, const Range& b);

}  // namespace assay
