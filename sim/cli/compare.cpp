// assay compare: two devices over generated cases, stage by stage where both can; or several architectures over one
// matrix product.
#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <ostream>
#include <set>

#include "model/base/output_file.hpp"
#include "model/base/text.hpp"
#include "sim/cli/device_option.hpp"
#include "sim/cli/gemm_compare.hpp"
#include "sim/cli/generate_option.hpp"
#include "sim/cli/verdict.hpp"
#include "sim/program/number_option.hpp"
#include "tb/devices/chain.hpp"
#include "tb/devices/kinds/kinds.hpp"
#include "tb/devices/rtl/wave_file.hpp"
#include "tb/prove/report.hpp"
#include "tb/run/chain_cases.hpp"
#include "tb/run/comparison_text.hpp"
#include "tb/run/generated_cases.hpp"
#include "tb/run/sign_off.hpp"

namespace assay {
namespace {

constexpr std::uint64_t longest_range = 1'000'000;  // in a range of --case

struct Options {
  SubjectOptions subject;
  std::string reference = "model";
  std::string device;
  GenerateOptions generate;
  std::string only;  // the cases of --case, as written
  VerdictOptions verdict;
  std::string sheet, proof, wave;
  int processes = 1;
  GemmOptions gemm;
  bool seed_given = false;
};

std::uint64_t case_number(std::string_view text, const std::string& all) {
  if (const auto number = whole_number(std::string(text))) return *number;
  throw Error{fmt::format("--case takes numbers of cases, such as 41, or 40,41 or 17-41; found '{}'.", all)};
}

// "41", "40,41", "17-40,41"; from the last to the first: "41-17"
std::vector<CaseRange> case_ranges(const std::string& text) {
  std::vector<CaseRange> ranges;
  for (std::size_t from = 0; from <= text.size();) {
    const std::size_t end = std::min(text.find(',', from), text.size());
    const std::string_view word = std::string_view(text).substr(from, end - from);
    const std::size_t dash = std::min(word.find('-'), word.size());
    const std::uint64_t first = case_number(word.substr(0, dash), text);
    const std::uint64_t last = dash == word.size() ? first : case_number(word.substr(dash + 1), text);
    const CaseRange range{std::min(first, last), std::max(first, last) - std::min(first, last) + 1, last < first};
    if (range.count == 0 || range.count > longest_range)
      throw Error{
          fmt::format("--case {}: from {} to {} are more than {} cases.", text, first, last, grouped(longest_range))};
    ranges.push_back(range);
    from = end + 1;
  }
  return ranges;
}

// Devices opened for one instruction.
struct Opened {
  Opened(const Options& options, const Catalogue& catalogue, const Subject& subject, const Console& console)
      : reference(open_device(options.reference, subject, catalogue, console.err)),
        wave(options.wave),
        device(open_device(options.device, subject, catalogue, console.err, wave.written(), options.processes)) {
    if (!options.gemm.gemm.empty()) {
      reference = chained(std::move(reference), subject.plan);
      device = chained(std::move(device), subject.plan);
    }
  }

  std::unique_ptr<Device> reference;
  WaveFile wave;
  std::unique_ptr<Device> device;
};

// Of several instructions each is compared, though an earlier one cannot be.
class Comparisons {
 public:
  Comparisons(const Options& options, const Console& console)
      : options_(options),
        console_(console),
        catalogue_(shipped_catalogue()),
        subjects_(subjects_for(options.subject, options.device, catalogue_, console)) {}

  int run() {
    for (const Subject& subject : subjects_) names_.push_back(subject.name);
    if (subjects_.size() > 1) announce();
    for (const Subject& subject : subjects_) findings_.push_back(subjects_.size() > 1 ? one_of(subject) : one(subject));
    if (options_.verdict.json) {
      show_json(json(), console_);
    } else if (subjects_.size() > 1) {
      console_.out << findings_table("instruction", names_, findings_);
    }
    write_junit(options_.verdict, "compare", findings_);
    write_page(options_.verdict, "compare", findings_);
    if (!options_.sheet.empty()) write_whole_file(options_.sheet, sheets_);
    return worst(findings_);
  }

