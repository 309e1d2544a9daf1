#include "model/core/dot.hpp"

#include <type_traits>

#include "model/core/acc.hpp"
#include "model/core/align.hpp"
#include "model/core/decode.hpp"
#include "model/core/encode.hpp"
#include "model/core/factor.hpp"
#include "model/core/fields.hpp"
#include "model/core/flags.hpp"
#include "model/core/gate.hpp"
#include "model/core/multiply.hpp"
#include "model/core/products.hpp"
#include "model/core/reading.hpp"
#include "model/core/reduce.hpp"
#include "model/core/slice.hpp"
#include "model/core/special.hpp"
#include "model/core/take.hpp"

namespace assay {
namespace {

// Where what is done is written down, and what may come of it instead.
struct Notes {
  Trace* trace = nullptr;
  Detour* detour = nullptr;

  bool turned(int place) const { return detour != nullptr && detour->turns(*trace, place); }

  // What goes on from a place.
  Number kept(const PlaceTable::Instance& places, int at, const Number& n) const {
    if (trace == nullptr) return n;
    trace->put(places[at], n);
    const int place = places.first_place() + at;
    return turned(place) ? number_in_place_of(n, *trace, place) : n;
  }
  i128 kept(const PlaceTable::Instance& places, int at, i128 value) const {
    if (trace == nullptr) return value;
    trace->put(places[at], value);
    const int place = places.first_place() + at;
    return turned(place) ? register_of<i128>(trace->at(place), 0) : value;
  }
};

// One sum at work: its words, its items, the values they stand for, and where it writes down what it does.
struct Summing {
  const AdderPlan& adder;
  const std::vector<SumItem>& items;
  const Number* values;
  Notes notes;
  PlaceTable::Instance places;
  int place;  // among them, its window's

  Number number(const SumItem& item) const { return item.negate ? negated(values[item.value]) : values[item.value]; }
  const Input& words(const SumItem& item) const { return adder.inputs[static_cast<std::size_t>(item.input)].words; }
};

// A window that somebody else found may lie too low: then what stands at the place is not all of the addend.
template <class Register>
void note_addend(const Summing& sum, int at, Addend<Register>& addend) {
  Trace* trace = sum.notes.trace;
  if (trace == nullptr) return;
  trace->put(sum.places[at], addend.value);
  if (sum.notes.detour == nullptr) return;
  const int place = sum.places.first_place() + at;
  sum.notes.turned(place);
  addend.value = register_of<Register>(trace->at(place), 0);
}

template <class Register>
void note_sum(const Summing& sum, int at, Reduction<Register>& reduction) {
  Trace* trace = sum.notes.trace;
  if (trace == nullptr) return;
  const bool sticky = sum.adder.has_sticky();
  trace->put_sum(sum.places[at], reduction.sum, sticky, reduction.lost);
  const int place = sum.places.first_place() + at;
  if (!sum.notes.turned(place)) return;
  const Bits bits = trace->at(place);
  reduction.sum = register_of<Register>(bits, sticky ? 1 : 0);
  if (sticky) reduction.lost = bits.bit(0);
}

// An empty window leaves nothing of any item.
template <class Register>
Number sum_in_register(const Summing& sum, int window, bool empty) {
  Reduction<Register> reduction;
  int place = sum.place;
  for (const SumItem& item : sum.items) {
    auto addend =
        empty ? Addend<Register>{} : align<Register>(sum.number(item), window, sum.words(item), sum.adder.sum);
    note_addend(sum, ++place, addend);
    reduction.add(addend);
  }
  note_sum(sum, place + 1, reduction);
  return reduction.number(window, sum.adder.sum, sum.adder.sticky);
}

Number fixed_point_sum(const Summing& sum, int window, bool empty) {
  switch (sum.adder.sum.arithmetic) {
    case Arithmetic::native: return sum_in_register<i128>(sum, window, empty);
    case Arithmetic::wide640: return sum_in_register<Wide<10>>(sum, window, empty);
    case Arithmetic::wide4480: return sum_in_register<Wide<70>>(sum, window, empty);
  }
  return {};
}

void note_items(const Summing& sum) {
  std::vector<Number> numbers;
  for (const SumItem& item : sum.items) numbers.push_back(sum.number(item));
  sum.notes.trace->note_items(sum.places.first_place() + sum.place, std::move(numbers));
}

// window, align, reduce: one sum from its items to a number.
Number add(const Summing& sum) {
  Special special;
  ZeroSignFinder zero_sign;
  WindowFinder finder(sum.adder.window);
  for (const SumItem& item : sum.items) {
    const Number n = sum.number(item);
    special.see(n);
    zero_sign.see(n);
    finder.see(n, sum.words(item));
  }
  if (sum.notes.trace != nullptr && sum.notes.trace->keeps_items()) note_items(sum);
  const int found = finder.exponent() == Number::no_exponent ? 0 : finder.exponent();
  const auto window = static_cast<int>(sum.notes.kept(sum.places, sum.place, i128{found}));
  const Number exact = as_found(fixed_point_sum(sum, window, finder.empty()), window, sum.adder);
  Number n = with_exponent(exact, finder.empty(), sum.adder.cancelled);
  if (n.magnitude == 0) n.negative = zero_sign.negative(sum.adder.zero, sum.adder.rounds_down());
  if (special.decides()) return special.decision();
  return with_raised(n, special.raised(), finder.empty() && !zero_sign.only_zeros());
}

class Dot {
 public:
  Dot(const Plan& plan, const Operand& operand, const Registers& before, Registers& registers, const Notes& notes)
      : plan_(plan), operand_(operand), before_(before), r_(registers), notes_(notes), trace_(notes.trace) {}

