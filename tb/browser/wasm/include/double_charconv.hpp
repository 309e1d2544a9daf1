// What the C++ library of Debian's Emscripten lacks of <charconv>: doubles. Every file of the page's build begins with
// this one.
#pragma once

#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <string>

namespace std {

// As the standard's: no blanks, no sign but a minus, no 0x.
inline from_chars_result from_chars(const char* first, const char* last, double& value) {
  const string text(first, last);
  const size_t digits = text.compare(0, 1, "-") == 0 ? 1 : 0;
  const char start = digits < text.size() ? text[digits] : ' ';
  const bool is_word = text.compare(digits, 3, "inf") == 0 || text.compare(digits, 3, "nan") == 0;
  if (!is_word && (start != '.' && (start < '0' || start > '9'))) return {first, errc::invalid_argument};
  const size_t prefix = text.find_first_of("xX");
  const string part = text.substr(0, prefix);
  char* end = nullptr;
  const double read = strtod(part.c_str(), &end);
  if (end == part.c_str()) return {first, errc::invalid_argument};
  const char* rest = first + (end - part.c_str());
  if (!is_word && (read > 1.7976931348623157e308 || read < -1.7976931348623157e308))
    return {rest, errc::result_out_of_range};
  value = read;
  return {rest, errc{}};
}

inline to_chars_result to_chars(char* first, char* last, double value, chars_format, int digits) {
  const int written = snprintf(first, static_cast<size_t>(last - first), "%.*e", digits, value);
  return {first + written, errc{}};
}

}  // namespace std
