// A datapath as the YAML it could have been read from: what a failed test prints, so that it can be run by hand.
#pragma once

#include <string>

#include "model/core/datapath.hpp"

namespace assay {

std::string datapath_text(const Datapath& datapath, int k);

}  // namespace assay
