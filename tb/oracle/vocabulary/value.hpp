// A number between two blocks of a datapath, as an exact rational, and the codes it is read from and written to.
#pragma once

#include <gmpxx.h>

#include <optional>

#include "model/core/format.hpp"

namespace assay::vocabulary {

enum class Kind { finite, infinity, nan };

struct Value {
  Kind kind = Kind::finite;
  bool negative = false;        // of a NaN too
  mpq_class magnitude;          // of a finite one; of an operand's NaN what stands behind its point, less than 1
  std::optional<int> exponent;  // the nominal one; a zero operand or product has none
};

Value infinity(bool negative);
Value nan(bool negative);  // that an operation makes
Value zero(bool negative);

inline bool is_zero(const Value& value) { return value.kind == Kind::finite && value.magnitude == 0; }

mpq_class power_of_two(int exponent);

// The e of 2^e <= magnitude < 2^(e+1); magnitude is a positive multiple of a power of two.
int floor_log2(const mpq_class& magnitude);

// The same bits with neither infinity nor NaN among them.
Format all_numbers(Format format);

Value decode(const Format& format, Code code);
Code encode(const Format& format, const Value& value);  // of a value the format holds; NaN as the quiet one
Code signed_nan(const Format& format, bool negative);   // the quiet one of that sign, where it has two
Code operand_nan(const Format& format, Value value);    // made quiet
inline bool is_signalling(const Value& value) {
  return value.kind == Kind::nan && value.magnitude != 0 && value.magnitude < mpq_class(1, 2);
}

// The largest finite magnitude of a floating format.
mpq_class greatest(const Format& format);

}  // namespace assay::vocabulary
