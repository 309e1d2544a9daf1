// Zeros, and numbers that become zero.
#include "tb/generate/codes.hpp"
#include "tb/generate/fills.hpp"

namespace assay::fills {

namespace {

// A zero on one side, `other` on the other.
void put_zero_product(Maker& m, int i, bool negative, Code (*other)(const Format&, bool negative, Draws&)) {
  Draws draws = m.draws(Part::a, i);
  const bool zero_a = draws.coin(), negative_zero = draws.coin();
  const int zero = zero_a ? m.place_of_a(i) : m.place_of_b(i), beside = zero_a ? m.place_of_b(i) : m.place_of_a(i);
  m.code_at(zero) = zero_code(m.format_at(zero), negative_zero);
  m.code_at(beside) = other(m.format_at(beside), negative != negative_zero, draws);
}

Code zero_or_near_one(const Format& f, bool negative, Draws& draws) {
  return draws.coin() ? zero_code(f, negative) : normal_code(f, negative, 0, draws.bits());
}

Code huge(const Format& f, bool negative, Draws&) { return greatest_code(f, negative); }

// All terms, since a zero of the other sign anywhere makes the sum +0: every other time of one sign, mostly -0, and c
// too.
void only_zeros(Maker& m) {
  const bool alike = m.counted(2, 3) == 0, negative = m.choice().below(4) != 0;
  for (int i = 0; i < m.plan().k; ++i) {
    const bool any = m.draws(Part::term, i).coin();
    put_zero_product(m, i, alike ? negative : any, zero_or_near_one);
  }
  const bool other = m.choice().below(4) == 0;
  m.code_at(m.place_of_c()) = zero_code(m.plan().c, negative != other);
}

}  // namespace

void signed_zeros(Maker& m) {
  const int kind = m.count() < 3 ? 0 : m.counted(3);
  if (kind == 0) return only_zeros(m);
  if (kind == 1) {
    const int exponent = draw_shared_exponent(m);
    m.level(exponent);
    put_pairs(m, exponent, false);
  } else {
    each_term(m, [&](int i, Draws& draws) {
      m.code_at(m.place_of_a(i)) = draw_tiny(m.plan().a, draws);
      m.code_at(m.place_of_b(i)) = draw_tiny(m.plan().b, draws);
    });
  }
  put_zero_c(m);
}

namespace {

enum class Vanishing { c_alone, subnormal_a, subnormal_b, faint, least, pair, lanes, twins, against_c, kinds };

// A subnormal beside a number about one.
void put_subnormal(Maker& m, int i, bool in_a, bool negative, Draws& draws) {
  const int place = in_a ? m.place_of_a(i) : m.place_of_b(i), beside = in_a ? m.place_of_b(i) : m.place_of_a(i);
  const bool sign = draws.coin();
  m.code_at(place) = subnormal_code(m.format_at(place), negative != sign, draws.bits());
  m.code_at(beside) = normal_code(m.format_at(beside), sign, 0, draws.bits());
}

// Two products that differ by one unit, two places further down than their nominal exponents say; x is such that
// 4x + 1 is a multiple of 3.
//
//   4 x - 3 (4x + 1) / 3 = -1
void put_twins(Maker& m, int i, int j, bool negative) {
  const Format &a = m.plan().a, &b = m.plan().b;
  const Code one = Code{1} << b.mantissa_bits, x = one + (5 - one % 3) % 3;
  m.code_at(m.place_of_a(i)) = subnormal_code(a, !negative, 1);
  m.code_at(m.place_of_b(i)) = normal_code(b, false, 0, x);
  m.code_at(m.place_of_a(j)) = subnormal_code(a, negative, 3);
  m.code_at(m.place_of_b(j)) = normal_code(b, false, -2, (4 * x + 1) / 3);
}

// The least normal number of d, and a little more than that of the other sign.
void put_pair(Maker& m, int i, int j, bool negative) {
  const int least = m.plan().d.least_exponent();
  m.put_bit(i, !negative, least);
  m.put_term(j, {negative, least, Fill::last});
}

// Below d's normal numbers, down to where it rounds to zero.
void put_faint(Maker& m, int i, bool negative, Draws& draws) {
  const Format& d = m.plan().d;
  m.put_bit(i, negative, d.least_exponent() - draws.between(1, d.mantissa_bits + 2));
}

// In the product at this position, or in it and the next one, something of this sign that becomes zero where subnormals
// are flushed, where sums are cut, or where they are rounded.
void put_vanishing(Maker& m, Vanishing kind, int position, bool negative) {
  const int i = m.ordered(position), least = m.plan().d.least_exponent();
  Draws draws = m.draws(Part::term, i);
  switch (kind) {
    case Vanishing::c_alone:
      if (m.plan().datapath.start == Start::zero) put_faint(m, i, negative, draws);
      return;
    case Vanishing::subnormal_a: return put_subnormal(m, i, true, negative, draws);
    case Vanishing::subnormal_b: return put_subnormal(m, i, false, negative, draws);
    case Vanishing::faint: return put_faint(m, i, negative, draws);
    case Vanishing::least: return m.put_bit(i, negative, m.facts().powers.least);
    case Vanishing::pair: return put_pair(m, i, m.ordered(position + 1), negative);
    case Vanishing::lanes: return put_pair(m, i, m.ordered(position + m.plan().k / m.plan().lanes), negative);
    case Vanishing::twins: return put_twins(m, i, m.ordered(position + 1), negative);
    case Vanishing::against_c: m.put_c({negative, least, Fill::last}); return m.put_bit(i, !negative, least);
    case Vanishing::kinds: return;
  }
}

// Products of one sign in blocks whose scales are zero.
void zeros_by_scales(Maker& m, bool negative) {
  const bool in_a = m.choice().coin();
  each_term(m, [&](int i, Draws&) { m.put_term(i, {negative, 0, Fill::any}); });
  for (int block = 0; block < m.plan().scales; ++block) {
    m.code_at(m.place_of_c() + 1 + block + (in_a ? 0 : m.plan().scales)) = zero_code(*m.plan().scale, false);
  }
}

}  // namespace

// Zeros of one sign everywhere, mostly -0, or in their place subnormals; and of the same sign something that vanishes:
// in one place, in the first of each step or lane, or all over. Whatever it leaves decides the sign of the whole sum.
void vanishing(Maker& m) {
  constexpr int kinds = static_cast<int>(Vanishing::kinds);
  const auto kind = static_cast<Vanishing>(m.counted(kinds));
  const bool is_pair = kind == Vanishing::pair || kind == Vanishing::twins;
  const int k = m.plan().k, chosen = m.choice().between(0, k - 1);
  const int strides[] = {k, m.plan().element_terms(), k / m.plan().lanes, is_pair ? 2 : 1};
  const int spread = kind == Vanishing::lanes || kind == Vanishing::against_c ? 0 : m.counted(4, kinds);
  const int beside = m.counted(3, 4 * kinds);  // zeros, subnormals of a, subnormals of b
  const bool negative = m.choice().below(8) != 0;
  for (int i = 0; i < k; ++i) {
    Draws draws = m.draws(Part::term, i);
    if (beside != 0) {
      put_subnormal(m, i, beside == 1, negative, draws);
    } else {
      put_zero_product(m, i, negative, zero_or_near_one);
    }
  }
  const Format& c = m.plan().c;
  const bool c_vanishes = kind == Vanishing::c_alone;
  m.code_at(m.place_of_c()) = c_vanishes ? subnormal_code(c, negative, m.choice().bits()) : zero_code(c, negative);
  if (m.plan().scale && m.plan().scale->has_zero && m.choice().coin()) return zeros_by_scales(m, negative);
  for (int p = spread == 0 ? chosen : 0; p < k; p += strides[spread]) put_vanishing(m, kind, p, negative);
}

void zero_times_huge(Maker& m) {
  const int low = m.facts().terms.least;
  const int zero = m.choice().between(0, m.count() - 1);
  each_term(m, [&](int i, Draws& draws) {
    const bool is_zero = i == m.index(zero) || draws.coin(), negative = draws.coin();
    if (is_zero) return put_zero_product(m, i, negative, huge);
    m.put_term(i, {negative, low + draws.between(0, 3), Fill::any});
  });
  if (m.choice().coin()) m.put_c({m.choice().coin(), low + m.choice().between(0, 3), Fill::any});
}

namespace {

// The exponents at which something changes: where a window is lost, and that of zero products.
std::vector<int> low_exponents(const Plan& plan) {
  std::vector<int> found;
  for (const AdderPlan& a : plan.adders) {
    if (a.window.lost_at) found.push_back(*a.window.lost_at);
  }
  for (int piece = 0; plan.datapath.product.empty && piece < plan.pieces; ++piece)
    found.push_back(*plan.datapath.product.empty - plan.lowered(piece));
  return found;
}

}  // namespace

// Products about such an exponent, and others that are zero; c there, far above it, or as far below it as bits are
// kept.
void low_windows(Maker& m) {
  const std::vector<int> exponents = low_exponents(m.plan());
  const int at = exponents[m.choice().below(exponents.size())], near = m.choice().between(-1, 3);
  const bool only_zeros = m.counted(3) == 0;
  each_term(m, [&](int i, Draws& draws) {
    if (only_zeros || draws.below(4) == 0)
      put_zero_product(m, i, draws.coin(), zero_or_near_one);
    else
      m.put_term(i, {draws.coin(), at + near - draws.between(0, 4), draw_fill(draws)});
  });
  int keep = 0;
  for (const AdderPlan& a : m.plan().adders) {
    for (const InputPlan& i : a.inputs) keep = std::max(keep, i.words.keep.value_or(0));
  }
  m.put_c({m.choice().coin(), at + m.choice().between(-keep - 2, 4), draw_fill(m.choice())});
}

}  // namespace assay::fills
