// A user's program that gets a datapath file and prints a number: how well a task goes on the unit.
#pragma once

#include <string>

#include "model/core/datapath.hpp"

namespace assay::design {

// Runs `program FILE`, the file being the datapath with its k, and reads the number that is all of its last line.
// Throws Error, with the end of what it printed, where it fails or prints none.
double number_of_program(const std::string& program, const Datapath& datapath, int k, const std::string& folder);

}  // namespace assay::design
