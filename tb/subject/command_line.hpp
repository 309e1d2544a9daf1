// Words of a command line that shows a case again, for reports.
#pragma once

#include <string>

#include "tb/devices/device.hpp"

namespace assay {

// A word for a command line, quoted where a shell would need it.
std::string shell_word(const std::string& text);

// "--case 3", with " --element 0,7" where it is one.
std::string case_options(const Case& c);

// "--a 3c00,0000 --b ... --c ...": the operands of a case, zeros at the end left out.
std::string operand_options(const Plan& plan, const Case& one);

// The command that shows a case by its operands. `subject`: "--instruction X", behind other options if need be.
// `program`: what stands before its verb.
std::string explain_command(const std::string& subject, const Plan& plan, const Case& one,
                            const std::string& program = "assay");

}  // namespace assay
