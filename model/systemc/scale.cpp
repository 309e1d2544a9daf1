#include "model/systemc/scale.hpp"

#include "model/core/scale.hpp"

namespace assay::systemc {

BlockScaler::BlockScaler(const sc_core::sc_module_name& name, const Context& context, int place,
                         std::vector<int> blocks)
    : StageModule(name, context), place_(place), blocks_(std::move(blocks)) {}

void BlockScaler::work() {
  const Numbers bare = numbers.take();
  const Scales factors = scales.take();
  std::vector<Number> products;
  products.reserve(bare.size());
  for (std::size_t i = 0; i < bare.size(); ++i) {
    const auto block = static_cast<std::size_t>(blocks_[i]);
    products.push_back(scale(bare[i], factors.a[block], factors.b[block]));
  }
  const Numbers made(std::move(products));
  publish(place_, made);
  scaled.give(made);
}

}  // namespace assay::systemc
