// Numbers as recordings write them, as codes of a format.
#pragma once

#include <optional>
#include <string_view>

#include "model/core/format.hpp"

namespace assay {

// The code of `to` that is the same number, bit for bit where it is NaN; nothing where `to` has no such number.
std::optional<Code> same_number(Code code, const Format& from, const Format& to);

// The code of `to` nearest to it, ties to even.
Code nearest_number(Code code, const Format& from, const Format& to);

// Bits - "3c00" with all their digits, "0x3c00", "0b0011110000000000" - or a number - "-1.5", "1e-3", "0x1.8p-3",
// "inf", "nan" - that the format holds exactly. Throws ScanError.
Code parse_value(std::string_view text, const Format& format);

// The same, but a number that the format does not hold exactly is its nearest code, ties to even. Throws ScanError,
// also where the number is beyond the format's ends.
struct NearestValue {
  Code code = 0;
  bool exact = true;
};
NearestValue nearest_value(std::string_view text, const Format& format);

// Binary digits alone, as many as the format has bits. Throws ScanError.
Code parse_binary(std::string_view text, const Format& format);

// Hexadecimal digits alone, as many as the format has. Throws ScanError.
Code parse_hex(std::string_view text, const Format& format);

}  // namespace assay
