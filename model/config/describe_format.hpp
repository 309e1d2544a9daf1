// The text of `describe --format`: what each code of a number format means, and where its values lie.
#pragma once

#include <string>

#include "model/core/format.hpp"

namespace assay {

// The format of this name, or of the file whose path this is.
Format format_named(const std::string& name_or_file);

std::string describe_format(const Format& format);

// One object: what the format has, and of at most 16 bits "codes", in order, each as exact text.
std::string format_json(const Format& format);

}  // namespace assay
