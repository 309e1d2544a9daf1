#include "tb/design/pieces.hpp"

#include "model/base/sha256.hpp"
#include "tb/design/gate_costs.hpp"
#include "tb/explore/effort.hpp"

namespace assay::design {

std::string identity_of(const Study& study, const Machines& machines, const std::vector<std::string>& wirings) {
  std::string text = study.text;
  for (std::size_t i = 0; i < machines.size(); ++i) text += machines[i]->point.name + wirings[i];
  return sha256(text);
}

DesignPieces::DesignPieces(const std::string& spec_file, const Catalogue& catalogue)
    : catalogue_(catalogue), spec_(read_spec(spec_file, catalogue)), space_(space_of(spec_, catalogue)) {
  if (spec_.needs_gates()) synthesis_ = find_synthesis();
  std::map<std::string, std::size_t> pieces;
  for (std::size_t i = 0; i < space_.size(); ++i) {
    const auto [at, is_new] = pieces.emplace(space_.wirings[i], points_.size());
    if (is_new) points_.emplace_back();
    points_[at->second].push_back(static_cast<int>(i));
  }
}

double DesignPieces::seconds_of_one() const {
  const Effort effort = measured_effort(spec_.study, space_.machines);
  const double sampled = effort.seconds / static_cast<double>(count());
  if (!spec_.needs_gates()) return sampled;
  std::vector<const Plan*> plans;
  for (const std::vector<int>& points : points_)
    plans.push_back(&space_.machines[static_cast<std::size_t>(points.front())]->plan);
  return sampled + synthesis_seconds(plans, synthesis_) / static_cast<double>(count());
}

std::pair<std::size_t, KnownPoints> DesignPieces::ask(std::size_t first, std::size_t count, const std::string& folder,
                                                      int threads, const std::function<bool()>& go_on) const {
  Trials trials(spec_.study, space_.machines, identity_of(spec_.study, space_.machines, space_.wirings), folder,
                threads);
  const GateCosts gates(spec_, trials, synthesis_);
  const Costs costs = [&](const Machine& machine, const std::string&) { return gates.cost(machine); };
  SearchAllowance effort;
  effort.threads = threads;
  const SearchBench bench{catalogue_, costs, folder, effort, {}};
  KnownPoints known;
  std::size_t done = 0;
  bool goes_on = true;
  while (done < count && goes_on) {
    KnownPoints more = asked_of(points_.at(first + done), spec_, space_, bench, trials);
    known.costs.merge(more.costs);
    known.judgements.merge(more.judgements);
    ++done;
    goes_on = go_on();
  }
  trials.finish();
  return {done, std::move(known)};
}

}  // namespace assay::design