  Code run() {
    decode_and_multiply();
    return add_up();
  }

  // Where products stand in `before`.
  Code run_on() {
    c_ = widened(decoded_c());
    return add_up();
  }

 private:
  Code add_up() {
    r_.lanes.clear();
    for (int lane = 0; lane < plan_.lanes; ++lane) {
      Number acc = start_of(plan_.datapath.start, c_);
      for (int step = 0; step < plan_.steps; ++step)
        acc = run_step(lane * plan_.steps + step, read_acc(plan_, step, acc));
      r_.lanes.push_back(acc);
    }
    const Number result = plan_.finish.empty() ? r_.lanes.front() : run_finish();
    const auto d = static_cast<Code>(kept(Region::encode, 0, i128{encode(result, plan_.d, plan_.nan)})) & d_bits();
    if (trace_ != nullptr && plan_.datapath.flags) note_flags(flags_of(result, *plan_.datapath.flags));
    return d;
  }

  static std::size_t at(int index) { return static_cast<std::size_t>(index); }

  // In a region all of whose places are alike.
  template <class Value>
  Value kept(Region region, int index, const Value& value) {
    return trace_ == nullptr ? value : notes_.kept(plan_.places.instance(region, index), 0, value);
  }

  // The same of what stands there: a number that was just written is slow to copy.
  void keep(Region region, int index, Number& n) {
    if (trace_ != nullptr) n = notes_.kept(plan_.places.instance(region, index), 0, n);
  }

  Code d_bits() const { return static_cast<Code>(low_mask(plan_.d.stored_bits)); }

  void note_flags(unsigned raised) {
    TraceWriter writer(*trace_, plan_.places.first(Region::flags));
    put_flags(writer, raised);
  }

  void decode_and_multiply() {
    decode_more();
    const Datapath& words = plan_.datapath;
    const Decoder a(plan_.a, words.subnormals_a, words.specials, words.nans_a);
    const Decoder b(plan_.b, words.subnormals_b, words.specials, words.nans_b);
    r_.products.resize(at(plan_.products()));
    r_.a.clear();
    r_.b.clear();
    for (int i = 0; i < plan_.k; ++i) {
      Number x = a(operand_.a[i]), y = b(operand_.b[i]);
      keep(Region::decode_a, i, x);
      keep(Region::decode_b, i, y);
      const bool on = is_on(plan_, r_.more.data(), i);
      if (plan_.take) {
        r_.a.push_back(gate(x, on));
        r_.b.push_back(gate(y, on));
      }
      make_factor(plan_.factor_a, Region::factor_a, x, i, plan_.random.factor_a);
      make_factor(plan_.factor_b, Region::factor_b, y, i, plan_.random.factor_b);
      if (!on) x = y = Number::zero();
      for (int p = i * plan_.pieces; p < (i + 1) * plan_.pieces; ++p) {
        r_.products[at(p)] = product_of(plan_, x, y, p);
        keep(Region::multiply, p, r_.products[at(p)]);
      }
    }
    c_ = widened(kept(Region::decode_c, 0, decoded_c()));
    decode_scales(operand_.scale_a, r_.scales_a, Region::decode_scale_a);
    decode_scales(operand_.scale_b, r_.scales_b, Region::decode_scale_b);
    finish_products();
  }

