#include "sim/cli/explain_page.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "sim/cli/explain_grid.hpp"

namespace assay {
namespace {

using exact::Dyadic;

std::string body(const BitLine& line, bool with_cut) {
  return (line.negative ? "- " : "+ ") + line.kept +
         (with_cut && !line.cut.empty() ? " | " + folded_runs(line.cut) : "");
}

// Four bits a digit; `bits` are filled with zeros at the front or at the end.
std::string hex_digits(std::string bits, bool fill_front) {
  bits.insert(fill_front ? 0 : bits.size(), (4 - bits.size() % 4) % 4, '0');
  std::string digits;
  for (std::size_t i = 0; i < bits.size(); i += 4)
    digits += fmt::format("{:x}", std::stoul(bits.substr(i, 4), nullptr, 2));
  return digits;
}

}  // namespace

void Page::heading(const std::string& name) {
  line("\n" + name);
  in_block_ = true;
}

void Page::entry(const std::string& name, const std::string& words) {
  if (in_block_) line("");
  in_block_ = false;
  row(name, words);
}

void Page::row(const std::string& name, const std::string& words) {
  std::string current = fmt::format("{:<{}}", name, std::max(name_width, name.size() + 2));
  const std::string indent(std::min(current.size(), columns / 2), ' ');
  std::string rest = words;
  while (current.size() + rest.size() > columns) {
    const std::size_t room = columns - current.size(), space = rest.rfind(' ', room);
    const bool one_word = space == std::string::npos || space == 0;  // too long for any line: broken where it must be
    line(current + rest.substr(0, one_word ? room : rest.find_last_not_of(' ', space) + 1));
    rest = rest.substr(one_word ? room : space + 1);
    current = indent;
  }
  line(current + rest);
}

void Page::bits(const std::vector<BitLine>& lines) {
  std::size_t longest_note = 0, width = 0;
  for (const BitLine& one : lines) longest_note = std::max(longest_note, one.kept.empty() ? 0 : one.note.size());
  const auto fits = [&](const BitLine& one) {
    return name_width + body(one, true).size() + 3 + longest_note <= columns;
  };
  for (const BitLine& one : lines) width = std::max(width, body(one, fits(one)).size());
  for (const BitLine& one : lines) {
    if (one.kept.empty()) {
      row(one.name, one.note);
      continue;
    }
    const std::string text =
        fmt::format("{:<{}}{:<{}}   {}", one.name, name_width, body(one, fits(one)), width, one.note);
    line(text.substr(0, text.find_last_not_of(' ') + 1));
    if (fits(one)) continue;
    const std::size_t step = columns - name_width - 8;
    const std::string cut = folded_runs(one.cut);
    for (std::size_t i = 0; i < cut.size(); i += step)
      line(fmt::format("{:<{}}{:<4}| {}", "", name_width, i == 0 ? "cut" : "", cut.substr(i, step)));
  }
}

std::string hex_text(Code code, const Format& format) { return fmt::format("{:0{}x}", code, format.hex_digits()); }

std::string scientific(const Dyadic& x, long exponent, std::size_t room) {
  if (sign(x) == 0) return x.significand < 0 ? "-0" : "+0";
  const long top = std::max(floor_log2(x), exponent);
  const std::string whole = bits_between(x, top, exponent), fraction = bits_below(x, exponent);
  const bool binary = whole.size() + fraction.size() <= room;
  const std::string before = binary ? whole : "0x" + hex_digits(whole, true);
  const std::string behind = binary ? fraction : folded_runs(hex_digits(fraction, false));
  return fmt::format("{}{}{}{} x 2^{}", sign(x) < 0 ? "-" : "+", before, behind.empty() ? "" : ".", behind, exponent);
}

std::string scientific(const Number& n, std::size_t room) {
  return n.is_finite() && !n.is_zero() ? scientific(exactly(n), n.exponent, room) : decimal(n);
}

std::string value_text(const Number& n, bool integer) {
  return n.is_finite() && !integer && !n.is_zero() ? scientific(n) + "   " + decimal(n) : decimal(n);
}

std::string pointed(std::string bits, long fraction_bits) {
  if (fraction_bits > 0) bits.insert(bits.size() - static_cast<std::size_t>(fraction_bits), ".");
  return bits;
}

std::string spaced(std::string_view word) {
  std::string text(word);
  std::replace(text.begin(), text.end(), '_', ' ');
  return text;
}

std::string split_code(Code code, const Format& f) {
  std::string bits;
  for (int i = f.stored_bits - 1; i >= 0; --i) bits += (code >> i & 1) != 0 ? '1' : '0';
  if (f.is_integer()) return bits;
  std::string text;
  std::size_t from = 0;
  for (const int part :
       {f.ignored_high_bits, f.has_sign ? 1 : 0, f.exponent_bits, f.mantissa_bits, f.ignored_low_bits}) {
    if (part == 0) continue;
    text += (from == 0 ? "" : "|") + bits.substr(from, static_cast<std::size_t>(part));
    from += static_cast<std::size_t>(part);
  }
  return text;
}

}  // namespace assay
