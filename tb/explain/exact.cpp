#include "tb/explain/exact.hpp"

#include <algorithm>

#include "model/core/signs.hpp"
#include "model/core/values.hpp"
#include "tb/explain/numbers.hpp"

namespace assay::explain {
namespace {

using exact::Datum;
using exact::Dyadic;
using exact::Kind;

Datum integer_value(const Format& format, Code code) {
  const mpz_class value = exact::decode_integer(format, code);
  return {Kind::finite, value < 0, {value, format.last_place()}, 0};
}

Dyadic greatest_of(const Format& format) {
  return exact_value(format, format.stored(format.greatest_finite()), Specials::numbers).value;
}

// Of a list: the greatest power of two that is no more than from one value to the next at x, away from zero where x is
// one.
long last_place_in_list(const ValueTable& values, const Dyadic& x) {
  const auto& all = values.ascending;
  const auto is_below = [](const Dyadic& y, const ListedValue& v) { return exact::sign(exactly(v.number) - y) > 0; };
  const auto is_above = [](const ListedValue& v, const Dyadic& y) { return exact::sign(exactly(v.number) - y) < 0; };
  auto upper = exact::sign(x) < 0 ? std::lower_bound(all.begin(), all.end(), x, is_above)
                                  : std::upper_bound(all.begin(), all.end(), x, is_below);
  if (upper == all.begin()) ++upper;
  if (upper == all.end()) --upper;
  return exact::floor_log2(exactly(upper->number) - exactly((upper - 1)->number));
}

// The last place of a number whose leading one weighs 2^log2; below the least normal number all share one.
long last_place(const Format& format, const Dyadic& x) {
  if (format.is_list()) return last_place_in_list(format.values(), x);
  if (format.is_integer()) return format.last_place();
  const long least = format.least_exponent(), greatest = format.greatest_exponent();
  const long exponent = exact::sign(x) == 0 ? least : std::clamp(exact::floor_log2(x), least, greatest);
  return exponent - format.mantissa_bits;
}

Code nearest_integer(const Format& format, const Dyadic& x, ExactSum& exact) {
  const mpz_class value = exact::units_in(x, format.last_place(), exact::Rounding::nearest_even);
  const Code code = exact::encode_integer(format, value);
  exact.beyond = exact::decode_integer(format, code) != value;
  return code;
}

// A format without mantissa has no last bit: half-way between 2^n and 2^(n + 1) the one with the even code is taken.
Dyadic nearest_number(const Format& format, const Dyadic& x) {
  const long unit = last_place(format, x);
  const bool half_way =
      format.mantissa_bits == 0 && exact::sign(Dyadic{abs(x.significand), x.exponent + 1} - Dyadic{3, unit}) == 0;
  const long code = unit - format.least_exponent() + (format.has_zero ? 1 : 0);
  const bool down = half_way && code % 2 == 0;
  return exact::rounded_to_unit(x, unit, down ? exact::Rounding::toward_zero : exact::Rounding::nearest_even);
}

// Which of its values is nearest, a list says itself: a posit's is not always the one that lies so.
Code nearest_in_list(const Format& format, const Dyadic& x, ExactSum& exact) {
  const std::optional<Number> found = rounded_to_list(shortened(x), Cut::nearest_even, format);
  exact.beyond = !found;
  if (found) return code_in_list(*found, format);
  const ValueTable& values = format.values();
  const bool negative = exact::sign(x) < 0;
  const std::optional<Code>& infinity = negative ? values.negative_infinity : values.infinity;
  return infinity.value_or((negative ? values.ascending.front() : values.ascending.back()).code);
}

Code nearest_code(const Format& format, const Dyadic& x, ExactSum& exact) {
  if (format.is_list()) return nearest_in_list(format, x, exact);
  if (format.is_integer()) return nearest_integer(format, x, exact);
  const Dyadic rounded = nearest_number(format, x);
  const bool negative = exact::sign(x) < 0;
  if (negative && !format.has_sign) {
    exact.beyond = exact::sign(rounded) != 0;
    return 0;
  }
  const Code sign = negative ? format.sign_bit() : 0;
  exact.beyond = exact::sign(Dyadic{abs(rounded.significand), rounded.exponent} - greatest_of(format)) > 0;
  if (exact.beyond) return format.stored(sign | (format.has_infinity ? format.infinity() : format.greatest_finite()));
  if (exact::sign(rounded) == 0) return format.has_signed_zero ? format.stored(sign) : 0;
  return exact::encode(format, {Kind::finite, negative, rounded, 0});
}

}  // namespace

Datum exact_value(const Format& format, Code code, Specials specials) {
  if (format.is_integer()) return integer_value(format, code);
  if (specials != Specials::numbers) return exact::decode(format, code);
  Format plain = format;
  plain.nan = NanCodes::none;
  plain.has_infinity = false;
  return exact::decode(plain, code);
}

namespace {

Code code_of(const CaseOperand& operand, const Case& one, std::size_t i) {
  return one.more[static_cast<std::size_t>(operand.first) + i / static_cast<std::size_t>(operand.block)];
}

bool is_off(const Plan& plan, const Case& one, std::size_t i) {
  return plan.mask >= 0 && code_of(plan.more[static_cast<std::size_t>(plan.mask)], one, i) == 0;
}

// An element less its zero point.
Datum element(const Plan& plan, Side side, const Case& one, std::size_t i) {
  const bool is_a = side == Side::a;
  const FactorPlan& words = is_a ? plan.factor_a : plan.factor_b;
  const Format& format = is_a ? plan.a : plan.b;
  const Code code = (is_a ? one.a : one.b)[i];
  if (!words.zero_point && words.zero_points < 0) return exact_value(format, code, plan.datapath.specials);
  mpz_class value = exact::decode_integer(format, code);
  const Factor& said = is_a ? plan.datapath.factor_a : plan.datapath.factor_b;
  if (said.zero_point) value -= *said.zero_point;
  if (words.zero_points >= 0) {
    const CaseOperand& zeros = plan.more[static_cast<std::size_t>(words.zero_points)];
    value -= exact::decode_integer(zeros.format, code_of(zeros, one, i));
  }
  return {Kind::finite, value < 0, {value, 0}, 0};
}

Datum turned(Datum datum, int sign) {
  if (sign > 0 || datum.kind == Kind::nan) return datum;
  datum.negative = !datum.negative;
  datum.value = Dyadic{} - datum.value;
  return datum;
}

// Whether the adder adds c or acc, directly or through others of its list.
bool takes_one(const CircuitBlock& block, const SumNode& node) {
  return std::any_of(node.items.begin(), node.items.end(), [&](const SumItem& item) {
    const ValueKind kind = block.kind(item.value);
    return kind == ValueKind::one || (kind == ValueKind::sum && takes_one(block, block.sum_of(item.value)));
  });
}

// A scale of a sum that holds c, or what other steps have left, multiplies more than products.
bool scales_more_than_products(const Plan& plan) {
  const auto any = [](const CircuitBlock& block, const std::vector<AdderPlan>& adders) {
    return std::any_of(block.sums.begin(), block.sums.end(), [&](const SumNode& node) {
      return !adders[static_cast<std::size_t>(node.adder)].scales.empty() && takes_one(block, node);
    });
  };
  const bool late =
      std::any_of(plan.finish.begin(), plan.finish.end(), [](const auto& a) { return !a.scales.empty(); });
  return any(plan.circuit.step, plan.adders) || any(plan.circuit.finish, plan.finish) ||
         (late && plan.datapath.start == Start::c);
}

}  // namespace

ExactSum exact_sum(const Plan& plan, const Case& one) {
  const Specials specials = plan.datapath.specials;
  ExactSum exact;
  if (scales_more_than_products(plan)) {
    exact.sum.kind = Kind::nan;
    exact.why_none = "a scale multiplies c, or what earlier steps left, and not products alone";
    return exact;
  }
  const TermSigns signs = signs_of(plan);
  exact.sum = signs.c == 0 ? Datum{} : turned(exact_value(plan.c, one.c, specials), signs.c);
  for (std::size_t i = 0; i < one.a.size(); ++i) {
    if (is_off(plan, one, i)) continue;
    Datum term = exact::product(element(plan, Side::a, one, i), element(plan, Side::b, one, i));
    for (const CaseOperand& more : plan.more) {
      if (more.kind == CaseOperandKind::scale)
        term = exact::product(term, exact_value(more.format, code_of(more, one, i), specials));
    }
    if (plan.scale) {
      const std::size_t block = i / static_cast<std::size_t>(plan.scale_block);
      term = exact::product(term, exact_value(*plan.scale, one.scale_a[block], specials));
      term = exact::product(term, exact_value(*plan.scale, one.scale_b[block], specials));
    }
    exact.sum = exact::sum(exact.sum, turned(term, signs.products[i]));
  }
  if (exact.sum.kind != Kind::finite) return exact;
  exact.ulp = last_place(plan.d, exact.sum.value);
  exact.nearest = nearest_code(plan.d, exact.sum.value, exact);
  return exact;
}

std::optional<Dyadic> error_of(const Plan& plan, const ExactSum& exact, Code d) {
  const Datum got = exact_value(plan.d, d, plan.datapath.specials);
  if (exact.sum.kind != Kind::finite || got.kind != Kind::finite) return std::nullopt;
  return got.value - exact.sum.value;
}

}  // namespace assay::explain
