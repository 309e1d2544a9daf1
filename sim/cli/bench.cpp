// assay bench: multiply-accumulates a second of each form of datapath, beside what the same core does in single
// precision; or cases a second of a device, beside what it simulates alone.

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>
#include <ostream>

#include "model/base/processors.hpp"
#include "model/base/text.hpp"
#include "model/config/digest.hpp"
#include "sim/cli/command.hpp"
#include "sim/cli/device_option.hpp"
#include "sim/program/number_option.hpp"
#include "tb/devices/host/units.hpp"
#include "tb/devices/kinds/kinds.hpp"
#include "tb/run/device_speed.hpp"
#include "tb/speed/record.hpp"
#include "tb/speed/report.hpp"

namespace assay {
namespace {

struct Options {
  std::vector<std::string> instructions, datapaths;
  speed::SpeedEffort effort;
  std::string device, against;
  int processes = 1;
  bool json = false;
};

// --- a device ---

struct DeviceRow {
  const char* what;
  DeviceSpeed speed;
};

Subject device_subject(const Options& options, const Catalogue& catalogue, const Console& console) {
  if (options.instructions.size() + options.datapaths.size() > 1)
    throw Error{"bench --device measures one instruction; name no more than one."};
  SubjectOptions about;
  if (!options.instructions.empty()) about.instruction = options.instructions.front();
  if (!options.datapaths.empty()) about.datapath = options.datapaths.front();
  return subject_for(about, options.device, catalogue, console);
}

DeviceSpeed device_speed(const Options& options, const Subject& subject, const Catalogue& catalogue,
                         const Console& console, bool places) {
  const auto reference = open_device("model", subject, catalogue, console.err);
  const auto device = open_device(options.device, subject, catalogue, console.err, "", options.processes);
  const int threads = usable_processors();
  return speed_of(subject, {"model", *reference}, {options.device, *device}, options.effort.seconds, places, threads);
}

std::string device_table(double bare, const std::vector<DeviceRow>& rows) {
  std::string text =
      fmt::format("{:<28} {:>14} {:>9} {:>14} {:>14}\n", "", "a second", "of bare", "host ns a case", "unit ns a case");
  text += fmt::format("{:<28} {:>14} {:>9} {:>14} {:>14.0f}\n", "evaluation alone",
                      grouped(static_cast<std::uint64_t>(bare)), 1, "", 1e9 / bare);
  for (const auto& [what, speed] : rows) {
    text += fmt::format("{:<28} {:>14} {:>9} {:>14.0f} {:>14.0f}\n", what,
                        grouped(static_cast<std::uint64_t>(speed.a_second)),
                        fmt::format("1/{:.2f}", bare / speed.a_second), 1e9 * speed.host, 1e9 * speed.device);
  }
  return text;
}

nlohmann::ordered_json device_json(const Options& options, const Subject& subject, double bare,
                                   const std::vector<DeviceRow>& rows) {
  nlohmann::ordered_json list = nlohmann::json::array();
  for (const auto& [what, speed] : rows) {
    list.push_back({{"compared", what},
                    {"cases", speed.cases},
                    {"cases_per_second", speed.a_second},
                    {"host_seconds_per_case", speed.host},
                    {"device_seconds_per_case", speed.device},
                    {"failures", speed.wrong}});
  }
  return {{"device", options.device},
          {"subject", subject.name},
          {"processes", options.processes},
          {"evaluations_per_second", bare},
          {"rows", list}};
}

void bench_device(const Options& options, const Console& console) {
  const Catalogue catalogue = shipped_catalogue();
  const Subject subject = device_subject(options, catalogue, console);
  const double bare = bare_rate(options.device, subject, catalogue, console.err, options.effort.seconds);
  std::vector<DeviceRow> rows{{"compared, d alone", device_speed(options, subject, catalogue, console, false)}};
  if (open_device(options.device, subject, catalogue, console.err)->offers_trace())
    rows.push_back({"compared, with its places", device_speed(options, subject, catalogue, console, true)});
  if (options.json) {
    console.out << device_json(options, subject, bare, rows).dump(1) << "\n";
  } else {
    console.out << fmt::format("{}: {}, {}\n", subject.name, options.device,
                               options.processes == 1 ? "one process" : fmt::format("{} processes", options.processes))
                << device_table(bare, rows);
  }
}

// --- datapaths ---

speed::SpeedSubjects chosen(const Catalogue& catalogue, const Options& options) {
  std::vector<Instruction> instructions;
  for (const std::string& name : options.instructions) instructions.push_back(catalogue.instruction(name));
  if (options.instructions.empty() && options.datapaths.empty()) {
    for (const Instruction* i : speed::one_of_each_form(catalogue)) instructions.push_back(*i);
  }
  speed::SpeedSubjects subjects;
  const auto add = [&](const std::string& name, bool is_file, Plan plan) {
    subjects.push_back(
        std::make_shared<const speed::SpeedSubject>(speed::SpeedSubject{name, is_file, std::move(plan)}));
  };
  for (const Instruction& i : instructions) add(i.full_name(), false, catalogue.plan_of(i));
  for (const std::string& file : options.datapaths) add(file, true, plan_of(read_datapath_file(file, catalogue)));
  return subjects;
}

speed::SpeedPlace this_place(const Catalogue& catalogue) {
  return {processor_name(), fmt::format("{}, catalogue {}", ASSAY_VERSION, catalogue_sha256(catalogue))};
}

// The exit status: whether anything became slower, or nothing is known of any.
int held_against(const speed::SpeedRecord& before, const nlohmann::ordered_json& json, const Console& console) {
  const speed::SpeedRecord now = speed::record_of(nlohmann::json(json));
  const std::vector<speed::FormChange> changed = speed::changes(before, now);
  if (changed.empty())
    throw Error{"The record has no form of the same name and size as what was measured.", Ending::nothing_compared};
  console.out << "\n" << speed::changes_text(before, now, changed);
  const auto all_are = [&](speed::Change change) {
    return std::all_of(changed.begin(), changed.end(), [&](const speed::FormChange& c) { return c.change == change; });
  };
  const auto is_slower = [](const speed::FormChange& c) { return c.change == speed::Change::slower; };
  if (all_are(speed::Change::unknown)) return nothing_compared;
  return std::any_of(changed.begin(), changed.end(), is_slower) ? mismatch : passed;
}

int bench(const Options& options, const Console& console) {
  if (!options.device.empty()) {
    bench_device(options, console);
    return passed;
  }
  std::optional<speed::SpeedRecord> before;
  if (!options.against.empty()) before = speed::read_record(options.against);
  const Catalogue catalogue = shipped_catalogue();
  const speed::SpeedSubjects subjects = chosen(catalogue, options);
  const std::unique_ptr<speed::Sgemm> sgemm = speed::Sgemm::open();
  if (!sgemm) {
    console.err << "assay: There is no libopenblas.so.0 here, so there is no SGEMM to compare with; scripts/setup "
                   "installs it.\n";
  }
  const speed::SpeedTable table(subjects, options.effort);
  std::vector<speed::SpeedRow> rows;
  if (!options.json) console.out << table.head();
  for (const auto& subject : subjects) {
    rows.push_back(speed::measured(subject, options.effort, sgemm.get()));
    if (!options.json) console.out << table.row(rows.back()) << std::flush;
  }
  if (!options.json) console.out << table.foot();
  if (!options.json && !before) return passed;
  const nlohmann::ordered_json json = speed::as_json(rows, options.effort, this_place(catalogue));
  if (before) return held_against(*before, json, console);
  console.out << json.dump(1) << "\n";
  return passed;
}

}  // namespace

void add_bench(Command app, const Console& console, int& status) {
  auto options = std::make_shared<Options>();
  Command command = app.add_subcommand("bench", "Measures the speed of each form of datapath, or of a device.");
  command.footer(
      "Example:  assay bench hopper:wgmma.m64nNk16.f32.f16.f16 --threads 2\n"
      "          assay bench --device rtl:configs/dut/fused_f25_f16.yaml\n"
      "          assay bench --json > before.json    and later:  assay bench --against before.json");
  command.add_option("--device", options->device,
                     "Measures comparing rtl:DUT.yaml, beside evaluating the unit alone (docs/performance.md)");
  add_number(command, "--processes", options->processes, {1, 256}, "With --device: in so many processes it answers")
      .shows_default();
  command.add_option("INSTRUCTION", options->instructions,
                     "Instructions such as hopper:wgmma.m64nNk16.f32.f16.f16; without any, one of each form");
  command.add_option("--datapath", options->datapaths, "Datapath files of your own, with their operands and k");
  add_number(command, "--size", options->effort.size, {1, 8192},
             "Rows, columns and, as far as the instruction allows, K")
      .shows_default();
  add_number(command, "--threads", options->effort.threads, {1, 256}, "Measures so many threads as well")
      .shows_default();
  add_number(command, "--seconds", options->effort.seconds, {0.001, 60.0}, "How long each row is measured at least")
      .shows_default();
  command.add_flag("--json", options->json, "The same as JSON: a record for --against");
  command
      .add_option("--against", options->against,
                  "A record that --json wrote: says what became slower by more than its noise, with exit status 1")
      .excludes(command.option("--json"))
      .excludes(command.option("--device"));
  command.callback([options, &console, &status] { status = bench(*options, console); });
}

}  // namespace assay
