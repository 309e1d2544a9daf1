// The model of a unit as source text that other tools read.
#pragma once

#include <string>

#include "sim/cli/subject.hpp"

namespace assay {

// "c (C99 and C++)": for the help of --to.
std::string model_format_texts();
std::string model_format_names();

// What of it is written: `to` is one of the names, `name` what it declares; empty: one made of the datapath's.
std::string exported_model(const Subject& subject, const std::string& to, const std::string& name);

}  // namespace assay
