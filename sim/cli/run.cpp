// assay run: fills in d for each case of a vector file.
#include <fmt/chrono.h>
#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <ctime>
#include <ostream>

#include "sim/cli/device_option.hpp"
#include "sim/cli/dut_claim.hpp"
#include "sim/cli/host_finding.hpp"
#include "sim/cli/progress.hpp"
#include "sim/cli/subject.hpp"
#include "sim/cli/tally.hpp"
#include "tb/devices/chain.hpp"
#include "tb/vectors/print.hpp"
#include "tb/vectors/reader.hpp"
#include "tb/vectors/writer.hpp"

namespace assay {
namespace {

constexpr std::size_t batch = 1024;

struct Options {
  std::string file;
  std::string output = "-";
  std::string device = "model";
};

// Who computed d; of silicon also which part, and when.
void put_provenance(std::vector<HeaderMember>& provenance, const std::string& device) {
  put_member(provenance, "device", device);
  if (const HostUnit* unit = host_unit_of(device)) {
    put_part(provenance, look_for(*unit), processor_name(),
             fmt::format("{:%Y-%m-%d}", fmt::gmtime(std::time(nullptr))));
  }
}

void run_file(const Options& options, const Console& console) {
  const Catalogue catalogue = shipped_catalogue();
  VectorReader reader(options.file);
  const Subject subject = subject_of_header(catalogue, reader.header(), options.file);
  warn(subject.warning, console);
  const std::unique_ptr<Device> device = open_device(options.device, subject, catalogue, console);
  const CaseShape shape = case_shape(subject.plan, reader.header().pad);
  VectorHeader header = subject.header;
  header.pad = false;  // written in full
  put_provenance(header.provenance, device->name());
  VectorWriter writer(options.output, header, case_shape(subject.plan));
  Progress progress(console, header.cases.value_or(0));
  Tally tally(subject.plan);
  std::uint64_t done = 0;

  for (std::vector<Case> cases; reader.next(shape, batch, cases);) {
    const std::vector<Answer> answers = run_chained(*device, subject.plan, cases);
    for (std::size_t i = 0; i < cases.size(); ++i) {
      if (!answers[i].ok())
        throw DeviceError{fmt::format("{}, {}: {}", options.file, case_name(cases[i]), answers[i].error),
                          Ending::mismatch};
      cases[i].d = answers[i].d;
      tally.see(answers[i].d);
      writer.write(cases[i]);
    }
    progress.at(done += cases.size());
  }
  if (const std::string wrong = device->close(); !wrong.empty()) throw DeviceError{wrong, Ending::mismatch};
  writer.finish();
  tally.remark(console);
}

}  // namespace

void add_run(CLI::App& app, const Console& console, int&) {
  auto options = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand("run", "Fills in d for each case of a vector file.");
  command->footer("Example:  assay run cases.jsonl -o results.jsonl.zst");
  command->add_option("FILE", options->file, "A vector file; - is standard input")->required();
  command
      ->add_option("-o,--output", options->output,
                   "Where the result goes: .jsonl, .jsonl.gz, .jsonl.zst, or - for standard output")
      ->capture_default_str();
  command->add_option("--device", options->device, device_help)->capture_default_str();
  command->callback([options, &console] { run_file(*options, console); });
}

}  // namespace assay
