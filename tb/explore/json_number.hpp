// Numbers in JSON: infinities, which it has not, as words.
#pragma once

#include <cmath>
#include <nlohmann/json.hpp>

namespace assay {

inline nlohmann::ordered_json json_number(double value) {
  if (std::isfinite(value)) return value;
  return std::isnan(value) ? "nan" : value < 0 ? "-infinity" : "infinity";
}

}  // namespace assay
