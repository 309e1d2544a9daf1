// Options that take numbers: decimal digits within a range, and nothing else. What CLI11 reads by itself takes 010 as
// octal, -1 as the largest number there is, and an empty word as none.
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

#include "sim/program/command.hpp"

namespace assay {

// Both ends are taken.
template <class Number>
struct NumberRange {
  Number least = 0;
  Number most = std::numeric_limits<Number>::max();
};

inline constexpr std::uint64_t most_cases = 1'000'000'000'000'000;  // at a million a second, thirty years

// What help shows as the kind of such an option's value.
inline constexpr const char* number_type = "NUMBER";

// The number that all of `text` is, in decimal digits; none where it is something else.
std::optional<std::uint64_t> whole_number(const std::string& text);

// The same within a range. Throws Error, which begins with `what`: "--cases takes a whole number from ..".
std::uint64_t whole_number(const std::string& what, const std::string& text, NumberRange<std::uint64_t> range);
double real_number(const std::string& what, const std::string& text, NumberRange<double> range);

template <class Number>
Number number_of(const std::string& what, const std::string& text, NumberRange<Number> range) {
  if constexpr (std::is_floating_point_v<Number>) {
    return real_number(what, text, range);
  } else {
    return static_cast<Number>(
        whole_number(what, text, {static_cast<std::uint64_t>(range.least), static_cast<std::uint64_t>(range.most)}));
  }
}

// `range` of a whole number begins at 0 or above.
template <class Number, class = std::enable_if_t<std::is_arithmetic_v<Number>>>
CommandOption add_number(Command app, const std::string& name, Number& into, NumberRange<Number> range,
                         const std::string& help) {
  return app.add_words(
      name, help, number_type, [=, &into](const auto& words) { into = number_of(name, words.back(), range); },
      [&into] {
        std::string text = std::to_string(into);
        if constexpr (std::is_floating_point_v<Number>) {
          text.erase(text.find_last_not_of('0') + 1);
          if (text.back() == '.') text.pop_back();
        }
        return text;
      });
}

template <class Number>
CommandOption add_number(Command app, const std::string& name, std::optional<Number>& into, NumberRange<Number> range,
                         const std::string& help) {
  return app.add_words(name, help, number_type,
                       [=, &into](const auto& words) { into = number_of(name, words.back(), range); }, {});
}

}  // namespace assay
