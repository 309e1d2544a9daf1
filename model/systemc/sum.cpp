#include "model/systemc/sum.hpp"

namespace assay::systemc {
namespace {

std::vector<const Input*> inputs(const std::vector<Item>& items) {
  std::vector<const Input*> words;
  for (const Item& item : items) words.push_back(item.words);
  return words;
}

}  // namespace

Sum::Sum(const sc_core::sc_module_name& name, const Context& context, const Own& own, const AdderPlan& adder,
         const std::vector<Item>& items, Out<Scales>& scales)
    : sc_core::sc_module(name),
      wires_(context.timing),
      gather_("gather", context, taps(items)),
      window_("window", context, own.place, adder.window, inputs(items)),
      align_("align", context, own.place + 1, adder.sum, inputs(items)),
      reduce_("reduce", context, own.place + 1 + adder.sum.items, adder),
      result_(&reduce_.sum) {
  feed(items);
  int next = own.place + 1 + adder.sum.items + 1;
  if (adder.is_scaled()) {
    scale_ = std::make_unique<BlockScaler>("scale", context, next++, ActingScales{adder.times_scales, adder.scales},
                                           std::vector<int>{own.term});
    wires_.connect(*result_, scale_->numbers);
    wires_.connect(scales, scale_->scales);
    result_ = &scale_->scaled;
  }
  if (!adder.results.empty()) {
    round_ = std::make_unique<Normaliser>("round", context, next, adder.results, own.first_draw);
    wires_.connect(*result_, round_->exact);
    if (round_->random() != nullptr) wires_.connect(scales, *round_->random());
    result_ = &round_->rounded;
  }
}

void Sum::feed(const std::vector<Item>& items) {
  for (Out<Numbers>* from : feeders(items)) wires_.connect(*from, gather_.numbers);
  wires_.connect(gather_.items, window_.items);
  wires_.connect(gather_.items, align_.items);
  wires_.connect(gather_.items, reduce_.items);
  wires_.connect(window_.window, align_.window);
  wires_.connect(window_.window, reduce_.window);
  wires_.connect(align_.addends, reduce_.addends);
}

}  // namespace assay::systemc
