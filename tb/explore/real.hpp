// Real numbers, as doubles, to and from the codes of formats: exact on the way out, rounded once on the way in.
#pragma once

#include "model/core/format.hpp"
#include "model/core/number.hpp"

namespace assay {

// A finite double, exactly; 53 bits unless it is zero.
Number number_of(double x);

// The value of a number of at most 53 bits, of an infinity or a NaN.
double value_of(const Number& n);
double value_of(Code code, const Format& format);

// To nearest, ties to even; what is too large becomes the greatest number, as conversions of tensors do.
Code saturated(const Number& n, const Format& format);
// The same of x / divisor.
Code saturated_quotient(double x, const Number& divisor, const Format& format);

// To nearest, ties to even; what is too large becomes an infinity where the format has one.
Code nearest_code(const Number& n, const Format& format);

}  // namespace assay
