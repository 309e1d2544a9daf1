#include "tb/generate/codes.hpp"

#include <algorithm>

#include "model/core/encode.hpp"
#include "model/core/round.hpp"

namespace assay {
namespace {

Code mantissa_mask(const Format& format) { return (Code{1} << format.mantissa_bits) - 1; }

// The code of a list that lies nearest to a number, its end where the number lies beyond it.
Code nearest_in_list(const Format& format, const Number& n) {
  const ValueTable& t = format.values();
  const std::optional<Number> found = rounded_to_list(n, Cut::nearest_even, format);
  return found ? code_in_list(*found, format) : n.negative ? t.ascending.front().code : t.ascending.back().code;
}

Code listed_number(const Format& format, bool negative, int exponent, Code mantissa) {
  Number n;
  n.negative = negative && format.has_sign;
  n.magnitude = Code{1} << format.mantissa_bits | (mantissa & mantissa_mask(format));
  n.exponent = exponent;
  n.quantum = exponent - format.mantissa_bits;
  return nearest_in_list(format, n);
}

// The value that so many others lie between it and zero, counted round and round the first eight.
Code listed_near_zero(const Format& format, bool negative, Code count) {
  const std::vector<ListedValue>& values = format.values().ascending;
  const auto zero = std::lower_bound(values.begin(), values.end(), Number::zero(),
                                     [](const ListedValue& v, const Number& n) { return compare(v.number, n) < 0; });
  const auto at = zero - values.begin(), last = static_cast<std::ptrdiff_t>(values.size()) - 1;
  const auto away = static_cast<std::ptrdiff_t>(1 + count % 8);
  const std::ptrdiff_t wanted = negative && format.has_sign ? at - away : at + away;
  return values[static_cast<std::size_t>(std::clamp<std::ptrdiff_t>(wanted, 0, last))].code;
}

Code listed_from_end(const Format& format, bool negative, int below) {
  const std::vector<ListedValue>& values = format.values().ascending;
  const std::size_t away = std::min(static_cast<std::size_t>(below), values.size() - 1);
  return negative && format.has_sign ? values[away].code : values[values.size() - 1 - away].code;
}

Code negated_in_list(const Format& format, Code code) {
  Number n = format.values().by_code[code];
  n.negative = !n.negative;
  if (n.cls == Class::infinity) return n.negative ? format.negative_infinity() : format.infinity();
  return n.cls == Class::nan ? code : nearest_in_list(format, n);
}

Code with_sign(const Format& format, bool negative, Code used) {
  return format.stored(used | (negative ? format.sign_bit() : 0));
}

}  // namespace

Code normal_code(const Format& format, bool negative, int exponent, Code mantissa) {
  if (format.is_list()) return listed_number(format, negative, exponent, mantissa);
  if (format.is_integer()) {
    const Code leading =
        Code{1} << std::clamp(exponent - format.last_place(), 0, format.stored_bits - (format.has_sign ? 2 : 1));
    const Code code = leading | (mantissa & (leading - 1));
    return negative && format.has_sign ? negated_code(format, code) : code;
  }
  const Code greatest = format.greatest_finite();
  const int greatest_exponent = static_cast<int>(greatest >> format.mantissa_bits) - format.bias;
  const int reachable = std::clamp(exponent, format.least_exponent(), greatest_exponent);
  const auto field = static_cast<Code>(reachable + format.bias);
  const Code used = field << format.mantissa_bits | (mantissa & mantissa_mask(format));
  return with_sign(format, negative, std::min(used, greatest));
}

Code subnormal_code(const Format& format, bool negative, Code mantissa) {
  if (format.is_list()) return listed_near_zero(format, negative, mantissa);
  if (format.is_integer()) return normal_code(format, negative, format.last_place(), 0);
  const Code used = mantissa & mantissa_mask(format);
  if (used == 0 || !format.has_zero) return normal_code(format, negative, format.least_exponent(), 0);
  return with_sign(format, negative, used);
}

Code power_code(const Format& format, bool negative, int exponent) {
  if (format.is_list()) return listed_number(format, negative, exponent, 0);
  const int below = format.least_exponent() - exponent;
  if (below <= 0 || !format.has_zero || format.is_integer()) return normal_code(format, negative, exponent, 0);
  return subnormal_code(format, negative, Code{1} << std::max(0, format.mantissa_bits - below));
}

Code half_code(const Format& format) {
  return format.mantissa_bits == 0 || format.is_list() ? 0 : format.stored(Code{1} << (format.mantissa_bits - 1));
}

Code one_code(const Format& format) { return normal_code(format, false, 0, 0); }

Code greatest_code(const Format& format, bool negative, int below) {
  if (format.is_list()) return listed_from_end(format, negative, below);
  // Not beyond zero, which is near in a narrow format.
  const auto down_from = [&](Code greatest) { return std::min(static_cast<Code>(below), greatest); };
  if (!format.is_integer()) {
    const Code greatest = format.greatest_finite();
    return with_sign(format, negative, greatest - down_from(greatest));
  }
  const Code greatest = (format.has_sign ? format.sign_bit() : Code{1} << format.used_bits()) - 1;
  const Code down = down_from(greatest);
  if (!negative) return greatest - down;
  if (format.sign_magnitude) return format.sign_bit() | (greatest - down);
  return format.has_sign ? format.sign_bit() + down : down;
}

Code infinity_code(const Format& format, bool negative) {
  if (!format.has_infinity) return greatest_code(format, negative);
  return format.stored(negative && format.has_sign ? format.negative_infinity() : format.infinity());
}

Code nan_code(const Format& format, bool negative, Code payload) {
  switch (format.nan) {
    case NanCodes::none: return zero_code(format, negative);
    case NanCodes::ieee: {
      const Code mantissa = payload & mantissa_mask(format);
      return with_sign(format, negative, format.infinity() | (mantissa == 0 ? 1 : mantissa));
    }
    case NanCodes::all_ones: return with_sign(format, negative, format.quiet_nan());
    case NanCodes::negative_zero:
    case NanCodes::listed: return format.stored(format.quiet_nan());
  }
  return 0;
}

Code rounded_code(const Format& format, const Number& number, Cut cut) {
  if (number.magnitude == 0) return zero_code(format, number.negative);
  Result words;
  words.cut = cut;
  words.overflow = Overflow::largest;
  return encode(round_to_format(number, words, format, words.cut), format, {});
}

Code nearer_to_zero(const Format& format, Code code, Code steps) {
  if (!format.is_list()) return code - format.stored(std::min(steps, format.used(code) & mantissa_mask(format)));
  const ValueTable& t = format.values();
  const Number& n = t.by_code[code];
  if (!n.is_finite() || n.magnitude == 0) return code;
  const auto at = std::lower_bound(t.ascending.begin(), t.ascending.end(), n,
                                   [](const ListedValue& v, const Number& x) { return compare(v.number, x) < 0; }) -
                  t.ascending.begin();
  std::ptrdiff_t found = at;
  const std::ptrdiff_t step = n.negative ? 1 : -1,
                       end = n.negative ? static_cast<std::ptrdiff_t>(t.ascending.size()) : -1;
  for (Code left = steps; left > 0 && found + step != end; --left) {
    const Number& next = t.ascending[static_cast<std::size_t>(found + step)].number;
    if (next.magnitude == 0 || next.negative != n.negative) break;
    found += step;
  }
  return t.ascending[static_cast<std::size_t>(found)].code;
}

Code negated_code(const Format& format, Code code) {
  if (format.sign_magnitude) return code == 0 ? code : code ^ format.sign_bit();
  if (format.is_integer()) return (~code + 1) & all_bits(format);
  if (format.is_list()) return negated_in_list(format, code);
  if ((format.used(code) & ~format.sign_bit()) == 0 && !format.has_signed_zero) return code;
  return code ^ format.stored(format.sign_bit());
}

Code all_bits(const Format& format) { return static_cast<Code>(low_mask(format.stored_bits)); }

Code ignored_bits(const Format& format) { return all_bits(format) & ~format.stored(format.used(~Code{0})); }

}  // namespace assay
