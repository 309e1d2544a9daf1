// assay compare: two devices over generated cases, stage by stage where both can.
#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <ostream>

#include "sim/cli/case_option.hpp"
#include "sim/cli/device_option.hpp"
#include "sim/cli/dut_claim.hpp"
#include "sim/cli/generate_option.hpp"
#include "sim/cli/progress.hpp"
#include "sim/cli/verdict.hpp"

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
};

class Comparison {
 public:
  Comparison(const Options& options, const Console& console)
      : options_(options),
        console_(console),
        catalogue_(shipped_catalogue()),
        subject_(subject_for(options.subject, options.device, catalogue_)),
        reference_(open_device(options.reference, subject_, catalogue_, console)),
        device_(open_device(options.device, subject_, catalogue_, console)),
        scoreboard_(subject_.plan, options.verdict.nan_rule(subject_), options.verdict.max_failures) {}

  int run() {
    const Generator generator = options_.generate.open(subject_.plan);
    const std::uint64_t first = options_.one.value_or(0);
    const std::uint64_t total = options_.one ? 1 : options_.generate.cases;
    const bool trace = reference_->offers_trace() && device_->offers_trace();
    Progress progress(console_, total);
    for (std::uint64_t done = 0; done < total; done += batch) {
      std::vector<Case> cases;
      for (std::uint64_t i = done; i < std::min(total, done + batch); ++i) cases.push_back(generator.make(first + i));
      scoreboard_.check_all(cases, reference_->run(cases, trace), device_->run(cases, trace));
      progress.at(std::min(total, done + batch));
    }
    scoreboard_.complain(reference_->close());
    scoreboard_.complain(device_->close());
    const Finding found =
        show_finding({subject_.name, title(), total, progress.seconds(), [this](const Case& c) { return repro(c); }},
                     scoreboard_, options_.verdict, console_);
    if (options_.verdict.json) show_json(found.json, console_);
    write_junit(options_.verdict, "compare", {found});
    return found.status;
  }

 private:
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
};

}  // namespace

void add_compare(CLI::App& app, const Console& console, int& status) {
  auto options = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand(
      "compare", "Holds a device to a reference over generated cases, stage by stage where both can.");
  command->footer(
      "Example:  assay compare --reference model --device rtl:configs/dut/fused_f25_f16.yaml \\\n"
      "                        --instruction hopper:wgmma.m64nNk16.f32.f16.f16 --cases 100000");
  options->subject.add(*command);
  command->add_option("--reference", options->reference, device_help)->capture_default_str();
  command->add_option("--device", options->device, device_help)->required();
  options->generate.add(*command);
  command->add_option("--case", options->one, "Only this case");
  options->verdict.add(*command);
  command->callback([options, &console, &status] { status = Comparison(*options, console).run(); });
}

}  // namespace assay
