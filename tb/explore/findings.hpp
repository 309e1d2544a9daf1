// What a study's rows come to in plain words, and how its published numbers compare.
#pragma once

#include <vector>

#include "tb/explore/study.hpp"

namespace assay {

struct Findings {
  std::vector<StudyFinding> list;
  int missed = 0;  // published numbers that ours are farther from than `within` allows
};

// Throws Error, before anything has run, where an expectation is not about exactly one row, or one walk along the
// axis of widths.
void check_expectations(const Study& study, const StudyResult& shape_of_result);

Findings findings_of(const Study& study, const StudyResult& result);

}  // namespace assay
