#include "tb/guarantee/property_codes.hpp"

#include "model/core/decode.hpp"
#include "tb/generate/codes.hpp"

namespace assay::guarantee {
namespace {

Code magnitude_of(const Format& format, Code code) { return format.used(code) & ~format.sign_bit(); }

Code code_at(const Format& format, i128 order) {
  const auto magnitude = static_cast<Code>(order < 0 ? -order : order);
  return format.stored(magnitude | (order < 0 ? format.sign_bit() : 0));
}

}  // namespace

bool is_number(const Format& format, Code code, Specials specials) {
  return decode(code, format, Subnormals::keep, specials).is_finite();
}

bool is_nan(const Format& format, Code code, Specials specials) {
  return !format.is_integer() && decode(code, format, Subnormals::keep, specials).cls == Class::nan;
}

i128 order_of(const Format& format, Code code) {
  if (format.is_integer()) {
    const Number n = decode_integer(format.used(code), format);
    const auto magnitude = static_cast<i128>(n.magnitude);
    return n.negative ? -magnitude : magnitude;
  }
  const auto magnitude = static_cast<i128>(magnitude_of(format, code));
  return (format.used(code) & format.sign_bit()) != 0 ? -magnitude : magnitude;
}

std::optional<Code> next_number(const Format& format, Code code) {
  const i128 now = order_of(format, code);
  if (now >= order_of(format, greatest_code(format, false))) return std::nullopt;
  return format.is_integer() ? static_cast<Code>(now + 1) & all_bits(format) : code_at(format, now + 1);
}

std::optional<Code> times_power(const Format& format, Code code, int power, Specials specials) {
  Number n = decode(code, format, Subnormals::keep, specials);
  if (!n.is_finite()) return std::nullopt;
  if (n.magnitude == 0) return code;
  if (format.is_integer()) {
    if (power < 0 ? (n.magnitude & low_mask(std::min(-power, 64))) != 0 : power > format.stored_bits)
      return std::nullopt;
    const u128 magnitude = power < 0 ? n.magnitude >> std::min(-power, 64) : n.magnitude << power;
    const u128 most = (u128{1} << (format.stored_bits - (format.has_sign ? 1 : 0))) - (n.negative ? 0 : 1);
    if (magnitude > most) return std::nullopt;
    return static_cast<Code>(n.negative ? -magnitude : magnitude) & all_bits(format);
  }
  n.quantum += power;
  const Code made = rounded_code(format, n, Cut::toward_zero);
  const Number back = decode(made, format, Subnormals::keep, specials);
  if (!back.is_finite() || back.magnitude == 0) return std::nullopt;
  // The same value: one of the two stands at a lower quantum.
  const int apart = back.quantum - n.quantum;
  if (apart > 60 || apart < -60) return std::nullopt;
  const bool same = apart >= 0 ? (back.magnitude << apart) == n.magnitude : back.magnitude == (n.magnitude << -apart);
  return same ? std::optional<Code>(made) : std::nullopt;
}

std::optional<Code> minus(const Format& format, Code code) {
  if (!format.has_sign && !is_zero_code(format, code)) return std::nullopt;
  const Code negated = format.has_sign ? negated_code(format, code) : code;
  if (format.is_integer() && negated == code && !is_zero_code(format, code)) return std::nullopt;  // the least one
  return negated;
}

bool is_negative(const Format& format, Code code) { return order_of(format, code) < 0; }

bool is_zero_code(const Format& format, Code code) {
  return format.is_integer() ? format.used(code) == 0 : format.has_zero && magnitude_of(format, code) == 0;
}

bool is_subnormal_code(const Format& format, Code code) {
  if (format.is_integer() || !format.has_zero) return false;
  const Code magnitude = magnitude_of(format, code);
  return magnitude != 0 && magnitude >> format.mantissa_bits == 0;
}

}  // namespace assay::guarantee
