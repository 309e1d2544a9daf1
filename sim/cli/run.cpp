// assay run: fills in d for each case of a vector file.
#include <fmt/chrono.h>
#include <fmt/format.h>

#include <ctime>
#include <ostream>

#include "sim/cli/progress.hpp"
#include "sim/cli/subject.hpp"
#include "tb/devices/host/finding.hpp"
#include "tb/devices/kinds/kinds.hpp"
#include "tb/run/fill_in.hpp"
#include "tb/vectors/reader.hpp"
#include "tb/vectors/writer.hpp"

namespace assay {
namespace {

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

// The bar is gone when it returns.
Tally filled_in(VectorReader& reader, const Plan& plan, Device& device, VectorWriter& writer, const Console& console) {
  Progress progress(console, reader.header().cases.value_or(0));
  return fill_in(reader, plan, device, writer, [&](std::uint64_t done) { progress.at(done); });
}

void run_file(const Options& options, const Console& console) {
  const Catalogue catalogue = shipped_catalogue();
  VectorReader reader(options.file);
  const Subject subject = subject_of_header(catalogue, reader.header(), options.file);
  warn(subject.warning, console);
  const std::unique_ptr<Device> device = open_device(options.device, subject, catalogue, console.err);
  VectorHeader header = subject.header;
  header.pad = false;  // written in full
  put_provenance(header.provenance, device->name());
  VectorWriter writer(options.output, header, case_shape(subject.plan));
  const Tally tally = filled_in(reader, subject.plan, *device, writer, console);
  warn(tally.warning(), console);
}

}  // namespace

void add_run(Command app, const Console& console, int&) {
  auto options = std::make_shared<Options>();
  Command command = app.add_subcommand("run", "Fills in d for each case of a vector file.");
  command.footer("Example:  assay run cases.jsonl -o results.jsonl.zst");
  command.add_option("FILE", options->file, "A vector file; - is standard input").required();
  command
      .add_option("-o,--output", options->output,
                  "Where the result goes: .jsonl, .jsonl.gz, .jsonl.zst, or - for standard output")
      .shows_default();
  command.add_option("--device", options->device, device_forms()).shows_default();
  command.callback([options, &console] { run_file(*options, console); });
}

}  // namespace assay
