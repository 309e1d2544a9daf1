#include "tb/oracle/pairs.hpp"

#include <array>

#include "tb/oracle/sequential.hpp"

namespace assay::exact {
namespace {

// A number with the code that it has as a NaN in d's format, made quiet; 0 for a NaN that an operation has made.
struct Value {
  Datum datum;
  Code nan = 0;
  bool signalling = false;

  bool is_nan() const { return datum.kind == Kind::nan; }
};

Value made(Datum datum) { return {datum, 0, false}; }

// The sign and the leading bits of its payload, the quiet bit set.
Code quiet_nan(const Format& from, Code code, const Format& to) {
  const bool negative = (code & from.sign_bit()) != 0;
  Code payload = code & ((Code{1} << from.mantissa_bits) - 1);
  payload = to.mantissa_bits >= from.mantissa_bits ? payload << (to.mantissa_bits - from.mantissa_bits)
                                                   : payload >> (from.mantissa_bits - to.mantissa_bits);
  return to.quiet_nan() | payload | (negative ? to.sign_bit() : 0);
}

Datum negative_of(Datum x) {
  if (x.kind == Kind::nan) return x;
  x.negative = !x.negative;
  x.value = Dyadic{} - x.value;
  return x;
}

// 24 significant bits, whatever the exponent.
Datum to_24_bits(const Datum& x) {
  if (x.kind != Kind::finite || is_zero(x)) return x;
  Datum rounded = x;
  rounded.value = rounded_to_unit(x.value, floor_log2(x.value) - 23, Rounding::nearest_even);
  return rounded;
}

// The last bit is 1 where anything was cut off. What is below the least normal number before that is a zero of its
// sign, what reaches 2^128 an infinity.
Datum to_odd(const Format& format, const Datum& x) {
  if (x.kind != Kind::finite || is_zero(x)) return x;
  if (!reaches(x.value, 1 - format.bias)) return {Kind::finite, x.negative, {}, 0};
  if (reaches(x.value, format.bias + 1)) return infinity(x.negative);
  const long unit = floor_log2(x.value) - format.mantissa_bits;
  mpz_class units = units_in(x.value, unit, Rounding::toward_zero);
  const Dyadic cut{units, unit};
  const bool exact = sign(x.value - cut) == 0;
  if (!exact && mpz_even_p(units.get_mpz_t()) != 0) units += x.negative ? -1 : 1;
  Datum odd = x;
  odd.value = {units, unit};
  return odd;
}

class Pairs {
 public:
  Pairs(const Instruction& instruction, const OracleOperands& operands) : i_(instruction), d_(instruction.d) {
    for (std::size_t i = 0; i < operands.a.size(); ++i) {
      a_.push_back(read(instruction.a, operands.a[i]));
      b_.push_back(read(instruction.b, operands.b[i]));
    }
    c_ = read(instruction.c, operands.c);
  }

  OracleResult run() const {
    const Value d = result();
    if (!d.is_nan()) return {false, encode(d_, d.datum)};
    return {true, d.nan != 0 ? d.nan : d_.quiet_nan()};
  }

 private:
  Value read(const Format& format, Code code) const {
    Value value = made(decode(format, code));
    if (!value.is_nan()) return value;
    value.nan = quiet_nan(format, code, d_);
    const bool ieee = format.nan == NanCodes::ieee;
    value.signalling = ieee && (code >> (format.mantissa_bits - 1) & 1) == 0;
    if (!ieee) value.nan = 0;
    return value;
  }

  Value result() const {
    const Algorithm algorithm = i_.algorithm;
    if (algorithm == Algorithm::power_fma) return power_fma();
    if (algorithm == Algorithm::power_pair) return power_pair(false);
    if (algorithm == Algorithm::power_pair_sig24) return power_pair(true);
    if (algorithm == Algorithm::arm_fma) return made(nearest(d_, sum(signed_product(0), c_.datum)));
    if (algorithm == Algorithm::arm_exact) return made(nearest(d_, exact_sum()));
    if (algorithm == Algorithm::arm_pair) return made(chain_of_pairs(false));
    if (algorithm == Algorithm::arm_pair_to_odd) return made(chain_of_pairs(true));
    if (algorithm == Algorithm::arm_dot) return arm_add(c_, arm_dot(0));
    if (algorithm == Algorithm::arm_two_pairs) return arm_add(c_, arm_add(arm_dot(0), arm_dot(2)));
    return arm_add(c_, arm_add(arm_multiply(0), arm_multiply(1)));
  }

  // --- POWER ---

