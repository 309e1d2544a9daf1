// What every file of waveforms needs: names of variables, and the scopes that a name like step[0].sum.window stands in.
#pragma once

#include <ostream>
#include <string>
#include <vector>

namespace assay {

// Variables are called by numbers in the printable characters.
std::string vcd_identifier(int variable);
std::vector<std::string> vcd_scopes(const std::string& name);

// Closes and opens scopes, so that `wanted` are open: `open` becomes these.
void vcd_enter(std::ostream& out, std::vector<std::string>& open, const std::vector<std::string>& wanted);

}  // namespace assay
