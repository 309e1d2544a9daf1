// Plans that tests ask for by name or by text, and the catalogue's forms of which bounds are derived: instructions
// whose arithmetic is alike are one.
#pragma once

#include <string>
#include <vector>

#include "model/config/catalogue.hpp"

namespace assay {

// Read once.
const Catalogue& catalogue();
Plan plan_called(const std::string& name);   // "hopper:wgmma.m64nNk16.f32.f16.f16"
Plan plan_of_text(const std::string& text);  // of a datapath's file

struct Form {
  Plan plan;
  std::vector<std::string> instructions;  // full names
};

// In the order of the catalogue.
std::vector<Form> shipped_forms();

}  // namespace assay
