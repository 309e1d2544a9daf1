#include "tb/export/encoding.hpp"

#include <algorithm>

#include "tb/vectors/print.hpp"
#include "tb/vectors/scan.hpp"

namespace assay {
namespace {

// --- raw ---

void append_raw(std::string& out, const Code* codes, const Column& column) {
  const int bytes = column.bytes();
  const std::size_t start = out.size();
  out.resize(start + static_cast<std::size_t>(column.elements * bytes));
  char* to = out.data() + start;
  for (int i = 0; i < column.elements; ++i) {
    for (int byte = 0; byte < bytes; ++byte) *to++ = static_cast<char>(codes[i] >> (8 * byte) & 0xff);
  }
}

void parse_raw(std::string_view text, const Column& column, Code* codes) {
  const auto bytes = static_cast<std::size_t>(column.bytes());
  for (int i = 0; i < column.elements; ++i) {
    codes[i] = 0;
    for (std::size_t byte = bytes; byte-- > 0;) codes[i] = codes[i] << 8 | static_cast<unsigned char>(text[byte]);
    text.remove_prefix(bytes);
  }
}

// --- one word of hex ---

int word_digits(const Column& column) { return (column.elements * column.bits() + 3) / 4; }

// Bits 4 x digit to 4 x digit + 3 of the word; those above the last element are zero.
unsigned nibble(const Code* codes, const Column& column, int digit) {
  unsigned value = 0;
  for (int i = 0; i < 4; ++i) {
    const int bit = 4 * digit + i, element = bit / column.bits();
    if (element < column.elements) value |= static_cast<unsigned>(codes[element] >> (bit % column.bits()) & 1) << i;
  }
  return value;
}

void append_hex_word(std::string& out, const Code* codes, const Column& column) {
  const int digits = word_digits(column);
  const std::size_t start = out.size();
  out.resize(start + static_cast<std::size_t>(digits) + 1, '\n');
  char* to = out.data() + start;
  if (column.bits() % 4 == 0) {
    const int each = column.bits() / 4;
    for (int i = column.elements - 1; i >= 0; --i, to += each) put_hex(to, codes[i], each);
  } else {
    for (int digit = digits - 1; digit >= 0; --digit) put_hex(to++, nibble(codes, column, digit), 1);
  }
}

void parse_hex_word(std::string_view text, const Column& column, Code* codes) {
  std::fill_n(codes, column.elements, 0);
  const int digits = word_digits(column);
  for (int bit = 0; bit < column.elements * column.bits(); ++bit) {
    const int value = hex_value(text[static_cast<std::size_t>(digits - 1 - bit / 4)]);
    codes[bit / column.bits()] |= static_cast<Code>(value >> (bit % 4) & 1) << (bit % column.bits());
  }
}

// --- C ---

// As many to a line as leave it below 100 columns.
int elements_a_line(const Column& column) { return 92 / (column.format.hex_digits() + 4); }

// Each element's digits are at a place of their own: calls at(i, digits), and text(...) for what stands between.
template <class Between, class At>
void lay_out(const Column& column, Between&& between, At&& at) {
  between(column.list ? "  {" : "  ");
  for (int i = 0; i < column.elements; ++i) {
    if (i > 0) between(i % elements_a_line(column) == 0 ? ",\n   " : ", ");
    between("0x");
    at(i);
  }
  between(column.list ? "},\n" : ",\n");
}

void append_c(std::string& out, const Code* codes, const Column& column) {
  const int digits = column.format.hex_digits();
  lay_out(
      column, [&](std::string_view text) { out += text; },
      [&](int i) {
        out.append(static_cast<std::size_t>(digits), '0');
        put_hex(out.data() + out.size() - digits, codes[i], digits);
      });
}

void parse_c(std::string_view text, const Column& column, Code* codes) {
  lay_out(
      column, [&](std::string_view between) { text.remove_prefix(between.size()); },
      [&](int i) {
        codes[i] = 0;
        for (int digit = 0; digit < column.format.hex_digits(); ++digit, text.remove_prefix(1))
          codes[i] = codes[i] << 4 | static_cast<Code>(hex_value(text.front()) & 15);
      });
}

}  // namespace

const Encoding raw_encoding{append_raw, parse_raw};
const Encoding hex_word_encoding{append_hex_word, parse_hex_word};
const Encoding c_encoding{append_c, parse_c};

std::size_t Encoding::width(const Column& column) const {
  std::string text;
  append(text, std::vector<Code>(static_cast<std::size_t>(column.elements)).data(), column);
  return text.size();
}

}  // namespace assay
