#include "model/config/operand_layout.hpp"

#include <algorithm>
#include <optional>
#include <utility>

namespace assay {
namespace {

// k0 k1 of 4 elements along k.
std::vector<std::string> bits_of(const YamlValue& where, char coordinate, int size) {
  std::vector<std::string> bits;
  for (; size > 1; size /= 2) {
    if (size % 2 != 0)
      where.fail(std::string("a layout is written in bits of coordinates, and ") + coordinate +
                 " of this shape is no power of two; leave `layout` out.");
    bits.push_back(coordinate + std::to_string(bits.size()));
  }
  return bits;
}

std::vector<std::string> named_bits(const OperandLayout& layout) {
  std::vector<std::string> named;
  for (std::string word : split(layout.which + " " + layout.slot, ' ')) {
    if (word.empty()) continue;
    named.push_back(word[0] == '~' ? word.substr(1) : word);
  }
  return named;
}

// "VSR: m0 m1 | n0 n1", or "VSR: m0 m1" of one register.
std::optional<OperandLayout> layout_of(const std::string& text) {
  constexpr std::size_t longest_name = 31;
  const auto is_letter = [](char c) { return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z'); };
  const std::size_t colon = text.find(':');
  if (colon == std::string::npos || colon == 0 || colon > longest_name || !is_letter(text.front())) return std::nullopt;
  const std::string name = text.substr(0, colon), bits = text.substr(colon + 1);
  const std::vector<std::string> parts = split(bits, '|');
  if (!std::all_of(name.begin(), name.end(), [&](char c) { return is_letter(c) || c == ' '; }) || parts.size() > 2 ||
      bits.find_first_not_of("~mnk0123456789 |") != std::string::npos)
    return std::nullopt;
  return OperandLayout{name, parts.size() == 2 ? trimmed(parts.front()) : "", trimmed(parts.back())};
}

// `coordinates`: of this operand, each with its size.
OperandLayout read_layout(const YamlValue& value, const std::vector<std::pair<char, int>>& coordinates) {
  const std::optional<OperandLayout> read = layout_of(value.text());
  if (!read)
    value.fail(
        "registers and the bits of an element's place in them are needed here, such as 'VSR: m0 m1 | n0 n1', found " +
        value.found() + ".");
  const OperandLayout& layout = *read;
  std::vector<std::string> wanted;
  for (const auto& [coordinate, size] : coordinates) {
    const std::vector<std::string> bits = bits_of(value, coordinate, size);
    wanted.insert(wanted.end(), bits.begin(), bits.end());
  }
  const std::vector<std::string> named = named_bits(layout);
  if (!std::is_permutation(named.begin(), named.end(), wanted.begin(), wanted.end()))
    value.fail("an element's place is made of " + (wanted.empty() ? "no bits" : joined(wanted) + ", each once") +
               "; found " + value.found() + ".");
  return layout;
}

}  // namespace

OperandLayouts read_layouts(const YamlValue& value, const LayoutSize& size) {
  value.only({"a", "b", "d"});
  return {read_layout(value.at("a"), {{'m', size.m}, {'k', size.k}}),
          read_layout(value.at("b"), {{'n', size.n}, {'k', size.k}}),
          read_layout(value.at("d"), {{'m', size.m}, {'n', size.n}})};
}

}  // namespace assay
