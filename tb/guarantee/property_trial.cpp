#include "tb/guarantee/property_trial.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <climits>
#include <numeric>

#include "model/core/decode.hpp"
#include "tb/generate/codes.hpp"
#include "tb/generate/random.hpp"
#include "tb/guarantee/chain.hpp"
#include "tb/guarantee/property_codes.hpp"

namespace assay::guarantee {
namespace {

using exact::Datum;
using exact::Dyadic;

std::size_t at(int index) { return static_cast<std::size_t>(index); }

// --- what a unit leaves room for ---

void take(const ResultPlan& result, UnitRoom& room) {
  if (result.words.least_exponent) room.least = std::max(room.least, *result.words.least_exponent);
  if (result.words.at != ResultAt::format || result.format.is_integer()) return;
  room.greatest = std::min(room.greatest, result.format.greatest_exponent());
  room.least = std::max(room.least, result.format.least_exponent());
}

void take(const AdderPlan& adder, UnitRoom& room) {
  for (const ResultPlan& result : adder.results) take(result, room);
  if (adder.window.floor) room.least = std::max(room.least, *adder.window.floor);
  for (const InputPlan& input : adder.inputs) {
    if (input.words.empty) room.least = std::max(room.least, *input.words.empty);
  }
}

// --- changes ---

const Format& format_of(const Plan& plan, ChangeOf of) {
  return of == ChangeOf::a ? plan.a : of == ChangeOf::b ? plan.b : plan.c;
}

// Does `work` to each code of a, b or c; false where one of them does not allow it.
template <class Work>
bool each_code(const Plan& plan, ChangeOf of, Case& one, const Work& work) {
  const Format& format = format_of(plan, of);
  const auto done = [&](Code& code) {
    const std::optional<Code> made = work(format, code);
    if (made) code = *made;
    return made.has_value();
  };
  if (of == ChangeOf::c) return done(one.c);
  std::vector<Code>& codes = of == ChangeOf::a ? one.a : one.b;
  return std::all_of(codes.begin(), codes.end(), done);
}

// Which of `count` a choice means.
int chosen(TrialChoice choice, int count) {
  return static_cast<int>(choice.number % static_cast<std::uint64_t>(count));
}

// The term whose product has the greatest exponent.
int greatest_term(const Plan& plan, const Case& one) {
  int found = 0, greatest = INT_MIN;
  for (int i = 0; i < plan.k; ++i) {
    const Number a = decode(one.a[at(i)], plan.a, Subnormals::keep, plan.datapath.specials);
    const Number b = decode(one.b[at(i)], plan.b, Subnormals::keep, plan.datapath.specials);
    if (!a.has_exponent() || !b.has_exponent()) continue;
    const int exponent = a.quantum + bit_length(a.magnitude) + b.quantum + bit_length(b.magnitude);
    if (exponent > greatest) greatest = exponent, found = i;
  }
  return found;
}

bool increase(const Plan& plan, ChangeOf of, TrialChoice choice, Case& one) {
  const Format& format = format_of(plan, of);
  Code* code = &one.c;
  if (of != ChangeOf::c) {
    const bool any = choice.listed || choice.number != 0;
    const int i = any ? chosen(choice, plan.k) : greatest_term(plan, one);
    code = &(of == ChangeOf::a ? one.a : one.b)[at(i)];
  }
  const std::optional<Code> next = next_number(format, *code);
  if (next) *code = *next;
  return next.has_value();
}

int block_of(const Plan& plan, int i) { return plan.scale ? i / plan.scale_block : 0; }

// Puts term order[i] at i.
void reorder(const std::vector<int>& order, Case& one) {
  const Case before = one;
  for (std::size_t i = 0; i < order.size(); ++i) {
    one.a[i] = before.a[at(order[i])];
    one.b[i] = before.b[at(order[i])];
  }
}

// Listed: neighbours swapped, of which all other orders are made. Else all of a block turned round or moved by one, two
// terms swapped, or any order.
void permute(const Plan& plan, TrialChoice choice, Case& one) {
  std::vector<int> order(at(plan.k));
  std::iota(order.begin(), order.end(), 0);
  if (choice.listed) {
    const int i = chosen(choice, plan.k - 1);
    if (block_of(plan, i) == block_of(plan, i + 1)) std::swap(order[at(i)], order[at(i) + 1]);
    return reorder(order, one);
  }
  Draws draws(choice.number, 0, Part::noise, 1);
  const int block = plan.scale ? plan.scale_block : plan.k;
  for (int first = 0; first < plan.k; first += block) {
    const auto from = order.begin() + first, to = order.begin() + std::min(first + block, plan.k);
    const int count = static_cast<int>(to - from);
    switch (choice.number % 4) {
      case 0: std::reverse(from, to); break;
      case 1: std::rotate(from, from + 1, to); break;
      case 2: std::swap(from[draws.between(0, count - 1)], from[draws.between(0, count - 1)]); break;
      default:
        for (int i = count - 1; i > 0; --i) std::swap(from[i], from[draws.between(0, i)]);
    }
  }
  reorder(order, one);
}

// Each product through its a, its b or both, by a digit of the choice; zeros keep the sign of what they replace.
void zero_products(const Plan& plan, TrialChoice choice, Case& one) {
  Draws draws(choice.number, 0, Part::noise, 2);
  std::uint64_t digits = choice.number;
  for (int i = 0; i < plan.k; ++i) {
    const std::uint64_t digit = choice.listed ? digits % 3 : choice.number == 0 ? 0 : draws.below(3);
    digits /= 3;
    Code &a = one.a[at(i)], &b = one.b[at(i)];
    if (digit != 1) a = zero_code(plan.a, is_negative(plan.a, a));
    if (digit != 0) b = zero_code(plan.b, is_negative(plan.b, b));
  }
}

bool oppose(const Plan& plan, TrialChoice choice, Case& one) {
  int i = 0, j = 0;
  if (choice.listed) {
    i = chosen(choice, plan.k);
    j = static_cast<int>(choice.number / static_cast<std::uint64_t>(plan.k)) % (plan.k - 1);
    if (j >= i) ++j;
  } else {
    Draws draws(choice.number, 0, Part::noise, 3);
    i = greatest_term(plan, one);
    j = choice.number == 0 ? plan.order[at(i == plan.order.back() ? 0 : plan.k - 1)]
                           : (i + draws.between(1, plan.k - 1)) % plan.k;
  }
  const Code a = one.a[at(i)], b = one.b[at(i)];
  const std::optional<Code> minus_a = minus(plan.a, a), minus_b = minus(plan.b, b);
  if (!minus_a && !minus_b) return false;
  std::fill(one.a.begin(), one.a.end(), zero_code(plan.a, false));
  std::fill(one.b.begin(), one.b.end(), zero_code(plan.b, false));
  one.a[at(i)] = a, one.b[at(i)] = b;
  one.a[at(j)] = minus_a.value_or(a), one.b[at(j)] = minus_a ? b : *minus_b;
  if (plan.scale) {
    const auto from = at(block_of(plan, i)), to = at(block_of(plan, j));
    one.scale_a[to] = one.scale_a[from], one.scale_b[to] = one.scale_b[from];
  }
  return true;
}

bool negate(const Plan& plan, ChangeOf of, Case& one) {
  const ChangeOf really = of == ChangeOf::products ? (plan.a.has_sign ? ChangeOf::a : ChangeOf::b) : of;
  return each_code(plan, really, one, minus);
}

bool replace(const Plan& plan, const OperandChange& c, Case& one) {
  return each_code(plan, c.of, one, [&](const Format&, Code) { return std::optional<Code>(c.code); });
}

bool scale(const Plan& plan, const OperandChange& c, Case& one) {
  return each_code(plan, c.of, one, [&](const Format& format, Code code) {
    return times_power(format, code, c.power, plan.datapath.specials);
  });
}

bool changed(const Plan& plan, const std::vector<OperandChange>& changes, TrialChoice choice, Case& one) {
  return std::all_of(changes.begin(), changes.end(),
                     [&](const OperandChange& c) { return change(plan, c, choice, one); });
}

// --- conditions ---

bool none_negative(const Format& format, const std::vector<Code>& codes) {
  return std::none_of(codes.begin(), codes.end(), [&](Code code) { return is_negative(format, code); });
}
bool none_positive(const Format& format, const std::vector<Code>& codes) {
  return std::none_of(codes.begin(), codes.end(), [&](Code code) { return order_of(format, code) > 0; });
}
bool scales_not_negative(const Plan& plan, const Case& one) {
  return !plan.scale || !plan.scale->has_sign ||
         (none_negative(*plan.scale, one.scale_a) && none_negative(*plan.scale, one.scale_b));
}

bool any_subnormal(const Plan& plan, const Case& one) {
  const auto any = [](const Format& format, const std::vector<Code>& codes) {
    return std::any_of(codes.begin(), codes.end(), [&](Code code) { return is_subnormal_code(format, code); });
  };
  return any(plan.a, one.a) || any(plan.b, one.b) || is_subnormal_code(plan.c, one.c);
}

Dyadic magnitude(const Dyadic& x) { return {abs(x.significand), x.exponent}; }

// Whether d's format holds the value.
bool d_holds(const Plan& plan, const Dyadic& value) {
  if (sign(value) == 0) return true;
  const Format& d = plan.d;
  const long last = d.is_integer() ? 0 : std::max<long>(floor_log2(value), d.least_exponent()) - d.mantissa_bits;
  const Dyadic rounded = rounded_to_unit(value, last, exact::Rounding::toward_zero);
  if (sign(rounded - value) != 0) return false;
  const Code greatest = d.is_integer() ? greatest_code(d, sign(value) < 0) : d.stored(d.greatest_finite());
  const Dyadic most = magnitude(explain::exact_value(d, greatest, Specials::numbers).value);
  return sign(magnitude(value) - most) <= 0;
}

// --- results ---

bool d_is_nan(const Plan& plan, Code d) { return is_nan(plan.d, d, plan.datapath.specials); }
bool d_is_number(const Plan& plan, Code d) { return is_number(plan.d, d, plan.datapath.specials); }

// |x - y| <= n units in the last place of the greater one.
bool within(const Plan& plan, Code x, Code y, int n) {
  if (!d_is_number(plan, x) || !d_is_number(plan, y)) return order_of(plan.d, x) == order_of(plan.d, y);
  const Dyadic p = explain::exact_value(plan.d, x, plan.datapath.specials).value;
  const Dyadic q = explain::exact_value(plan.d, y, plan.datapath.specials).value;
  const Dyadic& greater = sign(magnitude(p) - magnitude(q)) >= 0 ? p : q;
  long last = 0;
  if (!plan.d.is_integer()) {
    const long least = plan.d.least_exponent();
    last = (sign(greater) == 0 ? least : std::max(floor_log2(greater), least)) - plan.d.mantissa_bits;
  }
  return sign(magnitude(p - q) - Dyadic{n, last}) <= 0;
}

// Nothing: NaN is neither less nor greater than anything.
std::optional<bool> holds_between(const Plan& plan, const ResultRelation& results, Code first, Code second) {
  const Format& d = plan.d;
  const bool nan = d_is_nan(plan, first), second_nan = d_is_nan(plan, second);
  const bool ordered = results.word == ResultWord::not_less || results.word == ResultWord::not_greater;
  if (nan || second_nan) return ordered ? std::nullopt : std::optional<bool>(nan && second_nan);
  const i128 x = order_of(d, first), y = order_of(d, second);
  switch (results.word) {
    case ResultWord::equal: return x == y;
    case ResultWord::same_code: return first == second;
    case ResultWord::negated: return x == -y;
    case ResultWord::not_less: return y >= x;
    case ResultWord::not_greater: return y <= x;
    case ResultWord::same_sign: return !(x < 0 && y > 0) && !(x > 0 && y < 0);
    case ResultWord::within: return within(plan, first, second, results.number);
    case ResultWord::scaled:
      if (!d_is_number(plan, first)) return x == y;
      if (const auto scaled = times_power(d, first, results.number, plan.datapath.specials))
        return order_of(d, *scaled) == y;
      return std::nullopt;
    case ResultWord::nearest:
    case ResultWord::finite:
    case ResultWord::not_subnormal: break;
  }
  return std::nullopt;
}

bool holds_exact(const Plan& plan, const ResultRelation& results, const explain::ExactSum& exact, Code d) {
  if (results.word == ResultWord::nearest)
    return !d_is_nan(plan, d) && order_of(plan.d, d) == order_of(plan.d, *exact.nearest);
  if (results.word == ResultWord::same_sign) {
    if (d_is_nan(plan, d)) return false;
    const i128 order = order_of(plan.d, d);
    return sign(exact.sum.value) * (order < 0 ? -1 : order > 0 ? 1 : 0) >= 0;
  }
  const std::optional<Dyadic> error = error_of(plan, exact, d);
  if (!error) return false;
  if (results.word == ResultWord::equal) return sign(*error) == 0;
  return sign(magnitude(*error) - Dyadic{results.number, *exact.ulp}) <= 0;
}

Code ieee_fma(const Plan& plan, const Case& one) {
  const Specials specials = plan.datapath.specials;
  const Datum product = exact::product(explain::exact_value(plan.a, one.a.front(), specials),
                                       explain::exact_value(plan.b, one.b.front(), specials));
  return encode(plan.d, nearest(plan.d, exact::sum(product, explain::exact_value(plan.c, one.c, specials))));
}

}  // namespace

UnitRoom unit_room(const Plan& plan) {
  UnitRoom room{INT_MAX, INT_MIN / 2};
  if (plan.product_round) take(*plan.product_round, room);
  for (const AdderPlan& adder : plan.adders) take(adder, room);
  for (const AdderPlan& adder : plan.finish) take(adder, room);
  if (plan.d.is_integer()) return {plan.d.stored_bits - 3, INT_MIN / 2};
  room.greatest = std::min(room.greatest, plan.datapath.product.infinity_at.value_or(INT_MAX));
  return {room.greatest - 2, room.least + 4};
}

bool change(const Plan& plan, const OperandChange& c, TrialChoice choice, Case& one) {
  switch (c.verb) {
    case ChangeVerb::negate: return negate(plan, c.of, one);
    case ChangeVerb::swap:
      std::swap(one.a, one.b);
      std::swap(one.scale_a, one.scale_b);
      return true;
    case ChangeVerb::permute: permute(plan, choice, one); return true;
    case ChangeVerb::scale: return scale(plan, c, one);
    case ChangeVerb::increase: return increase(plan, c.of, choice, one);
    case ChangeVerb::replace: return replace(plan, c, one);
    case ChangeVerb::zero: zero_products(plan, choice, one); return true;
    case ChangeVerb::oppose: return oppose(plan, choice, one);
  }
  return false;
}

std::optional<Plan> plan_of_half(const Plan& plan) {
  if (plan.k % 2 != 0) return std::nullopt;
  auto made = assay::plan(plan.datapath, plan.k / 2);
  if (auto* half = std::get_if<Plan>(&made)) return std::move(*half);
  return std::nullopt;
}

// --- facts ---

bool CaseFacts::finite() {
  if (finite_) return *finite_;
  const Specials specials = plan_->datapath.specials;
  const auto all = [&](const Format& format, const std::vector<Code>& codes) {
    return std::all_of(codes.begin(), codes.end(), [&](Code code) { return is_number(format, code, specials); });
  };
  finite_ = all(plan_->a, one_->a) && all(plan_->b, one_->b) && is_number(plan_->c, one_->c, specials) &&
            (!plan_->scale || (all(*plan_->scale, one_->scale_a) && all(*plan_->scale, one_->scale_b)));
  return *finite_;
}

Code CaseFacts::d(Registers& registers) {
  if (!d_) d_ = dot(*plan_, one_->operand(), registers);
  return *d_;
}

const explain::ExactSum& CaseFacts::exact() {
  if (!exact_) exact_ = explain::exact_sum(*plan_, *one_);
  return *exact_;
}

void CaseFacts::sizes() {
  const Specials specials = plan_->datapath.specials;
  Dyadic sum;
  lowest_ = INT_MAX;
  const auto add = [&](const Dyadic& x) {
    if (sign(x) == 0) return;
    sum = sum + magnitude(x);
    const mpz_class significand = abs(x.significand);
    lowest_ = std::min(lowest_, static_cast<int>(x.exponent) + static_cast<int>(mpz_scan1(significand.get_mpz_t(), 0)));
  };
  add(explain::exact_value(plan_->c, one_->c, specials).value);
  for (int i = 0; i < plan_->k; ++i) {
    Dyadic product = explain::exact_value(plan_->a, one_->a[at(i)], specials).value *
                     explain::exact_value(plan_->b, one_->b[at(i)], specials).value;
    if (plan_->scale) {
      const auto block = at(block_of(*plan_, i));
      product = product * explain::exact_value(*plan_->scale, one_->scale_a[block], specials).value *
                explain::exact_value(*plan_->scale, one_->scale_b[block], specials).value;
    }
    add(product);
  }
  magnitudes_ = sum;
}

const Dyadic& CaseFacts::magnitudes() {
  if (!magnitudes_) sizes();
  return *magnitudes_;
}

int CaseFacts::lowest_bit() {
  if (!magnitudes_) sizes();
  return lowest_;
}

// --- trials ---

PropertyTrial::PropertyTrial(const Plan& plan, const Property& property)
    : plan_(plan), property_(property), room_(unit_room(plan)) {
  if (property.side == SecondSide::halves) half_ = plan_of_half(plan);
  idle_ = reason_to_be_idle();
}

std::string PropertyTrial::reason_to_be_idle() {
  const Plan& p = plan_;
  if (std::string why = unspoken(p); !why.empty()) return why;
  const bool needs_two = property_.changes(ChangeVerb::permute) || property_.changes(ChangeVerb::oppose);
  if (needs_two && p.k < 2) return "There is one term.";
  if (property_.changes(ChangeVerb::permute) && p.scale && p.scale_block == 1)
    return "Each term has scales of its own.";
  if (property_.changes(ChangeVerb::oppose) && !p.a.has_sign && !p.b.has_sign) return "No product is negative.";
  if (property_.changes(ChangeVerb::zero) && !p.a.has_zero && !p.b.has_zero) return "No product is zero.";
  if (property_.changes(ChangeVerb::swap) && !(p.a == p.b))
    return fmt::format("a is {} and b is {}.", p.a.name, p.b.name);
  for (const auto& changes : {property_.first, property_.second}) {
    for (const OperandChange& c : changes) {
      if (c.verb == ChangeVerb::negate) {
        const bool sign = c.of == ChangeOf::products ? p.a.has_sign || p.b.has_sign : format_of(p, c.of).has_sign;
        if (!sign) return "What is to be negated has no sign.";
      }
      if (c.verb == ChangeVerb::replace && !format_of(p, c.of).fits(c.code))
        return fmt::format("{:x} has more bits than {}.", c.code, format_of(p, c.of).name);
    }
  }
  for (const OperandChange& c : property_.first) {
    if (c.verb != ChangeVerb::replace || property_.has(CaseCondition::any_operands)) continue;
    const Format& format = format_of(p, c.of);
    if (!decode(c.code, format, Subnormals::keep, p.datapath.specials).is_finite())
      return fmt::format("{:x} of {} is no finite number, and cases with others count only with `any operands`.",
                         c.code, format.name);
  }
  if (property_.results.word == ResultWord::finite &&
      (p.d.is_integer() || (!p.d.has_infinity && p.d.nan == NanCodes::none)))
    return fmt::format("{} has neither NaN nor infinity.", p.d.name);
  if (property_.results.word == ResultWord::not_subnormal && (p.d.is_integer() || p.d.mantissa_bits == 0))
    return fmt::format("{} has no subnormals.", p.d.name);
  if (property_.side == SecondSide::fma) {
    if (p.k != 1) return fmt::format("It has {} terms.", p.k);
    if (p.scale || p.d.is_integer() || p.d.nan != NanCodes::ieee || !p.d.has_infinity || p.a.is_integer() ||
        p.c.is_integer())
      return "IEEE has no such formats.";
  }
  if (property_.side == SecondSide::halves) {
    if (!(p.c == p.d)) return fmt::format("d is {}, which c, {}, does not take.", p.d.name, p.c.name);
    if (!half_) return fmt::format("The datapath has no form of half of {} terms.", p.k);
    if (p.scale && p.k / 2 % p.scale_block != 0) return "A block of scales would be cut in two.";
  }
  return "";
}

bool PropertyTrial::counts(CaseFacts& facts) const {
  const Case& one = facts.operands();
  if (!property_.has(CaseCondition::any_operands) && !facts.finite()) return false;
  for (const CaseCondition condition : property_.when) {
    bool met = true;
    switch (condition) {
      case CaseCondition::any_operands: break;
      case CaseCondition::a_not_negative: met = none_negative(plan_.a, one.a) && scales_not_negative(plan_, one); break;
      case CaseCondition::a_not_positive: met = none_positive(plan_.a, one.a) && scales_not_negative(plan_, one); break;
      case CaseCondition::b_not_negative: met = none_negative(plan_.b, one.b) && scales_not_negative(plan_, one); break;
      case CaseCondition::b_not_positive: met = none_positive(plan_.b, one.b) && scales_not_negative(plan_, one); break;
      case CaseCondition::d_holds_c:
        met = facts.finite() && d_holds(plan_, explain::exact_value(plan_.c, one.c, plan_.datapath.specials).value);
        break;
      case CaseCondition::d_holds_sum:
        met = facts.exact().sum.kind == exact::Kind::finite && d_holds(plan_, facts.exact().sum.value);
        break;
      case CaseCondition::sum_in_range: met = facts.exact().nearest && !facts.exact().beyond; break;
      case CaseCondition::no_overflow:
        met = facts.finite() && sign(facts.magnitudes() - Dyadic{1, room_.greatest}) <= 0;
        break;
      case CaseCondition::no_underflow:
        met = facts.finite() && !any_subnormal(plan_, one) && facts.lowest_bit() >= room_.least;
        break;
    }
    if (!met) return false;
  }
  return true;
}

std::optional<bool> PropertyTrial::holds(const Case& one, TrialChoice choice) {
  CaseFacts facts(plan_, one);
  return holds(facts, choice);
}

std::optional<bool> PropertyTrial::holds(CaseFacts& facts, TrialChoice choice) {
  if (property_.first.empty()) return counts(facts) ? compared(facts, choice) : std::nullopt;
  Case first = facts.operands();
  if (!changed(plan_, property_.first, choice, first)) return std::nullopt;
  CaseFacts own(plan_, first);
  return counts(own) ? compared(own, choice) : std::nullopt;
}

std::optional<bool> PropertyTrial::compared(CaseFacts& first, TrialChoice choice) {
  const Case& one = first.operands();
  switch (property_.side) {
    case SecondSide::changed: {
      Case second = one;
      if (!changed(plan_, property_.second, choice, second)) return std::nullopt;
      if (!property_.has(CaseCondition::any_operands) && !CaseFacts(plan_, second).finite()) return std::nullopt;
      return holds_between(plan_, property_.results, first.d(registers_), dot(plan_, second.operand(), registers_));
    }
    case SecondSide::c: {
      const std::optional<Code> c = as_d(one.c);
      if (!c) return std::nullopt;
      return holds_between(plan_, property_.results, first.d(registers_), *c);
    }
    case SecondSide::exact:
      if (first.exact().sum.kind != exact::Kind::finite) return std::nullopt;
      return holds_exact(plan_, property_.results, first.exact(), first.d(registers_));
    case SecondSide::fma: return holds_between(plan_, property_.results, first.d(registers_), ieee_fma(plan_, one));
    case SecondSide::halves:
      return holds_between(plan_, property_.results, first.d(registers_), by_halves(one, nullptr));
    case SecondSide::none: break;
  }
  const Code d = first.d(registers_);
  if (property_.results.word == ResultWord::finite) return d_is_number(plan_, d);
  return !d_is_number(plan_, d) || !is_subnormal_code(plan_.d, d);
}

// c as a code of d's format, which holds it.
std::optional<Code> PropertyTrial::as_d(Code c) const {
  const Datum value = explain::exact_value(plan_.c, c, plan_.datapath.specials);
  if (value.kind != exact::Kind::finite || !d_holds(plan_, value.value)) return std::nullopt;
  if (is_zero(value)) return zero_code(plan_.d, false);
  if (plan_.d.is_integer())
    return exact::encode_integer(plan_.d, units_in(value.value, 0, exact::Rounding::toward_zero));
  return exact::encode(plan_.d, value);
}

// The end of k at which the unit begins comes first.
Code PropertyTrial::by_halves(const Case& one, std::vector<Case>* parts) {
  const auto n = static_cast<std::ptrdiff_t>(half_->k), scales = static_cast<std::ptrdiff_t>(half_->scales);
  const bool last_first = plan_.datapath.from == From::last;
  Code acc = one.c;
  for (const std::ptrdiff_t half : {last_first ? 1 : 0, last_first ? 0 : 1}) {
    const auto part = [&](const std::vector<Code>& codes, std::ptrdiff_t count) {
      return std::vector<Code>(codes.begin() + half * count, codes.begin() + (half + 1) * count);
    };
    Case taken;
    taken.a = part(one.a, n), taken.b = part(one.b, n), taken.c = acc;
    if (plan_.scale) taken.scale_a = part(one.scale_a, scales), taken.scale_b = part(one.scale_b, scales);
    acc = dot(*half_, taken.operand(), registers_);
    if (parts != nullptr) parts->push_back(std::move(taken));
  }
  return acc;
}

PropertyPair PropertyTrial::pair(const Case& one, TrialChoice choice) {
  PropertyPair pair;
  pair.first = one;
  changed(plan_, property_.first, choice, pair.first);
  pair.d = dot(plan_, pair.first.operand(), registers_);
  switch (property_.side) {
    case SecondSide::changed:
      pair.second = pair.first;
      changed(plan_, property_.second, choice, *pair.second);
      pair.second_d = dot(plan_, pair.second->operand(), registers_);
      break;
    case SecondSide::c: pair.second_d = as_d(pair.first.c); break;
    case SecondSide::exact: {
      const explain::ExactSum exact = explain::exact_sum(plan_, pair.first);
      if (!exact.beyond) pair.second_d = exact.nearest;
      break;
    }
    case SecondSide::fma: pair.second_d = ieee_fma(plan_, pair.first); break;
    case SecondSide::halves: pair.second_d = by_halves(pair.first, &pair.parts); break;
    case SecondSide::none: break;
  }
  return pair;
}

std::uint64_t PropertyTrial::listed_choices() const {
  std::uint64_t count = 1;
  int open = 0;
  const auto k = static_cast<std::uint64_t>(plan_.k);
  for (const auto& changes : {property_.first, property_.second}) {
    for (const OperandChange& c : changes) {
      const bool of_element = c.verb == ChangeVerb::increase && c.of != ChangeOf::c;
      if (c.verb == ChangeVerb::permute) ++open, count = k - 1;
      if (c.verb == ChangeVerb::oppose) ++open, count = k * (k - 1);
      if (of_element) ++open, count = k;
      if (c.verb == ChangeVerb::zero) {
        ++open;
        if (plan_.k > 12) return 0;
        for (int i = 0; i < plan_.k; ++i) count *= 3;
      }
    }
  }
  return open > 1 ? 0 : count;
}

}  // namespace assay::guarantee
