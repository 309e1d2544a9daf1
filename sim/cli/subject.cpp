#include "sim/cli/subject.hpp"

#include <ostream>

namespace assay {

void warn(const std::string& warning, const Console& console) {
  if (!warning.empty()) console.err << "assay: warning: " << warning << "\n";
}

void SubjectOptions::add(Command command) {
  CommandOption by_name =
      command.add_option("--instruction", instruction,
                         "ARCHITECTURE:INSTRUCTION, as `assay list` shows them; INSTRUCTION alone where only one "
                         "architecture has it");
  command.add_option("--datapath", datapath, "A datapath file of your own, with its operands and k").excludes(by_name);
}

Subject SubjectOptions::open(const Catalogue& catalogue) const {
  if (instruction.empty() && datapath.empty()) {
    throw Error{"Say what to compute: --instruction ARCHITECTURE:INSTRUCTION, or --datapath FILE."};
  }
  return datapath.empty() ? subject_of(catalogue, catalogue.instruction(instruction))
                          : subject_of_file(catalogue, datapath);
}

}  // namespace assay
