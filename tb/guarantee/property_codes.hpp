// Codes as numbers in their order.
#pragma once

#include <optional>

#include "model/core/datapath.hpp"
#include "model/core/integer.hpp"

namespace assay::guarantee {

bool is_number(const Format& format, Code code, Specials specials);
bool is_nan(const Format& format, Code code, Specials specials);

// Numbers and infinities of one format in their order, zero at 0, one code apart by one.
i128 order_of(const Format& format, Code code);

// The number that comes next; nothing above the greatest.
std::optional<Code> next_number(const Format& format, Code code);

// The number times 2^power; nothing where the format does not hold that.
std::optional<Code> times_power(const Format& format, Code code, int power, Specials specials);

// Minus the number; nothing where the format does not hold that.
std::optional<Code> minus(const Format& format, Code code);

bool is_negative(const Format& format, Code code);   // below zero
bool is_zero_code(const Format& format, Code code);  // +0 or -0
bool is_subnormal_code(const Format& format, Code code);

}  // namespace assay::guarantee
