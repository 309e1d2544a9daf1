// Where the errors of a study are made, drawn as bars.
#pragma once

#include <string>
#include <vector>

#include "tb/explore/report/report.hpp"

namespace assay {

// A section of the page: the budget of the opening row, the others behind their names. Empty where there are none.
std::string budgets_html(const StudyResult& study);

// The same bars as files; of so many rows at most.
std::vector<Plot> budget_plots(const StudyResult& study);

}  // namespace assay
