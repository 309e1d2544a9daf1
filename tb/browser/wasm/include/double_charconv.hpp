// What the C++ library of Debian's Emscripten lacks of <charconv>: how doubles are written. Every file of the page's
// build begins with this one.
#pragma once

#include <charconv>
#include <cstdio>

namespace std {

inline to_chars_result to_chars(char* first, char* last, double value, chars_format, int digits) {
  const int written = snprintf(first, static_cast<size_t>(last - first), "%.*e", digits, value);
  return {first + written, errc{}};
}

}  // namespace std
