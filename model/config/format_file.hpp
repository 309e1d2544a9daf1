// A file of configs/formats, or one's own: a format, or several that a rule makes from lists of parameters.
#pragma once

#include <vector>

#include "model/config/yaml.hpp"
#include "model/core/format.hpp"

namespace assay {

// What a file's document says. Of several, those for which the rule has no format are left out.
std::vector<Format> read_formats(const YamlValue& top);

// The one format that a file of one's own says; `name` is what the datapath calls it.
Format read_format_file(const std::string& path, const std::string& name);

}  // namespace assay
