// Stage multiply, where a product goes on as carry-save rows: two numbers whose sum it is, or three with a constant.
#pragma once

#include <array>
#include <cassert>

#include "model/core/multiply.hpp"
#include "model/core/plan.hpp"

namespace assay {

// Rows in two's complement of more bits than any of them has.
struct RowList {
  std::array<u128, 128> all{};  // 64 digits, or 33 of Booth's in groups of one, each with a row for what it adds
  std::size_t count = 0;

  void add(u128 row) {
    assert(count < all.size());
    all[count++] = row;
  }
};

// Three rows become two of the same sum.
//
//   x     0 1 1 0        sum      0 0 1 1        where one or three of them have a one
//   y     0 1 0 1        carry  1 1 0 0 .        where two or three have, one place up
//   z     1 1 0 0
inline void compress(RowList& rows, Compress how) {
  auto& r = rows.all;
  while (rows.count > 2) {
    const std::size_t threes = how == Compress::chain ? 1 : rows.count / 3;
    for (std::size_t i = 0; i < threes; ++i) {
      const u128 x = r[3 * i], y = r[3 * i + 1], z = r[3 * i + 2];
      r[2 * i] = x ^ y ^ z;
      r[2 * i + 1] = ((x & y) | (y & z) | (x & z)) << 1;
    }
    for (std::size_t i = 3 * threes; i < rows.count; ++i) r[i - threes] = r[i];
    rows.count -= threes;
  }
}

// Digit number i of a significand: a bit, or by Booth's rule 0, 1, 2, -2 or -1.
//
//   0 | 1 1 0 1 | .        bits 2i + 1, 2i and 2i - 1 say  -2, 1 and 1
//   0 1 1     :            digit 2:  0 + 1 + 0 =  1
//       1 0 1              digit 1: -2 + 1 + 1 =  0 .. each weighs four times the next
//           0 1 .
inline int digit_of(std::uint64_t y, int i, RowDigits digits) {
  const auto bit = [&](int at) { return at < 0 || at > 63 ? 0 : static_cast<int>(y >> at & 1); };
  return digits == RowDigits::bits ? bit(i) : bit(2 * i - 1) + bit(2 * i) - 2 * bit(2 * i + 1);
}

// The rows of digits `from` to `end` - 1: a negative multiple as its bits turned, and a one in the row that follows.
//
//   digit  1          s x x x x
//   digit -2      s y y y y y . .
//   digit  1  s x x x x . 1            what -2 adds, in a place that this row leaves free
//             . . 0                    what the last digit adds
inline void add_digits(RowList& list, const ProductRows& words, const RowsPlan& plan, std::uint64_t x, std::uint64_t y,
                       bool turned, int from, int end) {
  const bool booth = words.is_booth();
  u128 added = 0;
  for (int i = from; i < end; ++i) {
    const int digit = turned ? -digit_of(y, i, words.digits) : digit_of(y, i, words.digits);
    const u128 multiple = u128{x} * static_cast<unsigned>(digit < 0 ? -digit : digit);
    const int place = booth ? 2 * i : i;
    u128 row = digit < 0 ? ~multiple : multiple;
    if (words.has_constant()) row += u128{1} << plan.sign_bit;
    list.add((row << place) | added);
    added = digit < 0 ? u128{1} << place : 0;
  }
  if (booth) list.add(added);
}

// The two rows.
inline std::array<u128, 2> two_rows(const ProductRows& words, const RowsPlan& plan, std::uint64_t x, std::uint64_t y,
                                    bool turned) {
  RowList all;
  for (int from = 0; from < plan.digits; from += plan.at_first) {
    RowList group;
    add_digits(group, words, plan, x, y, turned, from, std::min(plan.digits, from + plan.at_first));
    compress(group, words.compress);
    all.add(group.all[0]);
    all.add(group.count > 1 ? group.all[1] : 0);
  }
  compress(all, words.compress);
  return {all.all[0], all.all[1]};
}

// What turning each digit's sign bit has added.
inline u128 row_constant(const RowsPlan& plan) {
  u128 constant = 0;
  for (int i = 0; i < plan.digits; ++i) constant += u128{1} << (plan.sign_bit + 2 * i);
  return constant;
}

inline i128 row_value(const ProductRows& words, const RowsPlan& plan, std::uint64_t x, std::uint64_t y, bool negative,
                      int piece) {
  const u128 row = piece == 2
                       ? -row_constant(plan)
                       : two_rows(words, plan, x, y, negative && words.turns_digits())[static_cast<std::size_t>(piece)];
  return static_cast<i128>(negative && !words.turns_digits() ? -row : row);
}

// Of numbers that are not zero: its row number `piece`, which has the product's exponent whatever it is itself.
inline Number multiply_rows(const Plan& plan, const Number& a, const Number& b, int piece) {
  const auto significand = [](const Number& n, const Range& r) {
    return static_cast<std::uint64_t>(with_quantum(n, n.exponent - r.fraction_bits).magnitude);
  };
  const Range &of_a = plan.factor_a.range, &of_b = plan.factor_b.range;
  const ProductRows& words = *plan.datapath.product.rows;
  std::uint64_t x = significand(a, of_a), y = significand(b, of_b);
  if (words.of == Side::a) std::swap(x, y);
  Number p = multiply(a, b);
  const i128 value = row_value(words, *plan.rows, x, y, p.negative, piece);
  p.negative = value < 0;
  p.magnitude = p.negative ? -static_cast<u128>(value) : static_cast<u128>(value);
  p.quantum = p.exponent - of_a.fraction_bits - of_b.fraction_bits;
  return p;
}

}  // namespace assay
