// A datapath as the file it could have been read from, without `like`: what is as it would be if left out is left out.
#pragma once

#include <optional>
#include <string>

#include "model/core/datapath.hpp"

namespace assay {

std::string yaml_text(const Datapath& datapath, std::optional<int> k = std::nullopt);

}  // namespace assay
