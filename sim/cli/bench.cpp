// assay bench: multiply-accumulates a second of each form of datapath, beside what the same core does in single
// precision.

#include <nlohmann/json.hpp>
#include <ostream>

#include "sim/cli/command.hpp"
#include "sim/program/number_option.hpp"
#include "tb/speed/report.hpp"

namespace assay {
namespace {

struct Options {
  std::vector<std::string> instructions, datapaths;
  speed::SpeedEffort effort;
  bool json = false;
};

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

void bench(const Options& options, const Console& console) {
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
  if (options.json) {
    console.out << speed::as_json(rows, options.effort).dump(1) << "\n";
  } else {
    console.out << table.foot();
  }
}

}  // namespace

void add_bench(Command app, const Console& console, int&) {
  auto options = std::make_shared<Options>();
  Command command = app.add_subcommand("bench", "Measures the speed of each form of datapath.");
  command.footer("Example:  assay bench hopper:wgmma.m64nNk16.f32.f16.f16 --threads 2");
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
  command.add_flag("--json", options->json, "The same as JSON");
  command.callback([options, &console] { bench(*options, console); });
}

}  // namespace assay
