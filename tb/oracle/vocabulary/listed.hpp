// Formats whose codes have no fields, read a second time: by their definitions, in rationals, without a table of
// core's.
#pragma once

#include "model/core/datapath.hpp"
#include "tb/oracle/vocabulary/value.hpp"

namespace assay::vocabulary {

Value decode_listed(const Format& format, Code code);
Value last_of_list(bool negative, const Format& format);
Code encode_listed(const Format& format, const Value& value);

// `value`, finite, as the list has it; what lies beyond its end becomes what `overflow` says.
Value in_list(const Result& result, const Format& format, const Value& value);

}  // namespace assay::vocabulary
