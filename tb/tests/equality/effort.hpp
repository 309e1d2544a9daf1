// How much is tried: enough for every commit, or with ASSAY_FULL=1 as much as a night allows.
#pragma once

#include <cstdlib>
#include <string_view>

namespace assay {

inline int quick_or_full(int quick, int full) {
  const char* asked = std::getenv("ASSAY_FULL");
  return asked != nullptr && std::string_view(asked) == "1" ? full : quick;
}

}  // namespace assay
