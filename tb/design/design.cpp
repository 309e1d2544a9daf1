#include "tb/design/design.hpp"

#include <filesystem>
#include <numeric>

#include "model/base/output_file.hpp"
#include "model/base/parallel.hpp"
#include "model/config/datapath_text.hpp"
#include "tb/design/gate_costs.hpp"
#include "tb/design/page.hpp"
#include "tb/design/pieces.hpp"
#include "tb/explore/report/report.hpp"

namespace assay::design {
namespace {

namespace fs = std::filesystem;

constexpr const char* second_library = "/usr/share/qflow/tech/osu035/osu035_stdcells.lib";

StudyResult page_of(const FinishedDesign& d, const Catalogue& catalogue, const GateCosts& gates, const Trials& trials,
                    int threads, const std::string& version) {
  StudyResult result = as_study(d.spec, d.space, d.found, d.answer, trials, version);
  const Machines units = units_beside(d.spec, d.space, catalogue);
  if (units.empty()) return result;
  const std::vector<std::string> wirings(units.size());
  Trials of_units(d.spec.study, units, identity_of(d.spec.study, units, wirings), d.folder + "/units", threads);
  std::vector<int> all(units.size());
  std::iota(all.begin(), all.end(), 0);
  of_units.run(all, d.spec.study.seeds);
  of_units.finish();
  // Where nothing is good enough there is no front to hold them to, only errors.
  const bool needs_costs = d.spec.needs_gates() && !d.answer.chosen.empty();
  const Costs costs = [&](const Machine& machine, const std::string&) {
    return needs_costs ? gates.plain_cost(machine) : CostAnswer{};
  };
  add_units(d.spec, units, of_units, costs, result);
  return result;
}

// Registers for the spec's clock, and FPGAs.
void add_what_is_said_besides(FinishedDesign& d, const GateCosts& gates, int threads, const SearchReport& report) {
  if (!d.spec.clock && d.spec.fpga.empty()) return;
  if (report.say) report.say("registers and FPGAs for what was chosen");
  parallel(static_cast<int>(d.answer.chosen.size()), threads, [&](int i, int) {
    Chosen& chosen = d.answer.chosen[static_cast<std::size_t>(i)];
    const Machine& machine = *d.space.machines[static_cast<std::size_t>(chosen.point)];
    if (d.spec.clock) chosen.clocked = gates.clocked(machine);
    for (const FpgaFamily& family : d.spec.fpga) chosen.fpga.push_back(gates.placed(machine, family));
  });
}

void write_front(const FinishedDesign& d) {
  fs::remove_all(d.folder + "/front");
  fs::create_directories(d.folder + "/front");
  for (std::size_t i = 0; i < d.answer.chosen.size(); ++i) {
    const Plan& plan = d.space.machines[static_cast<std::size_t>(d.answer.chosen[i].point)]->plan;
    write_whole_file(d.folder + "/front/" + std::to_string(i + 1) + ".yaml", yaml_text(plan.datapath, plan.k));
  }
}

}  // namespace

FinishedDesign design(const std::string& spec_file, const Catalogue& catalogue, const DesignPlace& place,
                      const SearchAllowance& effort, const SearchReport& report) {
  FinishedDesign d{read_spec(spec_file, catalogue), {}, {}, {}, place.folder};
  if (d.folder.empty()) d.folder = "design-" + d.spec.study.name;
  d.space = space_of(d.spec, catalogue);
  if (report.say) report.say(space_text(d.space));
  const Synthesis synthesis = d.spec.needs_gates() ? find_synthesis() : Synthesis{};
  Trials trials(d.spec.study, d.space.machines, identity_of(d.spec.study, d.space.machines, d.space.wirings), d.folder,
                effort.threads);
  const GateCosts gates(d.spec, trials, synthesis);
  const Costs costs = [&](const Machine& machine, const std::string&) { return gates.cost(machine); };
  d.found = searched(d.spec, d.space, {catalogue, costs, d.folder, effort, report, place.known}, trials);
  write_whole_file(d.folder + "/spec.yaml", d.spec.study.text);
  write_whole_file(d.folder + "/points.csv", points_csv(d.spec, d.space, d.found));
  d.answer = answer_of(d.spec, d.space, d.found);
  if (d.spec.ranked() && !d.answer.chosen.empty() && fs::exists(second_library)) {
    if (report.say) report.say("what was chosen on a second library");
    const GateCosts second(d.spec, trials, find_synthesis("yosys", second_library));
    const bool is_plain = is_always_said(d.spec.want[*d.spec.ranked()]);
    const Costs elsewhere = [&](const Machine& machine, const std::string&) {
      return is_plain ? second.plain_cost(machine) : second.cost(machine);
    };
    hold_ranks(d.spec, d.space, d.found, elsewhere, effort.threads, d.answer);
  }
  add_what_is_said_besides(d, gates, effort.threads, report);
  write_whole_file(d.folder + "/answer.json", answer_json(d.spec, d.space, d.found, d.answer, place.version));
  write_front(d);
  if (report.say) report.say("the catalogue's own units beside it, and the page");
  write_whole_file(d.folder + "/report.html",
                   report_html(page_of(d, catalogue, gates, trials, effort.threads, place.version)));
  return d;
}

}  // namespace assay::design
