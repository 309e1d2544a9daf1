// Whole numbers of any size, for WebAssembly, where there is no GMP: as few operations as the oracle's rationals and
// `explain` need. On the machine itself GMP is used, and this is held to it (tb/tests/browser/big_integer_test.cpp).
#pragma once

#include <cstdint>
#include <string>
#include <type_traits>
#include <vector>

namespace assay {

class BigInteger {
 public:
  BigInteger() = default;
  template <class Int, class = std::enable_if_t<std::is_integral_v<Int>>>
  BigInteger(Int value) : negative_(value < 0) {  // as mpz_class has it: any integer is one
    const auto bits = static_cast<std::uint64_t>(value);
    set(negative_ ? ~bits + 1 : bits);
  }
  // Decimal digits; hexadecimal ones behind 0x.
  explicit BigInteger(const std::string& text, int base = 0);

  int sign() const { return limbs_.empty() ? 0 : negative_ ? -1 : 1; }
  bool is_odd() const { return !limbs_.empty() && (limbs_[0] & 1) != 0; }
  std::size_t bit_length() const;  // of the magnitude; of zero 0
  bool magnitude_bit(std::size_t at) const;
  std::size_t lowest_one() const;  // it is not zero
  std::uint64_t get_ui() const;    // the magnitude's lowest 64 bits
  std::string get_str() const;

  BigInteger operator-() const;
  BigInteger& operator+=(const BigInteger& o) { return *this = *this + o; }
  BigInteger& operator>>=(std::size_t by) { return *this = floor_shifted(by); }
  BigInteger& operator-=(const BigInteger& o) { return *this = *this - o; }
  friend BigInteger operator+(const BigInteger& x, const BigInteger& y);
  friend BigInteger operator-(const BigInteger& x, const BigInteger& y) { return x + -y; }
  friend BigInteger operator*(const BigInteger& x, const BigInteger& y);
  friend BigInteger operator<<(const BigInteger& x, std::size_t by);
  friend BigInteger operator>>(const BigInteger& x, std::size_t by) { return x.floor_shifted(by); }
  friend int cmp(const BigInteger& x, const BigInteger& y);

  BigInteger cut_shifted(std::size_t by) const;    // divided by 2^by, toward zero
  BigInteger floor_shifted(std::size_t by) const;  // .. and down
  // Of magnitudes; the divisor is not zero.
  BigInteger quotient(const BigInteger& divisor, BigInteger& rest) const;

  // --- the names that gmpxx has for the same ---
  BigInteger& get_mpz_t() { return *this; }
  const BigInteger& get_mpz_t() const { return *this; }

 private:
  using Limbs = std::vector<std::uint32_t>;  // the lowest first, without zeros at the end

  void set(std::uint64_t magnitude);
  void trim();
  static int compare(const Limbs& x, const Limbs& y);
  static Limbs sum(const Limbs& x, const Limbs& y);
  static Limbs difference(const Limbs& x, const Limbs& y);  // x is no less than y

  bool negative_ = false;
  Limbs limbs_;
};

inline BigInteger abs(const BigInteger& x) { return x.sign() < 0 ? -x : x; }
inline int sgn(const BigInteger& x) { return x.sign(); }
inline bool operator==(const BigInteger& x, const BigInteger& y) { return cmp(x, y) == 0; }
inline bool operator!=(const BigInteger& x, const BigInteger& y) { return cmp(x, y) != 0; }
inline bool operator<(const BigInteger& x, const BigInteger& y) { return cmp(x, y) < 0; }
inline bool operator>(const BigInteger& x, const BigInteger& y) { return cmp(x, y) > 0; }
inline bool operator<=(const BigInteger& x, const BigInteger& y) { return cmp(x, y) <= 0; }
inline bool operator>=(const BigInteger& x, const BigInteger& y) { return cmp(x, y) >= 0; }
// The remainder of a division toward zero; it has x's sign.
BigInteger operator%(const BigInteger& x, const BigInteger& y);
// Of numbers that are not negative.
BigInteger operator&(const BigInteger& x, const BigInteger& y);

// A quotient of two, in its lowest terms once an operation made it; not negative.
class BigRational {
 public:
  BigRational() = default;
  template <class Int, class = std::enable_if_t<std::is_integral_v<Int>>>
  BigRational(Int value) : numerator_(value) {}
  BigRational(BigInteger whole) : numerator_(std::move(whole)) {}
  BigRational(BigInteger numerator, BigInteger denominator)
      : numerator_(std::move(numerator)), denominator_(std::move(denominator)) {}

  void canonicalize();
  const BigInteger& get_num() const { return numerator_; }
  const BigInteger& get_den() const { return denominator_; }
  BigRational& operator+=(const BigRational& o) { return *this = *this + o; }
  BigRational& operator*=(const BigRational& o) { return *this = *this * o; }
  friend BigRational operator+(const BigRational& x, const BigRational& y);
  friend BigRational operator*(const BigRational& x, const BigRational& y);

 private:
  BigInteger numerator_ = 0, denominator_ = 1;
};

}  // namespace assay
