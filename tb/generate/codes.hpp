// The codes of a format, by what they mean. All are stored codes; bits that the format ignores are zero.
#pragma once

#include "model/core/datapath.hpp"
#include "model/core/number.hpp"
#include "model/core/values.hpp"

namespace assay {

// (-1)^negative x 1.mantissa x 2^exponent. An exponent out of range becomes the nearest there is, and what would be NaN
// or infinity the greatest number.
Code normal_code(const Format& format, bool negative, int exponent, Code mantissa);

// (-1)^negative x 0.mantissa x 2^least. Formats without subnormals give their least number.
Code subnormal_code(const Format& format, bool negative, Code mantissa);

Code power_code(const Format& format, bool negative, int exponent);  // 2^exponent, subnormal where need be

Code half_code(const Format& format);  // the bit that is worth half the leading one; 0 where there is none

Code one_code(const Format& format);
Code greatest_code(const Format& format, bool negative, int below = 0);  // `below` codes nearer to zero

// Formats without infinity give their greatest number; without NaN, zero. Of the NaNs, the one with these payload bits.
Code infinity_code(const Format& format, bool negative);
Code nan_code(const Format& format, bool negative, Code payload);

// The number, cut to what the format holds; beyond its range the greatest.
Code rounded_code(const Format& format, const Number& number, Cut cut);

// Of a number, `steps` values nearer to zero, but not past it nor, where a format has fields, into another binade.
Code nearer_to_zero(const Format& format, Code code, Code steps);

Code negated_code(const Format& format, Code code);  // of a number; two's complement for integers
Code ignored_bits(const Format& format);             // a mask of the bits that are stored and read as zero
Code all_bits(const Format& format);                 // a mask of the bits that are stored

}  // namespace assay
