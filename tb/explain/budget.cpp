#include "tb/explain/budget.hpp"

#include <algorithm>

#include "model/core/acc.hpp"
#include "model/core/align.hpp"
#include "model/core/result_words.hpp"
#include "model/core/round.hpp"
#include "model/core/signs.hpp"
#include "tb/explain/numbers.hpp"

namespace assay::explain {
namespace {

using exact::Dyadic;

const Dyadic one_exactly{1, 0};

bool is_one(const Dyadic& x) { return x.exponent == 0 && x.significand == 1; }

// x brought to a multiple of 2^unit.
Dyadic cut_at(const Dyadic& x, long unit, Cut cut) {
  if (x.exponent >= unit) return x;
  const auto distance = static_cast<mp_bitcnt_t>(unit - x.exponent);
  mpz_class floor;
  mpz_fdiv_q_2exp(floor.get_mpz_t(), x.significand.get_mpz_t(), distance);
  const mpz_class rest = x.significand - (floor << distance);
  if (rest == 0) return {floor, unit};
  const int half = cmp(mpz_class(rest << 1), mpz_class(mpz_class(1) << distance));
  const bool negative = sgn(x.significand) < 0, odd = mpz_odd_p(floor.get_mpz_t()) != 0;
  bool up = false;
  switch (cut) {
    case Cut::stochastic_a:
    case Cut::stochastic_b:
    case Cut::stochastic_c:  // inputs have none of these
    case Cut::toward_zero: up = negative; break;
    case Cut::down: break;
    case Cut::up: up = true; break;
    case Cut::to_odd: up = !odd; break;
    case Cut::nearest_even: up = half > 0 || (half == 0 && odd); break;
    case Cut::nearest_away: up = half > 0 || (half == 0 && !negative); break;
    case Cut::nearest_up: up = half >= 0; break;
  }
  return {up ? mpz_class(floor + 1) : floor, unit};
}

// What an item adds to its sum: whole, cut or nothing.
Number as_added(const Number& item, int window, const Input& input) {
  if (item.is_zero() || dropped_whole(item, window, input)) return Number::zero();
  Number n = item;
  if (input.keep && n.quantum < window - *input.keep) {
    n.magnitude = cut_bits(n.magnitude, window - *input.keep - n.quantum, n.negative, input.cut).magnitude;
    n.quantum = window - *input.keep;
  }
  return n;
}

int window_of(const std::vector<Number>& items, const std::vector<const Input*>& inputs, const Window& window) {
  WindowFinder finder(window);
  for (std::size_t i = 0; i < items.size(); ++i) finder.see(items[i], *inputs[i]);
  return finder.exponent() == Number::no_exponent ? 0 : finder.exponent();
}

// Without a floor and a step, and without zeros that count.
int bare_window(const std::vector<Number>& items) {
  const Input plain;
  const Window largest;
  WindowFinder finder(largest);
  for (const Number& item : items) finder.see(item, plain);
  return finder.exponent() == Number::no_exponent ? 0 : finder.exponent();
}

// An addend as the trace has it, where its register has at most 128 bits.
std::optional<i128> narrow_addend(const Trace& trace, int place) {
  const Bits bits = trace.at(place);
  if (bits.width > 128) return std::nullopt;
  const u128 value = bits.field(0, bits.width);
  const bool negative = bits.width > 0 && bits.bit(bits.width - 1);
  return static_cast<i128>(negative ? value | ~low_mask(bits.width) : value);
}

// Whether addend x 2^grid is the whole item.
bool is_whole(i128 addend, long grid, const Number& item) {
  const long distance = item.quantum - grid;
  if (item.magnitude == 0) return addend == 0;
  if (distance < 0 || distance > 127) return false;
  const u128 magnitude = addend < 0 ? -static_cast<u128>(addend) : static_cast<u128>(addend);
  return (addend < 0) == item.negative && magnitude >> distance == item.magnitude &&
         (magnitude & low_mask(static_cast<int>(distance))) == 0;
}

// A number before or behind a result.
struct Carried {
  Dyadic value;
  int exponent = 0;  // nominal
};

// Where a result is cut.
long last_place(const ResultPlan& plan, const Carried& before) {
  const Result& words = plan.words;
  if (words.at == ResultAt::window) return before.exponent - words.keep;
  const long leading = floor_log2(before.value);
  if (words.at == ResultAt::leading_one)
    return std::max<long>(leading, words.least_exponent.value_or(static_cast<int>(leading))) - words.keep;
  if (plan.format.is_integer()) return plan.format.last_place();
  return std::max<long>(leading, plan.format.least_exponent()) - plan.format.mantissa_bits;
}

// The number of a format that is a list, or has no mantissa; where nothing of it is to be taken, what there was.
Dyadic rounded_in_list(const ResultPlan& plan, const Dyadic& before) {
  const bool below_zero = sign(before) < 0 && !plan.format.has_sign;
  if (plan.format.is_list() && below_zero) return before;
  const Number n = shortened(before);
  const std::optional<Number> found = plan.format.is_list() ? rounded_to_list(n, plan.words.cut, plan.format)
                                                            : round_to_power(n, plan.words.cut, plan.format);
  if (!found) return before;
  const Dyadic value = exactly(*found);
  return below_zero ? Dyadic{} - value : value;
}

Dyadic rounded(const ResultPlan& plan, const Carried& before) {
  if (sign(before.value) != 0 && plan.words.at == ResultAt::format && plan.format.rounds_to_list())
    return rounded_in_list(plan, before.value);
  return sign(before.value) == 0 ? before.value : cut_at(before.value, last_place(plan, before), plan.words.cut);
}

bool is_tiny(const ResultPlan& plan, const Dyadic& before, const Dyadic& rounded) {
  const long least = plan.format.least_exponent();
  const auto below = [&](const Dyadic& x) { return !reaches(x, least); };
  switch (plan.words.tiny) {
    case Tiny::result: return below(rounded);
    case Tiny::before: return below(before);
    case Tiny::after: return below(cut_at(before, floor_log2(before) - plan.format.mantissa_bits, plan.words.cut));
  }
  return false;
}

Dyadic wrapped(const Format& format, const Dyadic& whole) {
  const auto bits = static_cast<mp_bitcnt_t>(format.stored_bits);
  mpz_class low, value = units_in(whole, format.last_place(), exact::Rounding::toward_zero);
  mpz_fdiv_r_2exp(low.get_mpz_t(), value.get_mpz_t(), bits);
  if (format.has_sign && mpz_tstbit(low.get_mpz_t(), bits - 1) != 0) low -= mpz_class(1) << bits;
  return {low, format.last_place()};
}

// A rounded number in its format: the greatest one, or its low bits, where it is too large. What would be an infinity
// or a NaN stays: it is no number to forecast.
Dyadic within(const ResultPlan& plan, const Dyadic& value) {
  const Format& format = plan.format;
  const bool negative = sign(value) < 0;
  if (negative && is_unsigned_float(format)) return below_zero(plan.words).is_zero() ? Dyadic{} : value;
  switch (plan.words.overflow) {
    case Overflow::infinity:
    case Overflow::nan: return value;
    case Overflow::top:
      return reaches(value, format.greatest_exponent()) ? exactly(first_of_top(format, negative)) : value;
    case Overflow::wrap: return wrapped(format, value);
    case Overflow::directed:
      if (!leads_back(plan.words.cut, greatest(format, negative), format)) return value;
      break;
    case Overflow::largest:
    case Overflow::symmetric: break;
  }
  const Dyadic unit{1, format.last_place()};  // of an integer
  Dyadic most = format.is_integer() ? Dyadic{1, format.stored_bits - (format.has_sign ? 1 : 0) + format.last_place()}
                                    : exactly(greatest(format, negative));
  if (format.is_integer() && !(negative && plan.words.overflow != Overflow::symmetric)) most = most - unit;
  if (format.is_integer() && negative) most = Dyadic{} - most;
  if (negative && !format.has_sign) most = {};  // of an integer
  const Dyadic beyond = value - most;
  return sign(beyond) != 0 && (sign(beyond) < 0) == negative ? most : value;
}

// What a result leaves.
Carried applied(const ResultPlan& plan, const Carried& before) {
  if (sign(before.value) == 0) return before;
  Dyadic value = rounded(plan, before);
  const bool floating = plan.words.at == ResultAt::format && !plan.format.is_integer();
  if (floating && plan.words.subnormals != Subnormals::keep && is_tiny(plan, before.value, value)) return {};
  if (plan.words.at == ResultAt::format) value = within(plan, value);
  const int leading = sign(value) == 0 ? before.exponent : static_cast<int>(floor_log2(value));
  switch (plan.words.at) {
    case ResultAt::window: return {value, before.exponent};
    case ResultAt::leading_one: return {value, std::max(leading, plan.words.least_exponent.value_or(leading))};
    case ResultAt::format: break;
  }
  if (plan.format.is_list()) return {value, leading};
  return {value, floating ? std::max(leading, plan.format.least_exponent()) : 0};
}

}  // namespace

// Goes through one trace from its end, so that what later places multiply an error by is known where it is made.
class ErrorWalk {
 public:
  ErrorWalk(const ErrorSources& sources, const Operand& operand, const Trace& trace)
      : s_(sources), p_(sources.plan()), operand_(operand), trace_(trace) {
    out_.relieved.resize(sources.easements().size());
  }

