// SHA-256 (FIPS 180-4).
#pragma once

#include <string>
#include <string_view>

namespace assay {

// 64 lower-case hex digits.
std::string sha256(std::string_view text);

}  // namespace assay
