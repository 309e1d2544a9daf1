// Lists of values as tables: the number of each code, and where rounding goes from one value to the next.
#pragma once

#include <string>
#include <vector>

#include "model/core/plan.hpp"
#include "tb/devices/rtl/sheet.hpp"

namespace assay {

// As its bundle: counts | class | negative | exponent | significand.
u128 bundle_bits(const Number& n, const Range& range);

// The number of each code, code 0 first.
std::vector<Sheet::Entry> code_entries(const Format& format, const Range& range);

// Rounding as the places where it steps to another value. Places are keys: twice a multiple of the grid, and one more
// for all that lies between two multiples.
struct ListSteps {
  int grid_bits = 0;  // the grid is 2^-this
  int key_bits = 0;   // two's complement, with room for a key beyond every step
  struct Left {
    Number value;
    bool too_large;  // it stands for numbers beyond it
    i128 key;        // of the value itself
  };
  std::vector<i128> from;
  std::vector<Left> values;  // below the first step, then from each on
};
ListSteps list_steps(const ResultPlan& result);

}  // namespace assay