  std::optional<ErrorParts> run() {
    read_scales();
    std::vector<Dyadic> lanes(static_cast<std::size_t>(p_.lanes), one_exactly);
    Dyadic c_weight;
    if (!p_.finish.empty()) finish(lanes, c_weight);
    for (int lane = 0; lane < p_.lanes; ++lane) steps(lane, lanes[at(lane)], c_weight);
    c(c_weight);
    if (!finite_) return std::nullopt;
    std::stable_sort(out_.parts.begin(), out_.parts.end(),
                     [](const ErrorPart& x, const ErrorPart& y) { return x.place < y.place; });
    return std::move(out_);
  }

 private:
  static std::size_t at(int index) { return static_cast<std::size_t>(index); }

  Number number(Region region, int instance) { return number(p_.places.first(region, instance)); }
  Number number(int place) {
    const Number n = number_at(trace_, place);
    finite_ = finite_ && n.is_finite();
    return n;
  }
  Dyadic stored(const Format& format, Code code) {
    const exact::Datum d = exact_value(format, code, p_.datapath.specials);
    finite_ = finite_ && d.kind == exact::Kind::finite;
    return d.value;
  }

  void add(int source, int place, const Dyadic& error, const Dyadic& weight) {
    if (sign(error) == 0) return;
    Dyadic weighed = is_one(weight) ? error : error * weight;
    if (sign(weighed) != 0) out_.parts.push_back({source, place, std::move(weighed)});
  }
  void relieve(int easement, const Dyadic& change, const Dyadic& weight) {
    if (easement == ErrorSources::none || sign(change) == 0) return;
    Dyadic& sum = out_.relieved[at(easement)];
    sum = sum + (is_one(weight) ? change : change * weight);
  }

