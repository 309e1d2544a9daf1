#include "tb/oracle/projection.hpp"

#include <algorithm>
#include <optional>
#include <vector>

namespace assay::exact {
namespace {

struct Value {
  Dyadic value;
  Code code;
};

Dyadic magnitude(const Dyadic& x) { return {abs(x.significand), x.exponent}; }

// What the codes of a small format mean, code by code.
class Codes {
 public:
  explicit Codes(const Format& format) : format_(format) {
    for (Code code = 0; code >> format.stored_bits == 0; ++code) {
      const Datum x = decode(format, code);
      if (x.kind == Kind::infinity) (x.negative ? minus_infinity_ : infinity_) = code;
      if (x.kind == Kind::finite) (sign(x.value) < 0 ? below_ : values_).push_back({x.value, code});
    }
    std::sort(values_.begin(), values_.end(),
              [](const Value& x, const Value& y) { return sign(x.value - y.value) < 0; });
  }

  // SatNone of what lies beyond the numbers of one side: its infinity; without one the last number, and NaN below a
  // format that has no sign.
  OracleResult beyond(bool negative) const {
    if (negative && !format_.has_sign) return {true, 0};
    if (const std::optional<Code>& code = negative ? minus_infinity_ : infinity_) return {false, *code};
    return {false, of(values_.back().value, negative)};
  }

  OracleResult nearest_to(const Dyadic& x) const {
    const bool negative = sign(x) < 0;
    const Value rounded = nearest_magnitude(magnitude(x));
    if (sign(rounded.value) == 0) return {false, 0};
    if (sign(rounded.value - values_.back().value) > 0) return beyond(negative);
    if (negative && !format_.has_sign) return {true, 0};
    return {false, of(rounded.value, negative)};
  }

 private:
  // As if the numbers went on: above the last one stands one that is a unit of its last place greater, whose code is
  // the next.
  Value nearest_magnitude(const Dyadic& x) const {
    const Value& last = values_.back();
    const Value after{last.value + Dyadic{1, floor_log2(last.value) - format_.mantissa_bits}, last.code + 1};
    if (sign(x - after.value) >= 0) return after;
    std::size_t above = 0;
    while (above < values_.size() && sign(values_[above].value - x) <= 0) ++above;
    const Value &low = values_[above - 1], &high = above < values_.size() ? values_[above] : after;
    const int side = sign(x + x - low.value - high.value);
    return side < 0 || (side == 0 && low.code % 2 == 0) ? low : high;
  }

  Code of(const Dyadic& value, bool negative) const {
    const Dyadic wanted = negative ? Dyadic{-value.significand, value.exponent} : value;
    const std::vector<Value>& side = negative ? below_ : values_;
    return std::find_if(side.begin(), side.end(), [&](const Value& v) { return sign(v.value - wanted) == 0; })->code;
  }

  const Format& format_;
  std::vector<Value> values_, below_;  // from zero up; below zero
  std::optional<Code> infinity_, minus_infinity_;
};

}  // namespace

OracleResult projection(const Format& format, const Datum& x) {
  if (x.kind == Kind::nan) return {true, 0};
  if (format.nan == NanCodes::ieee) {  // a zero is written as +0
    const Datum rounded = nearest(format, x);
    return {false, is_zero(rounded) ? 0 : encode(format, rounded)};
  }
  const Codes codes(format);
  return x.kind == Kind::infinity ? codes.beyond(x.negative) : codes.nearest_to(x.value);
}

}  // namespace assay::exact
