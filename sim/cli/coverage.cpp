// assay coverage: what cases exercise of a datapath.
#include <fmt/format.h>

#include <filesystem>
#include <ostream>

#include "model/base/files.hpp"
#include "model/base/output_file.hpp"
#include "sim/cli/generate_option.hpp"
#include "sim/cli/progress.hpp"
#include "sim/cli/subject.hpp"
#include "sim/cli/threads_option.hpp"
#include "tb/coverage/coverage_files.hpp"
#include "tb/coverage/samplers.hpp"
#include "tb/coverage/text.hpp"
#include "tb/vectors/reader.hpp"

namespace assay {
namespace {

constexpr std::size_t batch = 1024;

struct Options {
  std::vector<std::string> files, merges;
  SubjectOptions subject;
  GenerateOptions generate;
  std::string output, dat;
  ThreadsOption threads;
  bool json = false, open = false, unreachable = false, all = false;

  bool generates() const { return !subject.instruction.empty() || !subject.datapath.empty(); }
};

Coverage named(Coverage coverage, const Subject& subject) {
  coverage.subject = subject.name;
  coverage.datapath_sha256 = subject.header.datapath_sha256;
  return coverage;
}

Coverage of_generated(const Options& options, const Console& console) {
  const Subject subject = options.subject.open(shipped_catalogue());
  const Generator generator = options.generate.open(subject.plan);
  const int threads = options.threads.count();
  Samplers samplers(subject.plan, threads);
  options.generate.each_batch(generator, threads, console,
                              [&](const std::vector<Case>& cases) { samplers.see(cases); });
  return named(samplers.coverage(), subject);
}

Coverage of_file(const std::string& file, int threads, const Console& console) {
  VectorReader reader(file);
  const Subject subject = subject_of_header(shipped_catalogue(), reader.header(), file);
  warn(subject.warning, console);
  const CaseShape shape = case_shape(subject.plan, reader.header().pad);
  Samplers samplers(subject.plan, threads);
  Progress progress(console, reader.header().cases.value_or(0));
  std::uint64_t done = 0;
  for (std::vector<Case> cases; reader.next(shape, batch, cases);) {
    samplers.see(cases);
    progress.at(done += cases.size());
  }
  return named(samplers.coverage(), subject);
}

Coverage of_coverage_file(const std::string& file) {
  return read_coverage_json(read_whole_file(file, 64, "a coverage file"), file);
}

// All that was asked for, as one.
class Collected {
 public:
  void add(const Coverage& coverage, const std::string& name) {
    if (!all_) {
      all_ = coverage;
    } else {
      merge_of_one_datapath(*all_, coverage, name);
    }
  }
  const Coverage& all() const { return *all_; }

 private:
  std::optional<Coverage> all_;
};

// One run counts once.
void check_each_once(const std::vector<std::string>& files) {
  for (std::size_t i = 0; i < files.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      std::error_code unreachable;
      if (std::filesystem::equivalent(files[i], files[j], unreachable))
        throw Error{fmt::format("--merge takes each file once; {} and {} are one.", files[j], files[i])};
    }
  }
}

Coverage collected(const Options& options, const Console& console) {
  check_each_once(options.merges);
  if (options.generates() && !options.files.empty())
    throw Error{"Vector files say what they are of: leave out --instruction and --datapath, or the files."};
  if (!options.generates() && options.files.empty() && options.merges.empty()) {
    throw Error{
        "Say what to cover: vector files, --instruction ARCHITECTURE:INSTRUCTION or --datapath FILE for generated "
        "cases, or --merge FILE.json."};
  }
  Collected sum;
  if (options.generates()) sum.add(of_generated(options, console), "The generated cases");
  for (const std::string& file : options.files) sum.add(of_file(file, options.threads.count(), console), file);
  for (const std::string& file : options.merges) sum.add(of_coverage_file(file), file);
  return sum.all();
}

void write_dat(const std::string& path, const Coverage& coverage) {
  write_whole_file(path, verilator_dat(coverage));
  const std::filesystem::path bins = std::filesystem::path(path).parent_path() / bins_file_name(coverage);
  write_whole_file(bins.string(), bins_file_text(coverage));
}

void show(const Options& options, const Coverage& coverage, const Console& console) {
  if (options.json) {
    console.out << coverage_json(coverage);
    return;
  }
  console.out << coverage_table(coverage);
  if (options.open) console.out << open_bins(coverage);
  if (options.unreachable) console.out << unreachable_bins(coverage);
  if (options.all) console.out << all_bins(coverage);
}

int cover(const Options& options, const Console& console) {
  const Coverage coverage = collected(options, console);
  if (!options.output.empty()) write_whole_file(options.output, coverage_json(coverage));
  if (!options.dat.empty()) write_dat(options.dat, coverage);
  show(options, coverage, console);
  for (const std::string& bin : coverage.contradictions())
    console.err << "assay: internal error: a bin said to be out of reach was hit: " << bin << "\n";
  if (!coverage.contradictions().empty()) return mismatch;
  if (coverage.cases > 0) return passed;
  console.err << "assay: Nothing was covered: there were no cases.\n";
  return nothing_compared;
}

}  // namespace

void add_coverage(Command app, const Console& console, int& status) {
  auto options = std::make_shared<Options>();
  Command command = app.add_subcommand("coverage", "Says what cases exercise of a datapath, and what they leave out.");
  command.footer("Example:  assay coverage --instruction hopper:wgmma.m64nNk16.f32.f16.f16 --open");
  CommandOption files =
      command.add_option("FILE", options->files, "Vector files, for what they exercise; - is standard input");
  options->subject.add(command);
  options->generate.add(command);
  GenerateOptions::exclude(command, files);
  command.add_option("--merge", options->merges, "Adds the files that -o wrote in other runs of the same datapath");
  command.add_option("-o,--output", options->output, "Writes all bins and counts to this file, as JSON");
  command.add_option("--dat", options->dat, "Writes them to this file for verilator_coverage, and its bins beside it");
  command.add_flag("--open", options->open, "Lists the bins that were not hit, and might be");
  command.add_flag("--unreachable", options->unreachable, "Lists the bins that no case can hit, and why");
  command.add_flag("--all", options->all, "Lists every bin with its count");
  options->threads.add(command);
  command.add_flag("--json", options->json, "All bins and counts, as JSON");
  command.callback([options, &console, &status] { status = cover(*options, console); });
}

}  // namespace assay
