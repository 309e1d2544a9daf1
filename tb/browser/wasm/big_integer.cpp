#include "tb/browser/wasm/big_integer.hpp"

#include <algorithm>
#include <utility>

namespace assay {

namespace {

constexpr std::size_t limb_bits = 32;

int bits_of(std::uint32_t limb) {
  int bits = 0;
  for (; limb != 0; limb >>= 1) ++bits;
  return bits;
}

}  // namespace

BigInteger::BigInteger(const std::string& text, int base) {
  const bool has_prefix = base == 0 && text.compare(0, 2, "0x") == 0;
  const BigInteger radix = has_prefix ? 16 : 10;
  for (const char c : text.substr(has_prefix ? 2 : 0)) *this = *this * radix + (c <= '9' ? c - '0' : c - 'a' + 10);
}

void BigInteger::set(std::uint64_t magnitude) {
  limbs_ = {static_cast<std::uint32_t>(magnitude), static_cast<std::uint32_t>(magnitude >> limb_bits)};
  trim();
}

void BigInteger::trim() {
  while (!limbs_.empty() && limbs_.back() == 0) limbs_.pop_back();
  if (limbs_.empty()) negative_ = false;
}

std::size_t BigInteger::bit_length() const {
  if (limbs_.empty()) return 0;
  return limb_bits * (limbs_.size() - 1) + static_cast<std::size_t>(bits_of(limbs_.back()));
}

bool BigInteger::magnitude_bit(std::size_t at) const {
  const std::size_t limb = at / limb_bits;
  return limb < limbs_.size() && (limbs_[limb] >> at % limb_bits & 1) != 0;
}

std::size_t BigInteger::lowest_one() const {
  std::size_t at = 0;
  while (!magnitude_bit(at)) ++at;
  return at;
}

std::uint64_t BigInteger::get_ui() const {
  std::uint64_t value = 0;
  for (std::size_t i = std::min<std::size_t>(limbs_.size(), 2); i-- > 0;) value = value << limb_bits | limbs_[i];
  return value;
}

// Nine digits at a time, from the last.
std::string BigInteger::get_str() const {
  constexpr std::uint64_t billion = 1'000'000'000;
  std::string digits;
  for (Limbs left = limbs_; !left.empty();) {
    std::uint64_t rest = 0;
    for (std::size_t i = left.size(); i-- > 0;) {
      rest = rest << limb_bits | left[i];
      left[i] = static_cast<std::uint32_t>(rest / billion);
      rest %= billion;
    }
    while (!left.empty() && left.back() == 0) left.pop_back();
    for (int i = 0; i < 9 && (!left.empty() || rest != 0); ++i, rest /= 10)
      digits += static_cast<char>('0' + rest % 10);
  }
  if (digits.empty()) digits = "0";
  if (negative_) digits += '-';
  return {digits.rbegin(), digits.rend()};
}

int BigInteger::compare(const Limbs& x, const Limbs& y) {
  if (x.size() != y.size()) return x.size() < y.size() ? -1 : 1;
  const auto parts = std::mismatch(x.rbegin(), x.rend(), y.rbegin());
  if (parts.first == x.rend()) return 0;
  return *parts.first < *parts.second ? -1 : 1;
}

BigInteger::Limbs BigInteger::sum(const Limbs& x, const Limbs& y) {
  Limbs result;
  std::uint64_t carry = 0;
  for (std::size_t i = 0; i < std::max(x.size(), y.size()) || carry != 0; ++i) {
    carry += (i < x.size() ? x[i] : std::uint64_t{0}) + (i < y.size() ? y[i] : std::uint64_t{0});
    result.push_back(static_cast<std::uint32_t>(carry));
    carry >>= limb_bits;
  }
  return result;
}

BigInteger::Limbs BigInteger::difference(const Limbs& x, const Limbs& y) {
  Limbs result;
  std::int64_t borrow = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    borrow += static_cast<std::int64_t>(x[i]) - (i < y.size() ? static_cast<std::int64_t>(y[i]) : 0);
    result.push_back(static_cast<std::uint32_t>(borrow));
    borrow >>= limb_bits;
  }
  return result;
}

BigInteger BigInteger::operator-() const {
  BigInteger result = *this;
  result.negative_ = !negative_ && !limbs_.empty();
  return result;
}

