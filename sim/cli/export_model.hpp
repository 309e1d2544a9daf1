// The model of a unit as source text that other tools read.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "sim/cli/subject.hpp"

namespace assay {

// "c (C99 and C++)": for the help of --to.
std::string model_format_texts();
std::string model_format_names();
std::vector<std::pair<std::string, std::string>> model_format_list();  // names, and what each is

// What of it is written.
struct ModelExport {
  std::string to;      // one of the names
  std::string name;    // what it declares; empty: one made of the datapath's
  bool whole = false;  // also a function of the whole instruction
};
std::string exported_model(const Subject& subject, const ModelExport& asked);

}  // namespace assay
