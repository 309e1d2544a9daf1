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

Value made(const Datum& datum) { return {datum, 0, false}; }

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
    return {true, d.nan != 0 ? d.nan : made_nan()};
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
    if (algorithm == Algorithm::nvidia_fma) return nvidia_fma();
    if (algorithm == Algorithm::power_fma) return power_fma();
    if (algorithm == Algorithm::power_pair) return power_pair(false);
    if (algorithm == Algorithm::power_pair_sig24) return power_pair(true);
    return of_arm();
  }

  // Outer products, BF16 and FP8 have one NaN.
  Value of_arm() const {
    const Algorithm algorithm = i_.algorithm;
    if (algorithm == Algorithm::arm_fma) return made(arm_fma());
    if (algorithm == Algorithm::arm_exact) return made(arm_exact());
    if (algorithm == Algorithm::arm_pair || (algorithm == Algorithm::arm_pair_to_odd && modes().ebf))
      return made(chain_of_dots().datum);
    if (algorithm == Algorithm::arm_pair_to_odd) return made(chain_to_odd());
    Value d;
    if (algorithm == Algorithm::arm_dot) {
      d = arm_add(c_, arm_dot(0));
    } else if (algorithm == Algorithm::arm_two_pairs) {
      d = arm_add(c_, arm_add(arm_dot(0), arm_dot(2)));
    } else {
      d = arm_add(c_, arm_add(arm_multiply(0), arm_multiply(1)));
    }
    return modes().dn ? made(d.datum) : d;
  }

  // --- NVIDIA ---

  // Of several NaNs b's goes first, then what has come so far, then a's.
  Value nvidia_fma() const {
    const Direction direction = modes().direction;
    Value d = c_;
    for (std::size_t k = 0; k < a_.size(); ++k) {
      const Datum exact = directed_sum(direction, product(a_[k].datum, b_[k].datum), d.datum);
      d = first_nan({b_[k], d, a_[k]}, made(rounded(d_, direction, exact)));
    }
    return d;
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

  // --- Arm: what FPUnpackBase and FPRoundBase do, and what the operations make of it ---

  const Modes& modes() const { return i_.modes; }
  static bool is_half(const Format& format) { return format.name == "f16"; }
  static Datum zero_of(bool negative) { return {Kind::finite, negative, {}, 0}; }

  Datum arm_read(const Format& format, const Datum& x) const {
    const bool flushes = is_half(format) ? modes().fz16 : modes().fiz || (modes().fz && !modes().ah);
    return flushes ? subnormal_as_signed_zero(format, x) : x;
  }

  Dyadic arm_cut(const Dyadic& x, long unit) const { return rounded_to_unit(x, unit, modes().direction); }

  // In d's format, which results of all operations have.
  Datum arm_round(const Datum& x) const {
    if (x.kind != Kind::finite || is_zero(x)) return x;
    const long least = 1 - d_.bias, leading = floor_log2(x.value);
    const bool flushes = is_half(d_) ? modes().fz16 : modes().fz;
    const Dyadic looked_at = modes().ah ? arm_cut(x.value, leading - d_.mantissa_bits) : x.value;
    if (flushes && !reaches(looked_at, least)) return zero_of(x.negative);
    const Dyadic value = arm_cut(x.value, std::max(leading, least) - d_.mantissa_bits);
    if (sign(value) == 0) return zero_of(x.negative);
    if (reaches(value, d_.bias + 1)) return too_large(d_, modes().direction, x.negative);
    return {Kind::finite, x.negative, value, reaches(value, least) ? floor_log2(value) : least};
  }

  Datum arm_sum(const Datum& x, const Datum& y) const { return directed_sum(modes().direction, x, y); }

  Code made_nan() const {
    const bool negative = modes().ah || i_.algorithm == Algorithm::nvidia_fma;
    return d_.quiet_nan() | (negative ? d_.sign_bit() : 0);
  }

  Datum arm_a(std::size_t i) const { return turned(arm_read(i_.a, a_[i].datum), i_.form == Form::minus); }
  Datum arm_product(std::size_t i) const { return product(arm_a(i), arm_read(i_.b, b_[i].datum)); }

  // The first NaN, or the first signalling one before it. What is taken is quiet.
  static Value processed(const std::vector<Value>& values, bool signalling_first, const Value& otherwise) {
    for (const Value& value : values) {
      if (signalling_first && value.is_nan() && value.signalling) return quieted(value);
    }
    for (const Value& value : values) {
      if (value.is_nan()) return quieted(value);
    }
    return otherwise;
  }
  static Value quieted(Value value) {
    value.signalling = false;
    return value;
  }

  Value arm_multiply(std::size_t i) const {
    return processed({a_[i], b_[i]}, !modes().ah, made(arm_round(arm_product(i))));
  }
  Value arm_add(const Value& x, const Value& y) const {
    const Datum exact = arm_sum(arm_read(d_, x.datum), arm_read(d_, y.datum));
    return processed({x, y}, !modes().ah, made(arm_round(exact)));
  }
  // FPDot: products i and i + 1 exactly, rounded once.
  Value arm_dot(std::size_t i) const {
    const Datum both = arm_sum(arm_product(i), arm_product(i + 1));
    return processed({a_[i], a_[i + 1], b_[i], b_[i + 1]}, true, made(arm_round(both)));
  }

  Datum arm_fma() const { return arm_round(arm_sum(arm_product(0), arm_read(i_.c, c_.datum))); }

  // FP8DotAddFP looks at nothing of FPCR but the sign of a NaN.
  Datum arm_exact() const {
    const int scale = is_half(d_) ? modes().lscale % 16 : modes().lscale;
    Datum total = product(a_[0].datum, b_[0].datum);
    for (std::size_t i = 1; i < a_.size(); ++i) total = sum(total, product(a_[i].datum, b_[i].datum));
    if (total.kind == Kind::finite) total.value.exponent -= scale;
    const Datum exact = sum(total, c_.datum);
    const Datum rounded = nearest(d_, exact);
    const bool beyond = exact.kind == Kind::finite && rounded.kind == Kind::infinity;
    return beyond && modes().osm ? greatest(d_, exact.negative) : rounded;
  }

  Value chain_of_dots() const {
    Value acc = c_;
    for (std::size_t i = 0; i < a_.size(); i += 2) acc = arm_add(acc, arm_dot(i));
    return acc;
  }

  // BFDotAdd where FPCR.EBF = 0: of FPCR it looks at the sign of a NaN alone.
  Datum chain_to_odd() const {
    Datum acc = c_.datum;
    for (std::size_t i = 0; i < a_.size(); i += 2) {
      std::array<Datum, 2> products;
      for (std::size_t j = 0; j < 2; ++j) {
        const Datum a = turned(subnormal_as_signed_zero(i_.a, a_[i + j].datum), i_.form == Form::minus);
        products[j] = to_odd(d_, product(a, subnormal_as_signed_zero(i_.b, b_[i + j].datum)));
      }
      const Datum pair = to_odd(d_, sum(products[0], products[1]));
      acc = to_odd(d_, sum(subnormal_as_signed_zero(d_, acc), pair));
    }
    return acc;
  }

  const Instruction& i_;
  const Format& d_;
  std::vector<Value> a_, b_;
  Value c_;
};

}  // namespace

OracleResult pairs(const Instruction& instruction, const OracleOperands& operands) {
  return Pairs(instruction, operands).run();
}

}  // namespace assay::exact