BigInteger operator+(const BigInteger& x, const BigInteger& y) {
  BigInteger result;
  const bool x_is_more = BigInteger::compare(x.limbs_, y.limbs_) >= 0;
  const BigInteger &more = x_is_more ? x : y, &less = x_is_more ? y : x;
  result.negative_ = more.negative_;
  result.limbs_ = x.negative_ == y.negative_ ? BigInteger::sum(more.limbs_, less.limbs_)
                                             : BigInteger::difference(more.limbs_, less.limbs_);
  result.trim();
  return result;
}

BigInteger operator*(const BigInteger& x, const BigInteger& y) {
  BigInteger result;
  result.negative_ = x.negative_ != y.negative_;
  result.limbs_.assign(x.limbs_.size() + y.limbs_.size(), 0);
  for (std::size_t i = 0; i < x.limbs_.size(); ++i) {
    std::uint64_t carry = 0;
    for (std::size_t j = 0; j < y.limbs_.size(); ++j) {
      carry += std::uint64_t{x.limbs_[i]} * y.limbs_[j] + result.limbs_[i + j];
      result.limbs_[i + j] = static_cast<std::uint32_t>(carry);
      carry >>= limb_bits;
    }
    result.limbs_[i + y.limbs_.size()] = static_cast<std::uint32_t>(carry);
  }
  result.trim();
  return result;
}

BigInteger operator<<(const BigInteger& x, std::size_t by) {
  BigInteger result;
  result.negative_ = x.negative_;
  result.limbs_.assign(by / limb_bits, 0);
  std::uint64_t carry = 0;
  for (const std::uint32_t limb : x.limbs_) {
    carry |= std::uint64_t{limb} << by % limb_bits;
    result.limbs_.push_back(static_cast<std::uint32_t>(carry));
    carry >>= limb_bits;
  }
  result.limbs_.push_back(static_cast<std::uint32_t>(carry));
  result.trim();
  return result;
}

BigInteger BigInteger::cut_shifted(std::size_t by) const {
  BigInteger result;
  result.negative_ = negative_;
  const std::size_t skipped = by / limb_bits;
  for (std::size_t i = skipped; i < limbs_.size(); ++i) {
    const std::uint64_t two = limbs_[i] | (i + 1 < limbs_.size() ? std::uint64_t{limbs_[i + 1]} << limb_bits : 0);
    result.limbs_.push_back(static_cast<std::uint32_t>(two >> by % limb_bits));
  }
  result.trim();
  return result;
}

BigInteger BigInteger::floor_shifted(std::size_t by) const {
  const BigInteger cut = cut_shifted(by);
  return sign() < 0 && cut << by != *this ? cut - 1 : cut;
}

BigInteger BigInteger::quotient(const BigInteger& divisor, BigInteger& rest) const {
  BigInteger result;
  rest = 0;
  for (std::size_t at = bit_length(); at-- > 0;) {
    rest = (rest << 1) + (magnitude_bit(at) ? 1 : 0);
    const bool fits = compare(rest.limbs_, divisor.limbs_) >= 0;
    if (fits) rest -= abs(divisor);
    result = (result << 1) + (fits ? 1 : 0);
  }
  return result;
}

int cmp(const BigInteger& x, const BigInteger& y) {
  if (x.sign() != y.sign()) return x.sign() < y.sign() ? -1 : 1;
  const int magnitudes = BigInteger::compare(x.limbs_, y.limbs_);
  return x.sign() < 0 ? -magnitudes : magnitudes;
}

BigInteger operator%(const BigInteger& x, const BigInteger& y) {
  BigInteger rest;
  x.quotient(y, rest);
  return x.sign() < 0 ? -rest : rest;
}

BigInteger operator&(const BigInteger& x, const BigInteger& y) {
  BigInteger result;
  for (std::size_t at = std::min(x.bit_length(), y.bit_length()); at-- > 0;)
    result = (result << 1) + (x.magnitude_bit(at) && y.magnitude_bit(at) ? 1 : 0);
  return result;
}

void BigRational::canonicalize() {
  BigInteger x = numerator_, y = denominator_, rest;
  while (y.sign() != 0) {
    x.quotient(y, rest);
    x = std::exchange(y, rest);
  }
  numerator_ = numerator_.quotient(x, rest);
  denominator_ = denominator_.quotient(x, rest);
}

BigRational operator+(const BigRational& x, const BigRational& y) {
  BigRational result(x.numerator_ * y.denominator_ + y.numerator_ * x.denominator_, x.denominator_ * y.denominator_);
  result.canonicalize();
  return result;
}

BigRational operator*(const BigRational& x, const BigRational& y) {
  BigRational result(x.numerator_ * y.numerator_, x.denominator_ * y.denominator_);
  result.canonicalize();
  return result;
}

}  // namespace assay