  bool turns_product() const { return i_.form == Form::np || i_.form == Form::nn || i_.form == Form::minus; }
  bool turns_c() const { return i_.form == Form::pn || i_.form == Form::nn; }

  static Datum turned(const Datum& x, bool turn) { return turn ? negative_of(x) : x; }

  static Value first_nan(const std::initializer_list<Value>& values, const Value& otherwise) {
    for (const Value& value : values) {
      if (value.is_nan()) return value;
    }
    return otherwise;
  }

  // np is -(a b - c) and nn is -(a b + c), turned after the rounding.
  Value power_fma() const {
    const Datum p = product(a_[0].datum, b_[0].datum);
    if (i_.form == Form::alone) return first_nan({a_[0], b_[0]}, made(nearest(d_, p)));
    const bool minus_c = i_.form == Form::pn || i_.form == Form::np;
    const Datum rounded = nearest(d_, sum(p, turned(c_.datum, minus_c)));
    return first_nan({a_[0], c_, b_[0]}, made(turned(rounded, turns_product())));
  }

  Value power_pair(bool any_exponent) const {
    const Datum first = product(a_[0].datum, b_[0].datum), second = product(a_[1].datum, b_[1].datum);
    const Datum both = sum(first, second);
    const Datum r = any_exponent ? to_24_bits(both) : nearest(d_, both);
    const Value of_first = first_nan({a_[0], b_[0]}, made(first));
    const Value of_pair = first_nan({a_[1], of_first, b_[1]}, made(r));
    if (i_.form == Form::alone) return of_pair.is_nan() ? of_pair : made(nearest(d_, r));
    const Datum d = nearest(d_, sum(turned(r, turns_product()), turned(c_.datum, turns_c())));
    return first_nan({of_pair, c_}, made(d));
  }

  // --- Arm ---

  Datum signed_product(std::size_t i) const {
    return product(turned(a_[i].datum, i_.form == Form::minus), b_[i].datum);
  }

  Datum exact_sum() const {
    Datum total = signed_product(0);
    for (std::size_t i = 1; i < a_.size(); ++i) total = sum(total, signed_product(i));
    return sum(total, c_.datum);
  }

  Datum chain_of_pairs(bool odd) const {
    const auto read = [&](const Format& format, const Datum& x) {
      return odd ? subnormal_as_signed_zero(format, x) : x;
    };
    Datum acc = c_.datum;
    for (std::size_t i = 0; i < a_.size(); i += 2) {
      std::array<Datum, 2> products;
      for (std::size_t j = 0; j < 2; ++j) {
        const Datum a = turned(read(i_.a, a_[i + j].datum), i_.form == Form::minus);
        products[j] = product(a, read(i_.b, b_[i + j].datum));
        if (odd) products[j] = to_odd(d_, products[j]);
      }
      const Datum both = sum(products[0], products[1]);
      const Datum pair = odd ? to_odd(d_, both) : nearest(d_, both);
      const Datum next = sum(read(d_, acc), pair);
      acc = odd ? to_odd(d_, next) : nearest(d_, next);
    }
    return acc;
  }

  // The first signalling one, else the first.
  static Value processed(const std::vector<Value>& values, const Value& otherwise) {
    for (const Value& value : values) {
      if (value.is_nan() && value.signalling) return quieted(value);
    }
    for (const Value& value : values) {
      if (value.is_nan()) return value;
    }
    return otherwise;
  }
  static Value quieted(Value value) {
    value.signalling = false;
    return value;
  }

  Value arm_multiply(std::size_t i) const {
    return processed({a_[i], b_[i]}, made(nearest(d_, product(a_[i].datum, b_[i].datum))));
  }
  Value arm_add(const Value& x, const Value& y) const {
    return processed({x, y}, made(nearest(d_, sum(x.datum, y.datum))));
  }
  // Products i and i + 1 exactly, rounded once.
  Value arm_dot(std::size_t i) const {
    const Datum both = sum(product(a_[i].datum, b_[i].datum), product(a_[i + 1].datum, b_[i + 1].datum));
    return processed({a_[i], a_[i + 1], b_[i], b_[i + 1]}, made(nearest(d_, both)));
  }

  const Instruction& i_;
  const Format& d_;
  std::vector<Value> a_, b_;
  Value c_;
};

}  // namespace

bool is_of_pairs(Algorithm algorithm) {
  return algorithm >= Algorithm::power_fma && algorithm <= Algorithm::arm_rounded_pair;
}

OracleResult pairs(const Instruction& instruction, const OracleOperands& operands) {
  return Pairs(instruction, operands).run();
}

}  // namespace assay::exact
