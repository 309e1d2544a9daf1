#include "model/core/dot.hpp"

#include "model/core/align.hpp"
#include "model/core/decode.hpp"
#include "model/core/encode.hpp"
#include "model/core/multiply.hpp"
#include "model/core/reduce.hpp"
#include "model/core/round.hpp"
#include "model/core/scale.hpp"
#include "model/core/special.hpp"

namespace assay {
namespace {

// The items of one sum, and how each of them enters it.
struct Items {
  const Number* numbers;
  const Input* const* inputs;
  int count;
};

template <class Register>
Number sum_in_register(const AdderPlan& adder, const Items& items, int window, Trace* trace) {
  Reduction<Register> reduction;
  for (int i = 0; i < items.count; ++i) {
    const auto addend = align<Register>(items.numbers[i], window, *items.inputs[i], adder.sum);
    if (trace != nullptr) {
      if constexpr (std::is_same_v<Register, i128>) {
        trace->put(static_cast<u128>(addend.value));
      } else {
        trace->put(addend.value);
      }
    }
    reduction.add(addend);
  }
  if (trace != nullptr) trace->put_sum(reduction.sum, adder.sticky, reduction.lost);
  return reduction.number(window, adder.sum, adder.sticky);
}

Number fixed_point_sum(const AdderPlan& adder, const Items& items, int window, Trace* trace) {
  switch (adder.sum.arithmetic) {
    case Arithmetic::native: return sum_in_register<i128>(adder, items, window, trace);
    case Arithmetic::wide640: return sum_in_register<Wide<10>>(adder, items, window, trace);
    case Arithmetic::wide4480: return sum_in_register<Wide<70>>(adder, items, window, trace);
  }
  return {};
}

// window, align, reduce, (scale,) round: one sum from its items to a number.
Number add(const AdderPlan& adder, const Items& items, const Number* scale_a, const Number* scale_b, Trace* trace) {
  Special special;
  ZeroSignFinder zero_sign;
  WindowFinder finder(adder.window);
  for (int i = 0; i < items.count; ++i) {
    special.see(items.numbers[i]);
    zero_sign.see(items.numbers[i]);
    finder.see(items.numbers[i], *items.inputs[i]);
  }
  const int window = finder.exponent();
  const int traced_window = window == Number::no_exponent ? 0 : window;
  if (trace != nullptr) {
    trace->note_items(items.numbers, items.count);
    trace->put(static_cast<u128>(static_cast<i128>(traced_window)));
  }

  Number n = fixed_point_sum(adder, items, traced_window, trace);
  if (finder.empty()) n.exponent = Number::no_exponent;
  if (n.magnitude == 0) n.negative = zero_sign.negative(adder.zero, adder.rounds_down());
  if (special.decides()) n = special.decision();
  if (adder.times_scales) {
    n = scale(n, *scale_a, *scale_b);
    if (trace != nullptr) trace->put(n);
  }
  for (const ResultPlan& result : adder.results) {
    n = round(n, result);
    if (trace != nullptr) trace->put(n);
  }
  return n;
}

class Dot {
 public:
  Dot(const Plan& plan, const Operand& operand, Registers& registers, Trace* trace)
      : plan_(plan), operand_(operand), r_(registers), trace_(trace) {}

  Code run() {
    if (trace_ != nullptr) trace_->begin();
    decode_and_multiply();
    r_.lanes.clear();
    for (int lane = 0; lane < plan_.lanes; ++lane) {
      Number acc = plan_.datapath.start == Start::c ? c_ : Number::zero();
      for (int step = 0; step < plan_.steps; ++step) acc = run_step(lane, step, acc);
      r_.lanes.push_back(acc);
    }
    Number result = r_.lanes.front();
    if (!plan_.finish.empty()) result = run_adders(plan_.finish, nullptr, Number::zero());
    const Code d = encode(result, plan_.d, plan_.nan);
    if (trace_ != nullptr) trace_->put(u128{d});
    return d;
  }

 private:
  Number decoded(Code code, const Format& format, Subnormals subnormals) {
    const Number n = decode(code, format, subnormals, plan_.datapath.specials);
    if (trace_ != nullptr) trace_->put(n);
    return n;
  }