  void read_scales() {
    for (int i = 0; i < p_.scales; ++i)
      scales_.push_back(stored(*p_.scale, operand_.scale_a[i]) * stored(*p_.scale, operand_.scale_b[i]));
  }
  const Dyadic& scale_of(int term) const { return p_.scale ? scales_[at(term / p_.scale_block)] : one_exactly; }

  // --- blocks ---

  void finish(std::vector<Dyadic>& lanes, Dyadic& c_weight) {
    const CircuitBlock& block = p_.circuit.finish;
    const std::size_t first = s_.sites_.size() - block.sums.size();
    block_sums(block, first, s_.finish_, s_.finish_is_plain_, one_exactly, nullptr);
    for (int lane = 0; lane < p_.lanes; ++lane) lanes[at(lane)] = weight(lane);
    const bool takes_c = !s_.finish_is_plain_ || p_.datapath.start != Start::c;
    if (takes_c) c_weight = c_weight + weight(block.one());
  }

  void steps(int lane, Dyadic acc_weight, Dyadic& c_weight) {
    const CircuitBlock& block = p_.circuit.step;
    for (int step = p_.steps - 1; step >= 0; --step) {
      const int instance = lane * p_.steps + step;
      number(p_.places.last(Region::step, instance));
      if (p_.datapath.specials == Specials::step &&
          trace_.field(p_.places.first(Region::step, instance), "outcome") != 0)
        finite_ = false;  // whatever a result made of it
      const int* order = p_.order_of(instance);
      block_sums(block, at(instance) * block.sums.size(), s_.adders_, s_.step_is_plain_, acc_weight, order);
      for (int i = 0; i < block.terms; ++i) term(order[i], weight(i));
      acc_weight = weight(block.one());
      if (step > 0) read_acc(step, p_.places.last(Region::step, instance - 1), acc_weight);
    }
    if (p_.datapath.start == Start::c) c_weight = c_weight + acc_weight;
  }

