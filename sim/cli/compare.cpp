// assay compare: two devices over generated cases, stage by stage where both can; or several architectures over one
// matrix product.
#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <nlohmann/json.hpp>
#include <ostream>
#include <set>

#include "model/base/output_file.hpp"
#include "model/config/digest.hpp"
#include "sim/cli/case_option.hpp"
#include "sim/cli/device_option.hpp"
#include "sim/cli/dut_claim.hpp"
#include "sim/cli/explanation.hpp"
#include "sim/cli/failing_case.hpp"
#include "sim/cli/gemm_compare.hpp"
#include "sim/cli/generate_option.hpp"
#include "sim/cli/host_finding.hpp"
#include "sim/cli/progress.hpp"
#include "sim/cli/sign_off.hpp"
#include "sim/cli/verdict.hpp"
#include "sim/cli/wave_file.hpp"
#include "sim/program/number_option.hpp"
#include "tb/devices/rtl/build.hpp"

namespace assay {
namespace {

constexpr std::uint64_t batch = 1024;
constexpr std::uint64_t longest_range = 1'000'000;  // in a range of --case

struct Options {
  SubjectOptions subject;
  std::string reference = "model";
  std::string device;
  GenerateOptions generate;
  std::string only;  // the cases of --case, as written
  VerdictOptions verdict;
  std::string sheet, wave;
  GemmOptions gemm;
  std::string html;
};

std::uint64_t case_number(std::string_view text, const std::string& all) {
  if (const auto number = whole_number(std::string(text))) return *number;
  throw ConfigError{fmt::format("--case takes numbers of cases, such as 41, or 40,41 or 17-41; found '{}'.", all)};
}

// "41", "40,41", "17-40,41"
std::vector<CaseRange> case_ranges(const std::string& text) {
  std::vector<CaseRange> ranges;
  for (std::size_t from = 0; from <= text.size();) {
    const std::size_t end = std::min(text.find(',', from), text.size());
    const std::string_view word = std::string_view(text).substr(from, end - from);
    const std::size_t dash = std::min(word.find('-'), word.size());
    const std::uint64_t first = case_number(word.substr(0, dash), text);
    const std::uint64_t last = dash == word.size() ? first : case_number(word.substr(dash + 1), text);
    if (last < first || last - first >= longest_range)
      throw ConfigError{fmt::format("--case {}: from {} to {} is no range of cases.", text, first, last)};
    ranges.push_back({first, last - first + 1});
    from = end + 1;
  }
  return ranges;
}

std::string case_text(CaseRange r) {
  return r.count == 1 ? std::to_string(r.first) : fmt::format("{}-{}", r.first, r.first + r.count - 1);
}

class Comparison {
 public:
  Comparison(const Options& options, const Console& console, const Catalogue& catalogue, const Subject& subject)
      : options_(options),
        console_(console),
        catalogue_(catalogue),
        subject_(subject),
        reference_(open_device(options.reference, subject_, catalogue_, console)),
        wave_(options.wave),
        device_(options.wave.empty() ? open_device(options.device, subject_, catalogue_, console)
                                     : open_with_wave(options.device, subject_, catalogue_, console, wave_.written())),
        rtl_sha256_(options.sheet.empty() ? "" : rtl_hash()),
        scoreboard_(options.verdict.scoreboard(subject_)),
        trace_(reference_->offers_trace() && device_->offers_trace()),
        nearest_(subject_.plan, [this](Code x, Code y) { return scoreboard_.same_d(x, y); }),
        generator_(options.generate.open(subject_.plan)) {}

  Finding run() {
    const std::uint64_t cases = run_all();
    scoreboard_.complain(reference_->close());
    scoreboard_.complain(device_->close());
    wave_.finish();
    if (options_.only.empty()) explanation_ = failing_case_lines();
    const std::vector<std::string> words = explanation_lines(nearest_, made_);
    explanation_.insert(explanation_.begin(), words.begin(), words.end());
    return show_finding({subject_.name, title(), cases, seconds_, [this](const Case& c) { return repro(c.number); },
                         explanation_, "there was no case to compare; --cases says how many there are to be"},
                        scoreboard_, options_.verdict, console_);
  }