  void decode_and_multiply() {
    const Datapath& words = plan_.datapath;
    const auto k = static_cast<std::size_t>(plan_.k);
    r_.products.resize(k);
    if (trace_ == nullptr) {
      const Decoder a(plan_.a, words.subnormals_a, words.specials);
      const Decoder b(plan_.b, words.subnormals_b, words.specials);
      for (std::size_t i = 0; i < k; ++i) r_.products[i] = multiply(a(operand_.a[i]), b(operand_.b[i]));
    } else {
      r_.items.resize(2 * k);
      for (std::size_t i = 0; i < k; ++i) r_.items[i] = decoded(operand_.a[i], plan_.a, words.subnormals_a);
      for (std::size_t i = 0; i < k; ++i) r_.items[k + i] = decoded(operand_.b[i], plan_.b, words.subnormals_b);
    }
    c_ = decoded(operand_.c, plan_.c, words.subnormals_c);
    if (plan_.widen_c && c_.is_finite()) c_ = as_format(c_, plan_.d);
    decode_scales(operand_.scale_a, r_.scales_a);
    decode_scales(operand_.scale_b, r_.scales_b);
    if (trace_ != nullptr) {
      for (std::size_t i = 0; i < k; ++i) {
        r_.products[i] = multiply(r_.items[i], r_.items[k + i]);
        trace_->put(r_.products[i]);
      }
    }
    finish_products();
  }

  void decode_scales(const Code* codes, std::vector<Number>& scales) {
    scales.clear();
    for (int i = 0; i < plan_.scales; ++i) scales.push_back(decoded(codes[i], *plan_.scale, Subnormals::keep));
  }

  // What the datapath does to an exact product before any adder sees it.
  void finish_products() {
    const Product& words = plan_.datapath.product;
    if (words.times_scales) {
      for (int i = 0; i < plan_.k; ++i) {
        Number& p = r_.products[static_cast<std::size_t>(i)];
        const auto block = static_cast<std::size_t>(i / plan_.scale_block);
        p = scale(p, r_.scales_a[block], r_.scales_b[block]);
        if (trace_ != nullptr) trace_->put(p);
      }
    }
    if (words.exponent == ProductExponent::normalised) {
      for (Number& p : r_.products) p = normalise_exponent(p);
    }
    if (plan_.product_round) {
      for (Number& p : r_.products) {
        p = round(p, *plan_.product_round);
        if (trace_ != nullptr) trace_->put(p);
      }
    }
  }

  // What NaNs and infinities among this step's terms decide, products too large to stay finite last.
  Special step_special(const int* order, const Number& acc) const {
    Special special;
    for (int i = 0; i < plan_.step_terms; ++i) special.see(r_.products[static_cast<std::size_t>(order[i])]);
    special.see(acc);
    for (const AdderPlan& adder : plan_.adders) {
      if (adder.times_scales) see_scales(order, special);
    }
    if (special.decides() || !plan_.datapath.product.infinity_at) return special;
    for (int i = 0; i < plan_.step_terms; ++i) {
      const Number& p = r_.products[static_cast<std::size_t>(order[i])];
      if (reaches(p, *plan_.datapath.product.infinity_at)) special.see(Number::infinity(p.negative));
    }
    return special;
  }

  void see_scales(const int* order, Special& special) const {
    for (int i = 0; i < plan_.step_terms; ++i) {
      const auto block = static_cast<std::size_t>(order[i] / plan_.scale_block);
      special.see(r_.scales_a[block]);
      special.see(r_.scales_b[block]);
    }
  }

  Number run_step(int lane, int step, const Number& acc) {
    const int* order = plan_.step_order(lane, step);
    if (plan_.datapath.specials != Specials::step) {
      const Number result = run_adders(plan_.adders, order, acc);
      if (trace_ != nullptr) trace_->put(result);
      return result;
    }
    const Special special = step_special(order, acc);
    if (trace_ != nullptr) trace_->put(u128{outcome(special)});
    const Number arithmetic = run_adders(plan_.adders, order, acc.is_finite() ? acc : Number::zero());
    const Number result = special.decides() ? special.decision() : arithmetic;
    if (trace_ != nullptr) trace_->put(result);
    return result;
  }

  // Adders in order; the last one's result. `order` is nullptr for the finish.
  Number run_adders(const std::vector<AdderPlan>& adders, const int* order, const Number& acc) {
    if (r_.sums.size() < adders.size()) r_.sums.resize(adders.size());
    for (std::size_t i = 0; i < adders.size(); ++i) {
      std::vector<Number>& sums = r_.sums[i];
      sums.clear();
      for (int group = 0; group < adders[i].groups; ++group) sums.push_back(run_group(adders[i], group, order, acc));
    }
    return r_.sums[adders.size() - 1].front();
  }

