#include "tb/generate/generator.hpp"

#include "tb/generate/maker.hpp"

namespace assay {

Generator::Generator(const Plan& plan, std::uint64_t seed, const Family* only) : facts_(anatomy(plan)), seed_(seed) {
  families_ = only != nullptr ? std::vector<const Family*>{only} : families_for(plan);
}

const Family& Generator::family(std::uint64_t number) const { return *families_[number % families_.size()]; }

Case Generator::make(std::uint64_t number) const {
  Maker maker(facts_, {seed_, number}, number / families_.size());
  family(number).fill(maker);
  return maker.finish();
}

}  // namespace assay