 private:
  void announce() {
    if (!options_.wave.empty()) {
      throw Error{fmt::format(
          "{} claims {} instructions, and --wave shows the signals of one; name it with --instruction or --datapath.",
          options_.device, names_.size())};
    }
    console_.err << fmt::format("assay: {} claims {} instructions; each is compared in turn: {}\n", options_.device,
                                names_.size(), fmt::join(names_, ", "));
  }

  Finding one(const Subject& subject) {
    const std::string proof =
        options_.proof.empty() ? "" : proof_in_file(options_.proof, options_.device, subject, &console_.err);
    Opened devices(options_, catalogue_, subject, console_);
    // Only the model says what a word of the datapath does.
    const Explained explained = options_.reference == "model" ? Explained::device : Explained::nobody;
    const RunOptions run = options_.verdict.run_options(subject, explained, catalogue_);
    const auto cases = source(subject);
    const Party reference{options_.reference, *devices.reference}, device{options_.device, *devices.device};
    CaseQuality quality = options_.verdict.asked_quality(subject);
    Comparison found = watched(*cases, run, quality, console_, [&](const RunOptions& watched_run) {
      return compare(subject, reference, device, *cases, watched_run);
    });
    if (chains() && !found.scoreboard.failures().empty())
      found.explanation.push_back(
          first_step(subject, reference, device, found.scoreboard.failures().front().given, run));
    const std::string wave = devices.wave.written();
    devices.wave.finish();
    std::vector<DeviceFact> facts;
    if (!options_.sheet.empty() || !options_.verdict.html.empty())
      facts = sheet_facts({options_.device, options_.reference}, subject, vectors(subject), quality, catalogue_,
                          console_, wave);
    if (!proof.empty()) facts.emplace_back("proof", proof);
    Finding finding = show_finding(found, subject, quality, facts, options_.verdict, console_);
    if (!options_.sheet.empty()) add_sheet(sheet(found, subject, facts));
    return finding;
  }

  bool chains() const { return !options_.gemm.gemm.empty(); }

  ChainChoice chain() const {
    const auto extents = extents_of(options_.gemm.gemm);
    if (!extents) throw Error{fmt::format("--gemm with --device takes MxNxK; found '{}'.", options_.gemm.gemm)};
    return {*extents, options_.generate.seed, options_.generate.family};
  }

  std::unique_ptr<CaseSource> source(const Subject& subject) const {
    if (chains()) {
      check_chain(subject, chain().extents);
      return chain_cases(subject.plan, chain());
    }
    const GenerateOptions& from = options_.generate;
    Generator generator = from.open(subject.plan);
    GeneratedChoice choice{from.seed, from.family, {}, options_.only};
    if (options_.only.empty()) {
      const CaseRange range = from.shard().in_turn(from.total());
      choice.ranges = {range};
      const char* order = range.backward ? ", the last one first" : "";
      if (!options_.verdict.json) console_.err << "assay: " << from.text(generator) << order << std::endl;
    } else {
      choice.ranges = case_ranges(options_.only);
    }
    return generated_cases(std::move(generator), std::move(choice));
  }

  std::string vectors(const Subject& subject) const {
    const GenerateOptions& from = options_.generate;
    if (chains()) return fmt::format("a product of {}, seed {}", options_.gemm.gemm, from.seed);
    if (!options_.only.empty()) return fmt::format("case {} of seed {}", options_.only, from.seed);
    return "generated: " + from.text(from.open(subject.plan));
  }

  static std::string sheet(const Comparison& found, const Subject& subject, const std::vector<DeviceFact>& facts) {
    SignOff sheet = sheet_of(found, subject);
    sheet.facts.insert(sheet.facts.end(), facts.begin(), facts.end());
    return sign_off_text(sheet, found.scoreboard.summary());
  }

  void add_sheet(const std::string& text) { sheets_ += (sheets_.empty() ? "" : "\n") + text; }

  Finding one_of(const Subject& subject) {
    if (!findings_.empty() && !options_.verdict.json) console_.out << "\n";
    try {
      return one(subject);
    } catch (const Error& e) {
      return failed(subject, e.message, exit_status(e.ending));
    }
  }

