// A study as the page's script reads it.
#pragma once

#include <string>

#include "tb/explore/result.hpp"

namespace assay {

// JSON without "<", so that it may stand in a script element. Numbers have six digits: more than a reader is shown.
std::string data_json(const StudyResult& study);

}  // namespace assay
