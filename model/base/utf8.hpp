// Characters in UTF-8.
#pragma once

#include <cstddef>
#include <string_view>

namespace assay {

struct Character {
  char32_t code = 0;
  std::size_t bytes = 0;  // 0: these bytes are no UTF-8
  bool whole = true;      // false: what is there may be the beginning of one
};

// The character at the beginning of a text that is not empty.
//   0xxxxxxx   110xxxxx 10xxxxxx   1110xxxx 10xxxxxx 10xxxxxx   11110xxx 10xxxxxx 10xxxxxx 10xxxxxx
Character first_character(std::string_view text);

// Where the first byte stands that is no UTF-8; npos: nowhere.
std::size_t no_utf8_at(std::string_view text);

}  // namespace assay