  // After the run.
  std::string sheet() const {
    SignOff sheet{title(), {{"computes", subject_.name}}, explanation_};
    sheet.facts.emplace_back("datapath (SHA-256)", subject_.header.datapath_sha256);
    if (!rtl_sha256_.empty()) sheet.facts.emplace_back("RTL (SHA-256)", rtl_sha256_);
    for (const std::string& device : {options_.reference, options_.device}) {
      if (const HostUnit* unit = host_unit_of(device))
        sheet.facts.emplace_back(device, finding_sentence(*unit, look_for(*unit), processor_name()));
    }
    sheet.facts.emplace_back("vectors", vectors());
    sheet.facts.emplace_back("assay", fmt::format("{}, catalogue {}", ASSAY_VERSION, catalogue_sha256(catalogue_)));
    return sign_off_text(sheet, scoreboard_.summary());
  }

 private:
  // Of the RTL that was built just now, not of what its files may hold when the sheet is written.
  std::string rtl_hash() const {
    const auto file = dut_file_of(options_.device);
    if (!file) return "";
    const Dut dut = read_dut_file(*file);
    const Claim& claim = claim_of(dut, subject_, catalogue_);
    return rtl_sha256(dut, build_rtl(dut, claim, subject_.plan, nullptr, !options_.wave.empty()));
  }

  std::string vectors() const {
    if (!options_.only.empty()) return fmt::format("case {} of seed {}", options_.only, options_.generate.seed);
    return "generated: " + options_.generate.text(generator_);
  }

  // How many cases there were.
  std::uint64_t run_all() {
    const bool all = options_.only.empty();
    const std::vector<CaseRange> ranges =
        all ? std::vector<CaseRange>{options_.generate.range()} : case_ranges(options_.only);
    if (all && !options_.verdict.json) console_.err << "assay: " << options_.generate.text(generator_) << std::endl;
    std::uint64_t total = 0, done = 0;
    for (const CaseRange& range : ranges) total += range.count;
    Progress progress(console_, total);
    std::vector<Case> cases;
    for (const CaseRange& range : ranges) {
      for (std::uint64_t i = 0; i < range.count; ++i) {
        cases.push_back(generator_.make(range.first + i));
        if (cases.size() < batch && done + cases.size() < total) continue;
        compare(cases);
        progress.at(done += cases.size());
        cases.clear();
      }
    }
    seconds_ = progress.seconds();
    return total;
  }

  void compare(const std::vector<Case>& cases) {
    const std::vector<Answer> expected = reference_->run(cases, trace_), given = device_->run(cases, trace_);
    const std::vector<Verdict> verdicts = scoreboard_.check_all(cases, expected, given);
    for (std::size_t i = 0; i < verdicts.size(); ++i) note(cases[i], expected[i], given[i], verdicts[i]);
  }

  // What is waived is no question any more, and an error no result. Only the model says what a word of the datapath
  // does: another reference's results have no such explanation.
  void note(const Case& c, const Answer& expected, const Answer& given, Verdict verdict) {
    const bool wrong = verdict == Verdict::differs;
    if (wrong) wrong_.see(c, unlike(subject_.plan, expected.d, given.d));
    const bool right = verdict == Verdict::equal || verdict == Verdict::masked;
    if (options_.reference == "model" && (right || wrong)) nearest_.see(c, given.d, right);
  }

