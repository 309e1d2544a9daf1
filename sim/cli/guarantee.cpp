// assay guarantee: what holds of a unit's results for all operands.
#include "tb/guarantee/guarantee.hpp"

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <nlohmann/json.hpp>
#include <ostream>

#include "sim/cli/subject.hpp"
#include "tb/devices/kinds/model_kind.hpp"

namespace assay {
namespace {

struct Options {
  SubjectOptions subject;
  guarantee::Chain chain;
  std::string against;
  bool json = false;
};

// "model:X" and X alone, a datapath file or an instruction that takes the subject's operands.
Plan other_plan(const std::string& spec, const Subject& subject, const Catalogue& catalogue) {
  const std::string device = spec.compare(0, 6, "model:") == 0 ? spec : "model:" + spec;
  std::optional<Plan> plan = model_plan(device, subject, catalogue);
  if (!plan)
    throw Error{fmt::format("{} does not sum {} terms an operation, as {} does; name a unit that does.", spec,
                            subject.plan.k, subject.name)};
  return *std::move(plan);
}

guarantee::Section against(const Options& options, const Subject& subject, const guarantee::Chain& chain,
                           const Catalogue& catalogue) {
  const Plan other = other_plan(options.against, subject, catalogue);
  for (const std::string& problem :
       {guarantee::against_problem(subject.plan, other), guarantee::chain_problem(other, chain)}) {
    if (!problem.empty()) throw Error{options.against + ": " + problem};
  }
  return against_section(guarantee::against(subject.plan, options.against, other, chain), subject.plan, other,
                         {subject.name, subject.option});
}

int guarantee_of(const Options& options, const Console& console) {
  const Catalogue catalogue = shipped_catalogue();
  const Subject subject = options.subject.open(catalogue);
  warn(subject.warning, console);
  guarantee::Chain chain = options.chain;
  if (chain.k == 0) chain.k = subject.plan.k;
  if (const std::string problem = guarantee::chain_problem(subject.plan, chain); !problem.empty())
    throw Error{subject.name + ": " + problem};
  guarantee::Guarantee g = guarantee::guarantee({subject.name, subject.option}, subject.plan, chain);
  if (!options.against.empty()) g.sections.push_back(against(options, subject, chain, catalogue));
  if (options.json) {
    console.out << guarantee::as_json(g, subject.plan).dump(1) << "\n";
  } else {
    console.out << guarantee::as_text(g, subject.plan);
  }
  return passed;
}

}  // namespace

void add_guarantee(CLI::App& app, const Console& console, int& status) {
  auto options = std::make_shared<Options>();
  CLI::App* command =
      app.add_subcommand("guarantee", "Says how far d may be from the exact sum, for all operands, and shows a case.");
  command->footer(
      "Examples:  assay guarantee --instruction hopper:wgmma.m64nNk16.f32.f16.f16\n"
      "           assay guarantee --instruction hopper:wgmma.m64nNk32.f32.e4m3.e4m3 --k 4096 --promote-every 128\n"
      "           assay guarantee --instruction hopper:wgmma.m64nNk16.f32.f16.f16 --against "
      "configs/datapath/fused_f23.yaml");
  options->subject.add(*command);
  command->add_option("--k", options->chain.k, "So many terms, the d of each operation the c of the next")
      ->check(CLI::Range(1, greatest_k));
  command
      ->add_option("--promote-every", options->chain.promote_every,
                   "So many values of k are summed from zero, then added to an f32 accumulator")
      ->check(CLI::Range(1, greatest_k));
  command->add_option("--split-k", options->chain.split_k, "K is cut into so many runs, whose sums are added in f32")
      ->check(CLI::Range(1, greatest_k));
  command->add_option("--against", options->against,
                      "How far apart the results of two units may be: a datapath file or an instruction");
  command->add_flag("--json", options->json, "Everything as JSON, numbers as exact quotients");
  command->callback([options, &console, &status] { status = guarantee_of(*options, console); });
}

}  // namespace assay
