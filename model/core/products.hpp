// A dot product whose products are there already: of one operand they are the same for all plans that multiply alike,
// and who tries thousands of plans on it need not make them again.
#pragma once

#include "model/core/dot.hpp"

namespace assay {

// Whether the two differ in nothing that stands before their first sum. Neither draws random bits.
bool multiply_alike(const Plan& x, const Plan& y);

// d of an operand of which `dot` has left `before`, by a plan that multiplies alike. The two registers are not the
// same.
Code dot_after(const Plan& plan, const Operand& operand, const Registers& before, Registers& registers);

}  // namespace assay
