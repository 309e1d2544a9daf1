// assay export: a vector file as what testbenches and scripts read; assay import: back again.
#include "sim/cli/export_option.hpp"

#include <CLI/CLI.hpp>
#include "sim/cli/progress.hpp"
#include "tb/export/import.hpp"
#include "tb/vectors/reader.hpp"
#include "tb/vectors/writer.hpp"

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
}

void import_folder(const Options& options, const Console& console) {
  ExportReader reader(options.input);
  const Subject subject = subject_of_header(shipped_catalogue(), reader.header(), reader.name());
  warn(subject.warning, console);
  reader.open(subject.plan);
  VectorWriter writer(options.output, reader.header(), case_shape(subject.plan));
  Progress progress(console, *reader.header().cases);
  Case c;
  for (std::uint64_t done = 0; reader.next(c); ++done) {
    writer.write(c);
    if (done % often == 0) progress.at(done);
  }
  writer.finish();
}

}  // namespace

void add_export(CLI::App& app, const Console& console, int&) {
  auto options = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand("export", "Writes the cases of a vector file as another format, in a folder.");
  command->footer("Example:  assay export results.jsonl --to npz -o results");
  command->add_option("FILE", options->input, "A vector file; - is standard input")->required();
  options->format.add(*command);
  command->get_option("--to")->required();
  command->add_option("-o,--output", options->output, "The new folder")->required();
  command->callback([options, &console] { export_file(*options, console); });
}

void add_import(CLI::App& app, const Console& console, int&) {
  auto options = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand("import", "Reads an export back into a vector file.");
  command->footer("Example:  assay import results -o results.jsonl");
  command->add_option("EXPORT", options->input, "The folder that `assay export` wrote, or a file in it")->required();
  command
      ->add_option("-o,--output", options->output,
                   "Where the cases go: .jsonl, .jsonl.gz, .jsonl.zst, or - for standard output")
      ->default_val("-");
  command->callback([options, &console] { import_folder(*options, console); });
}

}  // namespace assay
