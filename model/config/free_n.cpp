#include "model/config/free_n.hpp"

#include <cstdio>

namespace assay {

std::string FreeN::text() const {
  const std::string ends = std::to_string(first) + " to " + std::to_string(last);
  if (first % step == 0) return "a multiple of " + std::to_string(step) + " from " + ends;
  return ends + " in steps of " + std::to_string(step);
}

std::optional<FreeN> free_n(const Instruction& instruction) {
  FreeN n;
  if (std::sscanf(instruction.n.c_str(), "%d:%d:%d", &n.first, &n.last, &n.step) != 3) return std::nullopt;
  return n;
}

//   own    wgmma.m64nnk16.f32.f16.f16
//   given  wgmma.m64n128k16.f32.f16.f16
std::optional<int> spelled_n(const Instruction& instruction, const std::string& spelling) {
  constexpr std::size_t most_digits = 6;
  const std::string& own = instruction.spelling;
  const std::size_t at = own.find("nnk") + 1;
  if (at == 0 || spelling.compare(0, at, own, 0, at) != 0) return std::nullopt;
  const std::size_t end = spelling.find_first_not_of("0123456789", at);
  if (end == std::string::npos || end == at || end - at > most_digits || spelling.substr(end) != own.substr(at + 1))
    return std::nullopt;
  return std::stoi(spelling.substr(at, end - at));
}

}  // namespace assay
