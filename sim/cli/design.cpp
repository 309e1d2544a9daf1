// assay design: the cheapest unit that is good enough.
#include "tb/design/design.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <csignal>
#include <filesystem>
#include <limits>
#include <ostream>
#include <sstream>

#include "model/base/output_file.hpp"
#include "sim/cli/command.hpp"
#include "sim/cli/progress.hpp"
#include "sim/cli/threads_option.hpp"
#include "tb/devices/rtl/export_dut.hpp"
#include "tb/devices/rtl/export_sv.hpp"

namespace assay {
namespace {

struct Options {
  std::string spec;
  design::SearchAllowance effort;
  ThreadsOption threads;
  double trials = 10;    // per cent
  double syntheses = 0;  // per cent; 0: what the search takes by itself
  std::string out;
  int take = 0;  // 0: none
  bool json = false;
};

// --- a unit that is taken ---

struct TakenStep {
  const char* file;  // what the command prints goes there
  std::vector<std::string> command;
};

// What anybody would type next, each into a file beside the unit.
std::vector<TakenStep> steps_in(const std::string& folder) {
  const std::string datapath = folder + "/datapath.yaml", dut = folder + "/dut.yaml";
  return {{"generated.txt", {"generate", "--datapath", datapath, "--with-results", "-o", folder + "/vectors.jsonl"}},
          {"compared.txt",
           {"compare", "--reference", "model", "--device", "rtl:" + dut, "--datapath", datapath, "--sheet",
            folder + "/sheet.md"}},
          {"checked.txt", {"check", folder + "/vectors.jsonl", "--device", "rtl:" + dut}},
          {"proof.txt", {"prove", dut, "--seconds", "60"}},
          {"guarantee.txt", {"guarantee", "--datapath", datapath}}};
}

// The datapath, its wiring, its DUT file, vectors, and what was found of it. A proof that is open is no failure; the
// file says so.
int take(const design::FinishedDesign& d, int number, const Console& console) {
  if (number > static_cast<int>(d.answer.chosen.size()))
    throw Error{fmt::format("--take {}: the answer has {} units.", number, d.answer.chosen.size())};
  const auto point = static_cast<std::size_t>(d.answer.chosen[static_cast<std::size_t>(number - 1)].point);
  const Plan& plan = d.space.machines[point]->plan;
  const std::string folder = fmt::format("{}/unit-{}", d.folder, number);
  std::filesystem::create_directories(folder);
  std::filesystem::copy_file(fmt::format("{}/front/{}.yaml", d.folder, number), folder + "/datapath.yaml",
                             std::filesystem::copy_options::overwrite_existing);
  write_whole_file(folder + "/unit.sv", export_sv(plan, "unit"));
  write_whole_file(folder + "/dut.yaml", export_dut(plan, {"datapath: datapath.yaml", "unit.sv", "unit"}));
  int status = passed;
  for (const TakenStep& step : steps_in(folder)) {
    std::ostringstream said;
    const int ended = run_assay(step.command, {said, said, false, console.terminal});
    write_whole_file(folder + "/" + step.file, said.str());
    console.err << fmt::format("assay: {} ended with status {}; {}/{} has what it said.\n", step.command.front(), ended,
                               folder, step.file);
    const bool is_open = step.command.front() == "prove" && ended == nothing_compared;
    if (ended != passed && !is_open) status = std::max(status, ended);
  }
  return status;
}

// Each sentence, and how far the search is with what the last one says.
class Told {
 public:
  explicit Told(const Console& console) : console_(console) {}

  design::SearchReport report() {
    return {[this](const std::string& sentence) { say(sentence); },
            [this](std::uint64_t done, std::uint64_t total, const char* what) { at(done, total, what); }};
  }

 private:
  void say(const std::string& sentence) {
    progress_.reset();
    console_.err << "assay: " << sentence << (sentence.back() == '\n' ? "" : "\n") << std::flush;
  }
  void at(std::uint64_t done, std::uint64_t total, const char* what) {
    if (!progress_ || done == 0) progress_.emplace(console_, total, what);
    progress_->at(done);
  }

  const Console& console_;
  std::optional<Progress> progress_;
};

int run(const Options& options, const Console& console) {
  std::signal(SIGXFSZ, SIG_IGN);  // a write beyond the limit on a file's size then fails, and says so
  const Catalogue catalogue = shipped_catalogue();
  design::SearchAllowance effort = options.effort;
  effort.threads = options.threads.count();
  effort.trials = options.trials / 100;
  if (options.syntheses > 0) {
    effort.syntheses = options.syntheses / 100;
    effort.most_syntheses = std::numeric_limits<std::size_t>::max();
  }
  const design::FinishedDesign d = [&] {
    Told told(console);
    return design::design(options.spec, catalogue, {options.out, ASSAY_VERSION}, effort, told.report());
  }();
  if (options.json) {
    console.out << design::answer_json(d.spec, d.space, d.found, d.answer, ASSAY_VERSION);
  } else {
    console.out << d.spec.study.title << "\n" << design::answer_text(d.spec, d.space, d.found, d.answer);
    if (!d.answer.chosen.empty())
      console.out << fmt::format("\n{0}/ has report.html, front/1.yaml and so on, points.csv and answer.json.\n",
                                 d.folder);
  }
  if (d.answer.chosen.empty()) return mismatch;
  return options.take == 0 ? passed : take(d, options.take, console);
}

}  // namespace

void add_design(Command app, const Console& console, int& status) {
  auto options = std::make_shared<Options>();
  Command command = app.add_subcommand("design", "Looks for the cheapest unit that is good enough.");
  command.footer("Exit status 1: no point that was tried meets all limits.\n\nExample:  assay design spec.yaml");
  command.add_option("SPEC", options->spec, "What is fixed, what may vary, what must hold, what is wanted small")
      .required();
  command.add_option("--out", options->out,
                     "The folder for the results (default: design-NAME); what it has is not run again");
  options->threads.add(command);
  add_number(command, "--syntheses", options->syntheses, {0.001, 100},
             "Per cent of all wirings that may be synthesised, at least 16 (default: 10, at most 200 wirings)");
  add_number(command, "--trials", options->trials, {0.001, 100},
             "Per cent of all points' seeds that may be run, at least twice the first two of each")
      .shows_default();
  add_number(command, "--take", options->take, {1, 100'000},
             "Write the unit of this number as SystemVerilog with vectors, and compare, check and prove it");
  command.add_flag("--exhaust", options->effort.exhaust,
                   "Every point on all seeds, and every wiring synthesised, but what a limit has ruled out");
  command.add_flag("--json", options->json, "The same as JSON");
  command.callback([options, &console, &status] { status = run(*options, console); });
}

}  // namespace assay
