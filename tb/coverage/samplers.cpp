#include "tb/coverage/samplers.hpp"

#include <algorithm>
#include <cassert>

#include "model/base/parallel.hpp"

namespace assay {
namespace {

constexpr std::size_t at_once = 64;  // cases that a thread takes

}  // namespace

Samplers::Samplers(const Plan& plan, int threads) {
  for (int i = 0; i < threads; ++i) each_.push_back(std::make_unique<Sampler>(plan));
}

void Samplers::see(const std::vector<Case>& cases) {
  const std::size_t parts = (cases.size() + at_once - 1) / at_once;
  parallel(static_cast<int>(parts), static_cast<int>(each_.size()), [&](int part, int worker) {
    const std::size_t first = at_once * static_cast<std::size_t>(part), end = std::min(first + at_once, cases.size());
    for (std::size_t i = first; i < end; ++i) each_[static_cast<std::size_t>(worker)]->see(cases[i]);
  });
}

Coverage Samplers::coverage() const {
  Coverage all = each_.front()->coverage();
  for (std::size_t i = 1; i < each_.size(); ++i) {
    [[maybe_unused]] const bool merged = merge(all, each_[i]->coverage());
    assert(merged && "all are of one plan");
  }
  return all;
}

}  // namespace assay
