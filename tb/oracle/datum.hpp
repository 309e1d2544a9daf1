// One number of the oracle: its class, its exact value, and the exponent its definition gives it (docs/numerics.md, 2).
#pragma once

#include <string>
#include <string_view>

#include "model/core/format.hpp"
#include "tb/oracle/dyadic.hpp"

namespace assay::exact {

enum class Kind { finite, infinity, nan };

struct Datum {
  Kind kind = Kind::finite;
  bool negative = false;  // the sign, of a zero and of an infinity too
  Dyadic value;           // zero unless finite
  long exponent = 0;      // as encoded, not as normalised: a subnormal's is 1 - bias, a product's the sum of two
};

inline Datum nan() { return {Kind::nan, false, {}, 0}; }
inline Datum infinity(bool negative) { return {Kind::infinity, negative, {}, 0}; }
inline bool is_zero(const Datum& x) { return x.kind == Kind::finite && sign(x.value) == 0; }

// A value that is no operand and so has no exponent of its own; zero is +0.
inline Datum finite(const Dyadic& value) { return {Kind::finite, sign(value) < 0, value, 0}; }

// Of the format table, or of the oracle's own few; nullptr where neither has it.
const Format* format_called(std::string_view name);

// "f16, bf16, ...": for messages.
std::string names_of_formats();

// Of a stored code of a format that is not an integer.
Datum decode(const Format& format, Code code);

// As a unit reads it that knows neither NaN, infinity nor subnormals: field zero is zero, any other a number.
Datum decode_as_number(const Format& format, Code code);

// The code of x, which `format` holds exactly; `format` has an infinity and IEEE's NaN.
Code encode(const Format& format, const Datum& x);

// Of a stored code of an integer format: two's complement where it has a sign.
mpz_class decode_integer(const Format& format, Code code);
Code encode_integer(const Format& format, const mpz_class& x);  // of what does not fit the lower bits

// The code as a magnitude below a sign bit, where the format has a sign: also of formats that say otherwise.
mpz_class decode_magnitude(const Format& format, Code code);

// Exact, with IEEE's rules for what is not finite and for the sign of zero.
Datum product(const Datum& x, const Datum& y);
Datum sum(const Datum& x, const Datum& y);

// x in `format` with `fraction_bits` bits after the point (no more than the format has), exponent never below the
// least, infinity beyond the greatest. A zero keeps x's sign.
Datum rounded(const Format& format, int fraction_bits, Rounding rounding, const Datum& x);

// IEEE's default rounding.
Datum nearest(const Format& format, const Datum& x);

// --- IEEE's directions ---

enum class Direction { nearest, up, down, zero };

Dyadic rounded_to_unit(const Dyadic& x, long unit, Direction direction);

// x in `format`; what is too large is an infinity, or the greatest number where the direction leads back to it.
Datum rounded(const Format& format, Direction direction, const Datum& x);

Datum greatest(const Format& format, bool negative);
Datum too_large(const Format& format, Direction direction, bool negative);

// Exact. A zero of two that are not zeros of one sign is -0 where results are rounded down.
Datum directed_sum(Direction direction, const Datum& x, const Datum& y);

bool is_subnormal(const Format& format, const Datum& x);

}  // namespace assay::exact
