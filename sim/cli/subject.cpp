#include "sim/cli/subject.hpp"

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <ostream>

#include "model/config/digest.hpp"

namespace assay {
Subject subject_of(const Catalogue& catalogue, const Instruction& instruction) {
  Subject s;
  s.name = instruction.full_name();
  s.option = "--instruction " + s.name;
  s.instruction = instruction;
  s.header.architecture = instruction.architecture;
  s.header.instruction = instruction.name;
  s.plan = catalogue.plan_of(instruction);
  s.header.datapath_sha256 = datapath_sha256(s.plan);
  return s;
}

Subject subject_of_file(const Catalogue& catalogue, const std::string& datapath_file) {
  const YamlValue yaml = read_yaml_file(datapath_file);
  Subject s;
  s.name = datapath_file;
  s.option = "--datapath " + shell_word(datapath_file);
  s.header.datapath = json_text(yaml);
  s.plan = plan_of(read_datapath_file(datapath_file, catalogue));
  s.header.datapath_sha256 = datapath_sha256(s.plan);
  return s;
}

Subject subject_of_header(const Catalogue& catalogue, const VectorHeader& header, const std::string& file) {
  Subject s;
  if (header.datapath.empty()) {
    s = subject_of(catalogue, catalogue.instruction(header.architecture, header.instruction));
  } else {
    s.name = "the datapath of " + file;
    s.plan = plan_of(read_datapath_text(header.datapath, file, catalogue));
  }
  s.header = header;
  s.header.datapath_sha256 = datapath_sha256(s.plan);
  s.warning = other_datapath(file, header, s);
  return s;
}

std::string other_datapath(const std::string& file, const VectorHeader& header, const Subject& subject) {
  const std::string &given = header.datapath_sha256, &own = subject.header.datapath_sha256;
  if (given.empty() || given == own) return "";
  return file + ":1: datapath_sha256 is " + given.substr(0, 12) + "..., but the datapath here has " +
         own.substr(0, 12) + "...: it has changed since this file was written, and results may differ for that alone.";
}

void warn(const std::string& warning, const Console& console) {
  if (!warning.empty()) console.err << "assay: warning: " << warning << "\n";
}

void SubjectOptions::add(CLI::App& command) {
  auto* by_name =
      command.add_option("--instruction", instruction,
                         "ARCHITECTURE:INSTRUCTION, as `assay list` shows them; INSTRUCTION alone where only one "
                         "architecture has it");
  command.add_option("--datapath", datapath, "A datapath file of your own, with its operands and k")->excludes(by_name);
}

Subject SubjectOptions::open(const Catalogue& catalogue) const {
  if (instruction.empty() && datapath.empty()) {
    throw ConfigError{"Say what to compute: --instruction ARCHITECTURE:INSTRUCTION, or --datapath FILE."};
  }
  return datapath.empty() ? subject_of(catalogue, catalogue.instruction(instruction))
                          : subject_of_file(catalogue, datapath);
}

namespace {

bool is_control(char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; }

// As bash has it: $'a\x0ab'. A control character between plain quotes would not survive a terminal.
std::string escaped_word(const std::string& text) {
  std::string quoted = "$'";
  for (const char c : text) {
    if (is_control(c)) {
      quoted += fmt::format("\\x{:02x}", static_cast<unsigned char>(c));
    } else {
      quoted += c == '\'' || c == '\\' ? std::string("\\") + c : std::string(1, c);
    }
  }
  return quoted + "'";
}

}  // namespace

std::string shell_word(const std::string& text) {
  const bool plain =
      text.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./:=,@%+") ==
      std::string::npos;
  if (plain && !text.empty()) return text;
  if (std::any_of(text.begin(), text.end(), is_control)) return escaped_word(text);
  std::string quoted = "'";
  for (const char c : text) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return quoted + "'";
}

}  // namespace assay
