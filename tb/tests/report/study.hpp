// A study that nobody ran, of the size of one that somebody would.
#pragma once

#include "tb/explore/result.hpp"

namespace assay {

// F from 8 to 35 x two cuts x five inputs x two K, and two references. Its title and text would break out of a page
// that does not escape them. Points below F = 20 have a cost.
StudyResult made_up_study();

}  // namespace assay