  // What the step before left, at `place`, as this one reads it.
  void read_acc(int step, int place, const Dyadic& weight) {
    if (s_.acc_.flushed == ErrorSources::none) return;
    const Number left = number(place);
    if (!finite_) return;
    const Dyadic lost = exactly(assay::read_acc(p_, step, left)) - exactly(left);
    add(s_.acc_.flushed, place, lost, weight);
    relieve(s_.acc_.kept, Dyadic{} - lost, weight);
  }

  // What errors of a value of the block are multiplied by.
  const Dyadic& weight(int value) const { return plain_ ? result_weight_ : weights_[at(value)]; }

  void block_sums(const CircuitBlock& block, std::size_t first_site, const std::vector<ErrorSources::OfAdder>& of,
                  bool plain, const Dyadic& result_weight, const int* order) {
    plain_ = plain;
    result_weight_ = result_weight;
    if (!plain) {
      weights_.assign(at(block.values()), Dyadic{});
      weights_[at(block.result())] = result_weight;
    }
    for (std::size_t i = block.sums.size(); i-- > 0;) {
      const SumNode& node = block.sums[i];
      const Dyadic left = weight(block.left_by(i));
      const Dyadic entering = node.scaled_by < 0 ? left : left * scale_of(order[node.scaled_by]);
      sum(node, s_.sites_[first_site + i], of[at(node.adder)], entering, left);
      if (plain) continue;
      for (const SumItem& item : node.items) {
        Dyadic& of = weights_[at(item.value)];
        of = item.negate ? of - entering : of + entering;
      }
    }
  }

  // --- sums ---

  // `entering`: what errors before the scales of the sum are multiplied by; `leaving`: those behind them.
  void sum(const SumNode& node, const SumSite& site, const ErrorSources::OfAdder& of, const Dyadic& entering,
           const Dyadic& leaving) {
    const std::vector<Number>& items = trace_.items(site.window);
    for (const Number& item : items) finite_ = finite_ && item.is_finite();
    if (!finite_) return;
    const std::size_t parts_before = out_.parts.size();
    const int window = static_cast<int>(trace_.signed_field(site.window, "exponent"));
    addends(node, site, of, window, entering);
    const Dyadic added = reduced(site, window, false), going_on = reduced(site, window, true);
    if (site.adder->has_sticky()) add(of.sticky, site.reduce, going_on - added, entering);
    const Dyadic left = results(site, of, {going_on, window}, leaving);
    if (out_.parts.size() == parts_before) return;  // nothing to ease
    for (const ErrorSources::EasedWords& words : of.eased)
      relieve(words.easement, eased_result(node, site, words) - left, leaving);
  }

  void addends(const SumNode& node, const SumSite& site, const ErrorSources::OfAdder& of, int window,
               const Dyadic& weight) {
    const std::vector<Number>& items = trace_.items(site.window);
    const long grid = grid_of(*p_.places.spot(site.reduce).place, window);
    std::optional<int> bare;  // windows as they would be
    int floored = window;
    for (int i = 0; i < site.items(); ++i) {
      const Number& item = items[at(i)];
      const int place = site.align(i), input = node.items[at(i)].input;
      if (const std::optional<i128> addend = narrow_addend(trace_, place); addend && is_whole(*addend, grid, item))
        continue;
      if (!bare && (of.floored != ErrorSources::none || of.stepped != ErrorSources::none)) {
        Window without_step = site.adder->window;
        without_step.step = 1;
        bare = bare_window(items);
        floored = window_of(items, site.inputs, without_step);
      }
      addend_errors({item, *site.inputs[at(i)], {signed_bits(trace_.at(place), 0), grid}},
                    {bare.value_or(window), floored, window}, of, input, place, weight);
    }
  }

  struct Aligned {
    const Number& item;
    const Input& input;
    Dyadic added;
  };
  // Of the items alone, at its floor, rounded up to its step: as it was.
  struct Windows {
    int bare, floored, used;
  };

  // From the item to what was added: nothing, where it is dropped whole; else less the bits that any window would have
  // cut, and those that its floor and its step cost.
  void addend_errors(const Aligned& aligned, const Windows& windows, const ErrorSources::OfAdder& of, int input,
                     int place, const Dyadic& weight) {
    Dyadic rest = aligned.added - exactly(aligned.item);
    if (dropped_whole(aligned.item, windows.used, aligned.input))
      return add(of.dropped[at(input)], place, rest, weight);
    Input kept = aligned.input;
    kept.lost_below.reset();
    const auto moved = [&](int source, int from, int to) {
      if (from == to) return;
      const Dyadic error = exactly(as_added(aligned.item, to, kept)) - exactly(as_added(aligned.item, from, kept));
      add(source, place, error, weight);
      rest = rest - error;
    };
    moved(of.floored, windows.bare, windows.floored);
    moved(of.stepped, windows.floored, windows.used);
    add(of.cut[at(input)], place, rest, weight);
  }

