#include "model/systemc/decode.hpp"

#include "model/core/decode.hpp"

namespace assay::systemc {
namespace {

Numbers decoded(const Lines<Code>& codes, const Decoder& decode_one) {
  std::vector<Number> numbers;
  numbers.reserve(codes.size());
  for (const Code code : codes) numbers.push_back(decode_one(code));
  return Numbers(std::move(numbers));
}

Numbers decoded_scales(const Lines<Code>& codes, const Plan& plan) {
  if (!plan.scale) return {};
  return decoded(codes, {*plan.scale, Subnormals::keep, plan.datapath.specials});
}

Numbers decoded_more(const Lines<Code>& codes, const Plan& plan) {
  std::vector<Number> numbers;
  for (const CaseOperand& operand : plan.more) {
    const Decoder decode_one(operand.format, Subnormals::keep, plan.datapath.specials);
    for (int i = operand.first; i < operand.end(); ++i)
      numbers.push_back(decode_one(codes[static_cast<std::size_t>(i)]));
  }
  return Numbers(std::move(numbers));
}

}  // namespace

void OperandDecoder::work() {
  const Codes stored = codes.take();
  const Datapath& words = plan().datapath;
  const Numbers a_numbers = decoded(stored.a, {plan().a, words.subnormals_a, words.specials, words.nans_a});
  const Numbers b_numbers = decoded(stored.b, {plan().b, words.subnormals_b, words.specials, words.nans_b});
  const Number c_number = Decoder(plan().c, words.subnormals_c, words.specials, words.nans_c)(stored.c);
  const Scales both{decoded_scales(stored.scale_a, plan()), decoded_scales(stored.scale_b, plan()),
                    decoded_more(stored.more, plan())};
  publish(0, [=](TraceWriter& trace) {
    for (const Number& number : a_numbers) trace.put(number);
    for (const Number& number : b_numbers) trace.put(number);
    trace.put(c_number);
    for (const Number& number : both.a) trace.put(number);
    for (const Number& number : both.b) trace.put(number);
    for (const Number& number : both.more) trace.put(number);
  });
  a.give(a_numbers);
  b.give(b_numbers);
  c.give(Numbers({plan().widen_c && c_number.is_finite() ? as_format(c_number, plan().d) : c_number}));
  scales.give(both);
}

}  // namespace assay::systemc
