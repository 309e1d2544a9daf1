// --instruction and --datapath: what a command is about.
#pragma once

#include <string>

#include "sim/cli/command.hpp"
#include "tb/subject/subject.hpp"

namespace assay {

// Says a warning on `err`, where there is one.
void warn(const std::string& warning, const Console& console);

// For commands that take either.
struct SubjectOptions {
  std::string instruction;
  std::string datapath;

  void add(Command command);
  Subject open(const Catalogue& catalogue) const;  // a Error where neither was given
};

}  // namespace assay
