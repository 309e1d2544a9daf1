// A whole instruction as C: from the registers or the memory that hold its operands to those that take its result.
#pragma once

#include <string>

#include "model/core/plan.hpp"
#include "model/layout/layout.hpp"

namespace assay {

struct WholeInstruction {
  layout::Coordinates size;  // rows, columns, terms of a dot product, and blocks of these
  layout::Fragments operands;
};

// What stands behind `dot`, which it calls for each element of D.
std::string c_whole(const Plan& plan, const WholeInstruction& whole);

}  // namespace assay
