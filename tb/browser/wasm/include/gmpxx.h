// What the code of this tree calls of GMP, done by BigInteger: WebAssembly has no GMP. Names and meanings are GMP's.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>

#include "tb/browser/wasm/big_integer.hpp"

using mpz_class = assay::BigInteger;
using mpq_class = assay::BigRational;
using mp_bitcnt_t = std::size_t;

inline void mpz_mul_2exp(mpz_class& result, const mpz_class& x, mp_bitcnt_t by) { result = x << by; }
inline void mpz_tdiv_q_2exp(mpz_class& result, const mpz_class& x, mp_bitcnt_t by) { result = x.cut_shifted(by); }
inline void mpz_fdiv_q_2exp(mpz_class& result, const mpz_class& x, mp_bitcnt_t by) { result = x.floor_shifted(by); }
inline void mpz_fdiv_r_2exp(mpz_class& result, const mpz_class& x, mp_bitcnt_t by) {
  result = x - (x.floor_shifted(by) << by);
}
inline int mpz_odd_p(const mpz_class& x) { return x.is_odd() ? 1 : 0; }
// Of numbers that are not negative.
inline int mpz_tstbit(const mpz_class& x, mp_bitcnt_t at) { return x.magnitude_bit(at) ? 1 : 0; }
inline mp_bitcnt_t mpz_scan1(const mpz_class& x, mp_bitcnt_t) { return x.lowest_one(); }
inline std::size_t mpz_sizeinbase(const mpz_class& x, int) { return std::max<std::size_t>(x.bit_length(), 1); }
inline void mpz_ui_pow_ui(mpz_class& result, unsigned base, std::size_t power) {
  for (result = 1; power > 0; --power) result = result * base;
}

// Words of 64 bits, the lowest first.
inline void mpz_import(mpz_class& result, std::size_t count, int, std::size_t, int, std::size_t,
                       const std::uint64_t* words) {
  result = 0;
  while (count-- > 0) result = (result << 64) + words[count];
}

// The fraction, cut to 53 bits, and its exponent: 0.5 <= fraction < 1.
inline double mpz_get_d_2exp(long* exponent, const mpz_class& x) {
  *exponent = static_cast<long>(x.bit_length());
  if (x.sign() == 0) return 0;
  const mp_bitcnt_t bits = x.bit_length(), below = bits > 53 ? bits - 53 : 0;
  const double top = static_cast<double>(abs(x).cut_shifted(below).get_ui());
  return std::ldexp(x.sign() < 0 ? -top : top, static_cast<int>(below) - static_cast<int>(bits));
}
