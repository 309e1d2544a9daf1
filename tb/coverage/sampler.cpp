#include "tb/coverage/sampler.hpp"

#include <algorithm>

#include "model/core/factor.hpp"
#include "model/core/reduce.hpp"
#include "model/core/special.hpp"

namespace assay {
namespace {

// What a place holds, as a number in two's complement again.
i128 native(const Bits& bits) {
  const u128 value = bits.field(0, bits.width);
  return static_cast<i128>(bits.bit(bits.width - 1) ? value | ~low_mask(bits.width) : value);
}

using WideSum = Wide<70>;  // holds every register that a plan may have

WideSum wide(const Bits& bits) {
  WideSum value;
  const auto words = static_cast<std::size_t>((bits.width + 63) / 64);
  std::copy(bits.words, bits.words + words, value.word.begin());
  if (!bits.bit(bits.width - 1)) return value;
  if (bits.width % 64 != 0) value.word[words - 1] |= ~std::uint64_t{0} << (bits.width % 64);
  std::fill(value.word.begin() + static_cast<std::ptrdiff_t>(words), value.word.end(), ~std::uint64_t{0});
  return value;
}

// The number that goes on from a sum to its scales or results.
//
//   s s s s . s s s s | t      the sticky bit t, where there is one, joins the magnitude, here or at the result
Number sum_of(const SumSample& s) {
  const AdderPlan& adder = *s.site.adder;
  const Bits bits = s.trace.at(s.site.reduce);
  const int grid = adder.sum.fixed_quantum ? *adder.sum.fixed_quantum : s.window - adder.sum.fraction_bits;
  const bool lost = adder.has_sticky() && bits.bit(0);
  const int quantum = grid - (adder.has_sticky() ? 1 : 0);
  Number n;
  if (adder.sum.arithmetic == Arithmetic::native) {
    n = read_out(lost ? native(bits) - 1 : native(bits), quantum);
  } else {
    WideSum sum = wide(bits);
    if (lost) sum.word[0] -= 1;
    n = read_out(sum, quantum);
  }
  n.lost = lost && adder.sticky == Sticky::at_result && n.magnitude != 0;
  n.magnitude |= lost && adder.sticky == Sticky::below_sum ? 1 : 0;
  n.exponent = s.window;
  return n;
}

bool decided(const std::vector<Number>& items) {
  Special special;
  for (const Number& n : items) special.see(n);
  return special.decides();
}

}  // namespace

// --- one adder ---

AdderPoints::AdderPoints(const AdderReach& adder) : cancellation_(adder), carry_(adder) {
  const std::string shift = adder.name + ".shift";
  if (adder.adder->shape == Shape::flat) {
    std::size_t from = 0;
    for (const InputPlan& input : adder.adder->inputs) {
      const std::size_t to = from + static_cast<std::size_t>(input.count);
      shifts_.emplace_back(adder, from, to, shift + "." + input.words.source);
      from = to;
    }
  } else {
    shifts_.emplace_back(adder, 0, 2, shift);
  }
  if (adder.adder->window.exponent == WindowExponent::largest) owner_.emplace(adder);
  for (std::size_t i = 0; i < adder.results.size(); ++i) {
    const std::string index = adder.results.size() > 1 ? "[" + std::to_string(i) + "]" : "";
    rounds_.emplace_back(adder.results[i], adder.name + ".round" + index);
  }
}

void AdderPoints::see(const SumSample& sum) {
  for (ShiftPoint& shift : shifts_) shift.see(sum);
  if (owner_) owner_->see(sum);
  cancellation_.see(sum);
  carry_.see(sum);
  if (rounds_.empty()) return;
  int at = sum.site.first_result();
  Number before = sum.site.adder->scaled ? number_at(sum.trace, sum.site.reduce + 1) : sum_of(sum);
  for (RoundPoint& round : rounds_) {
    if (!before.is_finite() || before.is_zero()) return;
    const Number after = number_at(sum.trace, at++);
    round.see(before, after);
    before = after;
  }
}

void AdderPoints::collect(std::vector<Point>& into) const {
  for (const ShiftPoint& shift : shifts_) into.push_back(shift.point());
  if (owner_) into.push_back(owner_->point());
  into.push_back(cancellation_.point());
  into.push_back(carry_.point());
  for (const RoundPoint& round : rounds_) into.push_back(round.point());
}

// --- elements ---

FactorPoints::FactorPoints(const Plan& plan, Side side, const std::optional<RoundingReach>& rounding)
    : plan_(plan),
      words_(side == Side::a ? plan.factor_a : plan.factor_b),
      exact_(words_),
      first_decoded_(plan.places.first(side == Side::a ? Region::decode_a : Region::decode_b)),
      first_made_(plan.places.first(side == Side::a ? Region::factor_a : Region::factor_b)) {
  if (words_.zero_point || words_.zero_points >= 0) zero_point_.emplace(plan, side);
  exact_.round.reset();
  if (rounding) round_.emplace(*rounding, std::string("factor_") + (side == Side::a ? "a" : "b") + ".round");
}

void FactorPoints::see(const Trace& trace, const Number* more) {
  for (int i = 0; i < plan_.k; ++i) {
    const Number q = number_at(trace, first_decoded_ + i);
    if (zero_point_) {
      const Number z = words_.zero_point ? *words_.zero_point
                                         : number_of(plan_.more[static_cast<std::size_t>(words_.zero_points)], more, i);
      zero_point_->see(q, z);
    }
    if (!round_) continue;
    const Number before = factor(plan_, exact_, q, more, i, 0);
    if (before.is_finite() && !before.is_zero()) round_->see(before, number_at(trace, first_made_ + i));
  }
}

void FactorPoints::collect(std::vector<Point>& into) const {
  if (zero_point_) into.push_back(zero_point_->point());
  if (round_) into.push_back(round_->point());
}

// --- one plan ---

Sampler::Sampler(const Plan& plan)
    : plan_(plan),
      reach_(reach(plan)),
      sites_(sum_sites(plan)),
      trace_(plan),
      operands_(plan),
      products_(plan),
      d_(plan, reach_) {
  trace_.keep_items(true);
  for (const SumSite& site : sites_) {
    const auto of_site = [&](const AdderReach& a) { return a.adder == site.adder; };
    const auto found = std::find_if(reach_.adders.begin(), reach_.adders.end(), of_site);
    adder_of_site_.push_back(static_cast<std::size_t>(found - reach_.adders.begin()));
  }
  for (const AdderReach& adder : reach_.adders) adders_.emplace_back(adder);
  const Specials specials = plan.datapath.specials;
  one_bits_.emplace_back("a", plan.a, specials);
  one_bits_.emplace_back("b", plan.b, specials);
  one_bits_.emplace_back("c", plan.c, specials);
  if (plan.scale) {
    scales_.emplace_back("scale_a", *plan.scale, plan.scales);
    scales_.emplace_back("scale_b", *plan.scale, plan.scales);
    one_bits_.emplace_back("scale_a", *plan.scale, specials);
    one_bits_.emplace_back("scale_b", *plan.scale, specials);
  }
  for (const CaseOperand& more : plan.more) {
    if (more.kind == CaseOperandKind::random) random_.emplace(more);
    if (more.kind == CaseOperandKind::scale) {
      scales_.emplace_back(more.name, more.format, more.count);
      first_of_scales_.push_back(static_cast<std::size_t>(more.first));
    }
  }
  if (plan.mask >= 0) mask_.emplace(plan);
  if (plan.datapath.subnormals_acc != Subnormals::keep && plan.steps > 1) acc_.emplace(plan);
  if (plan.factor_a.works()) factors_.emplace_back(plan, Side::a, reach_.factor_a);
  if (plan.factor_b.works()) factors_.emplace_back(plan, Side::b, reach_.factor_b);
  if (!reach_.product) return;
  product_round_.emplace(*reach_.product, "multiply.round");
  first_rounded_product_ = plan.find_place("multiply.round[0]");
  first_product_ = plan.find_place(plan.places.first(Region::scale) >= 0 ? "scale[0]" : "multiply[0]");
}

Code Sampler::see(const Case& one) {
  const auto k = static_cast<std::size_t>(plan_.k), scales = static_cast<std::size_t>(plan_.scales);
  Operand operand = one.operand();
  for (std::size_t done = 0; done < one.a.size(); done += k) {
    operand.c = see(operand);
    operand.a += k;
    operand.b += k;
    operand.scale_a += scales;
    operand.scale_b += scales;
  }
  ++cases_;
  return operand.c;
}

Code Sampler::see(const Operand& operand) {
  const Code d = dot(plan_, operand, registers_, &trace_);
  operands_.see(operand);
  one_bits_[0].see(operand.a, plan_.k);
  one_bits_[1].see(operand.b, plan_.k);
  one_bits_[2].see(&operand.c, 1);
  products_.see(operand, trace_);
  const std::size_t pair = plan_.scale ? 2 : 0;
  if (pair != 0) {
    one_bits_[3].see(operand.scale_a, plan_.scales);
    one_bits_[4].see(operand.scale_b, plan_.scales);
    scales_[0].see(operand.scale_a);
    scales_[1].see(operand.scale_b);
  }
  for (std::size_t i = pair; i < scales_.size(); ++i) scales_[i].see(operand.more + first_of_scales_[i - pair]);
  for (FactorPoints& factor : factors_) factor.see(trace_, registers_.more.data());
  if (mask_) mask_->see(trace_, operand.more);
  if (random_) random_->see(operand.more);
  if (product_round_) see_products();
  if (acc_) acc_->see(trace_);
  for (const SumSite& site : sites_) see_sum(site);
  const int last_number = plan_.places.first(Region::encode) - 1;
  d_.see(d, number_at(trace_, last_number).cls == Class::nan);
  return d;
}

void Sampler::see_products() {
  for (int i = 0; i < plan_.products(); ++i) {
    Number exact = number_at(trace_, first_product_ + i);
    if (plan_.datapath.product.exponent == ProductExponent::normalised && !exact.is_zero())
      exact.exponent = leading_exponent(exact);
    if (exact.is_finite() && !exact.is_zero())
      product_round_->see(exact, number_at(trace_, first_rounded_product_ + i));
  }
}

// What NaN or infinity has decided says nothing of the arithmetic.
void Sampler::see_sum(const SumSite& site) {
  if (site.special >= 0 && trace_.field(site.special, "outcome") != 0) return;
  if (decided(trace_.items(site.window))) return;
  adders_[adder_of_site_[static_cast<std::size_t>(&site - sites_.data())]].see(sample(trace_, site));
}

Coverage Sampler::coverage() const {
  Coverage c;
  c.cases = cases_;
  c.points.push_back(operands_.point());
  for (const OneBitPoint& one_bit : one_bits_) {
    if (!one_bit.empty()) c.points.push_back(one_bit.point());
  }
  c.points.push_back(products_.point());
  for (const ScalePoint& scale : scales_) c.points.push_back(scale.point());
  for (const FactorPoints& factor : factors_) factor.collect(c.points);
  if (mask_) c.points.push_back(mask_->point());
  if (random_) c.points.push_back(random_->point());
  if (product_round_) c.points.push_back(product_round_->point());
  for (const AdderPoints& adder : adders_) adder.collect(c.points);
  if (acc_) c.points.push_back(acc_->point());
  c.points.push_back(d_.point());
  return c;
}

}  // namespace assay
