// The name of a module that is written for the user.
#pragma once

#include <string>

namespace assay {

// Of SystemVerilog.
bool is_keyword(const std::string& name);

// Of --module. Throws Error where SystemVerilog cannot have a module of this name, or has one already beside what
// is written.
void check_module(const std::string& name);

}  // namespace assay
