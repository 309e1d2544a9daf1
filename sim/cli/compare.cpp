// assay compare: two devices over generated cases, stage by stage where both can; or several architectures over one
// matrix product.
#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <nlohmann/json.hpp>
#include <ostream>
#include <set>

#include "model/config/digest.hpp"
#include "sim/cli/case_option.hpp"
#include "sim/cli/device_option.hpp"
#include "sim/cli/dut_claim.hpp"
#include "sim/cli/explanation.hpp"
#include "sim/cli/gemm_compare.hpp"
#include "sim/cli/generate_option.hpp"
#include "sim/cli/progress.hpp"
#include "sim/cli/sign_off.hpp"
#include "sim/cli/verdict.hpp"
#include "sim/program/number_option.hpp"
#include "tb/devices/rtl/build.hpp"
#include "tb/scoreboard/shrink.hpp"
#include "tb/vectors/output_file.hpp"

namespace assay {
namespace {

constexpr std::uint64_t batch = 1024;

struct Options {
  SubjectOptions subject;
  std::string reference = "model";
  std::string device;
  GenerateOptions generate;
  std::optional<std::uint64_t> one;
  VerdictOptions verdict;
  std::string sheet, wave;
  GemmOptions gemm;
  std::string html;
};

class Comparison {
 public:
  Comparison(const Options& options, const Console& console)
      : options_(options),
        console_(console),
        catalogue_(shipped_catalogue()),
        subject_(subject_for(options.subject, options.device, catalogue_)),
        reference_(open_device(options.reference, subject_, catalogue_, console)),
        device_(options.wave.empty() ? open_device(options.device, subject_, catalogue_, console)
                                     : open_with_wave(options.device, subject_, catalogue_, console, options.wave)),
        scoreboard_(options.verdict.scoreboard(subject_)),
        nearest_(subject_.plan) {}

  int run() {
    const Generator generator = options_.generate.open(subject_.plan);
    const auto [first, total] = options_.one ? CaseRange{*options_.one, 1} : options_.generate.range();
    if (!options_.one && !options_.verdict.json)
      console_.err << "assay: " << options_.generate.text(generator) << std::endl;
    const bool trace = reference_->offers_trace() && device_->offers_trace();
    Progress progress(console_, total);
    for (std::uint64_t done = 0; done < total; done += batch) {
      std::vector<Case> cases;
      for (std::uint64_t i = done; i < std::min(total, done + batch); ++i) cases.push_back(generator.make(first + i));
      const std::vector<Answer> expected = reference_->run(cases, trace), given = device_->run(cases, trace);
      scoreboard_.check_all(cases, expected, given);
      note(cases, expected, given);
      progress.at(std::min(total, done + batch));
    }
    std::vector<std::string> explanation = explanation_lines(nearest_);
    if (first_wrong_ && !options_.one) explanation.push_back(smallest());
    scoreboard_.complain(reference_->close());
    scoreboard_.complain(device_->close());
    const Finding found = show_finding(
        {subject_.name, title(), total, progress.seconds(), [this](const Case& c) { return repro(c); }, explanation},
        scoreboard_, options_.verdict, console_);
    if (options_.verdict.json) show_json(found.json, console_);
    write_junit(options_.verdict, "compare", {found});
    if (!options_.sheet.empty()) write_whole_file(options_.sheet, sheet(generator, explanation));
    return found.status;
  }

 private:
  std::string sheet(const Generator& generator, const std::vector<std::string>& explanation) const {
    SignOff sheet{title(), {{"computes", subject_.name}}, explanation};
    sheet.facts.emplace_back("datapath (SHA-256)", subject_.header.datapath_sha256);
    if (const auto file = dut_file_of(options_.device))
      sheet.facts.emplace_back("RTL (SHA-256)", rtl_sha256(read_dut_file(*file)));
    sheet.facts.emplace_back("vectors", vectors(generator));
    sheet.facts.emplace_back("assay", fmt::format("{}, catalogue {}", ASSAY_VERSION, catalogue_sha256(catalogue_)));
    return sign_off_text(sheet, scoreboard_.summary());
  }

  std::string vectors(const Generator& generator) const {
    if (options_.one) return fmt::format("case {} of seed {}", *options_.one, options_.generate.seed);
    return "generated: " + options_.generate.text(generator);
  }

  // Only the model says what a word of the datapath does: another reference's results have no such explanation.
  void note(const std::vector<Case>& cases, const std::vector<Answer>& expected, const std::vector<Answer>& given) {
    for (std::size_t i = 0; i < std::min(expected.size(), given.size()); ++i) {
      if (!expected[i].ok() || !given[i].ok()) continue;
      const bool right = scoreboard_.same_d(expected[i].d, given[i].d);
      if (!right && !first_wrong_) first_wrong_ = cases[i];
      if (options_.reference == "model") nearest_.see(cases[i], given[i].d, right);
    }
  }

  // The first case with a wrong d, as small as it can be made, as a command that shows it.
  std::string smallest() {
    const Case small = shrunk(subject_.plan, *first_wrong_, [this](const std::vector<Case>& cases) {
      const std::vector<Answer> expected = reference_->run(cases, false), given = device_->run(cases, false);
      std::vector<bool> fails;
      for (std::size_t i = 0; i < cases.size(); ++i) {
        fails.push_back(expected[i].ok() && given[i].ok() && !scoreboard_.same_d(expected[i].d, given[i].d));
      }
      return fails;
    });
    return fmt::format("smallest failing case: assay explain --reference {} --device {} {} {}",
                       shell_word(options_.reference), shell_word(options_.device), subject_.option,
                       operand_options(subject_.plan, small));
  }

  std::string title() const { return fmt::format("{} held to {}", device_->name(), reference_->name()); }

  std::string repro(const Case& c) const {
    const GenerateOptions& from = options_.generate;
    const std::string family = from.family.empty() ? "" : " --family " + from.family;
    return fmt::format("assay compare --reference {} --device {} {} --seed {}{} --case {}",
                       shell_word(options_.reference), shell_word(options_.device), subject_.option, from.seed, family,
                       c.number);
  }

  const Options& options_;
  const Console& console_;
  Catalogue catalogue_;
  Subject subject_;
  std::unique_ptr<Device> reference_;
  std::unique_ptr<Device> device_;
  Scoreboard scoreboard_;
  Nearest nearest_;
  std::optional<Case> first_wrong_;
};

int compare(const Options& options, const Console& console) {
  if (!options.gemm.gemm.empty()) {
    return compare_gemm(
        {options.gemm, options.generate.seed, options.generate.family, options.verdict.json, options.html}, console);
  }
  if (options.device.empty()) {
    throw ConfigError{"Say what to compare: --device DEVICE, or --gemm MxNxK with --architectures."};
  }
  return Comparison(options, console).run();
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
  CLI::Option* one = add_number(*command, "--case", options->one, {}, "Only this case");
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
