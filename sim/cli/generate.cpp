// assay generate: cases for a device that reads vector files.
#include <fmt/format.h>

#include <memory>
#include <ostream>

#include "sim/cli/export_option.hpp"
#include "sim/cli/generate_option.hpp"
#include "sim/cli/progress.hpp"
#include "sim/cli/subject.hpp"
#include "sim/cli/threads_option.hpp"
#include "tb/run/comparison.hpp"
#include "tb/run/generated_file.hpp"
#include "tb/run/smallest.hpp"
#include "tb/vectors/print.hpp"
#include "tb/vectors/writer.hpp"

namespace assay {
namespace {

struct Options {
  SubjectOptions subject;
  GenerateOptions generate;
  ExportOptions format;
  std::string output = "-";
  bool with_results = false;
  bool minimise = false;
  ThreadsOption threads;
  std::string from;  // a vector file to minimise; empty: generated cases
};

GeneratedSet set_of(const Options& options) {
  const GenerateOptions& from = options.generate;
  return {from.seed, from.family, from.range(), from.shard().whole() ? "" : from.part, options.with_results};
}

void generate(const Options& options, const Console& console) {
  const Catalogue catalogue = shipped_catalogue();
  const Subject subject = options.subject.open(catalogue);
  const Generator generator = options.generate.open(subject.plan);
  const GeneratedSet set = set_of(options);
  if (options.output != "-") console.err << "assay: " << options.generate.text(generator) << "\n";
  const std::unique_ptr<CaseWriter> writer =
      options.format.open(options.output, header_of(set, subject), subject, catalogue);
  Progress progress(console, set.range.count);
  const Tally tally = write_generated(set, subject, generator, *writer,
                                      {options.threads.count(), [&](std::uint64_t done) { progress.at(done); }});
  ExportOptions::remark(*writer, console);
  warn(tally.warning(), console);
}

void write_smallest(const SmallestSet& found, VectorHeader header, const Plan& plan, const Options& options,
                    const Console& console) {
  console.err << "assay: " << sentence(found) << ".\n";
  header.cases = found.kept.cases.size();
  // Each case says its own number.
  remove_member(header.provenance, "first_case");
  header.provenance.push_back({"minimised", json_string(sentence(found))});
  VectorWriter writer(options.output, header, case_shape(plan));
  Registers registers;
  for (Case c : found.kept.cases) {
    if (options.with_results) c.d = dot(plan, c.operand(), registers);
    writer.write(c);
  }
  writer.finish();
}

SmallestSet smallest(const Options& options, const Subject& subject, const Console& console) {
  const CaseRange range = options.generate.range();
  const Generator generator = options.generate.open(subject.plan);
  Progress progress(console, range.count);
  return smallest_of_generated(subject.plan, nan_rule_of(subject), generator, range,
                               [&](std::uint64_t seen) { progress.at(seen); });
}

SmallestSet smallest(VectorReader& reader, const Subject& subject, const Console& console) {
  Progress progress(console, reader.header().cases.value_or(0));
  return smallest_of_file(subject.plan, nan_rule_of(subject), reader, [&](std::uint64_t seen) { progress.at(seen); });
}

void minimise_generated(const Options& options, const Console& console) {
  const Subject subject = options.subject.open(shipped_catalogue());
  VectorHeader header = subject.header;
  header.provenance = provenance(set_of(options));
  write_smallest(smallest(options, subject, console), header, subject.plan, options, console);
}

void minimise_file(const Options& options, const Console& console) {
  VectorReader reader(options.from);
  const Subject subject = subject_of_header(shipped_catalogue(), reader.header(), options.from);
  warn(subject.warning, console);
  write_smallest(smallest(reader, subject, console), subject.header, subject.plan, options, console);
}

void write_fewest(const Options& options, const Console& console) {
  options.from.empty() ? minimise_generated(options, console) : minimise_file(options, console);
}

}  // namespace

void add_generate(Command app, const Console& console, int&) {
  auto options = std::make_shared<Options>();
  Command command = app.add_subcommand("generate", "Writes generated cases as a vector file, or as an export.");
  command.footer(
      "Example:  assay generate --instruction hopper:wgmma.m64nNk16.f32.f16.f16 | assay run - | assay check -");
  options->subject.add(command);
  options->generate.add(command);
  command
      .add_option("-o,--output", options->output,
                  "Where they go: .jsonl, .jsonl.gz, .jsonl.zst, or - for standard output; with --to a new folder")
      .shows_default();
  options->format.add(command);
  command.add_flag("--with-results", options->with_results, "With the model's d");
  options->threads.add(command);
  CommandOption minimise = command.add_flag("--minimise", options->minimise,
                                            "Only the fewest of them that kill the same mutants (docs/score.md)");
  minimise.excludes(command.option("--to")).excludes(command.option("--module"));
  CommandOption from =
      command.add_option("--from", options->from, "Minimises this vector file in place of generated cases");
  from.needs(minimise).excludes(command.option("--instruction")).excludes(command.option("--datapath"));
  GenerateOptions::exclude(command, from);
  command.callback(
      [options, &console] { options->minimise ? write_fewest(*options, console) : generate(*options, console); });
}

}  // namespace assay
