#include "tb/guarantee/walk.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <climits>

#include "model/base/text.hpp"
#include "model/core/cut.hpp"

namespace assay::guarantee {
namespace {

// No place of a circuit lies lower.
constexpr long no_bits = LONG_MAX / 4;

// How many units a cut may take a number down and up, and how many its magnitude may grow by.
//
//   toward_zero   a number loses less than a unit of its magnitude: down where it is positive
//   down, up      the number itself falls or rises by less than a unit, whatever its sign
//   nearest       half a unit at most, either way
//   to_odd        less than a unit, either way
struct Span {
  Rational down, up, grows;
};
Span span(Cut cut, Signs signs) {
  const bool any = signs == Signs::any;
  const Rational half(1, 2);
  switch (cut) {
    case Cut::toward_zero: return {1, any ? 1 : 0, 0};
    case Cut::down: return {1, 0, any ? 1 : 0};
    case Cut::up: return {0, 1, 1};
    case Cut::nearest_even:
    case Cut::nearest_away:
    case Cut::nearest_up: return {half, half, half};
    case Cut::to_odd:
    case Cut::stochastic_a:
    case Cut::stochastic_b:
    case Cut::stochastic_c: return {1, 1, 1};
  }
  return {};
}

std::string unit_text(const std::string& exponent, int keep, Cut cut) {
  return fmt::format("{}2^({} - {})", is_nearest(cut) ? "1/2 x " : "", exponent, keep);
}

std::string without_indices(const std::string& name) {
  std::string kept;
  int depth = 0;
  for (const char ch : name) {
    depth += ch == '[' ? 1 : 0;
    if (depth == 0) kept += ch;
    depth -= ch == ']' ? 1 : 0;
  }
  return kept;
}

// The least upper bound of |number| / 2^exponent.
Rational greatest_significand(const Format& f) {
  if (f.is_integer()) return power_of_two(f.has_sign ? f.stored_bits - 1 : f.stored_bits);
  return Rational(2) - power_of_two(-f.mantissa_bits);
}

bool has_subnormals(const Format& f) { return !f.is_integer() && f.has_zero && f.mantissa_bits > 0; }

Rational greatest_subnormal(const Format& f) {
  return power_of_two(f.least_exponent()) - power_of_two(f.least_exponent() - f.mantissa_bits);
}

long lowest_bit(const Format& f) { return f.is_integer() ? 0 : f.least_exponent() - f.mantissa_bits; }

Rational greatest_number(const Format& f) {
  if (f.is_integer()) return power_of_two(f.has_sign ? f.stored_bits - 1 : f.stored_bits) - 1;
  const Code mantissa = f.greatest_finite() & ((Code{1} << f.mantissa_bits) - 1);
  const mpz_class significand(static_cast<unsigned long>(mantissa | (Code{1} << f.mantissa_bits)));
  return Rational(significand) * power_of_two(f.greatest_exponent() - f.mantissa_bits);
}

long deepest_fraction(const Range& r) {
  return r.fixed_quantum ? std::max(0, r.greatest_exponent - *r.fixed_quantum) : r.fraction_bits;
}

void keep_greater(Exponent& x, const Exponent& y) {
  x.relative = std::max(x.relative, y.relative);
  x.small = std::max(x.small, y.small);
  x.operand = std::max(x.operand, y.operand);
}

// Of two shares together.
NoneWhere worse(NoneWhere x, NoneWhere y) {
  if (x == y || y == NoneWhere::relative) return x;
  if (x == NoneWhere::relative) return y;
  return x == NoneWhere::never || y == NoneWhere::never ? NoneWhere::never : NoneWhere::both;
}

}  // namespace

// What an item may lose, in units of 2^window.
struct CircuitWalk::Losing {
  bool sets_window = true;
  Rational down, up, grows;
  bool safe_at_window = false;  // loses nothing where its own exponent is the window's
  Source source;
  long small_bit = 0;  // where the window is `small`, multiples of 2^(its exponent + this) lose nothing
  bool loses() const { return sgn(down) != 0 || sgn(up) != 0; }
};

// A sum at work.
struct CircuitWalk::Summed {
  const SumNode& node;
  const AdderPlan& adder;
  const std::vector<Value>& values;
  std::string place;
  Exponent window;
  Value v;
};

// What a unit of the last place weighs at most: `unit.relative` x R, or `unit.absolute`, or `small` where the number is
// small, or `operand` where an operand is subnormal.
struct CircuitWalk::Rounding {
  Source source;
  Cut cut = Cut::toward_zero;
  Amount unit;
  Rational small, operand;
};

CircuitWalk::CircuitWalk(const Plan& plan, Reference reference, Signs signs, Places without)
    : plan_(plan), reference_(reference), signs_(signs), without_(std::move(without)) {}

void CircuitWalk::note(Shares& shares, const Source& source, const Share& share) const {
  const auto names = [&](const std::string& prefix) { return starts_with(source.place, prefix); };
  if (std::none_of(without_.begin(), without_.end(), names)) add(shares, source, share);
}

// --- operands ---

// R is 2^E: the exponent is at most E and |c| < 2 x 2^E; or R is S: a c that is normal has 2^exponent <= |c| <= S, and
// one that is not has the least exponent. Where c is taken as a number of d's format, its exponent is its leading one,
// or d's least.
Value CircuitWalk::c() const {
  const Format &own = plan_.c, &taken = plan_.widen_c ? plan_.d : plan_.c;
  Value v;
  v.magnitude.relative = against_sum() ? Rational(1) : greatest_significand(own);
  v.exponent.relative = 1;
  v.least_bit = lowest_bit(own);
  const bool kept = has_subnormals(own) && plan_.datapath.subnormals_c == Subnormals::keep;
  if (!own.is_integer() && (plan_.widen_c ? taken.least_exponent() > lowest_bit(own) : kept)) {
    if (against_sum() || taken.least_exponent() > own.least_exponent())
      v.exponent.operand = power_of_two(taken.least_exponent());
  }
  v.range = plan_.acc_range;
  if (flushes_c())
    flush(v, {"decode.c", Loss::flushed_operand, NoneWhere::normal, fmt::format("2^{}", own.least_exponent())},
          greatest_subnormal(own));
  return v;
}

Value CircuitWalk::zero() const {
  Value v;
  v.zero = true;
  v.least_bit = no_bits;
  v.range = plan_.acc_range;
  return v;
}

bool CircuitWalk::flushes_c() const {
  return plan_.datapath.subnormals_c != Subnormals::keep && has_subnormals(plan_.c);
}

Value CircuitWalk::as_c(Value d) {
  d.range = plan_.acc_range;
  if (flushes_c() && !d.zero && d.least_bit < plan_.c.least_exponent())
    flush_small(d, plan_.c, {"decode.c", Loss::flushed_operand});
  return d;
}

// A term is exact: its factors' significands multiply, their exponents add. Against 2^E its exponent is at most E.
// Against S, 2^exponent <= |term| where all factors are normal; one subnormal factor has its format's least exponent,
// the others have at most their greatest.
Value CircuitWalk::term() {
  std::vector<const Format*> factors{&plan_.a, &plan_.b};
  const bool scaled = plan_.datapath.product.times_scales;
  if (scaled) factors.insert(factors.end(), 2, &*plan_.scale);
  before_scales_ =
      std::any_of(plan_.adders.begin(), plan_.adders.end(), [](const AdderPlan& a) { return a.times_scales; });
  long exponents = 0;
  Value v;
  v.magnitude.relative = 1;
  for (const Format* f : factors) {
    if (!against_sum()) v.magnitude.relative *= greatest_significand(*f);
    v.least_bit += lowest_bit(*f);
    exponents += f->is_integer() ? 0 : f->greatest_exponent();
  }
  v.exponent.relative = 1;
  const auto read_as_zero = [&](std::size_t i) {
    const Subnormals words = i == 0 ? plan_.datapath.subnormals_a : plan_.datapath.subnormals_b;
    return i < 2 && words != Subnormals::keep;
  };
  for (std::size_t i = 0; i < factors.size(); ++i) {
    const Format& f = *factors[i];
    if (!against_sum() || !has_subnormals(f) || read_as_zero(i)) continue;
    v.exponent.operand =
        std::max(v.exponent.operand, power_of_two(exponents - f.greatest_exponent() + f.least_exponent()));
  }
  flush_operands(v);
  for (const ProductNode& node : plan_.circuit.products) {
    if (node.work == ProductWork::round) {
      if (plan_.datapath.product.exponent == ProductExponent::normalised) normalise_exponent(v);
      if (plan_.product_round) v = result(std::move(v), *plan_.product_round, "multiply.round");
    }
    v.range = node.range;
  }
  if (const std::optional<int>& at = plan_.datapath.product.infinity_at)
    limit("product", v, power_of_two(*at) - power_of_two(v.least_bit));
  before_scales_ = false;
  v.range = plan_.term_range;
  return v;
}

// A subnormal a read as zero takes with it less than 2^least times the greatest b, and the scales.
void CircuitWalk::flush_operands(Value& term) const {
  const auto read_as_zero = [&](const char* place, Subnormals words, const Format& own, const Format& other) {
    if (words == Subnormals::keep || !has_subnormals(own)) return;
    Rational lost = greatest_subnormal(own) * greatest_number(other);
    if (plan_.datapath.product.times_scales) lost *= greatest_number(*plan_.scale) * greatest_number(*plan_.scale);
    flush(term, {place, Loss::flushed_operand, NoneWhere::normal, "its product"}, lost);
  };
  read_as_zero("decode.a", plan_.datapath.subnormals_a, plan_.a, plan_.b);
  read_as_zero("decode.b", plan_.datapath.subnormals_b, plan_.b, plan_.a);
}

// 2^(leading exponent) <= |value|. The bits that stood before the point then stand behind it.
void CircuitWalk::normalise_exponent(Value& term) const {
  term.exponent = {leading(term).relative, 0, 0};
  Range& r = term.range;
  r.least_exponent = r.least_quantum();
  r.greatest_exponent += r.integer_bits - 1;
  r.fraction_bits += r.integer_bits - 1;
  r.integer_bits = 1;
}

// The greatest power of two that |value| may reach. Against 2^E only powers of two times 2^E need be looked at. With
// m x R + m0 >= |value| and p the greatest power of two that is at most m: where m0 <= (2p - m) R it is at most p x R;
// elsewhere R < m0 / (2p - m), and so |value| < m0 (m / (2p - m) + 1).
Amount CircuitWalk::leading(const Value& v) const {
  const Rational &m = v.magnitude.relative, &m0 = v.magnitude.absolute;
  if (against_sum() || sgn(m) == 0) return v.magnitude;
  const Rational power = floor_to_power(m);
  if (sgn(m0) == 0) return {power, 0};
  const Rational gap = 2 * power - m;
  return {power, rounded_up(m0 * (m / gap + 1))};
}

// --- blocks ---

Value CircuitWalk::operation(const Value& c) {
  const Value term = this->term();
  Value acc = plan_.datapath.start == Start::c ? c : zero();
  for (int step = 0; step < plan_.steps; ++step) {
    std::vector<Value> values(static_cast<std::size_t>(plan_.step_terms), term);
    acc.range = plan_.acc_range;
    if (step > 0) flush_acc(acc);
    values.push_back(std::move(acc));
    acc = block(plan_.circuit.step, plan_.adders, std::move(values), "step.");
  }
  if (plan_.finish.empty()) return acc;
  // Every lane is walked alike, so one stands for all.
  std::vector<Value> lanes(static_cast<std::size_t>(plan_.lanes), acc);
  lanes.push_back(c);
  return block(plan_.circuit.finish, plan_.finish, std::move(lanes), "finish.");
}

// What a step left, as the next one reads it.
void CircuitWalk::flush_acc(Value& acc) {
  if (plan_.datapath.subnormals_acc == Subnormals::keep || acc.zero) return;
  const Format& f = plan_.adders.back().results.back().format;
  if (acc.least_bit < f.least_exponent()) flush_small(acc, f, {"step.acc", Loss::flushed_operand});
}

// `values`: those of the terms, then the one.
Value CircuitWalk::block(const CircuitBlock& block, const std::vector<AdderPlan>& adders, std::vector<Value> values,
                         const std::string& name) {
  for (std::size_t i = 0; i < values.size(); ++i) values[i].range = block.ranges[i];
  for (const SumNode& node : block.sums) {
    const AdderPlan& adder = adders[static_cast<std::size_t>(node.adder)];
    values.push_back(sum(node, adder, values, name + without_indices(node.name)));
  }
  return std::move(values.back());
}

// --- a sum ---

// The window is the greatest exponent among the items, or a floor, or fixed. Rounded up to a multiple of `step` it is
// less than `step` more.
Exponent CircuitWalk::window(const Summed& s) const {
  const Window& words = s.adder.window;
  Exponent w;
  if (words.exponent == WindowExponent::fixed) {
    w.small = power_of_two(words.at);
    return w;
  }
  for (const SumItem& item : s.node.items) {
    const Input& input = s.adder.inputs[static_cast<std::size_t>(item.input)].words;
    keep_greater(w, s.values[static_cast<std::size_t>(item.value)].exponent);
    if (input.empty) w.small = std::max(w.small, power_of_two(*input.empty));
  }
  if (words.floor) w.small = std::max(w.small, power_of_two(*words.floor));
  const Rational up = power_of_two(words.step - 1);
  const Rational greatest = power_of_two(s.adder.sum.range.greatest_exponent);
  return {w.relative * up, std::min(Rational(w.small * up), greatest), std::min(Rational(w.operand * up), greatest)};
}

// A window that stands fixed is relative after all where some term is not zero: no exponent of a product is below the
// least, so 2^window <= 2^(window - least) x 2^exponent. It has to be before scales multiply it, of whatever size.
void CircuitWalk::anchor(Summed& s) const {
  if (std::any_of(s.adder.inputs.begin(), s.adder.inputs.end(), [](const InputPlan& i) { return i.words.empty; }))
    return;
  const Value& term = s.values[static_cast<std::size_t>(s.node.items.front().value)];
  const Rational above_least = s.window.small * power_of_two(-term.range.least_exponent);
  s.window.relative = std::max(s.window.relative, Rational(above_least * term.exponent.relative));
  if (against_sum() && (has_subnormals(plan_.a) || has_subnormals(plan_.b)))
    s.window.operand = std::max(s.window.operand, s.window.small);
  s.window.small = 0;
}

// An item is cut at 2^(window - keep), and so loses less than one unit of that weight (half of one, if to nearest);
// nothing where its last bit is never below the greatest window's. Dropped whole it loses all of itself: its exponent
// is then at most window - lost_below - 1, and its magnitude less than 2^integer_bits times that. One item is either.
CircuitWalk::Losing CircuitWalk::losing(const Value& value, const Input& input, const Summed& s) const {
  Losing l;
  const Window& words = s.adder.window;
  const long greatest = s.adder.sum.range.greatest_exponent;
  l.sets_window = !value.zero || input.empty.has_value();
  if (value.zero) return l;
  const bool fixed = words.exponent == WindowExponent::fixed;
  const int slack = words.step - 1;  // the window may lie so much above the greatest exponent
  l.safe_at_window = !fixed && (!input.keep || deepest_fraction(value.range) + slack <= *input.keep) &&
                     (!input.lost_below || *input.lost_below >= slack);
  l.small_bit = -no_bits;
  if (input.keep && value.least_bit < greatest - *input.keep) {
    const Span units = span(input.cut, signs_);
    const Rational unit = power_of_two(-*input.keep);
    l.down = units.down * unit, l.up = units.up * unit, l.grows = units.grows * unit;
    l.source = {s.place + ".align", Loss::cut, NoneWhere::relative, unit_text("window", *input.keep, input.cut)};
    l.small_bit = -*input.keep;
  }
  if (input.lost_below && value.range.least_exponent < greatest - *input.lost_below) {
    const int below = *input.lost_below + 1 - value.range.integer_bits;
    const Rational all = power_of_two(-below);
    if (all > std::max(l.down, l.up))
      l.source = {s.place + ".align", Loss::dropped, NoneWhere::relative, fmt::format("2^(window - {})", below)};
    l.down = std::max(l.down, all);
    if (signs_ == Signs::any) l.up = std::max(l.up, all);
    l.small_bit = std::max(l.small_bit, static_cast<long>(-below) + 1);
  }
  return l;
}

// What each item may lose on one side. In a window that an item has set, that item loses nothing where its fraction is
// no longer than what is kept; the others may. Which one sets it is not known: the worst is that it is the one with the
// least to lose, so that is taken off the sum. A floor may stand above all items: there none is taken off.
void CircuitWalk::cut_items(Summed& s, const std::vector<Losing>& items, Rational Losing::*way, Slack& side) {
  const Losing* spared = nullptr;
  bool safe = true;
  for (const Losing& i : items) {
    if (!i.sets_window) continue;
    safe = safe && i.safe_at_window;
    if (spared == nullptr || i.*way < spared->*way) spared = &i;
  }
  const NoneWhere small = s.node.scaled_by >= 0 || s.adder.has_sticky() ? NoneWhere::never : NoneWhere::last_place;
  for (const Losing& i : items) {
    const auto put = [&](Shares& shares, NoneWhere cause, const Rational& window) {
      Source source = i.source;
      source.cause = cause;
      note(shares, source, {i.*way * window, 1});
    };
    if (!safe || &i != spared) put(side.relative, NoneWhere::relative, s.window.relative);
    put(side.absolute, small, s.window.small);
    put(side.absolute, NoneWhere::normal, s.window.operand);
    if (small == NoneWhere::last_place && i.loses() && sgn(s.window.small) != 0)
      needs_last_place(floor_log2(s.window.small) + i.small_bit);
  }
}

// Cutting away from zero makes an item greater.
void CircuitWalk::grow(Summed& s, const std::vector<Losing>& items) const {
  for (const Losing& i : items) {
    s.v.magnitude.relative += i.grows * s.window.relative;
    s.v.magnitude.absolute += i.grows * (s.window.small + s.window.operand);
    if (sgn(i.grows * s.window.small) != 0) s.v.grown = worse(s.v.grown, NoneWhere::last_place);
    if (sgn(i.grows * s.window.operand) != 0) s.v.grown = worse(s.v.grown, NoneWhere::normal);
  }
}

// One bit, half a unit of the sum's grid, joins the magnitude where ones were lost.
void CircuitWalk::sticky(Summed& s, bool lost) {
  if (!s.adder.has_sticky()) return;
  s.v.least_bit = std::min(s.v.least_bit, static_cast<long>(s.adder.sum.range.least_quantum()));
  if (!lost) return;
  const auto put = [&](const Rational& relative, const Rational& absolute, const std::string& unit) {
    const auto side = [&](Slack& to) {
      note(to.relative, {s.place + ".reduce", Loss::sticky, NoneWhere::relative, unit}, {relative, 1});
      note(to.absolute, {s.place + ".reduce", Loss::sticky, NoneWhere::never, unit}, {absolute, 1});
    };
    side(s.v.error.above);
    if (signs_ == Signs::any) side(s.v.error.below);
    s.v.magnitude.relative += relative;
    s.v.magnitude.absolute += absolute;
    s.v.grown = NoneWhere::never;
  };
  if (const std::optional<int>& grid = s.adder.sum.fixed_quantum)
    return put(0, power_of_two(*grid - 1), fmt::format("2^{}", *grid - 1));
  const int below = s.adder.sum.fraction_bits + 1;
  const Rational half = power_of_two(-below);
  put(half * s.window.relative, half * (s.window.small + s.window.operand), fmt::format("2^(window - {})", below));
}

// Scales are exact factors. Against 2^E, E counts their exponents already and their significands are left; against S
// the terms count with their scales.
void CircuitWalk::scale_sum(Summed& s) {
  const Format& f = *plan_.scale;
  const Rational significand = against_sum() ? Rational(1) : greatest_significand(f);
  const Rational relative = significand * significand, greatest = greatest_number(f) * greatest_number(f);
  s.v.error = times(std::move(s.v.error), relative, greatest);
  s.v.magnitude = {s.v.magnitude.relative * relative, s.v.magnitude.absolute * greatest};
  s.window.small *= greatest;
  s.window.operand *= greatest;
  if (against_sum() && has_subnormals(f))
    s.window.operand += power_of_two(s.adder.sum.range.greatest_exponent + f.least_exponent() + f.greatest_exponent());
  s.v.least_bit += 2 * lowest_bit(f);
}

// Added exactly: errors join, magnitudes add, and a multiple of the least bit of all items remains. The exponent is the
// window's.
Value CircuitWalk::sum(const SumNode& node, const AdderPlan& adder, const std::vector<Value>& values,
                       const std::string& place) {
  Summed s{node, adder, values, place, {}, {}};
  s.window = window(s);
  if (node.scaled_by >= 0) anchor(s);
  s.v.zero = true;
  s.v.least_bit = no_bits;
  std::vector<Losing> items;
  for (const SumItem& item : node.items) {
    const Value& value = values[static_cast<std::size_t>(item.value)];
    items.push_back(losing(value, adder.inputs[static_cast<std::size_t>(item.input)].words, s));
    s.v.zero = s.v.zero && value.zero;
    s.v.least_bit = std::min(s.v.least_bit, value.least_bit);
    join(s.v.error, value.error, reference_);
    Rational& magnitude = s.v.magnitude.relative;
    magnitude =
        against_sum() ? std::max(magnitude, value.magnitude.relative) : Rational(magnitude + value.magnitude.relative);
    s.v.magnitude.absolute += value.magnitude.absolute;
    s.v.grown = worse(s.v.grown, value.grown);
  }
  cut_items(s, items, &Losing::down, s.v.error.below);
  cut_items(s, items, &Losing::up, s.v.error.above);
  grow(s, items);
  sticky(s, std::any_of(items.begin(), items.end(), [](const Losing& i) { return i.loses(); }));
  if (node.scaled_by >= 0) scale_sum(s);
  s.v.exponent = s.window;
  s.v.range = adder.scaled ? *adder.scaled : adder.sum.range;
  s.v.magnitude = {rounded_up(s.v.magnitude.relative), rounded_up(s.v.magnitude.absolute)};
  for (std::size_t i = 0; i < adder.results.size(); ++i) {
    const std::string name = adder.results.size() == 1 ? "round" : indexed("round", static_cast<int>(i));
    s.v = result(std::move(s.v), adder.results[i], place + "." + name);
  }
  return std::move(s.v);
}

// --- results ---

Value CircuitWalk::result(Value v, const ResultPlan& r, const std::string& place) {
  if (v.zero) return v;
  switch (r.words.at) {
    case ResultAt::window: cut_at_window(v, r.words, place); break;
    case ResultAt::leading_one: round_at_leading_one(v, r.words, place); break;
    case ResultAt::format:
      if (r.format.is_integer()) {
        round_to_integer(v, r, place);
      } else {
        round_to_format(v, r, place);
      }
  }
  v.range = r.range;
  return v;
}

// A number loses less than a unit of its last place, half of one if to nearest.
void CircuitWalk::round(Value& v, const Rounding& rounding) {
  const Span units = span(rounding.cut, signs_);
  const auto put = [&](Shares Slack::*kind, const Rational& unit, NoneWhere cause) {
    Source source = rounding.source;
    source.cause = cause;
    note(v.error.below.*kind, source, {units.down * unit, 1});
    note(v.error.above.*kind, source, {units.up * unit, 1});
  };
  put(&Slack::relative, rounding.unit.relative, NoneWhere::relative);
  put(&Slack::absolute, rounding.unit.absolute, v.grown);
  put(&Slack::absolute, rounding.small, NoneWhere::last_place);
  put(&Slack::absolute, rounding.operand, NoneWhere::normal);
  if (sgn(rounding.small) != 0) needs_last_place(floor_log2(rounding.small));
  const Rational absolute = rounding.unit.absolute + rounding.small + rounding.operand;
  v.magnitude.relative = rounded_up(v.magnitude.relative + units.grows * rounding.unit.relative);
  v.magnitude.absolute = rounded_up(v.magnitude.absolute + units.grows * absolute);
  if (sgn(units.grows * rounding.small) != 0) v.grown = worse(v.grown, NoneWhere::last_place);
  if (sgn(units.grows * rounding.operand) != 0) v.grown = worse(v.grown, NoneWhere::normal);
}

// Cut at 2^(exponent - keep).
void CircuitWalk::cut_at_window(Value& v, const Result& words, const std::string& place) {
  if (!v.range.fixed_quantum && v.range.fraction_bits <= words.keep) return;
  const Rational unit = power_of_two(-words.keep);
  round(v, {{place, Loss::rounding, NoneWhere::relative, unit_text("window", words.keep, words.cut)},
            words.cut,
            {v.exponent.relative * unit, 0},
            v.exponent.small * unit,
            v.exponent.operand * unit});
}

// Cut `keep` bits after the leading one, which stands at 2^leading <= |value|, or after `least_exponent`. A zero keeps
// the exponent that it has.
void CircuitWalk::round_at_leading_one(Value& v, const Result& words, const std::string& place) {
  const Rational unit = power_of_two(-words.keep);
  const std::optional<int> least = words.least_exponent;
  const bool reaches_least = least && v.least_bit < *least - words.keep;
  if (v.range.significand_bits() > words.keep + 1 || reaches_least) {
    const Amount one = leading(v);
    round(v, {{place, Loss::rounding, NoneWhere::relative, unit_text("leading", words.keep, words.cut)},
              words.cut,
              {one.relative * unit, one.absolute * unit},
              reaches_least ? power_of_two(*least - words.keep) : Rational(0),
              0});
  }
  const Amount one = leading(v);
  v.exponent.relative = std::max(v.exponent.relative, one.relative);
  v.exponent.operand = std::max(v.exponent.operand, one.absolute);
  if (least) v.exponent.small = std::max(v.exponent.small, power_of_two(*least));
}

// Cut at the last place of the format: `mantissa` bits after the leading one, or at the one place of all numbers below
// the least normal one. A number that can be less than that has its exponent then.
void CircuitWalk::round_to_format(Value& v, const ResultPlan& r, const std::string& place) {
  const Format& f = r.format;
  limit(place, v, greatest_number(f));
  const bool loses_below = v.least_bit < lowest_bit(f), subnormal = v.least_bit < f.least_exponent();
  if (v.range.significand_bits() > f.mantissa_bits + 1 || loses_below) {
    const Rational unit = power_of_two(-f.mantissa_bits);
    const Amount one = leading(v);
    round(v, {{place, Loss::rounding, NoneWhere::relative,
               fmt::format("{}ulp({})", is_nearest(r.words.cut) ? "1/2 " : "", f.name)},
              r.words.cut,
              {one.relative * unit, one.absolute * unit},
              loses_below ? power_of_two(lowest_bit(f)) : Rational(0),
              0});
  }
  if (subnormal && r.words.subnormals != Subnormals::keep) flush_small(v, f, {place, Loss::flushed_result});
  const Amount one = leading(v);
  v.exponent = {one.relative, subnormal ? power_of_two(f.least_exponent()) : Rational(0), one.absolute};
  v.least_bit = std::max(v.least_bit, lowest_bit(f));
}

// What is flushed was less than the least normal number.
void CircuitWalk::flush_small(Value& v, const Format& format, Source source) {
  source.cause = NoneWhere::last_place;
  source.unit = fmt::format("2^{}", format.least_exponent());
  flush(v, source, power_of_two(format.least_exponent()));
  needs_last_place(format.least_exponent());
}

void CircuitWalk::flush(Value& v, const Source& source, const Rational& less_than) const {
  note(v.error.below.absolute, source, {less_than, 1});
  if (signs_ == Signs::any) note(v.error.above.absolute, source, {less_than, 1});
}

// Cut at 1. An integer without a sign becomes zero where it would be negative.
void CircuitWalk::round_to_integer(Value& v, const ResultPlan& r, const std::string& place) {
  const bool all_below = !r.format.has_sign && signs_ == Signs::any;
  limit(place, v, all_below ? Rational(0) : greatest_number(r.format));
  if (v.least_bit < 0) round(v, {{place, Loss::rounding, NoneWhere::relative, "1"}, r.words.cut, {}, 1, 0});
  v.exponent = {1, 0, 0};
  v.least_bit = std::max(v.least_bit, 0L);
}

Value CircuitWalk::software_sum(const Value& x, const Value& y, const Format& format, const std::string& place) {
  Value v;
  v.zero = x.zero && y.zero;
  v.least_bit = std::min(x.least_bit, y.least_bit);
  for (const Value* each : {&x, &y}) {
    join(v.error, each->error, reference_);
    v.magnitude.relative = against_sum() ? std::max(v.magnitude.relative, each->magnitude.relative)
                                         : Rational(v.magnitude.relative + each->magnitude.relative);
    v.magnitude.absolute += each->magnitude.absolute;
    v.grown = worse(v.grown, each->grown);
  }
  // Nothing is added to a zero: what is there is a number of the format.
  v.range = x.zero ? y.range : y.zero ? x.range : plan_.product_range;
  if (!x.zero && !y.zero) v.range.fraction_bits = INT_MAX / 4, v.range.fixed_quantum.reset();
  ResultPlan to_nearest;
  to_nearest.format = format;
  to_nearest.range = {format.least_exponent(), format.greatest_exponent(), 1, format.mantissa_bits, std::nullopt};
  return result(std::move(v), to_nearest, place);
}

// What is scaled later says nothing of S, where scales may be small or zero: only what can never overflow does not.
//
// |value| <= m S + m0 reaches no more than `greatest` where S <= (greatest - m0) / m; what is at most the greatest
// number of a format is rounded to one of its numbers.
void CircuitWalk::limit(const std::string& place, const Value& v, const Rational& greatest) {
  if (!against_sum() || v.zero) return;
  if (before_scales_) {
    if (greatest_number(plan_.a) * greatest_number(plan_.b) > greatest) limits_.push_back({place, -1});
    return;
  }
  const Rational most = std::max(Rational(0), Rational((greatest - v.magnitude.absolute) / v.magnitude.relative));
  for (Limit& known : limits_) {
    if (known.place != place) continue;
    known.sum = std::min(known.sum, most);
    return;
  }
  limits_.push_back({place, most});
}

void CircuitWalk::needs_last_place(long weight) { last_place_ = std::max(last_place_.value_or(weight), weight); }

}  // namespace assay::guarantee
