// A prefix code says how many bits the exponent has: the nearer to one, the fewer, and the more are left for the
// mantissa.
#include "model/core/rules.hpp"
#include "model/core/values.hpp"

namespace assay {
namespace {

//   prefix  11   10   01   001   0001   0000       of a greatest field of 4 bits
//   field    4    3    2     1      0   subnormal
//
//   s | prefix | exponent: its sign, then its magnitude without the leading one | mantissa
class Prefixed {
 public:
  Prefixed(int bits, int greatest_field) : below_sign_(bits - 1), greatest_field_(greatest_field) {}

  Number magnitude_of(Code code) const {
    int at = below_sign_ - 1;
    const auto next = [&] { return (code >> at-- & 1) != 0; };
    int field = 0;
    if (next()) {
      field = next() ? greatest_field_ : greatest_field_ - 1;
    } else {
      field = greatest_field_ - 2;
      while (!next()) {
        if (field-- == 0) return subnormal(code, at + 1);
      }
    }
    int exponent = 0;
    if (field > 0) {
      const bool negative = next();
      exponent = 1;
      for (int i = 1; i < field; ++i) exponent = 2 * exponent + (next() ? 1 : 0);
      if (negative) exponent = -exponent;
    }
    const int mantissa_bits = at + 1;
    Number n;
    n.magnitude = u128{1} << mantissa_bits | (code & static_cast<Code>(low_mask(mantissa_bits)));
    n.exponent = exponent;
    n.quantum = exponent - mantissa_bits;
    return n;
  }

 private:
  // One power of two a code, on below the least normal number; zero is the last.
  Number subnormal(Code code, int bits) const {
    const auto place = static_cast<int>(code & static_cast<Code>(low_mask(bits)));
    if (place == 0) return Number::zero();
    const int least_normal = 1 - (1 << greatest_field_);
    Number n;
    n.magnitude = 1;
    n.exponent = n.quantum = least_normal - (1 << bits) + place;
    return n;
  }

  int below_sign_, greatest_field_;
};

ValueTable values(int bits, int greatest_field, int mantissa_bits) {
  const Prefixed prefixed(bits, greatest_field);
  const Code sign = Code{1} << (bits - 1);
  std::vector<Number> numbers;
  Code greatest = 0;
  for (Code code = 0; code < 2 * sign; ++code) {
    Number n = normalised(prefixed.magnitude_of(code & (sign - 1)), mantissa_bits);
    if (code < sign && (n.magnitude != 0 && compare(n, numbers.empty() ? Number::zero() : numbers[greatest]) > 0))
      greatest = code;
    n.negative = code >= sign;
    numbers.push_back(code == sign ? Number::nan() : n);
  }
  const Number infinity = numbers[greatest], negative = numbers[greatest | sign];
  numbers[greatest] = Number::infinity(false);
  numbers[greatest | sign] = Number::infinity(true);
  ValueTable t = table_of(std::move(numbers));
  t.above = infinity;
  t.below = negative;
  return t;
}

std::string fill(Format& f) {
  std::string wrong;
  const std::optional<int> bits = parameter(f, "bits", 6, most_list_bits, wrong);
  const std::optional<int> field = bits ? parameter(f, "exponent", 2, 5, wrong) : std::nullopt;
  if (!bits || !field) return wrong;
  if (*bits - 3 - *field < 1)
    return "the rule 'prefix' leaves a code of `exponent` bits no mantissa; give it more bits.";
  f.kind = FormatKind::values;
  f.stored_bits = *bits;
  f.has_sign = f.has_zero = f.has_infinity = true;
  f.has_signed_zero = false;
  f.nan = NanCodes::listed;
  f.mantissa_bits = *bits - 1 - *field;
  f.bias = (1 << *field) - 1 + (1 << f.mantissa_bits) - 1;
  f.lazy = std::make_shared<LazyValues>(
      [bits = *bits, field = *field, mantissa_bits = f.mantissa_bits] { return values(bits, field, mantissa_bits); });
  return "";
}

}  // namespace

FormatRule prefix_rule() {
  return {"prefix",
          "a prefix code says the length of the exponent; the code of -0 is NaN, and infinity takes "
          "that of the greatest number",
          {{"bits", "6 to 16"}, {"exponent", "2 to 5: bits of the longest exponent field"}},
          fill};
}

}  // namespace assay
