// IEEE P3109's projection of an exact value, NearestTiesToEven and SatNone, written from the draft's rules
// (report 4.0).
#pragma once

#include "tb/oracle/datum.hpp"
#include "tb/oracle/oracle.hpp"

namespace assay::exact {

// `format` is one of the draft's own, of at most 8 bits, or an IEEE one.
OracleResult projection(const Format& format, const Datum& x);

}  // namespace assay::exact
