#include "sim/platform/vcd.hpp"

#include <algorithm>

namespace assay {

std::string vcd_identifier(int variable) {
  std::string text;
  for (int rest = variable + 1; rest > 0; rest = (rest - 1) / 94) text += static_cast<char>('!' + (rest - 1) % 94);
  return text;
}

std::vector<std::string> vcd_scopes(const std::string& name) {
  std::vector<std::string> parts;
  for (std::size_t at = 0; at != std::string::npos;) {
    const std::size_t dot = name.find('.', at);
    parts.push_back(name.substr(at, dot == std::string::npos ? dot : dot - at));
    at = dot == std::string::npos ? dot : dot + 1;
  }
  return parts;
}

void vcd_enter(std::ostream& out, std::vector<std::string>& open, const std::vector<std::string>& wanted) {
  const auto [left, right] = std::mismatch(open.begin(), open.end(), wanted.begin(), wanted.end());
  for (auto closed = left; closed != open.end(); ++closed) out << "$upscope $end\n";
  for (auto opened = right; opened != wanted.end(); ++opened) out << "$scope module " << *opened << " $end\n";
  open = wanted;
}

}  // namespace assay
