// A sheet to sign: what was held to what, on which vectors, with what result, and who accepted what was waived.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "tb/run/comparison.hpp"

namespace assay {

struct SignOff {
  std::string title;                                       // "rtl:unit.yaml held to model"
  std::vector<std::pair<std::string, std::string>> facts;  // "datapath", its hash
  std::vector<std::string> explanation;                    // of the failures
};

// Of a run that has ended; further facts say of what was run.
SignOff sheet_of(const Comparison& found, const Subject& subject);

// Markdown, in which no word of a sheet - a waiver's reason, a file's name - can pass for a line, a cell or a mark of
// it.
std::string sign_off_text(const SignOff& sheet, const Summary& summary);

// In the place of the sheet of a comparison that could not be made.
std::string not_compared_text(const std::string& subject, const std::string& message);

}  // namespace assay
