// The failing case that was found, in lines with the commands that show it again.
#pragma once

#include <string>
#include <vector>

#include "tb/run/case_source.hpp"
#include "tb/run/failing_case.hpp"

namespace assay {

std::vector<std::string> lines_of(const FailingCase& found, const Plan& plan, const RunNames& names,
                                  const History& history);

}  // namespace assay
