#include "tb/score/minimise.hpp"

#include <algorithm>

namespace assay {

Minimiser::Minimiser(const Plan& plan, NanRule nan) : plan_(by_rule(plan, nan)) {
  for (Mutant& m : mutants_of(plan, nan)) {
    if (m.argument.empty()) mutants_.push_back(std::move(m));
  }
}

void Minimiser::see(const std::vector<Case>& cases) {
  for (const Case& given : cases) {
    const Told right = told_by(plan_, given, registers_);
    NumberSet kills(mutants_.size());
    for (std::size_t i = 0; i < mutants_.size(); ++i) {
      if (!right.same_for(mutants_[i], told_by(mutants_[i], plan_, given, registers_))) kills.insert(i);
    }
    if (!kills.empty()) kept_.try_emplace(kills, Kept{seen_, given});
    ++seen_;
  }
}

Minimised Minimiser::smallest() const {
  std::vector<const std::pair<const NumberSet, Kept>*> list;
  for (const auto& entry : kept_) list.push_back(&entry);
  std::sort(list.begin(), list.end(), [](const auto* x, const auto* y) { return x->second.turn < y->second.turn; });
  std::vector<NumberSet> sets;
  NumberSet killed(mutants_.size());
  for (const auto* entry : list) {
    sets.push_back(entry->first);
    killed.add(entry->first);
  }
  const Cover cover = smallest_cover(sets, mutants_.size());
  Minimised found{{}, killed.count(), cover.at_least};
  for (const std::size_t i : cover.chosen) found.cases.push_back(list[i]->second.given);
  return found;
}

}  // namespace assay
