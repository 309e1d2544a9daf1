// std::from_chars for doubles, which GCC has from 11 on and libc++ from 20 on.
#pragma once

#include <charconv>
#include <clocale>
#include <cmath>
#include <cstdlib>
#include <string>
#include <system_error>

namespace assay {

// As the standard's: no blanks, no sign but a minus, no 0x. strtod is asked, in the locale that has a point.
inline std::from_chars_result read_double_by_strtod(const char* first, const char* last, double& value) {
  static const locale_t plain = newlocale(LC_ALL_MASK, "C", nullptr);
  const std::string text(first, last);
  const std::size_t digits = text.compare(0, 1, "-") == 0 ? 1 : 0;
  const char start = digits < text.size() ? text[digits] : ' ';
  const bool is_word = text.compare(digits, 3, "inf") == 0 || text.compare(digits, 3, "nan") == 0;
  if (!is_word && start != '.' && (start < '0' || start > '9')) return {first, std::errc::invalid_argument};
  const std::string part = text.substr(0, text.find_first_of("xX"));
  char* end = nullptr;
  const double read = strtod_l(part.c_str(), &end, plain);
  if (end == part.c_str()) return {first, std::errc::invalid_argument};
  const char* rest = first + (end - part.c_str());
  if (!is_word && std::isinf(read)) return {rest, std::errc::result_out_of_range};
  value = read;
  return {rest, std::errc{}};
}

inline std::from_chars_result read_double(const char* first, const char* last, double& value) {
#ifdef __cpp_lib_to_chars
  return std::from_chars(first, last, value);
#else
  return read_double_by_strtod(first, last, value);
#endif
}

}  // namespace assay
