#include "sim/program/number_option.hpp"

#include <fmt/format.h>

#include <charconv>

#include "model/config/yaml.hpp"
#include "tb/generate/levels.hpp"

namespace assay {
namespace {

// Whether all of `text` is a number, which then is in `number`.
template <class Number>
bool reads(const std::string& text, Number& number) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc{} && end == text.data() + text.size();
}

}  // namespace

std::optional<std::uint64_t> whole_number(const std::string& text) {
  std::uint64_t number = 0;
  return reads(text, number) ? std::optional(number) : std::nullopt;
}

std::uint64_t whole_number(const std::string& what, const std::string& text, NumberRange<std::uint64_t> range) {
  const auto number = whole_number(text);
  if (number && *number >= range.least && *number <= range.most) return *number;
  throw Error{fmt::format("{} takes a whole number from {} to {} in decimal digits, found '{}'.", what,
                          grouped(range.least), grouped(range.most), text)};
}

// What is no number at all (nan) is within no range.
double real_number(const std::string& what, const std::string& text, NumberRange<double> range) {
  double number = 0;
  if (reads(text, number) && number >= range.least && number <= range.most) return number;
  throw Error{fmt::format("{} takes a number from {} to {} in decimal digits, found '{}'.", what, range.least,
                          range.most, text)};
}

}  // namespace assay
