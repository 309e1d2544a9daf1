// Reading one line of JSON by hand: a flat object whose values are mostly bits. Standard library only, so that a device
// in its own process can include it; nothing is allocated where the line is good.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "tb/vectors/print.hpp"

namespace assay {

// What is wrong with a line, as a sentence; where the line stands (its file, its number) the caller adds. It is not an
// Error, so that nobody takes it for a sentence that is whole.
struct ScanError {
  std::string message;
};

class Scanner {
 public:
  explicit Scanner(std::string_view line) : begin_(line.data()), p_(begin_), end_(begin_ + line.size()) {}

  // The whole line is one object. Calls member(name) at the start of each value, which it must read with one of the
  // functions below.
  template <class Member>
  void line(Member&& member) {
    members([&](std::string_view name) {
      remember(name);
      member(name);
      member_ = {};
    });
    space();
    if (p_ != end_) fail("nothing should follow the closing brace");
  }

  // An object inside the line; the same name twice is the caller's to notice.
  template <class Member>
  void members(Member&& member) {
    take('{');
    if (take_if('}')) return;
    do {
      const std::string_view name = text();
      take(':');
      member(name);
    } while (take_if(','));
    if (!take_if('}')) fail("',' or '}' should stand there");
  }

  template <class Element>
  void elements(Element&& element) {
    take('[');
    if (take_if(']')) return;
    do {
      element();
    } while (take_if(','));
    if (!take_if(']')) fail("',' or ']' should stand there");
  }

  // "3c00": the hex digits of `bits` bits, no more and no fewer; where bits is 0, as many as there are up to 16.
  std::uint64_t hex(int bits) {
    space();
    const char* start = p_;
    const int digits = bits == 0 ? count_digits() : (bits + 3) / 4;
    if (end_ - p_ < digits + 2 || *p_ != '"' || p_[digits + 1] != '"') refuse_hex(start, bits);
    ++p_;
    std::uint64_t code = 0;
    if (digits_at(p_, digits, code) < 0 || (bits % 4 != 0 && code >> bits != 0)) refuse_hex(start, bits);
    p_ += digits + 1;
    return code;
  }

  // The same of 1 to 16 digits, and how many there were.
  std::uint64_t any_hex(int& digits) {
    space();
    digits = count_digits();
    return hex(0);
  }

  // Whether [[ comes next; nothing is read.
  bool is_list_of_lists() const {
    const auto stands = [this](const char*& p) {
      while (p != end_ && is_space(*p)) ++p;
      return p != end_ && *p++ == '[';
    };
    const char* p = p_;
    if (!stands(p)) return false;
    return stands(p);
  }

  // ["3c00","0000"]
  void hex_list(int bits, std::vector<std::uint64_t>& codes) {
    codes.clear();
    if (dense_hex_list(bits, codes)) return;
    codes.clear();
    elements([&] {
      index_ = static_cast<int>(codes.size());
      codes.push_back(hex(bits));
    });
    index_ = -1;
  }

  // [["3c00","0000"],["3c00","0000"]]: rows of one length, one after another in `codes`; how many rows.
  int hex_rows(int bits, std::vector<std::uint64_t>& codes) {
    codes.clear();
    std::size_t columns = 0;
    elements([&] {
      const std::size_t before = codes.size();
      ++row_;
      elements([&] {
        index_ = static_cast<int>(codes.size() - before);
        codes.push_back(hex(bits));
      });
      if (row_ == 0) columns = codes.size();
      if (codes.size() - before != columns) {
        throw ScanError{std::string(member_) + "[" + std::to_string(row_) + "] has " +
                        std::to_string(codes.size() - before) + " elements, but " + std::string(member_) + "[0] has " +
                        std::to_string(columns) + "; the rows of a matrix are of one length."};
      }
    });
    const int rows = row_ + 1;
    row_ = index_ = -1;
    return rows;
  }

  // 7
  std::uint64_t number() {
    space();
    const char* start = p_;
    std::uint64_t value = 0;
    for (; p_ != end_ && *p_ >= '0' && *p_ <= '9'; ++p_) {
      const auto digit = static_cast<std::uint64_t>(*p_ - '0');
      if (value > (~std::uint64_t{0} - digit) / 10) throw ScanError{label() + " is larger than 64 bits hold."};
      value = 10 * value + digit;
    }
    if (p_ == start) fail("a whole number, not negative, should stand there");
    return value;
  }

