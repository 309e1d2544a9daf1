#include "tb/subject/subject.hpp"

#include "model/config/digest.hpp"
#include "tb/subject/command_line.hpp"

namespace assay {
namespace {

struct OwnNames {
  std::string name, file;  // in reports; on a command line
};

Subject own_subject(const OwnNames& names, const YamlValue& yaml, Plan plan) {
  Subject s;
  s.name = names.name;
  s.option = "--datapath " + shell_word(names.file);
  s.header.datapath = json_text(yaml);
  s.plan = std::move(plan);
  s.header.datapath_sha256 = datapath_sha256(s.plan);
  return s;
}

}  // namespace

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
  return own_subject({datapath_file, datapath_file}, read_yaml_file(datapath_file),
                     plan_of(read_datapath_file(datapath_file, catalogue)));
}

Subject subject_of_text(const Catalogue& catalogue, const std::string& text, const std::string& name) {
  return own_subject({name, "FILE.yaml"}, read_yaml_text(text, name),
                     plan_of(read_datapath_text(text, name, catalogue)));
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

std::string explain_command(const Subject& subject, const Case& one) {
  return explain_command(subject.option, subject.plan, one, subject.program);
}

std::string other_datapath(const std::string& file, const VectorHeader& header, const Subject& subject) {
  const std::string &given = header.datapath_sha256, &own = subject.header.datapath_sha256;
  if (given.empty() || given == own) return "";
  return file + ":1: datapath_sha256 is " + given.substr(0, 12) + "..., but the datapath here has " +
         own.substr(0, 12) + "...: it has changed since this file was written, and results may differ for that alone.";
}

}  // namespace assay