  // The sum as its register has it, with or without the sticky bit.
  Dyadic reduced(const SumSite& site, int window, bool with_sticky) const {
    const long grid = grid_of(*p_.places.spot(site.reduce).place, window);
    const Bits bits = trace_.at(site.reduce);
    const bool sticky = site.adder->has_sticky();
    const Dyadic sum{signed_bits(bits, sticky ? 1 : 0), grid};
    return sticky && with_sticky ? with_sticky_bit(sum, bits.bit(0), grid) : sum;
  }

  static Dyadic with_sticky_bit(const Dyadic& sum, bool lost, long grid) {
    if (!lost) return sum;
    const Dyadic bit{sign(sum) < 0 ? -1 : 1, grid - 1};
    return sum + bit;
  }

  // What would have left the sum under other words.
  Dyadic eased_result(const SumNode& node, const SumSite& site, const ErrorSources::EasedWords& words) const {
    const std::vector<Number>& items = trace_.items(site.window);
    std::vector<const Input*> inputs;
    for (const SumItem& item : node.items) inputs.push_back(&words.inputs[at(item.input)]);
    const int window = window_of(items, inputs, words.window);
    const SumPlan& sum = site.adder->sum;
    int fraction_bits = 0;
    for (const Input& input : words.inputs) fraction_bits = std::max(fraction_bits, input.keep.value_or(0));
    Dyadic total;
    bool lost = false;
    for (std::size_t i = 0; i < items.size(); ++i) {
      if (items[i].is_zero()) continue;
      const Dyadic added = exactly(as_added(items[i], window, *inputs[i]));
      lost = lost || (site.adder->has_sticky() && sign(added - exactly(items[i])) != 0);
      total = total + added;
    }
    total = with_sticky_bit(total, lost, sum.fixed_quantum ? *sum.fixed_quantum : window - fraction_bits);
    Carried carried{std::move(total), window};
    if (site.adder->scaled) carried = scaled(site, carried.value, window + scale_exponent(site));
    for (const ResultPlan& result : words.results) carried = applied(result, carried);
    return carried.value;
  }

  // --- results ---

  Carried scaled(const SumSite& site, const Dyadic& value, int exponent) const {
    return {value * scales_[at(site.scale_block)], exponent};
  }
  // What scales add to the nominal exponent of a sum.
  int scale_exponent(const SumSite& site) const {
    return number_at(trace_, p_.places.first(Region::decode_scale_a, site.scale_block)).exponent +
           number_at(trace_, p_.places.first(Region::decode_scale_b, site.scale_block)).exponent;
  }

  // What leaves the sum.
  Dyadic results(const SumSite& site, const ErrorSources::OfAdder& of, Carried carried, const Dyadic& weight) {
    if (site.adder->scaled) carried = scaled(site, carried.value, number(site.reduce + 1).exponent);
    for (std::size_t i = 0; i < of.results.size(); ++i) {
      const int place = site.first_result() + static_cast<int>(i);
      carried = result(site.adder->results[i], of.results[i], carried, place, weight);
    }
    return carried.value;
  }

  // First it is rounded; then a tiny one flushed, or one that is too large brought into the format.
  Carried result(const ResultPlan& plan, const ErrorSources::OfResult& of, const Carried& before, int place,
                 const Dyadic& weight) {
    const Number after = number(place);
    if (!finite_) return before;
    const Dyadic left = exactly(after);
    Dyadic rest = left - before.value;
    if (sign(rest) == 0) return {left, after.exponent};
    const Dyadic nearest = rounded(plan, before);
    const bool flushed = of.flushed != ErrorSources::none && after.is_zero() && is_tiny(plan, before.value, nearest);
    const Dyadic beyond = left - nearest;
    if (flushed || (of.overflowed != ErrorSources::none && sign(beyond) != 0)) {
      add(flushed ? of.flushed : of.overflowed, place, beyond, weight);
      rest = rest - beyond;
    }
    add(of.rounded, place, rest, weight);
    return {left, after.exponent};
  }

