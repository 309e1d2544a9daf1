// How the codes that one case has in a column are written, and read again. Every case of a column takes as many bytes
// as every other.
#pragma once

#include <string>
#include <string_view>

#include "tb/export/column.hpp"

namespace assay {

struct Encoding {
  void (*append)(std::string& out, const Code* codes, const Column& column);
  // `text` is as long as what append() writes, and not checked: whoever reads holds append() of `codes` to it.
  void (*parse)(std::string_view text, const Column& column, Code* codes);

  std::size_t width(const Column& column) const;  // of one case, in bytes
};

// Element after element, each in its whole bytes, the lowest first.
extern const Encoding raw_encoding;

// One word of hexadecimal digits a line, element 0 in its lowest bits; elements are packed bit to bit:
//   a[3] a[2] a[1] a[0]
extern const Encoding hex_word_encoding;

// An initialiser of C, with its comma.
extern const Encoding c_encoding;

}  // namespace assay
