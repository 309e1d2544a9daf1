#include "tb/generate/mask_draw.hpp"

#include <algorithm>
#include <utility>

namespace assay {
namespace {

constexpr std::size_t most_patterns = 64;

// Units in an order of their own, those that are wanted first.
std::vector<int> ordered_units(int first, int units, int unit, const std::vector<int>& wanted, Draws& draws) {
  std::vector<int> order;
  for (int u = 0; u < units; ++u) {
    order.push_back(u);
    std::swap(order.back(), order[draws.below(order.size())]);
  }
  const auto says = [&](int u) {
    const auto begin = wanted.begin() + first + u * unit;
    return *std::max_element(begin, begin + unit);
  };
  std::stable_sort(order.begin(), order.end(), [&](int x, int y) { return says(x) > says(y); });
  return order;
}

}  // namespace

std::vector<Code> drawn_mask(const CaseOperand& mask, const std::vector<int>& wanted, MaskKind kind, Draws draws) {
  std::vector<Code> bits(static_cast<std::size_t>(mask.count));
  if (!mask.pattern.has_pattern()) {
    for (Code& bit : bits) bit = kind == MaskKind::all || draws.below(kind == MaskKind::most ? 8 : 2) != 0 ? 1 : 0;
    return bits;
  }
  const int among = *mask.pattern.among, take = *mask.pattern.take, unit = mask.pattern.unit;
  for (int first = 0; first < mask.count; first += among) {
    const std::vector<int> order = ordered_units(first, among / unit, unit, wanted, draws);
    for (int u = 0; u < take / unit; ++u)
      std::fill_n(bits.begin() + first + order[static_cast<std::size_t>(u)] * unit, unit, Code{1});
  }
  return bits;
}

std::vector<std::vector<Code>> group_patterns(const Mask& words) {
  std::vector<std::vector<Code>> patterns;
  if (!words.has_pattern()) return patterns;
  const auto units = static_cast<std::size_t>(*words.among / words.unit);
  std::vector<char> on(units, 0);
  std::fill_n(on.begin(), *words.take / words.unit, char{1});
  do {
    std::vector<Code> bits;
    for (const char u : on) bits.insert(bits.end(), static_cast<std::size_t>(words.unit), u != 0 ? 1 : 0);
    patterns.push_back(bits);
  } while (patterns.size() < most_patterns && std::prev_permutation(on.begin(), on.end()));
  return patterns;
}

}  // namespace assay
