// What a result says of numbers that its format cannot hold, as assay_words takes it.
#pragma once

#include "model/core/plan.hpp"

namespace assay {

enum class FormatWord { keep, largest, nan, zero };
inline const std::vector<std::string_view>& word_names() {
  static const std::vector<std::string_view> names{"keep", "largest", "nan", "zero"};
  return names;
}

// Numbers that are too large leave rounding as infinities where `marks` says so, and as the largest ones elsewhere.
struct FormatWords {
  bool marks = false;
  FormatWord too_large = FormatWord::keep, too_small = FormatWord::keep;
  FormatWord plus_infinity = FormatWord::keep, minus_infinity = FormatWord::keep;
  FormatWord nan = FormatWord::keep, below_zero = FormatWord::keep;

  bool change_something() const {
    return too_large != FormatWord::keep || too_small != FormatWord::keep || plus_infinity != FormatWord::keep ||
           minus_infinity != FormatWord::keep || nan != FormatWord::keep || below_zero != FormatWord::keep;
  }
};

// Whether rounding is a table of steps: to a list that no rule makes.
bool rounds_by_table(const ResultPlan& result);

// `special`: whether infinities and NaNs may arrive.
FormatWords format_words(const ResultPlan& result, bool special);

// Whether an infinity or a NaN may leave.
bool leaves_special(const ResultPlan& result, bool special);
// Whether a NaN may that did not come.
bool makes_nan(const ResultPlan& result, bool special);

}  // namespace assay
