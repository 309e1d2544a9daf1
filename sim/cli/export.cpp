// assay export: a vector file as what testbenches and scripts read.
#include "sim/cli/export_option.hpp"

#include "sim/cli/progress.hpp"
#include "tb/vectors/reader.hpp"

namespace assay {
namespace {

constexpr std::uint64_t often = 1024;  // cases from one look at the clock to the next

struct Options {
  std::string input, output;
  ExportOptions format;
};

void export_file(const Options& options, const Console& console) {
  VectorReader reader(options.input);
  const Catalogue catalogue = shipped_catalogue();
  const Subject subject = subject_of_header(catalogue, reader.header(), options.input);
  warn(subject.warning, console);
  const CaseShape shape = case_shape(subject.plan, reader.header().pad);
  VectorHeader header = reader.header();
  header.pad = false;  // written in full
  const std::unique_ptr<CaseWriter> writer = options.format.open(options.output, header, subject, catalogue);
  Progress progress(console, header.cases.value_or(0));
  Case c;
  for (std::uint64_t done = 0; reader.next(shape, c); ++done) {
    writer->write(c);
    if (done % often == 0) progress.at(done);
  }
  writer->finish();
  ExportOptions::remark(*writer, console);
}

}  // namespace

void add_export(Command app, const Console& console, int&) {
  auto options = std::make_shared<Options>();
  Command command = app.add_subcommand("export", "Writes the cases of a vector file as another format, in a folder.");
  command.footer("Example:  assay export results.jsonl --to npz -o results");
  command.add_option("FILE", options->input, "A vector file; - is standard input").required();
  options->format.add(command);
  command.option("--to").required();
  command.add_option("-o,--output", options->output, "The new folder").required();
  command.callback([options, &console] { export_file(*options, console); });
}

}  // namespace assay