  Number decoded_c() const {
    const Datapath& words = plan_.datapath;
    return Decoder(plan_.c, words.subnormals_c, words.specials, words.nans_c)(operand_.c);
  }

  Number widened(const Number& c) const { return plan_.widen_c && c.is_finite() ? as_format(c, plan_.d) : c; }

  void make_factor(const FactorPlan& words, Region region, Number& n, int index, int first_draw) {
    if (!words.works()) return;
    n = factor(plan_, words, n, r_.more.data(), index, first_draw);
    keep(region, index, n);
  }

  void decode_more() {
    r_.more.clear();
    for (const CaseOperand& more : plan_.more) {
      const Decoder decode(more.format, Subnormals::keep, plan_.datapath.specials);
      for (int i = more.first; i < more.end(); ++i) {
        r_.more.push_back(decode(operand_.more[i]));
        // A region of several kinds of places, one for each operand.
        if (trace_ != nullptr) note_more(plan_.places.first(Region::decode_more, i), r_.more.back());
      }
    }
  }

  void note_more(int place, Number& n) {
    trace_->put(place, n);
    if (notes_.turned(place)) n = number_in_place_of(n, *trace_, place);
  }

  void decode_scales(const Code* codes, std::vector<Number>& scales, Region region) {
    scales.clear();
    for (int i = 0; i < plan_.scales; ++i) {
      scales.push_back(kept(region, i, decode(codes[i], *plan_.scale, Subnormals::keep, plan_.datapath.specials)));
    }
  }

  // What the datapath does to an exact product before any adder sees it.
  void finish_products() {
    for (const ProductNode& node : plan_.circuit.products) {
      if (node.work == ProductWork::multiply) continue;
      for (int i = 0; i < plan_.products(); ++i) {
        Number& p = r_.products[at(i)];
        work(node.work, p, i);
        if (node.region) keep(*node.region, i, p);
      }
    }
  }

  void work(ProductWork work, Number& p, int index) const {
    switch (work) {
      case ProductWork::multiply: break;
      case ProductWork::scale:
        p = scaled(plan_.datapath.product.times_scales, plan_.product_scales, p, plan_.element_of(index));
        break;
      case ProductWork::round: round_product(p, index); break;
    }
  }

  void round_product(Number& p, int index) const {
    if (plan_.datapath.product.exponent == ProductExponent::normalised) p = normalise_exponent(p);
    if (plan_.product_round)
      p = round_with(plan_, *plan_.product_round, p, r_.more.data(), plan_.random.product + index);
  }

  // `instance` counts the steps of all lanes.
  Number run_step(int instance, const Number& acc) {
    const int* order = plan_.order_of(instance);
    const StepOperands operands{before_.products.data(), order, before_.scales_a.data(), before_.scales_b.data(),
                                before_.more.data(),     acc};
    const Special special = step_special(plan_, operands);
    const PlaceTable::Instance places = plan_.places.instance(Region::step, instance);
    if (trace_ != nullptr && plan_.datapath.specials == Specials::step) trace_->put(places[0], u128{outcome(special)});

    const CircuitBlock& block = plan_.circuit.step;
    r_.values.resize(at(block.values()));
    step_values(plan_, operands, r_.values.data());
    run_sums(block, plan_.adders, order, places, plan_.random.step + instance * block.draws);
    const Number result = special.decides() ? step_decision(plan_, special.decision())
                                            : left_by_step(r_.values[at(block.result())], order);
    return notes_.kept(places, places.count() - 1, result);
  }

