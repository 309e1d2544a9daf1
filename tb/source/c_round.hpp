// Stage round as C.
#pragma once

#include <string>

#include "tb/source/c_words.hpp"

namespace assay {

// The function `name`: a number, and a random word where the cut takes one, to what the result leaves of it.
std::string c_round(const CWords& words, const std::string& name, const std::string& of, const ResultPlan& result);

}  // namespace assay
