#include "sim/cli/subject.hpp"

namespace assay {

Subject subject_of(const Catalogue& catalogue, const Instruction& instruction) {
  Subject s;
  s.name = instruction.full_name();
  s.option = "--instruction " + s.name;
  s.instruction = instruction;
  s.header.architecture = instruction.architecture;
  s.header.instruction = instruction.name;
  s.plan = catalogue.plan_of(instruction);
  return s;
}

Subject subject_of_file(const Catalogue& catalogue, const std::string& datapath_file) {
  const YamlValue yaml = read_yaml_file(datapath_file);
  Subject s;
  s.name = datapath_file;
  s.option = "--datapath " + shell_word(datapath_file);
  s.header.datapath = json_text(yaml);
  s.plan = plan_of(read_datapath_file(datapath_file, catalogue));
  return s;
}

Subject subject_of_header(const Catalogue& catalogue, const VectorHeader& header, const std::string& file) {
  if (header.datapath.empty()) {
    Subject s = subject_of(catalogue, catalogue.instruction(header.architecture, header.instruction));
    s.header = header;
    return s;
  }
  Subject s;
  s.name = "the datapath of " + file;
  s.header = header;
  s.plan = plan_of(read_datapath_text(header.datapath, file, catalogue));
  return s;
}

void SubjectOptions::add(CLI::App& command) {
  auto* by_name =
      command.add_option("--instruction", instruction, "ARCHITECTURE:INSTRUCTION, as `assay list` shows them");
  command.add_option("--datapath", datapath, "A datapath file of your own, with its operands and k")->excludes(by_name);
}

Subject SubjectOptions::open(const Catalogue& catalogue) const {
  if (instruction.empty() && datapath.empty()) {
    throw ConfigError{"Say what to compute: --instruction ARCHITECTURE:INSTRUCTION, or --datapath FILE."};
  }
  return datapath.empty() ? subject_of(catalogue, catalogue.instruction(instruction))
                          : subject_of_file(catalogue, datapath);
}

std::string shell_word(const std::string& text) {
  const bool plain =
      text.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./:=,@%+") ==
      std::string::npos;
  if (plain && !text.empty()) return text;
  std::string quoted = "'";
  for (const char c : text) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return quoted + "'";
}

}  // namespace assay
