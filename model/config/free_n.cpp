#include "model/config/free_n.hpp"

#include <algorithm>

#include "model/base/error.hpp"
#include "model/base/text.hpp"
#include "model/config/spelling.hpp"

namespace assay {

namespace {

std::string text_of(const FreeN::Range& range, const std::string& multiple) {
  const std::string ends = std::to_string(range.first) + " to " + std::to_string(range.last);
  if (range.first % range.step == 0) return multiple + " of " + std::to_string(range.step) + " from " + ends;
  return ends + " in steps of " + std::to_string(range.step);
}

}  // namespace

bool is_count(const std::string& text) {
  constexpr std::size_t most_digits = 6;
  return !text.empty() && text.size() <= most_digits && text.front() != '0' &&
         text.find_first_not_of("0123456789") == std::string::npos;
}

bool FreeN::has(int n) const {
  return std::any_of(ranges.begin(), ranges.end(), [&](const Range& range) { return range.has(n); });
}

std::string FreeN::text() const {
  std::string text = text_of(ranges.front(), "a multiple");
  for (std::size_t i = 1; i < ranges.size(); ++i) text += ", or " + text_of(ranges[i], "one");
  return text;
}

std::optional<FreeN> free_n_in(const std::string& text) {
  FreeN n;
  for (const std::string& part : split(text, ' ')) {
    const std::vector<std::string> numbers = split(part, ':');
    if (numbers.size() != 3 || !std::all_of(numbers.begin(), numbers.end(), is_count)) return std::nullopt;
    n.ranges.push_back({std::stoi(numbers[0]), std::stoi(numbers[1]), std::stoi(numbers[2])});
  }
  return n.ranges.empty() ? std::nullopt : std::optional(n);
}

std::optional<FreeN> free_n(const Instruction& instruction) { return free_n_in(instruction.n); }

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

std::optional<int> chosen_n(const Instruction& instruction, const std::string& name, std::optional<int> asked) {
  const std::optional<int> spelled = spelled_n(instruction, canonical_spelling(name));
  if (asked && spelled && *asked != *spelled)
    throw Error{"--n is " + std::to_string(*asked) + ", but " + name + " has n = " + std::to_string(*spelled) +
                "; leave one of them away."};
  return asked ? asked : spelled;
}

}  // namespace assay
