// What a result says of numbers that its format cannot hold, as assay_words takes it.
#pragma once

#include "model/core/plan.hpp"

namespace assay {

enum class Word { keep, largest, nan, zero };
inline const std::vector<std::string_view>& word_names() {
  static const std::vector<std::string_view> names{"keep", "largest", "nan", "zero"};
  return names;
}

// Numbers that are too large leave rounding as infinities where `marks` says so, and as the largest ones elsewhere.
struct FormatWords {
  bool marks = false;
  Word too_large = Word::keep, too_small = Word::keep;
  Word plus_infinity = Word::keep, minus_infinity = Word::keep;
  Word nan = Word::keep, below_zero = Word::keep;

  bool change_something() const {
    return too_large != Word::keep || too_small != Word::keep || plus_infinity != Word::keep ||
           minus_infinity != Word::keep || nan != Word::keep || below_zero != Word::keep;
  }
};

// Whether rounding is a table of steps: to a list, or where codes decide what is even.
bool rounds_by_table(const ResultPlan& result);

// `special`: whether infinities and NaNs may arrive.
FormatWords format_words(const ResultPlan& result, bool special);

// Whether an infinity or a NaN may leave.
bool leaves_special(const ResultPlan& result, bool special);
// Whether a NaN may that did not come.
bool makes_nan(const ResultPlan& result, bool special);

}  // namespace assay