  Number run_group(const AdderPlan& adder, int group, const int* order, const Number& acc) {
    gather(adder, group, order, acc);
    const Number* scale_a = nullptr;
    const Number* scale_b = nullptr;
    if (adder.times_scales) {
      const int first = order[adder.members[static_cast<std::size_t>(group * adder.terms)]];
      const auto block = static_cast<std::size_t>(first / plan_.scale_block);
      scale_a = &r_.scales_a[block];
      scale_b = &r_.scales_b[block];
    }
    const Items items{r_.items.data(), r_.inputs.data(), adder.items()};
    switch (adder.shape) {
      case Shape::flat: return add(adder, items, scale_a, scale_b, trace_);
      case Shape::serial: return add_serially(adder, items.count);
      case Shape::neighbours:
      case Shape::halves: return add_in_a_tree(adder, items.count);
    }
    return {};
  }

  void gather(const AdderPlan& adder, int group, const int* order, const Number& acc) {
    const auto count = static_cast<std::size_t>(adder.items());
    if (r_.items.size() < count) r_.items.resize(count);
    if (r_.inputs.size() < count) r_.inputs.resize(count);
    Number* items = r_.items.data();
    const Input** inputs = r_.inputs.data();
    const int* members = adder.members.data() + group * adder.terms;
    for (const InputPlan& input : adder.inputs) {
      const bool first = &input == adder.inputs.data();
      for (int j = 0; j < input.count; ++j) {
        *items++ = item(input, first ? members[j] : j, order, acc);
        *inputs++ = &input.words;
      }
    }
  }

  Number item(const InputPlan& input, int index, const int* order, const Number& acc) const {
    const auto at = static_cast<std::size_t>(index);
    switch (input.source) {
      case Source::product: return term(r_.products[static_cast<std::size_t>(order[index])]);
      case Source::acc: return acc;
      case Source::c: return c_;
      case Source::lanes: return r_.lanes[at];
      case Source::adder: return r_.sums[static_cast<std::size_t>(input.adder)][at];
    }
    return {};
  }

  // A product as the adders see it: special values that the step has decided on take no part.
  Number term(const Number& product) const {
    const Datapath& words = plan_.datapath;
    const bool infinite = words.product.infinity_at && reaches(product, *words.product.infinity_at);
    if (words.specials == Specials::step) return product.is_finite() && !infinite ? product : Number::zero();
    return infinite ? Number::infinity(product.negative) : product;
  }

  Number add_two(const AdderPlan& adder, std::size_t left, std::size_t right) {
    const Number two[] = {r_.items[left], r_.items[right]};
    const Input* inputs[] = {r_.inputs[left], r_.inputs[right]};
    return add(adder, {two, inputs, 2}, nullptr, nullptr, trace_);
  }

  Number add_serially(const AdderPlan& adder, int count) {
    for (std::size_t i = 1; i < static_cast<std::size_t>(count); ++i) r_.items[0] = add_two(adder, 0, i);
    return r_.items[0];
  }

  // neighbours pairs 2i with 2i + 1, halves i with i + n/2; one left over waits for the next level.
  Number add_in_a_tree(const AdderPlan& adder, int count) {
    for (auto n = static_cast<std::size_t>(count); n > 1; n = (n + 1) / 2) {
      const std::size_t pairs = n / 2;
      for (std::size_t i = 0; i < pairs; ++i) {
        const std::size_t left = adder.shape == Shape::neighbours ? 2 * i : i;
        const std::size_t right = adder.shape == Shape::neighbours ? left + 1 : i + (n + 1) / 2;
        r_.items[i] = add_two(adder, left, right);
        r_.inputs[i] = r_.inputs[left];
      }
      if (n % 2 != 0) {
        const std::size_t odd = adder.shape == Shape::neighbours ? n - 1 : pairs;
        r_.items[pairs] = r_.items[odd];
        r_.inputs[pairs] = r_.inputs[odd];
      }
    }
    return r_.items[0];
  }

  const Plan& plan_;
  const Operand& operand_;
  Registers& r_;
  Trace* trace_;
  Number c_;
};

}  // namespace

Code dot(const Plan& plan, const Operand& operand, Registers& registers, Trace* trace) {
  return Dot(plan, operand, registers, trace).run();
}

}  // namespace assay
