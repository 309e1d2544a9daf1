// assay conv: a convolution on tensor memory, in each form of the published description.
#include <ostream>

#include "sim/cli/command.hpp"
#include "sim/cli/progress.hpp"
#include "tb/machine/convolution_file.hpp"

namespace assay {
namespace {

struct Options {
  std::string file;
  bool lanes = false, json = false;
};

void run(const Options& options, const Console& console) {
  const machine::ConvolutionTask task = machine::read_convolution(options.file);
  const machine::ConvolutionReport report = [&] {
    Progress progress(console, rows_of(task), "rows of outputs");
    return run_convolution(task, shipped_catalogue(), [&](std::uint64_t done) { progress.at(done); });
  }();
  console.out << (options.json ? convolution_json(report) : convolution_text(report, options.lanes));
}

}  // namespace

void add_conv(Command app, const Console& console, int&) {
  auto options = std::make_shared<Options>();
  Command command = app.add_subcommand(
      "conv", "Runs a convolution on tensor memory: what each form of it fetches, and how exact it is.");
  command.footer("Example:  assay conv docs/examples/machine/worked.yaml --lanes");
  command.add_option("SHAPE", options->file, "A YAML file with its sizes and formats (docs/machine.md)").required();
  command.add_flag("--lanes", options->lanes, "Also which activation each lane of the first tile holds");
  command.add_flag("--json", options->json, "The same as JSON");
  command.callback([options, &console] { run(*options, console); });
}

}  // namespace assay
