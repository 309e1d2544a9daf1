#include "tb/explain/numbers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace assay::explain {
namespace {

using exact::Dyadic;

mpz_class integer(u128 value) {
  mpz_class high = static_cast<std::uint64_t>(value >> 64);
  return (high << 64) + static_cast<std::uint64_t>(value);
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

Dyadic exactly(const Number& n) {
  const mpz_class magnitude = integer(n.magnitude);
  return {n.negative ? mpz_class(-magnitude) : magnitude, n.quantum};
}

Number shortened(const Dyadic& x) {
  constexpr std::size_t most = 120;
  Number n;
  if (sign(x) == 0) return n;
  const mpz_class magnitude = abs(x.significand);
  const std::size_t bits = mpz_sizeinbase(magnitude.get_mpz_t(), 2), below = bits > most ? bits - most : 0;
  const mpz_class kept = magnitude >> below;
  const mpz_class high = kept >> 64, low = kept & mpz_class("0xffffffffffffffff");
  n.negative = sign(x) < 0;
  n.magnitude = u128{high.get_ui()} << 64 | low.get_ui();
  if (mpz_class(kept << below) != magnitude) n.magnitude |= 1;
  n.quantum = static_cast<int>(x.exponent) + static_cast<int>(below);
  n.exponent = static_cast<int>(floor_log2(x));
  return n;
}

std::string bits_between(const Dyadic& x, long top, long bottom) {
  const mpz_class magnitude = abs(x.significand);
  std::string bits;
  for (long weight = top; weight >= bottom; --weight) {
    const long at = weight - x.exponent;
    bits += at >= 0 && mpz_tstbit(magnitude.get_mpz_t(), static_cast<mp_bitcnt_t>(at)) != 0 ? '1' : '0';
  }
  return bits;
}

long lowest_one(const Dyadic& x) { return static_cast<long>(mpz_scan1(x.significand.get_mpz_t(), 0)) + x.exponent; }

std::string bits_below(const Dyadic& x, long weight) {
  if (sign(x) == 0 || lowest_one(x) >= weight) return "";
  return bits_between(x, weight - 1, lowest_one(x));
}

std::string folded_run(char one, long count) { return fmt::format("[{} x {}]", one, count); }

std::string folded_runs(const std::string& text) {
  std::string folded;
  for (std::size_t i = 0; i < text.size();) {
    const std::size_t end = std::min(text.find_first_not_of(text[i], i), text.size());
    const auto count = static_cast<long>(end - i);
    folded += count >= least_fold ? folded_run(text[i], count) : text.substr(i, end - i);
    i = end;
  }
  return folded;
}

std::string decimal(const Dyadic& x, bool negative_zero) {
  if (sign(x) == 0) return negative_zero ? "-0" : "+0";
  long exponent = 0;
  const double fraction = mpz_get_d_2exp(&exponent, x.significand.get_mpz_t());
  const long power = exponent + x.exponent;
  if (power <= 50 && x.significand % (mpz_class(1) << static_cast<mp_bitcnt_t>(std::max(-x.exponent, 0L))) == 0) {
    const mpz_class whole = units_in(x, 0, exact::Rounding::toward_zero);
    return (whole > 0 ? "+" : "") + whole.get_str();
  }
  // Beyond what a double holds a power of two must do.
  if (power > 1024 || power < -1073) return fmt::format("about {}2^{}", fraction < 0 ? "-" : "+", power - 1);
  return fmt::format("{:+.8g}", std::ldexp(fraction, static_cast<int>(power)));
}

std::string decimal(const Number& n) {
  switch (n.cls) {
    case Class::nan: return "NaN";
    case Class::infinity: return n.negative ? "-inf" : "+inf";
    case Class::finite: break;
  }
  return decimal(exactly(n), n.negative);
}

std::string decimal(const exact::Datum& d) {
  switch (d.kind) {
    case exact::Kind::nan: return "NaN";
    case exact::Kind::infinity: return d.negative ? "-inf" : "+inf";
    case exact::Kind::finite: break;
  }
  return decimal(d.value, d.negative);
}

std::string in_ulps(const Dyadic& error, long ulp) {
  if (exact::sign(error) == 0) return "0";
  long exponent = 0;
  const double fraction = mpz_get_d_2exp(&exponent, error.significand.get_mpz_t());
  const long power = exponent + error.exponent - ulp;  // |error| is |fraction| x 2^power ulp, 0.5 <= |fraction| < 1
  if (std::abs(power) > 1000) return fmt::format("{}2^{}", fraction < 0 ? "-" : "+", power - 1);
  const double ulps = std::ldexp(fraction, static_cast<int>(power));
  const bool whole = power <= 50 && ulps == std::trunc(ulps);
  return whole ? fmt::format("{:+.0f}", ulps) : fmt::format("{:+.4g}", ulps);
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

}  // namespace assay::explain
