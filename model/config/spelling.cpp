#include "model/config/spelling.hpp"

#include <algorithm>
#include <vector>

#include "model/base/text.hpp"

namespace assay {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_letter(char c) { return c >= 'a' && c <= 'z'; }

std::size_t after_digits(const std::string& text, std::size_t at) {
  while (at < text.size() && is_digit(text[at])) ++at;
  return at;
}

// v_mfma_f32_32x32x4_2b_f16 and v_mfma_f32_32x32x4f16 are one: without the number of blocks, and without an underscore
// between sizes and a type.
std::string without_blocks(const std::string& name) {
  std::string text;
  for (std::size_t i = 0; i < name.size(); ++i) {
    const std::size_t end = name[i] == '_' ? after_digits(name, i + 1) : 0;
    if (end > i + 1 && name.compare(end, 2, "b_") == 0) i = end + 1;
    text += name[i];
  }
  return text;
}

std::string with_type_beside_sizes(const std::string& name) {
  std::string text;
  for (std::size_t i = 0; i < name.size(); ++i) {
    text += name[i];
    const std::size_t end = name[i] == 'x' ? after_digits(name, i + 1) : 0;
    if (end <= i + 1 || end + 1 >= name.size() || name[end] != '_' || !is_letter(name[end + 1])) continue;
    text += name.substr(i + 1, end - i - 1);
    i = end;
  }
  return text;
}

std::string with_replaced(std::string text, const std::string& from, const std::string& to) {
  for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size()))
    text.replace(at, from.size(), to);
  return text;
}

// A word between dots that changes no number.
bool is_qualifier(const std::string& word) {
  static const std::vector<std::string_view> words{"sync",      "aligned",     "row",          "col",         "rn",
                                                   "mma_async", "block_scale", "cta_group::1", "cta_group::2"};
  if (std::find(words.begin(), words.end(), word) != words.end()) return true;
  const std::string kind = "kind::";
  return word.size() > kind.size() && word.compare(0, kind.size(), kind) == 0 &&
         std::all_of(word.begin() + static_cast<std::ptrdiff_t>(kind.size()), word.end(),
                     [](char c) { return is_digit(c) || is_letter(c); });
}

}  // namespace

std::string canonical_spelling(const std::string& name) {
  std::string text = lower(name);
  if (text.size() > longest_name) return text;
  const std::string builtin = "__builtin_amdgcn_";
  if (text.compare(0, builtin.size(), builtin) == 0) text.replace(0, builtin.size(), "v_");
  if (text.compare(0, 2, "v_") == 0) return with_type_beside_sizes(without_blocks(text));
  const std::vector<std::string> words = split(with_replaced(std::move(text), "::ordered_metadata", ""), '.');
  std::string canonical = words.front(), at_the_end;
  for (std::size_t i = 1; i < words.size(); ++i) {
    if (!is_qualifier(words[i])) (words[i] == "satfinite" ? at_the_end : canonical) += "." + words[i];
  }
  canonical += at_the_end;  // PTX has it before the types
  for (const char* block32 : {".scale_vec::1x", ".scale_vec::2x"})
    canonical = with_replaced(std::move(canonical), block32, ".block32");
  return with_replaced(std::move(canonical), ".scale_vec::4x", ".block16");
}

}  // namespace assay