  // "text", without its quotes and otherwise as it stands, escapes and all.
  std::string_view text() {
    take('"');
    const char* start = p_;
    for (; p_ != end_ && *p_ != '"'; ++p_) {
      if (*p_ == '\\') {
        escape();
      } else if (static_cast<unsigned char>(*p_) < 0x20) {
        fail("the text should go on or end with a quote");
      }
    }
    if (p_ == end_) fail("the text should go on or end with a quote");
    return {start, static_cast<std::size_t>(p_++ - start)};
  }

  // Any value, as it stands.
  std::string_view value() {
    space();
    const char* start = p_;
    skip(0);
    return {start, static_cast<std::size_t>(p_ - start)};
  }

 private:
  static constexpr std::size_t most_members = 64;
  static constexpr int greatest_depth = 64;

  // Appends `digits` hex digits to `code`. Negative where one is none.
  static int digits_at(const char* p, int digits, std::uint64_t& code) {
    int all = 0;
    for (int i = 0; i < digits; ++i) {
      const int value = hex_value(p[i]);
      all |= value;
      code = code << 4 | static_cast<std::uint64_t>(value & 15);
    }
    return all;
  }

  // A list that is written without spaces, as nearly every one is, in a third of the time. Nothing is read where
  // it is not, or where something is wrong.
  bool dense_hex_list(int bits, std::vector<std::uint64_t>& codes) {
    switch ((bits + 3) / 4) {
      case 1: return dense_hex_list<1>(bits, codes);
      case 2: return dense_hex_list<2>(bits, codes);
      case 4: return dense_hex_list<4>(bits, codes);
      case 8: return dense_hex_list<8>(bits, codes);
      default: return false;
    }
  }

  template <int digits>
  bool dense_hex_list(int bits, std::vector<std::uint64_t>& codes) {
    const char* p = p_;
    if (p == end_ || *p++ != '[') return false;
    std::uint64_t all = 0;
    int all_values = 0;  // negative where one is no digit
    do {
      if (end_ - p < digits + 3 || p[0] != '"' || p[digits + 1] != '"') return false;
      std::uint64_t code = 0;
      all_values |= digits_at(p + 1, digits, code);
      all |= code;
      codes.push_back(code);
      p += digits + 2;
    } while (*p++ == ',');
    if (p[-1] != ']' || all_values < 0 || all >> bits != 0) return false;
    p_ = p;
    return true;
  }

  static bool is_space(char c) { return c == ' ' || c == '\t' || c == '\r'; }
  void space() {
    while (p_ != end_ && is_space(*p_)) ++p_;
  }
  bool take_if(char c) {
    space();
    if (p_ == end_ || *p_ != c) return false;
    ++p_;
    return true;
  }
  void take(char c) {
    if (!take_if(c)) fail(std::string{'\'', c, '\''} + " should stand there");
  }

  void remember(std::string_view name) {
    if (name.find('\\') != name.npos)
      throw ScanError{"member " + excerpt(name) + " has a name with an escape; write the name plainly."};
    for (std::size_t i = 0; i < count_; ++i) {
      if (names_[i] == name) throw ScanError{"member " + std::string(name) + " is given twice; give it once."};
    }
    if (count_ == most_members) throw ScanError{"the line has more than 64 members; at most 64 are read."};
    names_[count_++] = member_ = name;
  }

  // p_ stands on a backslash; leaves it on the last character of the escape.
  void escape() {
    ++p_;
    if (p_ == end_ || std::string_view("\"\\/bfnrtu").find(*p_) == std::string_view::npos)
      fail("an escape of JSON should stand there");
    if (*p_ != 'u') return;
    for (int i = 0; i < 4; ++i) {
      ++p_;
      const bool hex = p_ != end_ && (hex_value(*p_) >= 0 || (*p_ >= 'A' && *p_ <= 'F'));
      if (!hex) fail("a hex digit of \\u should stand there");
    }
  }

