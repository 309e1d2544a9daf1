#include "tb/generate/generator.hpp"

#include <algorithm>

#include "model/core/plain_sums.hpp"

#include "tb/generate/codes.hpp"
#include "tb/generate/maker.hpp"

namespace assay {

Generator::Generator(const Plan& plan, std::uint64_t seed, const Family* only) : facts_(anatomy(plan)), seed_(seed) {
  families_ = only != nullptr ? std::vector<const Family*>{only} : families_for(plan);
  if (!adds_as_given(plan)) signs_ = signs_of(plan);
}

const Family& Generator::family(std::uint64_t number) const { return *families_[number % families_.size()]; }

Case Generator::make(std::uint64_t number) const {
  Maker maker(facts_, {seed_, number}, number / families_.size());
  family(number).fill(maker);
  Case made = maker.finish();
  turn_signs(made);
  made.family = family(number).name;
  return made;
}

// Families think of numbers as they meet in d: what is turned on its way there is given with the other sign.
void Generator::turn_signs(Case& c) const {
  if (!signs_) return;
  const Plan& plan = *facts_.plan;
  for (std::size_t i = 0; i < c.a.size(); ++i) {
    if (signs_->products[i] < 0 && plan.a.has_sign) c.a[i] = negated_code(plan.a, c.a[i]);
  }
  if (signs_->c < 0 && plan.c.has_sign) c.c = negated_code(plan.c, c.c);
}

std::vector<Case> some_cases(const Generator& generator, const CaseRange& range, std::uint64_t from,
                             std::uint64_t most) {
  const std::uint64_t end = std::min(from + most, range.count);
  std::vector<Case> cases;
  if (from < end) cases.reserve(end - from);
  for (; from < end; ++from) cases.push_back(generator.make(range.at(from)));
  return cases;
}

}  // namespace assay
