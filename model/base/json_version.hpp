// Which members the JSON of explain, compare and check has. docs/embedding.md says what may change without a new
// number.
#pragma once

namespace assay {

inline constexpr int json_version = 1;

}  // namespace assay
