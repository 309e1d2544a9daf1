#include "tb/devices/kinds/qemu_kind.hpp"

#include <algorithm>
#include <ostream>

#include "model/base/run_program.hpp"
#include "model/base/text.hpp"
#include "tb/devices/chain.hpp"
#include "tb/devices/host/units.hpp"
#include "tb/devices/kinds/emulator_file.hpp"
#include "tb/devices/kinds/helper_program.hpp"
#include "tb/devices/model_device.hpp"
#include "tb/devices/process.hpp"
#include "tb/vectors/scan.hpp"

namespace assay {
namespace {

using Names = std::vector<std::string>;

bool has(const Names& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

// An emulator that is here, with the program it runs.
struct Machine {
  Emulator file;
  std::string spec;     // "qemu:power10"
  std::string version;  // "7.2.22"
  Names command;        // that runs our program for that processor

  std::string name() const { return spec + " (QEMU " + version + ")"; }
};

Machine machine_at(const std::string& spec, const std::string& name) {
  Machine machine{read_emulator(spec, name), spec, {}, {}};
  const Emulator& file = machine.file;
  const std::string& emulator = file.command.front();
  const auto said = said_by({emulator, "--version"});
  if (!said) {
    throw Error{"The device " + spec + " needs the program " + emulator +
                    ", which does not run here; on Debian: apt-get install " + file.package,
                Ending::not_here};
  }
  machine.version = version_in(*said);
  machine.command = command_of(file, machine.version);
  machine.command.push_back(
      helper_in(own_folder(), {file.program, "The device " + spec + " needs", "", file.compiler}));
  return machine;
}

// --- what is found of a unit ---

struct Emulated {
  const HostUnit* unit = nullptr;
  HostFinding finding;
  Names executes;  // instructions
};

Emulated emulated(std::string_view line) {
  Emulated found;
  Scanner scanner(line);
  scanner.line([&](std::string_view name) {
    if (name == "unit") {
      found.unit = find_host_unit(scanner.text());
    } else if (name == "announced") {
      found.finding.announced = scanner.value() == "true";
    } else if (name == "executes") {
      scanner.elements([&] { found.executes.emplace_back(scanner.text()); });
    } else {
      scanner.value();
    }
  });
  found.finding.executes = !found.executes.empty();
  return found;
}

// Of each of these units, in their order; `more` are instructions in modes that are looked for, too.
std::vector<Emulated> look_for(const Machine& machine, const Names& units, const Names& more = {}) {
  Names argv = machine.command;
  argv.push_back("--find");
  for (const Names* names : {&units, &more}) argv.insert(argv.end(), names->begin(), names->end());
  std::vector<Emulated> all;
  try {
    for (const std::string& line : split(said_by(argv).value_or(""), '\n')) {
      if (!line.empty()) all.push_back(emulated(line));
    }
  } catch (const ScanError&) {
    all.clear();
  }
  const bool complete = all.size() == units.size() &&
                        std::all_of(all.begin(), all.end(), [](const Emulated& one) { return one.unit != nullptr; });
  if (!complete) {
    throw Error{machine.name() + " does not say which units it has; '" + joined(argv, " ") + "' should.",
                Ending::not_here};
  }
  return all;
}

// The version that is known to have the unit, and all of these modes.
std::string version_with(const Emulator& file, const HostUnit& unit, const Names& modes) {
  std::string version;
  for (const EmulatedUnit& one : file.units) {
    if (one.name == unit.name) version = one.version;
  }
  for (const EmulatedUnit& mode : file.modes) {
    if (has(modes, mode.name) && !version.empty() && version_of(version) < version_of(mode.version))
      version = mode.version;
  }
  return version;
}

FindingPlace place_of(const Machine& machine, const HostUnit& unit, const Names& modes) {
  const std::string version = version_with(machine.file, unit, modes);
  const std::string& emulator = machine.file.command.front();
  const std::string newer = "QEMU " + version + " has it, and the first " + emulator + " on PATH is taken.";
  return {machine.spec, emulator + " " + machine.version,
          version.empty() ? "no version of QEMU is known to have it." : newer};
}

const HostUnit& unit_of(const Machine& machine, const Subject& subject) {
  const HostUnit* unit = host_unit_with(subject.name);
  const auto is_unit = [&](const EmulatedUnit& one) { return unit != nullptr && one.name == unit->name; };
  const auto& units = machine.file.units;
  if (std::any_of(units.begin(), units.end(), is_unit)) return *unit;
  throw Error{machine.spec + " has no instruction " + subject.name + "; it takes those of " + machine.file.name +
                  ": assay list " + machine.file.name,
              Ending::not_here};
}

std::string finding_of(const Machine& machine, const Subject& subject) {
  const HostUnit& unit = unit_of(machine, subject);
  const std::string modes = modes_in(unit, subject.name);
  const Emulated found = look_for(machine, {unit.name}, modes.empty() ? Names{} : Names{subject.name}).front();
  const FindingPlace place = place_of(machine, unit, split(modes, '.'));
  const std::string sentence = finding_sentence(unit, found.finding, place);
  if (!found.finding.executes) throw Error{sentence, Ending::not_here};
  if (!has(found.executes, subject.name))
    throw Error{lacking_sentence(unit, *find_host_instruction(unit, subject.name), place), Ending::not_here};
  return sentence;
}

std::optional<Instruction> in_catalogue(const std::string& name, const Catalogue& catalogue) {
  for (Instruction& one : catalogue.named(without_architecture(name))) {
    if (one.full_name() == name) return std::move(one);
  }
  return std::nullopt;
}

// --- what it is known to have otherwise ---

// The model of a plan, for cases of any length.
class Model {
 public:
  explicit Model(Plan plan) : plan_(std::move(plan)), device_(model_device(plan_)) {}
  Code operator()(const Case& c) { return run_chained(*device_, plan_, {c}).front().d; }

 private:
  Plan plan_;
  std::unique_ptr<Device> device_;
};

std::function<Code(const Case&)> model_of(Plan plan) {
  return [model = std::make_shared<Model>(std::move(plan))](const Case& c) { return (*model)(c); };
}

// The subject's own datapath with some of its words changed.
Plan changed_plan(const Subject& subject, const DatapathDifference& by, const Catalogue& catalogue) {
  DatapathFile file = catalogue.datapath_of(*subject.instruction);
  file.datapath.name = by.name;
  return plan_of(changed(std::move(file), Given(read_yaml_text(by.instead, by.name))));
}

std::vector<KnownDifference> known_differences(const Emulator& file, const Subject& subject,
                                               const Catalogue& catalogue) {
  std::vector<KnownDifference> known;
  for (const DatapathDifference& one : file.known_differences) {
    if (!has(one.instructions, subject.instruction->name)) continue;
    known.push_back({one.name, one.reason, model_of(subject.plan), model_of(changed_plan(subject, one, catalogue))});
  }
  return known;
}

const FirstRowOnly* first_row_of(const Machine& machine, const Subject& subject) {
  for (const FirstRowOnly& one : machine.file.first_row_only) {
    if (has(one.instructions, subject.instruction->name) && version_of(machine.version) < version_of(one.before))
      return &one;
  }
  return nullptr;
}

// A device, and what is known of it.
class KnownDevice final : public Device {
 public:
  KnownDevice(std::unique_ptr<Device> device, std::vector<KnownDifference> known)
      : device_(std::move(device)), known_(std::move(known)) {}

  std::string name() const override { return device_->name(); }
  bool offers_trace() const override { return device_->offers_trace(); }
  std::vector<Answer> run(const std::vector<Case>& cases, bool trace) override { return device_->run(cases, trace); }
  std::vector<KnownDifference> known_differences() const override { return known_; }
  std::string close() override { return device_->close(); }

 private:
  std::unique_ptr<Device> device_;
  std::vector<KnownDifference> known_;
};

}  // namespace

std::unique_ptr<Device> open_qemu(const DeviceRequest& request) {
  const Subject& subject = request.subject;
  const Machine machine = machine_at(request.spec, request.argument);
  const std::string finding = finding_of(machine, subject);
  request.log << "assay: " << finding << std::endl;
  Names argv = machine.command;
  const HostUnit& unit = unit_of(machine, subject);
  argv.push_back(unit.name);
  if (!modes_in(unit, subject.name).empty()) argv.push_back(subject.name);
  if (const FirstRowOnly* known = first_row_of(machine, subject)) {
    request.log << "assay: Of " << subject.name << " only the first row of the tile is compared: " << known->reason
                << "; QEMU " << known->before << " has them all right." << std::endl;
    argv.push_back("first-row");
  }
  return std::make_unique<KnownDevice>(process_device(subject.plan, subject.header, {argv, machine.name()}),
                                       known_differences(machine.file, subject, request.catalogue));
}

std::vector<Subject> qemu_subjects(const std::string& spec, const std::string& name, const Catalogue& catalogue,
                                   std::ostream& log) {
  const Machine machine = machine_at(spec, name);
  Names units, unknown;
  for (const EmulatedUnit& unit : machine.file.units) units.push_back(unit.name);
  std::vector<Subject> subjects;
  for (const Emulated& unit : look_for(machine, units)) {
    for (const std::string& instruction : unit.executes) {
      if (const auto known = in_catalogue(instruction, catalogue)) {
        subjects.push_back(subject_of(catalogue, *known));
      } else {
        unknown.push_back(instruction);
      }
    }
  }
  if (!unknown.empty())
    log << "assay: " << spec << " also executes what the catalogue has not: " << joined(unknown) << "." << std::endl;
  return subjects;
}

std::vector<DeviceFact> qemu_facts(const DeviceRequest& request) {
  const Machine machine = machine_at(request.spec, request.argument);
  return {{machine.name(), finding_of(machine, request.subject)}};
}

std::vector<std::string> qemu_names() { return emulator_names(); }

}  // namespace assay
