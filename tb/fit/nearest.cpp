#include "tb/fit/nearest.hpp"

#include <algorithm>

#include "model/core/dot.hpp"
#include "tb/generate/mutations.hpp"

namespace assay {
namespace {

constexpr std::size_t kept = 300;  // of each kind

struct Candidate {
  std::string change;
  std::vector<std::size_t> explains;  // indices of failures
};

std::string sentence(const Mutation& m) {
  return m.name.substr(0, m.name.find(' ')) + " were " + m.to + " (it is " + m.from + ")";
}

void remove_all(std::vector<std::size_t>& from, const std::vector<std::size_t>& gone) {
  std::vector<std::size_t> rest;
  std::set_difference(from.begin(), from.end(), gone.begin(), gone.end(), std::back_inserter(rest));
  from = std::move(rest);
}

}  // namespace

void Nearest::see(const Case& given, Code d, bool right) {
  std::vector<Result>& list = right ? right_ : wrong_;
  if (list.size() < kept) list.push_back({given, d});
}

std::vector<NearbyChange> Nearest::find() const {
  if (wrong_.empty()) return {};
  std::vector<Candidate> candidates;
  Registers registers;
  for (const Mutation& m : mutations(plan_->datapath, plan_->k)) {
    const auto made = plan(m.changed, plan_->k);
    const Plan* changed = std::get_if<Plan>(&made);
    if (changed == nullptr) continue;
    const auto agrees = [&](const Result& r) { return dot(*changed, r.given.operand(), registers) == r.d; };
    Candidate candidate{sentence(m), {}};
    for (std::size_t i = 0; i < wrong_.size(); ++i) {
      if (agrees(wrong_[i])) candidate.explains.push_back(i);
    }
    if (candidate.explains.empty() || !std::all_of(right_.begin(), right_.end(), agrees)) continue;
    candidates.push_back(std::move(candidate));
  }
  std::vector<NearbyChange> found;
  while (!candidates.empty()) {
    const auto best =
        std::max_element(candidates.begin(), candidates.end(),
                         [](const Candidate& x, const Candidate& y) { return x.explains.size() < y.explains.size(); });
    if (best->explains.empty()) break;
    const Candidate taken = *best;
    found.push_back({taken.change, taken.explains.size()});
    for (Candidate& c : candidates) remove_all(c.explains, taken.explains);
  }
  return found;
}

}  // namespace assay
