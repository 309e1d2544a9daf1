// A study's result as text: for programs, for spreadsheets, for people.
#pragma once

#include <string>

#include "tb/explore/result.hpp"

namespace assay {

std::string result_json(const StudyResult& result);
std::string result_csv(const StudyResult& result);  // a row for each point, input and shape; RFC 4180

// At most 100 columns: a block for each input and shape, a row for each point.
std::string result_table(const StudyResult& result);
std::string cost_table(const StudyResult& result);     // empty where nothing was costed
std::string findings_text(const StudyResult& result);  // one paragraph each, broken at 100 columns

}  // namespace assay
