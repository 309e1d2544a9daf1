// assay guarantee: what holds of a unit for all operands: bounds of d - exact, and properties.
#include "tb/guarantee/guarantee.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>
#include <ostream>

#include "model/base/text.hpp"
#include "sim/cli/progress.hpp"
#include "sim/cli/subject.hpp"
#include "sim/program/number_option.hpp"
#include "tb/devices/kinds/model_kind.hpp"
#include "tb/guarantee/property_report.hpp"

namespace assay {
namespace {

struct Options {
  SubjectOptions subject;
  guarantee::Chain chain;
  std::string against;
  std::vector<std::string> property_files;
  guarantee::SearchEffort effort;
  bool json = false;
};

class Guaranteed {
 public:
  Guaranteed(const Options& options, const Console& console)
      : options_(options), console_(console), subject_(options.subject.open(catalogue_)) {
    warn(subject_.warning, console);
    check(subject_.name, subject_.plan);
  }

  int run() { return options_.property_files.empty() ? of_the_unit() : of_own_properties(); }

 private:
  static void check(const std::string& name, const Plan& plan) {
    const std::string problem = guarantee::unit_problem(plan);
    if (!problem.empty()) throw Error{name + ": " + problem};
  }

  // To fail a built-in property is an answer; one of the user's own is a mismatch.
  int of_own_properties() {
    std::vector<guarantee::Property> asked;
    for (const std::string& file : options_.property_files) {
      for (guarantee::Property& property : guarantee::read_properties_file(file)) asked.push_back(std::move(property));
    }
    const std::vector<guarantee::PropertyFinding> findings = findings_of(subject_.plan, asked);
    if (options_.json) {
      console_.out << properties_json(subject_, findings).dump(1) << "\n";
    } else {
      console_.out << properties_text(subject_, findings);
    }
    const auto fails = [](const guarantee::PropertyFinding& f) { return f.state == guarantee::HoldState::fails; };
    return std::any_of(findings.begin(), findings.end(), fails) ? mismatch : passed;
  }

  int of_the_unit() {
    const std::string problem = guarantee::chain_problem(subject_.plan, chain());
    const bool asks_for_bounds = options_.chain.is_asked_for() || !options_.against.empty();
    if (asks_for_bounds && !problem.empty()) throw Error{subject_.name + ": " + problem};
    const std::vector<guarantee::PropertyFinding> findings = findings_of(subject_.plan, guarantee::properties());
    guarantee::Guarantee g =
        guarantee_of(subject_, chain(), findings, guarantee::kappa(subject_.plan, options_.effort));
    if (!options_.against.empty()) add_against(g, findings);
    if (options_.json) {
      console_.out << guarantee::as_json(g, subject_.plan).dump(1) << "\n";
    } else {
      console_.out << guarantee::as_text(g, subject_.plan);
    }
    return passed;
  }

  guarantee::Chain chain() const {
    guarantee::Chain chain = options_.chain;
    if (chain.k == 0) chain.k = subject_.plan.k;
    return chain;
  }

  void add_against(guarantee::Guarantee& g, const std::vector<guarantee::PropertyFinding>& findings) {
    const Plan other = other_plan();
    check(options_.against, other);
    for (const std::string& problem :
         {guarantee::against_problem(subject_.plan, other), guarantee::chain_problem(other, chain())}) {
      if (!problem.empty()) throw Error{options_.against + ": " + problem};
    }
    g.sections.push_back(against_section(guarantee::against(subject_.plan, options_.against, other, chain()),
                                         subject_.plan, other, {subject_.name, subject_.option}));
    g.sections.push_back(
        differences_section(options_.against, differences(findings, findings_of(other, guarantee::properties()))));
  }

  // "model:X" and X alone, a datapath file or an instruction that takes the subject's operands.
  Plan other_plan() const {
    const std::string& spec = options_.against;
    const std::string device = starts_with(spec, "model:") ? spec : "model:" + spec;
    std::optional<Plan> plan = model_plan(device, subject_, catalogue_);
    if (!plan)
      throw Error{fmt::format("{} does not sum {} terms an operation, as {} does; name a unit that does.", spec,
                              subject_.plan.k, subject_.name)};
    return *std::move(plan);
  }

  std::vector<guarantee::PropertyFinding> findings_of(const Plan& plan,
                                                      const std::vector<guarantee::Property>& asked) const {
    Progress progress(console_, options_.effort.cases);
    return property_findings(plan, asked, options_.effort, [&](std::uint64_t done) { progress.at(done); });
  }

  const Options& options_;
  const Console& console_;
  Catalogue catalogue_ = shipped_catalogue();
  Subject subject_;
};

}  // namespace

void add_guarantee(Command app, const Console& console, int& status) {
  auto options = std::make_shared<Options>();
  Command command =
      app.add_subcommand("guarantee", "Says what holds of a unit for all operands: bounds and properties, with cases.");
  command.footer(
      "Examples:  assay guarantee --instruction hopper:wgmma.m64nNk16.f32.f16.f16\n"
      "           assay guarantee --instruction hopper:wgmma.m64nNk32.f32.e4m3.e4m3 --k 4096 --promote-every 128\n"
      "           assay guarantee --instruction hopper:wgmma.m64nNk16.f32.f16.f16 --against "
      "configs/datapath/fused_f23.yaml\n"
      "Exit status 1: a property of --property fails.");
  options->subject.add(command);
  add_number(command, "--k", options->chain.k, {1, greatest_k},
             "Bounds of so many terms, the d of each operation the c of the next");
  add_number(command, "--promote-every", options->chain.promote_every, {1, greatest_k},
             "So many values of k are summed from zero, then added to an f32 accumulator");
  add_number(command, "--split-k", options->chain.split_k, {1, greatest_k},
             "K is cut into so many runs, whose sums are added in f32");
  CommandOption against =
      command.add_option("--against", options->against,
                         "How far apart the results of two units may be: a datapath file or an instruction");
  command
      .add_option("--property", options->property_files,
                  "A property of your own instead (docs/guarantees.md); may be given again")
      .excludes(command.option("--k"))
      .excludes(against);
  add_number(command, "--cases", options->effort.cases, {0, most_cases},
             "Cases that are tried where no argument settles a property")
      .shows_default();
  add_number(command, "--seed", options->effort.seed, {}, "The seed they come from").shows_default();
  command.add_flag("--json", options->json, "Everything as JSON, numbers as exact quotients");
  command.callback([options, &console, &status] { status = Guaranteed(*options, console).run(); });
}

}  // namespace assay
