// The files that a study leaves in its folder.
#pragma once

#include <string>

#include "tb/explore/result.hpp"

namespace assay {

// The study as it was run, its table and result, its page and the plots of it. Throws Error.
void write_study_folder(const std::string& folder, const StudyResult& result);

}  // namespace assay
