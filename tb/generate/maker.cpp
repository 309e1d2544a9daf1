#include "tb/generate/maker.hpp"

#include <utility>

#include "model/core/decode.hpp"
#include "model/core/dot.hpp"
#include "model/core/multiply.hpp"
#include "model/core/scale.hpp"
#include "tb/generate/codes.hpp"
#include "tb/generate/mask_draw.hpp"

namespace assay {
namespace {

// `total` as the sum of an exponent of x and one of y, drawn from all the ways there are.
std::pair<int, int> split(int total, const Exponents& x, const Exponents& y, Draws& draws) {
  const int reachable = std::clamp(total, x.least + y.least, x.greatest + y.greatest);
  const int part = draws.between(std::max(x.least, reachable - y.greatest), std::min(x.greatest, reachable - y.least));
  return {part, reachable - part};
}

// Bits beyond the mantissa are dropped where it is put in place.
Code mantissa(Fill fill, Draws& draws) {
  switch (fill) {
    case Fill::one: return 0;
    case Fill::last: return 1;
    case Fill::ones: return ~Code{0};
    case Fill::any: return draws.bits();
  }
  return 0;
}

Number read(Code code, const Format& format) { return decode(code, format, Subnormals::keep, Specials::step); }

}  // namespace

Maker::Maker(const Anatomy& facts, const Random& random, std::uint64_t turn)
    : facts_(facts), random_(random), turn_(turn), choice_(random.at(Part::choice)) {
  const Plan& p = plan();
  const int terms = p.element_terms(), steps = p.k / terms;
  // The choices are each step, and then all terms together; a step of one term says nothing about sums.
  const int chosen = terms == 1 ? steps : choice_.between(0, steps);
  first_ = p.elements.data() + (chosen == steps ? 0 : chosen * terms);
  count_ = chosen == steps ? p.k : terms;

  made_.number = random.number;
  made_.a.assign(static_cast<std::size_t>(p.k), zero_code(p.a, false));
  made_.b.assign(static_cast<std::size_t>(p.k), zero_code(p.b, false));
  made_.c = zero_code(p.c, false);
  if (p.scale) {
    made_.scale_a.assign(static_cast<std::size_t>(p.scales), one_code(*p.scale));
    made_.scale_b = made_.scale_a;
    shift_.resize(static_cast<std::size_t>(p.scales));
  }
  for (const CaseOperand& operand : p.more) {
    const bool is_scale = operand.kind == CaseOperandKind::scale;
    made_.more.insert(made_.more.end(), static_cast<std::size_t>(operand.count),
                      is_scale ? one_code(operand.format) : 0);
  }
}

// In every fourth case the scales are one and zero points zero, so that a family's terms stand where it wants them; in
// another they are near that, else any. Random words are any, and now and then the least or the greatest.
void Maker::draw_more() {
  const int kind = static_cast<int>(draws(Part::more, -1).below(4));
  for (const CaseOperand& operand : plan().more) {
    if (operand.kind == CaseOperandKind::mask) continue;
    for (int i = operand.first; i < operand.end(); ++i) {
      Draws d = draws(Part::more, i);
      made_.more[static_cast<std::size_t>(i)] = more_code(operand, kind, d);
    }
  }
}

// In two of four cases all products are on, where that may be; in another most of them.
void Maker::draw_mask() {
  const CaseOperand& mask = plan().more[static_cast<std::size_t>(plan().mask)];
  const auto kind = stays_on_ ? 0 : draws(Part::more, -1).below(4);
  std::vector<int> wanted;  // NaN and infinity before numbers, and these before zeros
  for (int i = 0; i < plan().k; ++i) {
    const auto at = static_cast<std::size_t>(i);
    const bool special = !read(made_.a[at], plan().a).is_finite() || !read(made_.b[at], plan().b).is_finite();
    const bool zeros = made_.a[at] == zero_code(plan().a, false) && made_.b[at] == zero_code(plan().b, false);
    wanted.push_back(special ? 2 : zeros ? 0 : 1);
  }
  put_mask(drawn_mask(mask, wanted,
                      kind < 2    ? MaskKind::all
                      : kind == 2 ? MaskKind::most
                                  : MaskKind::any,
                      draws(Part::more, mask.first)));
}

std::vector<Code> Maker::drawn_pattern() const {
  if (plan().mask < 0) return {};
  const CaseOperand& mask = plan().more[static_cast<std::size_t>(plan().mask)];
  if (!mask.pattern.has_pattern()) return {};
  const std::vector<int> alike(static_cast<std::size_t>(plan().k), 1);
  return drawn_mask(mask, alike, MaskKind::all, draws(Part::more, mask.first));
}

std::vector<Code> Maker::put_pattern() {
  const std::vector<Code> bits = drawn_pattern();
  if (bits.empty()) return std::vector<Code>(static_cast<std::size_t>(plan().k), 1);
  put_mask(bits);
  return bits;
}

void Maker::put_mask(const std::vector<Code>& bits) {
  const CaseOperand& mask = plan().more[static_cast<std::size_t>(plan().mask)];
  std::copy(bits.begin(), bits.end(), made_.more.begin() + mask.first);
  mask_is_put_ = true;
}

Code Maker::more_code(const CaseOperand& operand, int kind, Draws& draws) const {
  const Format& f = operand.format;
  const Code any = draws.bits() & all_bits(f);
  switch (operand.kind) {
    case CaseOperandKind::random: {
      const std::uint64_t pick = draws.below(8);
      return pick == 0 ? 0 : pick == 1 ? all_bits(f) : any;
    }
    case CaseOperandKind::zero_point: return kind == 0 ? 0 : any;
    case CaseOperandKind::mask: break;
    case CaseOperandKind::scale: break;
  }
  if (kind == 0) return one_code(f);
  if (kind == 3 && draws.below(4) == 0) return any;
  if (f.is_integer()) return any & 15;
  const int reach = kind == 1 ? 3 : 20;
  const bool negative = f.has_sign && draws.below(4) == 0;
  const Code bits = draws.bits();
  return normal_code(f, negative, draws.between(-reach, reach), bits);
}

std::optional<int>& Maker::shift_of(int i) { return shift_[static_cast<std::size_t>(i / plan().scale_block)]; }

// The first term put into a block decides where the block stands.
int Maker::shift_for(int i, const Wanted& wanted) {
  std::optional<int>& shift = shift_of(i);
  if (shift) return *shift;
  const int block = i / plan().scale_block;
  Draws d = draws(Part::block, block);
  const Exponents& products = facts_.products;
  const int element = facts_.block_exponent ? *facts_.block_exponent : d.between(products.least, products.greatest);
  put_scales(block, wanted.exponent - element, wanted.fill);
  return *shift;
}

void Maker::put_scales(int block, int exponent, Fill fill) {
  const Format& f = *plan().scale;
  const auto at = static_cast<std::size_t>(block);
  Draws a = draws(Part::scale_a, block), b = draws(Part::scale_b, block);
  const auto [exponent_a, exponent_b] = split(exponent, range_of(f), range_of(f), a);
  made_.scale_a[at] = normal_code(f, false, exponent_a, mantissa(fill, a));
  made_.scale_b[at] = normal_code(f, false, exponent_b, mantissa(fill, b));
  shift_[at] = exponent_a + exponent_b;
}

void Maker::level(int exponent, Fill fill) {
  const int middle = (facts_.products.least + facts_.products.greatest) / 2;
  shift_all(exponent - facts_.block_exponent.value_or(middle), fill);
}

void Maker::shift_all(int shift, Fill fill) {
  if (plan().scales == 0) return;
  put_scales(0, shift, fill);
  std::fill(made_.scale_a.begin(), made_.scale_a.end(), made_.scale_a.front());
  std::fill(made_.scale_b.begin(), made_.scale_b.end(), made_.scale_b.front());
  std::fill(shift_.begin(), shift_.end(), shift_.front());
}

// The exponent of the product before its scales.
int Maker::element_exponent(int i, const Wanted& wanted, Draws& draws) {
  if (plan().scales == 0) return wanted.exponent;
  const int element = wanted.exponent - shift_for(i, wanted);
  // A sum that is scaled as a whole has the block's exponent, whatever the exponents of its elements are.
  const bool any_will_do = facts_.block_exponent == element;
  return any_will_do ? draws.between(facts_.products.least, facts_.products.greatest) : element;
}

void Maker::put_term(int i, const Wanted& wanted) {
  const Plan& p = plan();
  const auto at = static_cast<std::size_t>(i);
  Draws a = draws(Part::a, i), b = draws(Part::b, i);
  const int element = element_exponent(i, wanted, a);
  const auto [exponent_a, exponent_b] = split(element, facts_.of_a, facts_.of_b, a);
  const bool negative_a = a.coin();
  made_.a[at] = normal_code(p.a, negative_a, exponent_a, mantissa(wanted.fill, a));
  made_.b[at] = normal_code(p.b, negative_a != wanted.negative, exponent_b, mantissa(wanted.fill, b));
}

void Maker::put_bit(int i, bool negative, int exponent) {
  const Plan& p = plan();
  const auto at = static_cast<std::size_t>(i);
  if (p.scales != 0 && !shift_of(i)) put_scales(i / p.scale_block, exponent, Fill::one);
  const int element = p.scales == 0 ? exponent : exponent - *shift_of(i);
  Draws a = draws(Part::a, i);
  const bool normal = facts_.products.nearest(element) == element;
  const auto [exponent_a, exponent_b] =
      normal ? split(element, facts_.of_a, facts_.of_b, a) : split(element, powers_of(p.a), powers_of(p.b), a);
  const bool negative_a = a.coin();
  made_.a[at] = power_code(p.a, negative_a, exponent_a);
  made_.b[at] = power_code(p.b, negative_a != negative, exponent_b);
}

void Maker::put_negated(int i, int original) {
  const Plan& p = plan();
  const auto to = static_cast<std::size_t>(i), from = static_cast<std::size_t>(original);
  const bool sign_on_a = draws(Part::a, i).coin();
  made_.a[to] = sign_on_a ? negated_code(p.a, made_.a[from]) : made_.a[from];
  made_.b[to] = sign_on_a ? made_.b[from] : negated_code(p.b, made_.b[from]);
}

void Maker::put_c(const Wanted& wanted) {
  Draws c = draws(Part::c, 0);
  made_.c = normal_code(plan().c, wanted.negative, wanted.exponent, mantissa(wanted.fill, c));
}

Maker::Where Maker::where(int place) const {
  const int k = plan().k, scales = plan().scales;
  if (place < k) return {Part::a, place};
  if (place < 2 * k) return {Part::b, place - k};
  if (place == 2 * k) return {Part::c, 0};
  const int scale = place - 2 * k - 1;
  return scale < scales ? Where{Part::scale_a, scale} : Where{Part::scale_b, scale - scales};
}

const Format& Maker::format_at(int place) const {
  const Part part = where(place).part;
  return part == Part::a ? plan().a : part == Part::b ? plan().b : part == Part::c ? plan().c : *plan().scale;
}

Draws Maker::draws_at(int place) const {
  const Where w = where(place);
  return draws(w.part, w.index);
}

Code& Maker::code_at(int place) {
  const Where w = where(place);
  const auto at = static_cast<std::size_t>(w.index);
  if (w.part == Part::a) return made_.a[at];
  if (w.part == Part::b) return made_.b[at];
  if (w.part == Part::c) return made_.c;
  return w.part == Part::scale_a ? made_.scale_a[at] : made_.scale_b[at];
}

Number Maker::product(int i) const {
  const Plan& p = plan();
  const auto at = static_cast<std::size_t>(i);
  const Number n = multiply(read(made_.a[at], p.a), read(made_.b[at], p.b));
  if (p.scales == 0) return n;
  const auto block = static_cast<std::size_t>(i / p.scale_block);
  return scale(n, read(made_.scale_a[block], *p.scale), read(made_.scale_b[block], *p.scale));
}

Code Maker::d() const {
  Registers registers;
  return dot(plan(), made_.operand(), registers);
}

Case Maker::finish() {
  if (!more_is_put_) draw_more();
  if (plan().mask >= 0 && !mask_is_put_) draw_mask();
  const Plan& p = plan();
  const Code ignored_anywhere =
      ignored_bits(p.a) | ignored_bits(p.b) | ignored_bits(p.c) | (p.scale ? ignored_bits(*p.scale) : 0);
  if (choice_.coin() || ignored_anywhere == 0) return std::move(made_);
  for (int place = 0; place < places(); ++place) {
    const Code ignored = ignored_bits(format_at(place));
    if (ignored != 0) code_at(place) |= draws(Part::noise, place).bits() & ignored;
  }
  return std::move(made_);
}

}  // namespace assay
