#include "tb/devices/kinds/host_kind.hpp"

#include <ostream>

#include "tb/devices/host/units.hpp"
#include "tb/devices/kinds/helper_program.hpp"
#include "tb/devices/process.hpp"

namespace assay {
namespace {

const HostUnit& unit_named(const std::string& spec, const std::string& name) {
  const HostUnit* unit = find_host_unit(name);
  if (unit != nullptr) return *unit;
  throw Error{"'" + spec + "' is none of the units that a processor may have: " + host_unit_names() + "."};
}

// Of an instruction that is none of the unit's, its program says so.
void check_instruction(const HostUnit& unit, const std::string& name) {
  const auto one = find_host_instruction(unit, name);
  if (one && !executes(*one))
    throw Error{lacking_sentence(unit, *one, this_machine(unit, processor_name())), Ending::not_here};
}

}  // namespace

std::unique_ptr<Device> open_host(const DeviceRequest& request) {
  const HostUnit& unit = unit_named(request.spec, request.argument);
  const HostFinding finding = look_for(unit);
  const std::string sentence = finding_sentence(unit, finding, processor_name());
  if (!finding.executes) throw Error{sentence, Ending::not_here};
  check_instruction(unit, request.subject.name);
  const std::string program = helper_in(own_folder(), {"assay-host", "The devices host:UNIT need", ""});
  request.log << "assay: " << sentence << std::endl;
  std::vector<std::string> argv{program, unit.name};
  if (!modes_in(unit, request.subject.name).empty()) argv.push_back(request.subject.name);
  return process_device(request.subject.plan, request.subject.header, {argv, "host:" + unit.name});
}

std::vector<Subject> host_subjects(const std::string& spec, const std::string& name, const Catalogue& catalogue,
                                   std::ostream&) {
  const HostUnit& unit = unit_named(spec, name);
  if (const auto reason = why_absent(unit)) throw Error{*reason, Ending::not_here};
  std::vector<Subject> subjects;
  for (const HostInstruction& instruction : unit.instructions) {
    if (executes(instruction)) subjects.push_back(subject_of(catalogue, catalogue.instruction(instruction.name)));
  }
  return subjects;
}

std::vector<DeviceFact> host_facts(const DeviceRequest& request) {
  const HostUnit& unit = unit_named(request.spec, request.argument);
  return {{request.spec, finding_sentence(unit, look_for(unit), processor_name())}};
}

std::vector<std::string> host_names() {
  std::vector<std::string> names;
  for (const HostUnit& unit : host_units()) names.push_back(unit.name);
  return names;
}

}  // namespace assay
