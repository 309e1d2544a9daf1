#include "sim/program/number_option.hpp"

#include <fmt/format.h>

#include <charconv>

#include "model/base/read_double.hpp"
#include "model/config/yaml.hpp"
#include "tb/generate/levels.hpp"

namespace assay {
namespace {

// Whether a number was read, and all of `text` is one.
bool is_all_of(const std::string& text, const std::from_chars_result& read) {
  return read.ec == std::errc{} && read.ptr == text.data() + text.size();
}

}  // namespace

std::optional<std::uint64_t> whole_number(const std::string& text) {
  std::uint64_t number = 0;
  const auto read = std::from_chars(text.data(), text.data() + text.size(), number);
  return is_all_of(text, read) ? std::optional(number) : std::nullopt;
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
  const auto read = read_double(text.data(), text.data() + text.size(), number);
  if (is_all_of(text, read) && number >= range.least && number <= range.most) return number;
  throw Error{fmt::format("{} takes a number from {} to {} in decimal digits, found '{}'.", what, range.least,
                          range.most, text)};
}

}  // namespace assay