  std::vector<std::string> failing_case_lines() {
    const std::vector<Case> wrong = wrong_.all();
    if (wrong.empty()) return {};
    const std::size_t before = nearest_.failures();
    const bool few = options_.reference == "model" && before < conclusive_failures;
    std::vector<NearbyCase> heard;
    Bench bench{*reference_, *device_, scoreboard_, trace_ && !options_.verdict.waivers.empty(), {}};
    if (few) bench.heard = [&](const Case& c, Code d, bool right) { heard.push_back({c, d, right}); };
    const FailingCase found = failing_case(
        bench, wrong, {options_.generate.range().first, [this](std::uint64_t i) { return generator_.make(i); }});
    if (found.alone && found.size != FailingCase::Size::original) learn(heard);
    made_ = nearest_.failures() - before;
    return lines_of(found);
  }

  struct NearbyCase {
    Case given;
    Code d = 0;
    bool right = false;
  };

  void learn(const std::vector<NearbyCase>& heard) {
    nearest_.make_room();
    for (const NearbyCase& one : heard) nearest_.see(one.given, one.d, one.right);
  }

  std::vector<std::string> lines_of(const FailingCase& found) const {
    std::vector<std::string> lines;
    if (found.alone) {
      const bool smallest = found.size == FailingCase::Size::smallest;
      lines.push_back(
          fmt::format("{}: {}", smallest ? "smallest failing case" : "failing case", explain(*found.alone)));
      if (found.size == FailingCase::Size::answered)
        lines.emplace_back("              of smaller ones the devices did not answer all");
      if (found.size == FailingCase::Size::original)
        lines.emplace_back(
            "              what it could be made smaller to fails only after other cases: the device remembers");
    }
    if (found.dependent) lines.push_back(dependence(found));
    return lines;
  }

  std::string dependence(const FailingCase& found) const {
    const std::uint64_t number = found.dependent->number;
    if (!found.error.empty())
      return fmt::format("case {} failed in the run, and alone it gets no answer: {}", number, found.error);
    if (!found.before) {
      const std::string after = found.tried == 0 ? ""
                                : found.tried == 1
                                    ? fmt::format(" and after case {}", number - 1)
                                    : fmt::format(" and after cases {} to {}", number - found.tried, number - 1);
      return fmt::format(
          "case {} failed in the run, but passes alone{}: what the device answers does not follow from its cases",
          number, after);
    }
    const std::string numbers = case_text(*found.before);
    const std::string cases = found.before->count == 1 ? "case " + numbers : "cases " + numbers;
    return fmt::format("case {} depends on what came before it; alone it passes, after {} it fails: {}", number, cases,
                       repro(numbers + "," + std::to_string(number)));
  }

  std::string title() const { return fmt::format("{} held to {}", device_->name(), reference_->name()); }

  std::string explain(const Case& c) const {
    return fmt::format("assay explain --reference {} --device {} {} {}", shell_word(options_.reference),
                       shell_word(options_.device), subject_.option, operand_options(subject_.plan, c));
  }

  // Of several cases that were asked for, each is shown after the same ones again.
  std::string repro(std::uint64_t number) const {
    return repro(options_.only.empty() ? std::to_string(number) : options_.only);
  }

  std::string repro(const std::string& cases) const {
    const GenerateOptions& from = options_.generate;
    const std::string family = from.family.empty() ? "" : " --family " + from.family;
    return fmt::format("assay compare --reference {} --device {} {} --seed {}{} --case {}",
                       shell_word(options_.reference), shell_word(options_.device), subject_.option, from.seed, family,
                       cases);
  }

  const Options& options_;
  const Console& console_;
  const Catalogue& catalogue_;
  const Subject& subject_;
  std::unique_ptr<Device> reference_;
  WaveFile wave_;
  std::unique_ptr<Device> device_;
  std::string rtl_sha256_;  // where a sheet wants it and there is RTL
  Scoreboard scoreboard_;
  bool trace_;
  Nearest nearest_;
  Generator generator_;
  WrongCases wrong_;
  std::size_t made_ = 0;  // of nearest_'s failures: by making a case smaller
  double seconds_ = 0;
  std::vector<std::string> explanation_;
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
    if (!options_.sheet.empty()) write_whole_file(options_.sheet, sheets_);
    return worst(findings_);
  }

