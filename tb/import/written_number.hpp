// Numbers as they are written, whatever format they are meant for.
#pragma once

#include <optional>
#include <string_view>

#include "model/core/number.hpp"

namespace assay {

// 2^5000: no format has a number so far from 1, on either side.
inline constexpr int beyond_all_formats = 5000;

// "1.5", "1e-3", "0x1.8p-3", "inf" or "nan", without a sign; nothing where it is none of these. Of a number of more
// than 120 bits the first are kept, and the last of them is 1: it is on the same side as the number that is written of
// every number of a format, and of what lies half way between two.
std::optional<Number> written_number(std::string_view text);

}  // namespace assay
