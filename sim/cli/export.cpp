// assay export: what testbenches, scripts and tools that prove read: the cases of a vector file, or the model itself.
#include <ostream>

#include "model/base/output_file.hpp"
#include "sim/cli/export_model.hpp"
#include "sim/cli/export_option.hpp"
#include "sim/cli/progress.hpp"
#include "tb/vectors/reader.hpp"

namespace assay {
namespace {

constexpr std::uint64_t often = 1024;  // cases from one look at the clock to the next

struct Options {
  std::string input, output, name;
  ExportOptions format;
  SubjectOptions subject;
  bool whole = false;

  bool of_model() const { return !subject.instruction.empty() || !subject.datapath.empty(); }
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

void export_model(const Options& options, const Console& console) {
  const std::string text =
      exported_model(options.subject.open(shipped_catalogue()), {options.format.to, options.name, options.whole});
  if (options.output.empty() || options.output == "-") {
    console.out << text;
    return;
  }
  write_whole_file(options.output, text);
}

void check(const Options& options) {
  if (options.of_model()) {
    if (!options.input.empty())
      throw Error{"Say what to export: the cases of FILE, or the model of --instruction or --datapath; not both."};
    if (options.format.module != ExportOptions::default_module)
      throw Error{"--module names what a testbench drives, and a model has none; --name names what it declares."};
    return;
  }
  if (options.input.empty())
    throw Error{"Say what to export: a vector FILE for its cases, or --instruction or --datapath for the model of it."};
  if (options.output.empty()) throw Error{"An export of cases is a folder; name a new one with -o."};
  if (!options.name.empty())
    throw Error{"--name is of a model, which --instruction or --datapath asks for; --module names what tb.sv drives."};
  if (options.whole) throw Error{"--whole is of a model, which --instruction asks for; cases are dot products."};
}

}  // namespace

void add_export(Command app, const Console& console, int&) {
  auto options = std::make_shared<Options>();
  Command command = app.add_subcommand(
      "export",
      "Writes the cases of a vector file as another format, in a folder; or the model of a unit as source text.");
  command.footer(
      "Examples:  assay export results.jsonl --to npz -o results\n"
      "           assay export --instruction hopper:wgmma.m64nNk16.f32.f16.f16 --to c -o dot.h\n"
      "Of a model --to is:" +
      model_format_texts());
  command.add_option("FILE", options->input, "A vector file; - is standard input");
  options->subject.add(command);
  options->format.add(command);
  command.option("--to").required();
  command.add_option("--name", options->name,
                     "What a model declares: the package, or the namespace of C++ and the guard; made of the "
                     "datapath's name if not said");
  command.add_flag("--whole", options->whole,
                   "Also a function of the whole instruction, from the registers of its operands to those of D; in C "
                   "and C++");
  command.add_option("-o,--output", options->output,
                     "The new folder; of a model the file, standard output if not said");
  command.callback([options, &console] {
    check(*options);
    options->of_model() ? export_model(*options, console) : export_file(*options, console);
  });
}

}  // namespace assay