  Finding failed(const Subject& subject, const std::string& message, int status) {
    if (!options_.sheet.empty()) add_sheet(not_compared_text(subject.name, message));
    return not_compared(subject.name, message, status, console_);
  }

  nlohmann::json json() const {
    nlohmann::json report = findings_json();
    add_host_units(report, {options_.reference, options_.device});
    return report;
  }

  nlohmann::json findings_json() const {
    if (findings_.size() == 1) return findings_.front().json;
    nlohmann::json all = nlohmann::json::array();
    for (std::size_t i = 0; i < findings_.size(); ++i) {
      all.push_back(findings_[i].json);
      all.back()["subject"] = names_[i];
    }
    return {{"comparisons", all}, {"status", worst(findings_)}};
  }

  const Options& options_;
  const Console& console_;
  Catalogue catalogue_;
  std::vector<Subject> subjects_;
  std::vector<std::string> names_;
  std::vector<Finding> findings_;
  std::string sheets_;
};

int compare(const Options& options, const Console& console) {
  if (!options.gemm.gemm.empty() && options.device.empty()) {
    return compare_gemm({options.gemm, options.generate.seed, options.generate.family, options.seed_given,
                         options.verdict.json, options.verdict.html, options.verdict.threads.count()},
                        console);
  }
  if (options.device.empty()) {
    throw Error{"Say what to compare: --device DEVICE, or --gemm MxNxK with --architectures."};
  }
  return Comparisons(options, console).run();
}

// A matrix product takes its seed and family from where generated cases do, and nothing else of theirs. On several
// architectures it has no device; on a device it has no architectures.
void exclude_from(CommandOption gemm, const Command& command) {
  const std::set<std::string> generated{"--level", "--cases", "--shard", "--case", "--wave"};
  const std::set<std::string> of_both{"--help", "--gemm", "--seed", "--family", "--json", "--html", "--threads"};
  const std::set<std::string> of_several{"--formats", "--architectures"};
  for (const CommandOption& option : command.options()) {
    const std::string name = option.name();
    if (generated.count(name) != 0) {
      gemm.excludes(option);
      continue;
    }
    if (of_both.count(name) != 0 || of_several.count(name) != 0) continue;
    for (const std::string& other : of_several) command.option(other).excludes(option);
  }
}

}  // namespace

void add_compare(Command app, const Console& console, int& status) {
  auto options = std::make_shared<Options>();
  Command command = app.add_subcommand("compare",
                                       "Holds a device to a reference over generated cases, stage by stage where "
                                       "both can; or architectures to each other "
                                       "over one matrix product.");
  command.footer(
      "Example:  assay compare --reference model --device rtl:configs/dut/fused_f25_f16.yaml \\\n"
      "                        --instruction hopper:wgmma.m64nNk16.f32.f16.f16 --cases 100000\n"
      "          assay compare --gemm 256x256x1024 --formats f16 --architectures hopper,ampere,cdna3 --html heat.html");
  options->subject.add(command);
  command.add_option("--reference", options->reference, device_forms()).shows_default();
  command.add_option("--device", options->device, device_forms());
  options->generate.add(command);
  CommandOption one =
      command.add_option("--case", options->only, "Only this case; or these, in this order: 40,41 or 17-41 or 41-17");
  for (const char* how_many : {"--level", "--cases", "--shard"}) one.excludes(command.option(how_many));
  options->verdict.add(command);
  command.add_option("--sheet", options->sheet, "Writes a sheet to sign, in Markdown, to this file");
  command
      .add_option("--proof", options->proof,
                  "What `assay prove --json` wrote of rtl:DUT.yaml, for a line of the sheet (docs/prove.md)")
      .needs(command.option("--sheet"));
  command.add_option("--wave", options->wave, "Writes all signals of rtl:DUT.yaml during that case to this FST file")
      .needs(one);
  add_number(command, "--processes", options->processes, {1, 256},
             "In so many processes rtl:DUT.yaml answers, each its part of the cases")
      .shows_default();
  CommandOption gemm = options->gemm.add(command);
  exclude_from(gemm, command);
  command.callback([options, seed = command.option("--seed"), &console, &status] {
    options->seed_given = seed.is_given();
    status = compare(*options, console);
  });
}

}  // namespace assay
