#include "model/systemc/scale.hpp"

#include "model/core/factor.hpp"

namespace assay::systemc {

BlockScaler::BlockScaler(const sc_core::sc_module_name& name, const Context& context, int place, ActingScales by,
                         std::vector<int> terms)
    : StageModule(name, context), place_(place), by_(std::move(by)), terms_(std::move(terms)) {}

void BlockScaler::work() {
  const Numbers bare = numbers.take();
  const Scales factors = scales.take();
  std::vector<Number> products;
  products.reserve(bare.size());
  for (std::size_t i = 0; i < bare.size(); ++i) {
    Number n = bare[i];
    if (by_.pair) {
      const auto block = static_cast<std::size_t>(terms_[i] / plan().scale_block);
      n = scale(n, factors.a[block], factors.b[block]);
    }
    products.push_back(scale_by(plan(), by_.others, n, factors.more.begin(), terms_[i]));
  }
  const Numbers made(std::move(products));
  publish(place_, made);
  scaled.give(made);
}

}  // namespace assay::systemc
