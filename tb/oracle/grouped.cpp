#include "tb/oracle/grouped.hpp"

#include <algorithm>
#include <array>
#include <vector>

#include "tb/oracle/fused.hpp"

namespace assay::exact {
namespace {

// Bits `low` and up of a significand or a magnitude, at the weight they have there. The exponent of a product is
// lowered by `lowering`.
struct Slice {
  unsigned low, bits;
  long lowering;
};

// By whether the phase's bit is set: bit 0 is b's, bit 1 a's. Of a significand of eleven bits the last is in no slice
// of b.
constexpr std::array<Slice, 2> significand_of_a{{{4, 7, 0}, {0, 4, 7}}}, significand_of_b{{{6, 5, 0}, {1, 5, 5}}};
constexpr std::array<Slice, 2> magnitude_of_a{{{4, 6, 0}, {0, 4, 0}}}, magnitude_of_b{{{5, 3, 0}, {0, 5, 0}}};

struct Slices {
  Slice a, b;

  long lowering() const { return a.lowering + b.lowering; }
};

Slices slices(const std::array<Slice, 2>& of_a, const std::array<Slice, 2>& of_b, unsigned phase) {
  return {of_a.at(phase >> 1 & 1), of_b.at(phase & 1)};
}

std::vector<unsigned> phases(const Instruction& i) {
  std::vector<unsigned> result;
  for (const char digit : i.extras.at(Extra::phases)) result.push_back(static_cast<unsigned>(digit - '0'));
  return result;
}

// The sign stays.
mpz_class sliced(const mpz_class& x, const Slice& slice) {
  const mpz_class all_above = abs(x) >> slice.low;
  mpz_class kept;
  mpz_fdiv_r_2exp(kept.get_mpz_t(), all_above.get_mpz_t(), slice.bits);
  kept <<= slice.low;
  return x < 0 ? mpz_class(-kept) : kept;
}

// Operands are held with five bits of exponent and its bias of 15, or with eight and 127.
bool is_half(const Format& format) { return format.exponent_bits <= 5; }
long bias_as_held(const Format& format) { return is_half(format) ? 15 : 127; }

constexpr long operand_fraction_bits = 10;

Datum operand(const Instruction& i, const Format& format, Code code) {
  Datum x = decode_as_number(format, code);
  const Code below_sign = (Code{1} << (format.exponent_bits + format.mantissa_bits)) - 1;
  if (i.has(Extra::ones_filled) && (code & below_sign) == below_sign) {
    const mpz_class ones = (mpz_class(2) << operand_fraction_bits) - 1;
    x.value = {x.negative ? mpz_class(-ones) : ones, x.exponent - operand_fraction_bits};
  }
  return x;
}

Datum sliced(const Datum& x, const Slice& slice) {
  const long unit = x.exponent - operand_fraction_bits;
  Datum result = x;
  result.value = {sliced(units_in(x.value, unit, Rounding::toward_zero), slice), unit};
  result.exponent = x.exponent - slice.lowering;
  return result;
}

// Where a product with a zero operand stands.
long exponent_of_zero(const Instruction& i, const Slices& slices) {
  if (is_half(i.a) && !is_half(i.d)) return -2 * bias_as_held(i.a) - slices.lowering();
  return -bias_as_held(i.a);
}

// A slice without ones keeps its operand's exponent.
Datum sliced_product(const Instruction& i, const Datum& a, const Datum& b, const Slices& slices) {
  Datum result = product(sliced(a, slices.a), sliced(b, slices.b));
  if (is_zero(a) || is_zero(b)) result.exponent = exponent_of_zero(i, slices);
  return result;
}

struct Sum {
  Dyadic value;
  long exponent;
};

constexpr long group_fraction_bits = 10;
constexpr long join_fraction_bits = 23;

// Nothing, where its exponent is no more than the row's floor.
std::optional<Sum> group_sum(const Instruction& i, const Terms& products) {
  const long top = std::max_element(products.begin(), products.end(), [](const Datum& x, const Datum& y) {
                     return x.exponent < y.exponent;
                   })->exponent;
  if (top <= i.exponent_floor.value()) return std::nullopt;
  Sum sum{{}, top};
  for (const Datum& x : products) {
    sum.value = sum.value + rounded_to_unit(x.value, top - group_fraction_bits, Rounding::nearest_away);
  }
  return sum;
}

// First as wide as the join, then once more as wide as the row says.
Dyadic brought_to(const Instruction& i, const Dyadic& x, long top, Rounding rounding) {
  const Dyadic first = rounded_to_unit(x, top - join_fraction_bits, rounding);
  return rounded_to_unit(first, top - i.fraction_bits.value(), rounding);
}

// A sum of -1 unit counts its leading ones as 27 fewer than they are.
Dyadic with_erratum(const Instruction& i, const Dyadic& sum, long top) {
  const bool slips = i.has(Extra::minus_one) && sign(sum + Dyadic{1, top - join_fraction_bits}) == 0;
  return slips ? Dyadic{-1, top - join_fraction_bits + 27} : sum;
}

Dyadic joined(const Instruction& i, const std::vector<Sum>& groups, const Datum& d) {
  std::optional<long> top;
  if (!is_zero(d)) top = d.exponent;
  for (const Sum& group : groups) top = std::max(top.value_or(group.exponent), group.exponent);
  if (!top) return {};
  Dyadic sum = brought_to(i, d.value, *top, Rounding::nearest_away);
  for (const Sum& group : groups) sum = sum + brought_to(i, group.value, *top, Rounding::nearest_up);
  return with_erratum(i, sum, *top);
}

// Five bits of exponent are all a number's; of eight the last is kept for infinity.
Code too_large(const Format& format, bool negative) {
  if (!is_half(format)) return encode(format, infinity(negative));
  return (negative ? format.sign_bit() : 0) | (format.sign_bit() - 1);
}

Code encoded(const Instruction& i, const Dyadic& sum) {
  const Format& format = i.d;
  if (sign(sum) == 0) return 0;
  const long unit = floor_log2(sum) - i.output_fraction_bits.value();
  const Datum rounded = finite(rounded_to_unit(sum, unit, Rounding::nearest_away));
  const long field = floor_log2(rounded.value) + format.bias;
  if (field <= 0) return 0;
  if (field > (is_half(format) ? 31 : 254)) return too_large(format, rounded.negative);
  return encode(format, rounded);
}

Code phase_result(const Instruction& i, const OracleOperands& operands, Code d, unsigned phase) {
  const Slices chosen = slices(significand_of_a, significand_of_b, phase);
  Terms products;
  for (std::size_t k = 0; k < operands.a.size(); ++k) {
    products.push_back(sliced_product(i, operand(i, i.a, operands.a[k]), operand(i, i.b, operands.b[k]), chosen));
  }
  const auto middle = products.begin() + static_cast<std::ptrdiff_t>(products.size() / 2);
  std::vector<Sum> groups;
  for (const Terms& group : {Terms(products.begin(), middle), Terms(middle, products.end())}) {
    if (const auto sum = group_sum(i, group)) groups.push_back(*sum);
  }
  return encoded(i, joined(i, groups, decode_as_number(i.d, d)));
}

}  // namespace

Code grouped_nearest(const Instruction& instruction, const OracleOperands& operands) {
  Code d = operands.c;
  for (const unsigned phase : phases(instruction)) d = phase_result(instruction, operands, d, phase);
  return d;
}

Code integer_magnitudes(const Instruction& instruction, const OracleOperands& operands) {
  const mpz_class greatest = (mpz_class(1) << static_cast<mp_bitcnt_t>(instruction.d.stored_bits - 1)) - 1;
  mpz_class d = decode_integer(instruction.c, operands.c);
  for (const unsigned phase : phases(instruction)) {
    const Slices chosen = slices(magnitude_of_a, magnitude_of_b, phase);
    for (std::size_t k = 0; k < operands.a.size(); ++k) {
      d += sliced(decode_magnitude(instruction.a, operands.a[k]), chosen.a) *
           sliced(decode_magnitude(instruction.b, operands.b[k]), chosen.b);
    }
    d = std::clamp(d, mpz_class(-greatest), greatest);
  }
  return encode_integer(instruction.d, d);
}

}  // namespace assay::exact
