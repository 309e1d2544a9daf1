#include "model/systemc/align.hpp"

namespace assay::systemc {
AlignmentShifter::AlignmentShifter(const sc_core::sc_module_name& name, const Context& context, int place,
                                   const SumPlan& sum, std::vector<const Input*> inputs)
    : StageModule(name, context), place_(place), sum_(sum), inputs_(std::move(inputs)) {}

void AlignmentShifter::work() {
  const Numbers numbers = items.take();
  const Addends shifted = aligned(numbers, window.take());
  publish(place_, [shifted](TraceWriter& trace) {
    std::visit(
        [&trace](const auto& lines) {
          for (const auto& addend : lines) trace.put(addend.value);
        },
        shifted);
  });
  addends.give(shifted);
}

Addends AlignmentShifter::aligned(const Numbers& numbers, const CommonExponent& common) const {
  switch (sum_.arithmetic) {
    case Arithmetic::native: return aligned_in<i128>(numbers, common);
    case Arithmetic::wide640: return aligned_in<Wide<10>>(numbers, common);
    case Arithmetic::wide4480: return aligned_in<Wide<70>>(numbers, common);
  }
  return {};
}

template <class Register>
Lines<Addend<Register>> AlignmentShifter::aligned_in(const Numbers& numbers, const CommonExponent& common) const {
  std::vector<Addend<Register>> shifted;
  shifted.reserve(numbers.size());
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    shifted.push_back(common.empty ? Addend<Register>{}
                                   : align<Register>(numbers[i], common.exponent, *inputs_[i], sum_));
  }
  return Lines<Addend<Register>>(std::move(shifted));
}

}  // namespace assay::systemc
