// assay explore: how wide an accumulator must be, as error against exact sums.
#include <fmt/format.h>

#include <csignal>
#include <filesystem>
#include <mutex>
#include <ostream>

#include "model/base/output_file.hpp"
#include "model/base/parallel.hpp"
#include "sim/cli/command.hpp"
#include "sim/cli/progress.hpp"
#include "sim/cli/threads_option.hpp"
#include "tb/devices/device.hpp"
#include "tb/explore/budget.hpp"
#include "tb/explore/budget_output.hpp"
#include "tb/explore/effort.hpp"
#include "tb/explore/findings.hpp"
#include "tb/explore/output.hpp"
#include "tb/explore/report/study_folder.hpp"
#include "tb/explore/runner.hpp"
#include "tb/gates/cost.hpp"

namespace assay {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t most_rows_shown = 300;

struct Options {
  std::string study;
  std::string out;
  ThreadsOption threads;
  int seeds = 0;   // 0: as many as the study says
  int budget = 0;  // 0: likewise
  double limit = 60;
  bool json = false;
};

// A file, or the name of a shipped study.
std::string study_file(const Catalogue& catalogue, const std::string& name) {
  std::error_code unreachable;
  if (fs::exists(name, unreachable) || unreachable || name.find_first_of("/.") != std::string::npos) return name;
  const std::vector<std::string> names = study_names(catalogue);
  if (std::find(names.begin(), names.end(), name) == names.end())
    throw Error{"There is no file '" + name + "', and no study of that name is shipped; shipped are " + joined(names) +
                nearest(name, names)};
  return study_path(catalogue, name);
}

std::string counted(std::size_t count, const char* what) {
  return fmt::format("{} {}{}", count, what, count == 1 ? "" : "s");
}

std::string heading(const Study& study, const Effort& effort) {
  return fmt::format("{}\n{}; {}, {}, {}.\n\n", study.title, effort.text(), counted(study.inputs.size(), "input"),
                     counted(study.shapes.size(), "shape"), counted(static_cast<std::size_t>(study.seeds), "seed"));
}

// What gates are made with, or why there are none.
struct Gates {
  std::optional<Synthesis> synthesis;
  std::string why;
};

Gates find_gates() {
  try {
    return {find_synthesis(), ""};
  } catch (const Error& e) {
    return {std::nullopt, e.message};
  }
}

double synthesis_seconds(const Machines& machines, const Synthesis& synthesis) {
  std::vector<const Plan*> plans;
  for (const auto& machine : machines) plans.push_back(&machine->plan);
  try {
    return synthesis_seconds(plans, synthesis);
  } catch (const Error&) {
    return 0;  // each point will say it
  }
}

// One point after the other would leave processors idle: a synthesis is one process.
void add_costs(const Machines& machines, const Gates& gates, int threads, const Console& console, StudyResult& result) {
  Progress progress(console, machines.size(), "syntheses");
  std::mutex mutex;
  std::uint64_t done = 0;
  parallel(static_cast<int>(machines.size()), gates.synthesis ? threads : 1, [&](int i, int) {
    StudyPoint& point = result.points[static_cast<std::size_t>(i)];
    point.no_cost = gates.why;
    if (!gates.synthesis) return;
    try {
      const CostAnswer answer = cost_of(machines[static_cast<std::size_t>(i)]->plan, *gates.synthesis);
      point.cost = answer.cost;
      point.no_cost = answer.no_cost;
    } catch (const Error& e) {
      point.no_cost = e.message;
    }
    const std::lock_guard<std::mutex> lock(mutex);
    progress.at(++done);
  });
}

void show(const StudyResult& result, const std::string& folder, std::ostream& out) {
  if (result.rows.size() <= most_rows_shown) {
    out << result_table(result) << "\n";
    if (const std::string costs = cost_table(result); !costs.empty()) out << costs << "\n";
  } else {
    out << fmt::format("{} rows are in {}/table.csv.\n\n", result.rows.size(), folder);
  }
  if (const std::string budgets = budget_table(result); !budgets.empty()) out << budgets << "\n";
  if (!result.findings.empty()) out << findings_text(result) << "\n";
  out << fmt::format(
      "Open {0}/report.html; {0}/ has its plots as SVG, table.csv, result.json and study.yaml as well.\n", folder);
}

int explore(const Options& options, const Console& console) {
  // A write beyond the limit on a file's size then fails, and says so.
  std::signal(SIGXFSZ, SIG_IGN);
  const Catalogue catalogue = shipped_catalogue();
  Study study = read_study(study_file(catalogue, options.study), catalogue);
  if (options.seeds != 0) study.seeds = options.seeds;
  if (options.budget != 0) study.budget = options.budget;
  const int threads = options.threads.count();
  const double most_seconds = 60 * options.limit * threads;
  const Machines machines = machines_of(study, catalogue, most_seconds);
  check_expectations(study, result_of(study, machines, Samples(study, machines), ASSAY_VERSION));
  Effort effort = measured_effort(study, machines);
  refuse_longer(study, effort, most_seconds);
  if (study.budget != 0) effort.seconds += budget_seconds(study, machines, study.budget);
  refuse_longer(study, effort, most_seconds);
  const Gates gates = study.cost ? find_gates() : Gates{};
  if (gates.synthesis) effort.seconds += synthesis_seconds(machines, *gates.synthesis);
  refuse_longer(study, effort, most_seconds);
  if (!options.json) console.out << heading(study, effort) << std::flush;
  const std::string folder = options.out.empty() ? "explore-" + study.name : options.out;
  StudyResult result;
  {
    Progress progress(console, static_cast<std::uint64_t>(effort.macs / 1e6), "million multiply-accumulates");
    const RunPlace place{folder, threads, [&](double macs) { progress.at(static_cast<std::uint64_t>(macs / 1e6)); }};
    result = result_of(study, machines, run_study(study, machines, place), ASSAY_VERSION);
  }
  if (study.cost) add_costs(machines, gates, threads, console, result);
  if (study.budget != 0) {
    Progress progress(console, machines.size() * study.inputs.size() * study.shapes.size(), "rows' errors");
    result.budgets = budgets_of(study, machines, study.budget, threads, [&](std::uint64_t done) { progress.at(done); });
  }
  const Findings findings = findings_of(study, result);
  result.findings = findings.list;
  write_study_folder(folder, result);
  if (options.json) {
    console.out << result_json(result);
  } else {
    show(result, folder, console.out);
  }
  return findings.missed == 0 ? passed : mismatch;
}

}  // namespace

void add_explore(Command app, const Console& console, int& status) {
  auto options = std::make_shared<Options>();
  Command command = app.add_subcommand("explore", "Holds datapaths of many widths against exact sums.");
  command.footer("Example:  assay explore width --seeds 2");
  command.add_option("STUDY", options->study, "A study file, or the name of one in configs/study").required();
  command.add_option("--out", options->out,
                     "The folder for the results (default: explore-NAME); what it has is not run again");
  options->threads.add(command);
  add_number(command, "--seeds", options->seeds, {1, 10'000}, "So many seeds, whatever the study says");
  add_number(command, "--budget", options->budget, {1, most_attributed},
             "Attribute the errors of so many elements of each row to the places that made them");
  add_number(command, "--limit", options->limit, {0.001, 1e6}, "Minutes that a study may be estimated to take")
      .shows_default();
  command.add_flag("--json", options->json, "The same as JSON");
  command.callback([options, &console, &status] { status = explore(*options, console); });
}

}  // namespace assay
