#include "tb/scoreboard/waivers.hpp"

namespace assay {

bool matches(const std::string& pattern, const std::string& name) {
  // The last `*` passed so far, and where in the name its text ends.
  std::size_t star = std::string::npos, until = 0;
  std::size_t p = 0, n = 0;
  while (n < name.size()) {
    if (p < pattern.size() && pattern[p] == '*') {
      star = p++;
      until = n;
    } else if (p < pattern.size() && pattern[p] == name[n]) {
      ++p, ++n;
    } else if (star != std::string::npos) {
      p = star + 1;
      n = ++until;
    } else {
      return false;
    }
  }
  while (p < pattern.size() && pattern[p] == '*') ++p;
  return p == pattern.size();
}

}  // namespace assay
