// Stage multiply as SystemVerilog, where a product goes on as carry-save rows.
#pragma once

#include <string>

#include "model/core/plan.hpp"
#include "tb/source/sv_words.hpp"

namespace assay {

// The function multiply_rows, and those that it calls.
std::string sv_multiply_rows(const Plan& plan, const SvWords& words);

}  // namespace assay
