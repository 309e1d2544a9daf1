// The catalogue's forms of which bounds are derived: instructions whose arithmetic is alike are one.
#pragma once

#include <string>
#include <vector>

#include "model/config/catalogue.hpp"

namespace assay {

struct Form {
  Plan plan;
  std::vector<std::string> instructions;  // full names
};

// In the order of the catalogue.
std::vector<Form> shipped_forms();

}  // namespace assay