  Number left_by_step(const Number& sum, const int* order) const {
    if (!plan_.take || sum.cls != Class::nan) return sum;
    std::vector<Number> numbers;
    for (const NanPlace& place : plan_.take->places) {
      const std::size_t index =
          at(place.of == NanPlace::Of::value ? place.index : plan_.element_of(order[place.index]));
      numbers.push_back(place.of == NanPlace::Of::a   ? before_.a[index]
                        : place.of == NanPlace::Of::b ? before_.b[index]
                                                      : r_.values[index]);
    }
    return take_nan(*plan_.take, numbers.data(), sum);
  }

  Number run_finish() {
    const CircuitBlock& block = plan_.circuit.finish;
    r_.values.resize(at(block.values()));
    std::copy(r_.lanes.begin(), r_.lanes.end(), r_.values.begin());
    r_.values[at(block.one())] = c_;
    run_sums(block, plan_.finish, nullptr, plan_.places.instance(Region::finish), plan_.random.finish);
    return r_.values[at(block.result())];
  }

  void run_sums(const CircuitBlock& block, const std::vector<AdderPlan>& adders, const int* order,
                const PlaceTable::Instance& places, int first_draw) {
    for (std::size_t i = 0; i < block.sums.size(); ++i) {
      const SumNode& node = block.sums[i];
      const AdderPlan& adder = adders[at(node.adder)];
      Number n = add({adder, node.items, r_.values.data(), notes_, places, node.place});
      int next = node.place + 1 + static_cast<int>(node.items.size()) + 1;
      if (node.scaled_by >= 0) {
        n = scaled(adder.times_scales, adder.scales, n, order == nullptr ? 0 : plan_.element_of(order[node.scaled_by]));
        n = notes_.kept(places, next++, n);
      }
      int draw = first_draw + node.draws_from;
      for (const ResultPlan& result : adder.results) {
        n = round_with(plan_, result, n, before_.more.data(), draw);
        draw += is_stochastic(result.words.cut) ? 1 : 0;
        n = notes_.kept(places, next++, n);
      }
      r_.values[at(block.left_by(i))] = n;
    }
  }

  // Times the scales of the blocks in which term `index` of k lies.
  Number scaled(bool by_pair, const std::vector<int>& others, Number n, int index) const {
    if (by_pair) {
      const std::size_t block = at(index / plan_.scale_block);
      n = scale(n, before_.scales_a[block], before_.scales_b[block]);
    }
    return scale_by(plan_, others, n, before_.more.data(), index);
  }

  const Plan& plan_;
  const Operand& operand_;
  const Registers& before_;  // what stands there before the first sum
  Registers& r_;
  const Notes notes_;
  Trace* const trace_;
  Number c_;
};

}  // namespace

Code dot(const Plan& plan, const Operand& operand, Registers& registers, Trace* trace, Detour* detour) {
  assert(detour == nullptr || trace != nullptr);
  return Dot(plan, operand, registers, registers, {trace, detour}).run();
}

bool multiply_alike(const Plan& x, const Plan& y) {
  const auto is_of_sums = [](const auto& member) {
    const auto is = [&](auto other) {
      if constexpr (std::is_same_v<decltype(other), std::decay_t<decltype(member)>>) return member == other;
      return false;
    };
    return is(&Datapath::subnormals_c) || is(&Datapath::nans_c) || is(&Datapath::subnormals_acc) ||
           is(&Datapath::nan) || is(&Datapath::lanes) || is(&Datapath::step) || is(&Datapath::from) ||
           is(&Datapath::start) || is(&Datapath::adders) || is(&Datapath::finish) || is(&Datapath::flags);
  };
  bool alike = x.k == y.k && !x.rows && !y.rows && x.take.has_value() == y.take.has_value();
  alike = alike && x.random.operand < 0 && y.random.operand < 0;
  each_row<Datapath>([&](const auto& row) {
    alike = alike && (is_of_sums(row.member) || same(x.datapath.*row.member, y.datapath.*row.member));
  });
  return alike;
}

Code dot_after(const Plan& plan, const Operand& operand, const Registers& before, Registers& registers) {
  return Dot(plan, operand, before, registers, {}).run_on();
}

}  // namespace assay
