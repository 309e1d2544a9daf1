#include "tb/devices/rtl/export_words.hpp"

#include "model/core/fields.hpp"
#include "model/core/result_words.hpp"
#include "model/core/round.hpp"

namespace assay {
namespace {

// What became of an infinity or of a number that is too large.
FormatWord word_of(const Number& n) {
  if (n.cls == Class::nan) return FormatWord::nan;
  if (n.cls == Class::infinity) return FormatWord::keep;
  return n.magnitude == 0 ? FormatWord::zero : FormatWord::largest;
}

FormatWord word_of(OfNan words) {
  switch (words) {
    case OfNan::keep: return FormatWord::keep;
    case OfNan::positive: return FormatWord::nan;
    case OfNan::zero: return FormatWord::zero;
    case OfNan::largest: return FormatWord::largest;
  }
  return FormatWord::keep;
}

Number overflowed(const ResultPlan& result, bool negative) {
  Number n;
  n.negative = negative;
  return too_large(n, result.words, result.format);
}

void overflow(FormatWords& words, const ResultPlan& result) {
  if (result.words.overflow == Overflow::wrap || rounds_by_table(result)) return;
  const FormatWord large = word_of(overflowed(result, false));
  const FormatWord small = is_unsigned_float(result.format) ? words.below_zero : word_of(overflowed(result, true));
  const auto is_farthest = [](FormatWord w) { return w == FormatWord::largest || w == FormatWord::zero; };
  if (is_farthest(large) && (is_farthest(small) || is_unsigned_float(result.format))) return;
  words.marks = true;
  words.too_large = large;
  words.too_small = small;
}

}  // namespace

bool rounds_by_table(const ResultPlan& result) {
  return result.words.at == ResultAt::format && says_list(result.format);
}

FormatWords format_words(const ResultPlan& result, bool special) {
  FormatWords words;
  if (result.words.at != ResultAt::format) return words;
  const Format& format = result.format;
  if (is_unsigned_float(format) && !rounds_by_table(result))
    words.below_zero = below_zero(result.words).cls == Class::nan ? FormatWord::nan : FormatWord::zero;
  overflow(words, result);
  if (!special) return words;
  words.plus_infinity = word_of(infinity_to_format(Number::infinity(false), result.words, format));
  words.minus_infinity = word_of(infinity_to_format(Number::infinity(true), result.words, format));
  words.nan = word_of(result.words.nan);
  return words;
}

bool makes_nan(const ResultPlan& result, bool special) {
  if (result.words.at != ResultAt::format) return false;
  const FormatWords words = format_words(result, special);
  const auto some_nan = [&](std::initializer_list<FormatWord> list) {
    for (const FormatWord w : list) {
      if (w == FormatWord::nan) return true;
    }
    return false;
  };
  return result.words.overflow == Overflow::nan ||
         (is_unsigned_float(result.format) && below_zero(result.words).cls == Class::nan) ||
         some_nan({words.plus_infinity, words.minus_infinity, words.nan});
}

bool leaves_special(const ResultPlan& result, bool special) {
  if (result.words.at != ResultAt::format) return special;
  const Overflow overflow = result.words.overflow;
  const bool overflows = overflow == Overflow::infinity || overflow == Overflow::directed || overflow == Overflow::nan;
  return special || overflows || makes_nan(result, special);
}

}  // namespace assay