  // --- operands and products ---

  // A product from its operands to what the adders take.
  void term(int i, const Dyadic& weight) {
    const Dyadic wanted = signs_.products[at(i)] < 0 ? Dyadic{} - scale_of(i) : scale_of(i);
    const Dyadic factor = p_.datapath.product.times_scales ? scale_of(i) * weight : weight;
    const bool reads_all = s_.a_.flushed == ErrorSources::none && s_.b_.flushed == ErrorSources::none;
    const bool counts_once = sign(factor - wanted) == 0;
    if (reads_all && counts_once && !p_.product_round) return;
    const Dyadic a = stored(p_.a, operand_.a[i]), b = stored(p_.b, operand_.b[i]);
    const Number a_number = number(Region::decode_a, i), b_number = number(Region::decode_b, i);
    if (!finite_) return;
    const Dyadic a_read = exactly(a_number), b_read = exactly(b_number);
    add(s_.a_.flushed, p_.places.first(Region::decode_a, i), (a_read - a) * b, factor);
    add(s_.b_.flushed, p_.places.first(Region::decode_b, i), a_read * (b_read - b), factor);
    relieve(s_.a_.kept, (a - a_read) * b_read, factor);
    relieve(s_.b_.kept, a_read * (b - b_read), factor);
    relieve(s_.both_kept_, a * b - a_read * b_read, factor);
    if (!counts_once) add(s_.wired_, p_.places.first(Region::multiply, i), a * b, factor - wanted);
    if (p_.product_round) round_product(i, a_read * b_read, weight);
  }

  void round_product(int i, const Dyadic& product, const Dyadic& weight) {
    const bool scaled = p_.datapath.product.times_scales;
    const Number entered = number(scaled ? Region::scale : Region::multiply, i);
    const Dyadic value = scaled ? product * scale_of(i) : product;
    const bool normalised = p_.datapath.product.exponent == ProductExponent::normalised && sign(value) != 0;
    const int exponent = normalised ? static_cast<int>(floor_log2(value)) : entered.exponent;
    const Carried before{value, exponent};
    const Carried left =
        result(*p_.product_round, s_.product_, before, p_.places.first(Region::multiply_round, i), weight);
    if (!finite_ || sign(left.value - value) == 0) return;
    for (const ErrorSources::EasedResult& eased : s_.product_.eased)
      relieve(eased.easement, applied(eased.plan, before).value - left.value, weight);
  }

  void c(const Dyadic& weight) {
    const Dyadic c = stored(p_.c, operand_.c);
    const Number read = number(Region::decode_c, 0);
    if (!finite_) return;
    const int place = p_.places.first(Region::decode_c);
    add(s_.c_.flushed, place, exactly(read) - c, weight);
    relieve(s_.c_.kept, c - exactly(read), weight);
    add(s_.wired_, place, c, weight - Dyadic{signs_.c, 0});
  }

  const ErrorSources& s_;
  const Plan& p_;
  const Operand& operand_;
  const Trace& trace_;
  ErrorParts out_;
  const TermSigns signs_ = signs_of(p_);
  std::vector<Dyadic> scales_;  // of both sides together, by block
  bool plain_ = true;           // of the block at work
  Dyadic result_weight_;
  std::vector<Dyadic> weights_;  // of its values, where it is not plain
  bool finite_ = true;
};

std::optional<ErrorParts> ErrorSources::parts(const Operand& operand, const Trace& trace) const {
  return ErrorWalk(*this, operand, trace).run();
}

Budget budget_of(const ErrorSources& sources, const Case& one, const Trace& trace) {
  const Plan& plan = sources.plan();
  const ExactSum exact = exact_sum(plan, one);
  if (exact.sum.kind != exact::Kind::finite) return {"there is no finite exact sum to hold d against", {}, {}};
  const auto d = static_cast<Code>(trace.field(plan.places.first(Region::encode), "bits"));
  const std::optional<Dyadic> error = error_of(plan, exact, d);
  std::optional<ErrorParts> parts = sources.parts(one.operand(), trace);
  if (!error || !parts) return {"a number on the way to d is infinite or NaN", {}, {}};
  return {"", *error, *std::move(parts)};
}

Dyadic sum_of(const std::vector<ErrorPart>& parts) {
  Dyadic sum;
  for (const ErrorPart& part : parts) sum = sum + part.error;
  return sum;
}

}  // namespace assay::explain
