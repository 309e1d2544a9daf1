#include "tb/run/causes.hpp"

#include "model/base/text.hpp"
#include "model/core/dot.hpp"

namespace assay {
namespace {

std::string of_all(const WiderExplanation& wide) {
  if (!wide.together.empty()) return joined(wide.together, " and ");
  return wide.misread.empty() ? "" : wide.misread.front();
}

}  // namespace

Causes::Causes(const Plan& plan, Nearest::Same same, bool of_device, const NearbyChanges& found,
               const WiderExplanation& wide)
    : same_(std::move(same)), of_device_(of_device), all_(of_all(wide)) {
  for (const auto* list : {&found.agree, &found.nearly}) {
    for (const NearbyChange& change : *list) {
      auto made = assay::plan(change.datapath, plan.k);
      if (Plan* changed = std::get_if<Plan>(&made)) changes_.emplace_back(change.change, std::move(*changed));
    }
  }
}

std::string Causes::of(const Failure& failure) const {
  if (failure.verdict != Verdict::differs) return "";
  if (!all_.empty()) return all_;
  if (failure.given.element) return "";  // maybe several dot products, of which a datapath is one
  Registers registers;
  const Code d = (of_device_ ? failure.device : failure.reference).d;
  for (const auto& [change, changed] : changes_) {
    if (same_(d, dot(changed, failure.given.operand(), registers))) return change;
  }
  return "";
}

}  // namespace assay
