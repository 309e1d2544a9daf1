// Exact numbers, bundles and codes as text.
#pragma once

#include <string>
#include <string_view>

#include "model/core/format.hpp"
#include "model/core/number.hpp"
#include "tb/oracle/datum.hpp"
#include "tb/oracle/dyadic.hpp"

namespace assay::explain {

exact::Dyadic exactly(const Number& n);  // of a finite number
// x in 120 bits; where it has more, the last of these says that there was a one below. Formats have fewer than 60, so
// that rounding it to one gives what rounding x gives.
Number shortened(const exact::Dyadic& x);
long lowest_one(const exact::Dyadic& x);  // its weight; x is not zero

// The bits of |x| below 2^weight, the highest first, without zeros at the end.
std::string bits_below(const exact::Dyadic& x, long weight);
// |x|'s bits from 2^top down to 2^bottom.
std::string bits_between(const exact::Dyadic& x, long top, long bottom);

// Equal characters that are so many that they are worth folding.
constexpr long least_fold = 13;
std::string folded_run(char one, long count);      // "[0 x 112]"
std::string folded_runs(const std::string& text);  // long runs of one character folded

// Bits with a point before the last `fraction_bits` of them.
std::string pointed(std::string bits, long fraction_bits);

// "+1.40625", rounded to eight digits.
std::string decimal(const exact::Dyadic& x, bool negative_zero = false);
std::string decimal(const Number& n);
std::string decimal(const exact::Datum& d);

// An error in units of the last place, which weighs 2^ulp: "-0.73"; "0" where there is none.
std::string in_ulps(const exact::Dyadic& error, long ulp);

// "-1.0110 x 2^-3", the point behind 2^exponent; hexadecimal digits after 0x where there are more bits than `room`.
std::string scientific(const exact::Dyadic& x, long exponent, std::size_t room = 60);
std::string scientific(const Number& n, std::size_t room = 60);
// The same and its decimal value; "+0", "NaN" and the like by themselves, integers as such.
std::string value_text(const Number& n, bool integer = false);

std::string hex_text(Code code, const Format& format);
// "0|01111111|00000000000000000000001": sign, exponent, significand; for integers the bits alone.
std::string split_code(Code code, const Format& format);

// "toward zero" of toward_zero.
std::string spaced(std::string_view word);

}  // namespace assay::explain
