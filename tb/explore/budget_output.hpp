// The budgets of a study as text: for people, and for spreadsheets.
#pragma once

#include <string>

#include "tb/explore/result.hpp"

namespace assay {

// "F = 13, normal, 64 x 64 x 512"
std::string row_name(const StudyResult& result, int row);

// "takes 31.2 % of the error away (forecast), 30.9 % (run)"
std::string forecast_text(const RowBudget& budget, const BudgetForecast& forecast);

std::string budget_csv(const StudyResult& result);    // a row for each place that errs
std::string forecast_csv(const StudyResult& result);  // a row for each word that would ease one

// At most 100 columns: of a few rows the greatest shares and the best forecast.
std::string budget_table(const StudyResult& result);

}  // namespace assay
