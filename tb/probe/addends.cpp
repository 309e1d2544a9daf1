#include "tb/probe/addends.hpp"

#include <cstdlib>

#include "model/core/decode.hpp"
#include "tb/generate/codes.hpp"
#include "tb/generate/plain_codes.hpp"

namespace assay::probe {
namespace {

constexpr int farthest = 55;  // powers on both sides of 1: twice this is more than any shipped sum keeps

int leading(const Value& v) {
  return bit_length(static_cast<std::uint64_t>(std::llabs(v.significand))) - 1 + v.exponent;
}

// Odd magnitude and quantum.
std::pair<u128, int> stripped(const Number& n) {
  u128 magnitude = n.magnitude;
  int quantum = n.quantum;
  for (; magnitude % 2 == 0; magnitude /= 2) ++quantum;
  return {magnitude, quantum};
}

bool is_normal(const Format& f, const Value& v) { return f.is_integer() || leading(v) >= f.least_exponent(); }

// What is lost beside a large number even when all of them have been added up first, in sums as wide as today's.
int enough(const Plan& p) { return 26 + ceil_log2(p.k); }

// From the largest product of elements to the least, in powers of two.
int reach(const Plan& p) {
  const auto of = [](const Format& f) { return f.greatest_exponent() - f.least_exponent() + f.mantissa_bits; };
  return of(p.a) + of(p.b);
}

struct Factors {
  Code a, b;
};

// b takes a power of two, and a the rest. Of all splits the most even one, first without subnormals.
std::optional<Factors> factors(const Format& a, const Format& b, const Value& product) {
  const int middle = leading(product) / 2;
  const int reach = b.greatest_exponent() - b.least_exponent() + b.mantissa_bits;
  for (const bool subnormals : {false, true}) {
    for (int away = 0; away <= 2 * reach; ++away) {
      const int exponent = middle + (away % 2 == 0 ? away / 2 : -(away + 1) / 2);
      const Value rest{product.significand, product.exponent - exponent};
      if (!subnormals && (!is_normal(a, rest) || !is_normal(b, power(exponent)))) continue;
      const auto code_a = code_of(a, rest), code_b = code_of(b, power(exponent));
      if (code_a && code_b) return Factors{*code_a, *code_b};
    }
  }
  return std::nullopt;
}

std::vector<Code> plain_more(const Plan& plan) {
  std::vector<Code> codes;
  for (const CaseOperand& operand : plan.more) {
    const std::vector<Code> own = plain_codes(operand);
    codes.insert(codes.end(), own.begin(), own.end());
  }
  return codes;
}

std::vector<int> products_on(const Plan& plan) {
  std::vector<int> on;
  for (int i = 0; i < plan.k; ++i) {
    if (plan.mask < 0 || plain_mask_bit(plan.more[static_cast<std::size_t>(plan.mask)].pattern, i) != 0)
      on.push_back(i);
  }
  return on;
}

}  // namespace

std::optional<Code> code_of(const Format& format, const Value& value) {
  if (value.significand == 0) return zero_code(format, false);
  Number n;
  n.negative = value.significand < 0;
  n.magnitude = static_cast<u128>(std::llabs(value.significand));
  n.quantum = value.exponent;
  n.exponent = leading(value);
  const Code code = rounded_code(format, n, Cut::toward_zero);
  const Number held = decode(code, format, Subnormals::keep, Specials::step);
  if (!held.is_finite() || held.is_zero() || held.negative != n.negative) return std::nullopt;
  return stripped(held) == stripped(n) ? std::optional<Code>(code) : std::nullopt;
}

Workbench::Workbench(const Plan& plan)
    : plan_(&plan),
      products_(products_on(plan)),
      scales_of_one_(plan.scales == 0 || reach(plan) >= enough(plan)),
      powers_{0, 0} {
  for (const int i : products_) {
    const bool moves_alone = scales_of_one_ || free_.empty() || i / plan.scale_block > free_.back() / plan.scale_block;
    if (moves_alone) free_.push_back(i);
  }
  free_.push_back(plan.k);
  powers_ = powers(false);
  if (powers_.greatest - powers_.least < enough(plan)) powers_ = powers(true);
  // Where a block's exponent is that of its scales, whatever its elements are: at the top these are 1.
  if (!scales_of_one_) powers_.greatest = std::min(powers_.greatest, 2 * plan.scale->greatest_exponent());
}

Exponents Workbench::powers(bool subnormals) const {
  Exponents found{0, 0};
  while (found.greatest < farthest && holds(found.greatest + 1, subnormals)) ++found.greatest;
  while (found.least > -farthest && holds(found.least - 1, subnormals)) --found.least;
  return found;
}

bool Workbench::holds(int exponent, bool subnormals) const {
  const Plan& p = *plan_;
  const Value value = power(exponent);
  if (!is_normal(p.c, value) || !is_normal(p.d, value) || !code_of(p.c, value) || !code_of(p.d, value)) return false;
  const auto made = with({{0, value}});
  const auto normal = [](const Format& f, Code code) {
    return decode(code, f, Subnormals::zero, Specials::step).magnitude != 0;
  };
  return made && (subnormals || (normal(p.a, made->a.front()) && normal(p.b, made->b.front())));
}

std::optional<Case> Workbench::with(const Addends& addends) const {
  const Plan& p = *plan_;
  Case made;
  made.a.assign(static_cast<std::size_t>(p.k), zero_code(p.a, false));
  made.b.assign(static_cast<std::size_t>(p.k), zero_code(p.b, false));
  made.c = zero_code(p.c, false);
  if (p.scale) made.scale_a.assign(static_cast<std::size_t>(p.scales), one_code(*p.scale));
  made.scale_b = made.scale_a;
  made.more = plain_more(p);
  std::vector<std::optional<int>> shift(static_cast<std::size_t>(p.scales));
  for (const auto& [addend, value] : addends) {
    if (addend == c()) {
      const auto code = code_of(p.c, value);
      if (!code) return std::nullopt;
      made.c = *code;
    } else if (!put_product(made, shift, addend, value)) {
      return std::nullopt;
    }
  }
  return made;
}

// The first product in a block of scales chooses them.
bool Workbench::put_product(Case& made, std::vector<std::optional<int>>& shift, int i, const Value& value) const {
  const Plan& p = *plan_;
  Value element = value;
  if (!scales_of_one_ && value.significand != 0) {
    std::optional<int>& by = shift[static_cast<std::size_t>(i / p.scale_block)];
    if (!by) by = put_scales(made, i / p.scale_block, value);
    if (!by) return false;
    element.exponent -= *by;
  }
  const auto found = factors(p.a, p.b, element);
  if (!found) return false;
  made.a[static_cast<std::size_t>(i)] = found->a;
  made.b[static_cast<std::size_t>(i)] = found->b;
  return true;
}

// As much of the exponent as the scales take; what they are then worth, as a power of two.
std::optional<int> Workbench::put_scales(Case& made, int block, const Value& value) const {
  const Format& f = *plan_->scale;
  const int least = f.least_exponent() - (f.has_zero ? f.mantissa_bits : 0);
  const int total = std::clamp(leading(value), 2 * least, 2 * f.greatest_exponent());
  const int half = total / 2;
  const auto first = code_of(f, power(half)), second = code_of(f, power(total - half));
  if (!first || !second) return std::nullopt;
  made.scale_a[static_cast<std::size_t>(block)] = *first;
  made.scale_b[static_cast<std::size_t>(block)] = *second;
  return total;
}

std::string addend_name(const Plan& plan, int addend) { return addend == plan.k ? "c" : "p" + std::to_string(addend); }

}  // namespace assay::probe
