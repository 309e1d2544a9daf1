#include "tb/oracle/listed_meaning.hpp"

#include <algorithm>
#include <cstdlib>
#include <stdexcept>
#include <utility>
#include <vector>

namespace assay::lists {
namespace {

Meaning nan() { return {Meaning::nan, false, 0}; }
Meaning infinity(bool negative) { return {Meaning::infinity, negative, 0}; }
Meaning number(bool negative, const mpq_class& magnitude) { return {Meaning::number, negative, magnitude}; }

// What a string of bits counts in binary, with zeros for bits that are missing.
int counted(const std::string& bits, int wanted) {
  int value = 0;
  for (int i = 0; i < wanted; ++i)
    value = 2 * value + (static_cast<std::size_t>(i) < bits.size() && bits[static_cast<std::size_t>(i)] == '1' ? 1 : 0);
  return value;
}

// 0.bits
mpq_class fraction(const std::string& bits) {
  mpq_class value;
  for (std::size_t i = 0; i < bits.size(); ++i) {
    if (bits[i] == '1') value += power_of_two(-1 - static_cast<int>(i));
  }
  return value;
}

// --- prefix codes ---

// Of a greatest exponent field of so many bits: what stands before one of each length, and before a subnormal (-1).
std::vector<std::pair<std::string, int>> prefixes(int greatest) {
  std::vector<std::pair<std::string, int>> all{{"11", greatest}, {"10", greatest - 1}, {"01", greatest - 2}};
  std::string zeros = "00";
  for (int field = greatest - 3; field >= 0; --field, zeros += '0') all.emplace_back(zeros + "1", field);
  all.emplace_back(zeros, -1);
  return all;
}

Meaning prefixed(const std::string& bits, int greatest) {
  const bool negative = bits[0] == '1';
  for (const auto& [prefix, field] : prefixes(greatest)) {
    if (bits.compare(1, prefix.size(), prefix) != 0) continue;
    std::string rest = bits.substr(1 + prefix.size());
    if (field < 0) {
      const int place = counted(rest, static_cast<int>(rest.size()));
      const int least = -((1 << greatest) - 1) - (1 << rest.size());
      return place == 0 ? (negative ? nan() : Meaning{}) : number(negative, power_of_two(least + place));
    }
    int exponent = 0;
    if (field > 0) {
      exponent = (1 << (field - 1)) + counted(rest.substr(1), field - 1);
      if (rest[0] == '1') exponent = -exponent;
      rest = rest.substr(static_cast<std::size_t>(field));
    }
    if (exponent == (1 << greatest) - 1 && rest.find('0') == std::string::npos) return infinity(negative);
    return number(negative, (1 + fraction(rest)) * power_of_two(exponent));
  }
  throw std::logic_error("No prefix fits " + bits + ".");
}

// --- lists in files ---

Meaning stated(const std::string& text) {
  if (text == "nan") return nan();
  if (text == "inf" || text == "+inf") return infinity(false);
  if (text == "-inf") return infinity(true);
  const std::size_t power = text.find("*2^");
  std::string digits = text.substr(0, power);
  const bool negative = digits[0] == '-';
  if (negative || digits[0] == '+') digits = digits.substr(1);
  mpq_class magnitude;
  if (const std::size_t point = digits.find('.'); point != std::string::npos) {
    const std::size_t places = digits.size() - point - 1;
    mpz_class ten;  // and below, base 10 is said, since 025 would be octal
    mpz_ui_pow_ui(ten.get_mpz_t(), 10, places);
    magnitude = mpq_class(mpz_class(digits.substr(0, point) + digits.substr(point + 1), 10), ten);
    magnitude.canonicalize();
  } else {
    magnitude = mpz_class(digits, 10);
  }
  if (power != std::string::npos) magnitude *= power_of_two(std::atoi(text.c_str() + power + 3));
  return number(negative, magnitude);
}

}  // namespace

mpq_class power_of_two(int exponent) {
  const mpz_class power = mpz_class(1) << static_cast<mp_bitcnt_t>(std::abs(exponent));
  return exponent >= 0 ? mpq_class(power) : mpq_class(mpz_class(1), power);
}

std::string bit_string(Code code, int bits) {
  std::string text;
  for (int i = bits - 1; i >= 0; --i) text += (code >> i & 1) != 0 ? '1' : '0';
  return text;
}

int parameter(const Format& format, const std::string& name) { return std::atoi(format.parameters.at(name).c_str()); }

Meaning posit(std::string bits, int es) {
  if (bits.find('1') == std::string::npos) return {Meaning::number, false, 0};
  if (bits[0] == '1' && bits.find('1', 1) == std::string::npos) return nan();
  const bool negative = bits[0] == '1';
  if (negative) {  // two's complement: all bits above the last one are turned
    const std::size_t last = bits.rfind('1');
    for (std::size_t i = 0; i < last; ++i) bits[i] = bits[i] == '1' ? '0' : '1';
  }
  const std::string rest = bits.substr(1);
  const std::size_t run = std::min(rest.find(rest[0] == '1' ? '0' : '1'), rest.size());
  const int regime = rest[0] == '1' ? static_cast<int>(run) - 1 : -static_cast<int>(run);
  const std::string tail = run + 1 < rest.size() ? rest.substr(run + 1) : "";
  const int exponent = regime * (1 << es) + counted(tail, es);
  const std::string after = tail.size() > static_cast<std::size_t>(es) ? tail.substr(static_cast<std::size_t>(es)) : "";
  return number(negative, (1 + fraction(after)) * power_of_two(exponent));
}

Meaning meaning(const Format& format, Code code) {
  const std::string bits = bit_string(code, format.stored_bits);
  if (format.rule == "posit") return posit(bits, parameter(format, "es"));
  if (format.rule == "prefix") return prefixed(bits, parameter(format, "exponent"));
  return stated(format.listed.at(code));
}

}  // namespace assay::lists