 private:
  void announce() {
    if (!options_.wave.empty()) {
      throw ConfigError{fmt::format(
          "{} claims {} instructions, and --wave shows the signals of one; name it with --instruction or --datapath.",
          options_.device, names_.size())};
    }
    console_.err << fmt::format("assay: {} claims {} instructions; each is compared in turn: {}\n", options_.device,
                                names_.size(), fmt::join(names_, ", "));
  }

  Finding one(const Subject& subject) {
    Comparison comparison(options_, console_, catalogue_, subject);
    Finding found = comparison.run();
    if (!options_.sheet.empty()) sheets_ += (sheets_.empty() ? "" : "\n") + comparison.sheet();
    return found;
  }

  Finding one_of(const Subject& subject) {
    if (!findings_.empty() && !options_.verdict.json) console_.out << "\n";
    try {
      return one(subject);
    } catch (const Error& e) {
      return failed(subject, e.message, exit_status(e.ending));
    }
  }

  Finding failed(const Subject& subject, const std::string& message, int status) {
    if (!options_.sheet.empty()) sheets_ += (sheets_.empty() ? "" : "\n") + not_compared_text(subject.name, message);
    return not_compared(subject.name, message, status, console_);
  }

  nlohmann::json json() const {
    nlohmann::json report = findings_json();
    const auto units = host_units_json({options_.reference, options_.device});
    if (!units.empty()) report["host_units"] = units;
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
  if (!options.gemm.gemm.empty()) {
    return compare_gemm(
        {options.gemm, options.generate.seed, options.generate.family, options.verdict.json, options.html}, console);
  }
  if (options.device.empty()) {
    throw ConfigError{"Say what to compare: --device DEVICE, or --gemm MxNxK with --architectures."};
  }
  return Comparisons(options, console).run();
}

// A matrix product takes its seed and family from where generated cases do, and nothing else of theirs.
void exclude_from(CLI::Option& gemm, CLI::App& command) {
  const std::set<std::string> shared{"--help", "--gemm", "--formats", "--architectures", "--threads",
                                     "--html", "--seed", "--family",  "--json"};
  for (CLI::Option* option : command.get_options()) {
    if (shared.count(option->get_name()) == 0) gemm.excludes(option);
  }
}

}  // namespace

void add_compare(CLI::App& app, const Console& console, int& status) {
  auto options = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand("compare",
                                         "Holds a device to a reference over generated cases, stage by stage where "
                                         "both can; or architectures to each other "
                                         "over one matrix product.");
  command->footer(
      "Example:  assay compare --reference model --device rtl:configs/dut/fused_f25_f16.yaml \\\n"
      "                        --instruction hopper:wgmma.m64nNk16.f32.f16.f16 --cases 100000\n"
      "          assay compare --gemm 256x256x1024 --formats f16 --architectures hopper,ampere,cdna3 --html heat.html");
  options->subject.add(*command);
  command->add_option("--reference", options->reference, device_help)->capture_default_str();
  command->add_option("--device", options->device, device_help);
  options->generate.add(*command);
  CLI::Option* one =
      command->add_option("--case", options->only, "Only this case; or these, in this order: 40,41 or 17-41");
  options->verdict.add(*command);
  command->add_option("--sheet", options->sheet, "Writes a sheet to sign, in Markdown, to this file");
  command->add_option("--wave", options->wave, "Writes all signals of rtl:DUT.yaml during that case to this FST file")
      ->needs(one);
  CLI::Option* gemm = options->gemm.add(*command);
  command->add_option("--html", options->html, "With --gemm: writes the table and heat maps as a page to this file")
      ->needs(gemm);
  exclude_from(*gemm, *command);
  command->callback([options, &console, &status] { status = compare(*options, console); });
}

}  // namespace assay
