// The Plan that a vector file or a conversation is about.
#pragma once

#include <string>

#include "model/config/catalogue.hpp"
#include "tb/vectors/header.hpp"

namespace assay {

// `file` stands for the header in messages. Throws Error.
inline Plan plan_of_header(const VectorHeader& header, const std::string& file, const Catalogue& catalogue) {
  if (!header.datapath.empty()) return plan_of(read_datapath_text(header.datapath, file, catalogue));
  return catalogue.plan_of(catalogue.instruction(header.architecture, header.instruction));
}

}  // namespace assay