  void skip(int depth) {
    if (depth > greatest_depth) throw ScanError{label() + " is nested deeper than 64 levels."};
    space();
    switch (p_ == end_ ? '\0' : *p_) {
      case '{': return members([&](std::string_view) { skip(depth + 1); });
      case '[': return elements([&] { skip(depth + 1); });
      case '"': text(); return;
      case 't': return word("true");
      case 'f': return word("false");
      case 'n': return word("null");
      default: return any_number();
    }
  }

  void word(std::string_view expected) {
    if (std::string_view(p_, static_cast<std::size_t>(end_ - p_)).substr(0, expected.size()) != expected)
      fail("a JSON value should stand there");
    p_ += expected.size();
  }

  void any_number() {
    if (p_ != end_ && *p_ == '-') ++p_;
    const bool zero = p_ != end_ && *p_ == '0';
    if (digits("a JSON value") > 1 && zero)
      throw ScanError{label() + " is a number that begins with 0; leave the 0 out."};
    if (p_ != end_ && *p_ == '.') {
      ++p_;
      digits("a digit");
    }
    if (p_ != end_ && (*p_ == 'e' || *p_ == 'E')) {
      ++p_;
      if (p_ != end_ && (*p_ == '+' || *p_ == '-')) ++p_;
      digits("a digit");
    }
  }

  std::ptrdiff_t digits(const char* expected) {
    const char* start = p_;
    while (p_ != end_ && *p_ >= '0' && *p_ <= '9') ++p_;
    if (p_ == start) fail(std::string(expected) + " should stand there");
    return p_ - start;
  }

  int count_digits() const {
    int digits = 0;
    while (digits < 17 && end_ - p_ > digits + 1 && p_[digits + 1] != '"') ++digits;
    return digits >= 1 && digits <= 16 ? digits : 1;
  }

  // "member a", or "a[3]" inside a list.
  std::string label() const {
    if (member_.empty()) return "the line";
    std::string place(member_);
    if (row_ >= 0) place += "[" + std::to_string(row_) + "]";
    if (index_ < 0) return place;
    return place + "[" + std::to_string(index_) + "]";
  }

  [[noreturn]] void fail(const std::string& expected) const {
    std::string place = "byte " + std::to_string(p_ - begin_ + 1);
    if (!member_.empty()) place += ", in " + label() + ",";
    if (p_ == end_) throw ScanError{"the line is cut short at " + place + " where " + expected + "."};
    const std::string found = *p_ == '\0' ? "NUL" : excerpt({p_, 1});
    throw ScanError{place + " is " + found + ", but " + expected + "."};
  }

  // What stands at `start` is not the hex of so many bits: says why.
  [[noreturn]] void refuse_hex(const char* start, int bits) {
    p_ = start;
    const std::string_view found = text();
    const std::string is = label() + " is \"" + std::string(excerpt(found).substr(1, excerpt(found).size() - 2)) + "\"";
    const std::size_t digits = bits == 0 ? 0 : static_cast<std::size_t>(bits + 3) / 4;
    const std::string size = std::to_string(digits) + (digits == 1 ? " digit" : " digits");
    const std::string width = "(" + std::to_string(bits) + " bits)";
    bool upper = false;
    for (const char c : found) {
      upper = upper || (c >= 'A' && c <= 'F');
      if (hex_value(c) < 0 && !(c >= 'A' && c <= 'F'))
        throw ScanError{is + ", which is not hex: write bits as " + (bits == 0 ? "digits" : size) +
                        " of 0-9 and a-f, without a prefix."};
    }
    if (upper) throw ScanError{is + ", in upper case: write bits in lower case."};
    if (bits == 0) throw ScanError{is + ": write bits as 1 to 16 hex digits."};
    if (found.size() != digits)
      throw ScanError{is + ", " + std::to_string(found.size()) + (found.size() == 1 ? " digit" : " digits") +
                      ": it takes exactly " + size + " " + width + "."};
    std::string most;
    append_hex(most, (std::uint64_t{1} << bits) - 1, static_cast<int>(digits));
    throw ScanError{is + ", but it has only " + std::to_string(bits) + " bits: at most " + most + "."};
  }

  const char* begin_;
  const char* p_;
  const char* end_;
  std::string_view member_;  // whose value is being read
  int row_ = -1;             // in its matrix ...
  int index_ = -1;           // ... and in its list
  std::array<std::string_view, most_members> names_;
  std::size_t count_ = 0;
};

}  // namespace assay
