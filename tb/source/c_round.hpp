// Stage round as C.
#pragma once

#include <string>

#include "tb/source/c_words.hpp"

namespace assay {

// A function that rounds.
struct CRounding {
  std::string name, of;
  bool sees_lost = false;  // ones below what it is given
};

// A number, and a random word where the cut takes one, to what the result leaves of it.
std::string c_round(const CWords& words, const CRounding& rounding, const ResultPlan& result);

}  // namespace assay
