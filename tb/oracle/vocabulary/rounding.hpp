// How a number becomes a shorter one.
#pragma once

#include "model/core/datapath.hpp"
#include "tb/oracle/vocabulary/value.hpp"

namespace assay::vocabulary {

// A magnitude cut to a multiple of 2^quantum; the sign matters to `down` and `up`.
mpq_class cut_at(const mpq_class& magnitude, bool negative, int quantum, Cut cut);

// A value brought to `format` as `result` says, whatever it is. `random`: this rounding's word, where the cut takes
// one.
Value in_format(const Result& result, const Format& format, const Value& value, const mpz_class& random = 0);

// A finite value cut as `result`, which is at its window or its leading one, says.
Value in_bits(const Result& result, const Value& value, const mpz_class& random = 0);

// What a number beyond the last one of its side becomes, and one below zero where a format has no sign.
Value overflowed(bool negative, const Result& result, const Format& format);
Value below_zero(const Result& result);

}  // namespace assay::vocabulary
