#include <algorithm>
#include <numeric>

#include "tb/generate/codes.hpp"
#include "tb/generate/fills.hpp"

namespace assay::fills {

// --- any bits at all ---

void raw(Maker& m) {
  for (int place = 0; place < m.places(); ++place) {
    m.code_at(place) = m.draws_at(place).bits() & all_bits(m.format_at(place));
  }
}

// --- integers, few and small enough that nothing is ever cut or rounded ---

namespace {

Code draw_integer(const Format& f, int bits, Draws& draws) {
  const int most = std::max(0, std::min(bits, integer_bits(f)));  // 0: the format holds no integer but zero
  const std::uint64_t magnitude = draws.below(std::uint64_t{1} << most);
  return rounded_code(f, whole_number(draws.coin(), magnitude), Cut::toward_zero);
}

}  // namespace

//   n products below 2^2m each    n 2^2m <= 2^(exact - 1)
//   c                                |c| <  2^(exact - 1)
void small_integers(Maker& m) {
  const Plan& p = m.plan();
  const int budget = m.facts().exact_bits - 1;
  const int widest = std::max({1, std::min(integer_bits(p.a), budget / 2), std::min(integer_bits(p.b), budget / 2)});
  const int bits = 1 + m.counted(widest);
  const int terms =
      static_cast<int>(std::min(u128{static_cast<unsigned>(p.k)}, shift_left(1, std::max(0, budget - 2 * bits))));
  const int first = m.choice().between(0, p.k - 1);
  for (int x = 0; x < terms; ++x) {
    const int i = (first + x * (p.k / terms)) % p.k;
    Draws a = m.draws(Part::a, i), b = m.draws(Part::b, i);
    m.code_at(m.place_of_a(i)) = draw_integer(p.a, bits, a);
    m.code_at(m.place_of_b(i)) = draw_integer(p.b, bits, b);
  }
  Draws c = m.draws(Part::c, 0);
  m.code_at(m.place_of_c()) = draw_integer(p.c, budget, c);
}

// --- special values and zeros ---

namespace {

constexpr int special_kinds = 6;

Code special_code(const Format& f, int kind, Draws& draws) {
  const bool negative = draws.coin();
  switch (kind) {
    case 0: return nan_code(f, negative, draws.bits());
    case 1: return infinity_code(f, false);
    case 2: return infinity_code(f, true);
    case 3: return zero_code(f, false);
    case 4: return zero_code(f, true);
    case 5: return greatest_code(f, negative);
  }
  return 0;
}

// 0..total-1 in an order that soon has been near every number: turn x stride mod total, the stride near the golden
// section.
std::uint64_t scattered(std::uint64_t turn, std::uint64_t total) {
  std::uint64_t stride = total * 618 / 1000 + 1;
  while (std::gcd(stride, total) != 1) ++stride;
  return static_cast<std::uint64_t>(u128{turn} * stride % total);
}

}  // namespace

namespace {

// Several choices packed into one number, taken out one after the other.
class Choices {
 public:
  explicit Choices(std::uint64_t number) : left_(number) {}
  int take(std::uint64_t choices) {
    const auto taken = static_cast<int>(left_ % choices);
    left_ /= choices;
    return taken;
  }

 private:
  std::uint64_t left_;
};

// All kinds at all pairs of places, one after the other. The number of places is odd, so each pair is some
// (place, place + distance) with a distance below half of them.
void two_specials(Maker& m, std::uint64_t turn) {
  const auto places = static_cast<std::uint64_t>(m.places());
  Choices choices(scattered(turn, places * (places / 2 + 1) * special_kinds * special_kinds));
  const int kinds[] = {choices.take(special_kinds), choices.take(special_kinds)};
  const int first = choices.take(places);
  const int second = (first + choices.take(places / 2 + 1)) % m.places();
  m.code_at(first) = special_code(m.format_at(first), kinds[0], m.choice());
  m.code_at(second) = special_code(m.format_at(second), kinds[1], m.choice());
}

// Zero times infinity in each term, from either side.
void invalid_product(Maker& m, std::uint64_t turn) {
  const auto k = static_cast<std::uint64_t>(m.plan().k);
  Choices choices(scattered(turn, 2 * k));
  const bool zero_in_a = choices.take(2) == 0;
  const int i = choices.take(k), a = m.place_of_a(i), b = m.place_of_b(i);
  const bool negative = m.choice().coin(), other = m.choice().coin();
  m.code_at(zero_in_a ? a : b) = zero_code(m.format_at(zero_in_a ? a : b), negative);
  m.code_at(zero_in_a ? b : a) = infinity_code(m.format_at(zero_in_a ? b : a), other);
}

// What overflows - the greatest product there is, or the sum of two neighbours - and an infinity of the other sign in
// another term or in c: NaN only where the overflow comes before the two meet.
void infinity_beside_overflow(Maker& m) {
  const int k = m.plan().k, position = m.choice().between(0, k - 1), other = m.choice().between(0, k);  // k: c
  const int i = m.ordered(position), next = m.ordered(position + 1);
  const bool negative = m.choice().coin(), sign = m.choice().coin();
  if (m.choice().coin()) {
    m.code_at(m.place_of_a(i)) = greatest_code(m.plan().a, sign);
    m.code_at(m.place_of_b(i)) = greatest_code(m.plan().b, sign != negative);
  } else {
    const int top = std::min(m.facts().products.greatest, m.plan().d.greatest_exponent());
    for (const int term : {i, next}) m.put_term(term, {negative, top, Fill::one});
  }
  if (other == k || other == i || other == next) {
    m.code_at(m.place_of_c()) = infinity_code(m.plan().c, !negative);
    return;
  }
  m.code_at(m.place_of_a(other)) = infinity_code(m.plan().a, !negative);
  m.code_at(m.place_of_b(other)) = one_code(m.plan().b);
}

}  // namespace

// Ordinary terms, and special values: any two at any two places, and every other time those that depend on each other.
void specials(Maker& m) {
  put_near(m, draw_shared_exponent(m), 2);
  const bool infinities = m.plan().a.has_infinity && m.plan().b.has_infinity;
  if (!infinities) return two_specials(m, m.turn());
  const std::uint64_t turn = m.turn() / 4;
  switch (m.counted(4)) {
    case 1: return invalid_product(m, turn);
    case 3: return infinity_beside_overflow(m);
    default: return two_specials(m, m.turn() / 2);
  }
}

// As specials, with NaNs alone: which of two is passed on, and what of it. Infinities of both signs among the other
// terms make a NaN of their own on the way.
void nan_payloads(Maker& m) {
  put_near(m, draw_shared_exponent(m), 2);
  const int first = m.counted(m.places(), 2);
  const int second = m.choice().between(0, m.places() - 1);
  const int infinities = m.plan().a.has_infinity ? m.choice().between(0, 2) : 0;
  for (int x = 0; x < infinities; ++x) {
    const int i = m.choice().between(0, m.plan().k - 1);
    m.code_at(m.place_of_a(i)) = infinity_code(m.plan().a, x == 0);
    m.code_at(m.place_of_b(i)) = one_code(m.plan().b);
  }
  for (const int place : {first, m.counted(2) == 0 ? second : first}) {
    const Format& f = m.format_at(place);
    const bool negative = m.choice().coin();
    m.code_at(place) = nan_code(f, negative, m.choice().bits());
  }
}

namespace {

// Of a step: a sum of its first two products makes a NaN.
void put_both_infinities(Maker& m, int step) {
  const Plan& p = m.plan();
  const bool negative = m.choice().coin();
  for (int term = 0; term < std::min(2, p.step_terms); ++term) {
    const int i = p.element_of(p.order_of(step)[term]);
    m.code_at(m.place_of_a(i)) = infinity_code(p.a, negative != (term == 1));
    m.code_at(m.place_of_b(i)) = one_code(p.b);
  }
}

// A NaN at a place of the list; a product makes one, of zero and an infinity, where its own place is meant.
void put_nan(Maker& m, const NanPlace& place, int step, bool signalling) {
  const Plan& p = m.plan();
  const auto element = [&](int term) { return p.element_of(p.order_of(step)[term]); };
  const auto nan = [&](const Format& f) {
    const Code quiet = f.nan == NanCodes::ieee && f.mantissa_bits > 0 ? Code{1} << (f.mantissa_bits - 1) : 0;
    const Code payload = m.choice().bits() | 1;  // before the sign: arguments are drawn in any order
    const Code code = f.used(nan_code(f, m.choice().coin(), payload));
    return f.stored(signalling ? code & ~quiet : code | quiet);
  };
  if (place.of == NanPlace::Of::a) m.code_at(m.place_of_a(element(place.index))) = nan(p.a);
  if (place.of == NanPlace::Of::b) m.code_at(m.place_of_b(element(place.index))) = nan(p.b);
  if (place.of != NanPlace::Of::value) return;
  if (place.index == p.circuit.step.one()) return void(m.code_at(m.place_of_c()) = nan(p.c));
  if (!p.a.has_infinity) return;
  if (place.index >= p.step_terms) return put_both_infinities(m, step);
  m.code_at(m.place_of_a(element(place.index))) = infinity_code(p.a, m.choice().coin());
  m.code_at(m.place_of_b(element(place.index))) = zero_code(p.b, m.choice().coin());
}

}  // namespace

// NaNs at two places that follow each other in the list, quiet and signalling, and sometimes at a third.
void nan_order(Maker& m) {
  put_near(m, draw_shared_exponent(m), 2);
  const Plan& p = m.plan();
  const int places = static_cast<int>(p.take->places.size());
  const int first = m.counted(std::max(1, places - 1), 4), kinds = m.counted(4);
  const int step = m.choice().between(0, p.steps - 1);
  const auto put = [&](int place, bool signalling) {
    put_nan(m, p.take->places[static_cast<std::size_t>(place % places)], step, signalling);
  };
  if (m.choice().below(4) == 0) {
    const bool signalling = m.choice().coin();
    put(m.choice().between(0, places - 1), signalling);
  }
  put(first, (kinds & 1) != 0);
  put(first + 1, (kinds & 2) != 0);
}

// --- scales ---

void scale_extremes(Maker& m) {
  const Format& f = *m.plan().scale;
  put_near(m, m.facts().products.greatest, 4);
  for (int place = m.place_of_c() + 1; place < m.places(); ++place) {
    Draws draws = m.draws_at(place);
    const Code codes[] = {normal_code(f, false, f.least_exponent(), 0), greatest_code(f, false), zero_code(f, false),
                          subnormal_code(f, false, 1), one_code(f)};
    m.code_at(place) = codes[draws.below(5)];
  }
  if (m.counted(4) != 0) return;
  const int nan = m.choice().between(m.place_of_c() + 1, m.places() - 1);
  m.code_at(nan) = nan_code(f, false, 0);
}

namespace {

Code extreme_of(const CaseOperand& operand, Draws& draws) {
  const Format& f = operand.format;
  const bool negative = f.has_sign && draws.coin();
  if (f.is_integer()) {
    const Code codes[] = {0, 1, all_bits(f), f.sign_bit(), f.sign_bit() - 1, all_bits(f) / 2 + 1};
    return codes[draws.below(6)] & all_bits(f);
  }
  const Code codes[] = {normal_code(f, negative, f.least_exponent(), 0),
                        greatest_code(f, negative),
                        zero_code(f, negative),
                        subnormal_code(f, negative, 1),
                        one_code(f),
                        one_code(f)};
  return codes[draws.below(6)];
}

}  // namespace

// Now and then one of them is a NaN or an infinity, where there is one.
void operand_extremes(Maker& m) {
  put_near(m, m.plan().d.is_integer() ? 4 : m.facts().products.greatest / 2, 8);
  std::vector<Code>& more = m.more();
  for (const CaseOperand& operand : m.plan().more) {
    if (operand.kind == CaseOperandKind::mask) continue;
    for (int i = operand.first; i < operand.end(); ++i) {
      Draws draws = m.draws(Part::more, i);
      more[static_cast<std::size_t>(i)] = extreme_of(operand, draws);
    }
  }
  if (m.counted(4) != 0) return;
  const CaseOperand& one = m.plan().more[m.choice().below(m.plan().more.size())];
  if (one.format.is_integer()) return;
  const auto at = static_cast<std::size_t>(one.first) + m.choice().below(static_cast<std::uint64_t>(one.count));
  more[at] = m.choice().coin() ? nan_code(one.format, false, 1) : infinity_code(one.format, m.choice().coin());
}

namespace {

// One power of two, and in another block as many terms as it has, of the other sign and `distance` below: one bit of
// their sum that is kept borrows from everything.
void block_below_a_bit(Maker& m, int distance) {
  const Plan& p = m.plan();
  const Peak peak = draw_peak(m, distance);
  const int blocks = p.scales, holder = m.choice().between(0, blocks - 1);
  const int other = (holder + m.choice().between(1, blocks - 1)) % blocks;
  const bool negative = m.choice().coin();
  if (peak.in_c) {
    m.put_c({negative, peak.exponent, Fill::one});
  } else {
    m.put_bit(holder * p.scale_block, negative, peak.exponent);
  }
  // The last block may be a part of one.
  for (int i = other * p.scale_block; i < std::min((other + 1) * p.scale_block, p.k); ++i) {
    Draws draws = m.draws(Part::term, i);
    const bool there = draws.coin();
    if (there) m.put_term(i, {!negative, peak.exponent - distance, draw_fill(draws)});
  }
}

// Each block further below the largest than the one before it, and after the deepest at the top again.
void stairs_of_blocks(Maker& m) {
  const Plan& p = m.plan();
  const int distances = m.facts().deepest + 1, first = m.counted(distances), stride = m.choice().between(1, 7);
  const Peak peak = draw_peak(m, distances - 1);
  for (int i = 0; i < p.k; ++i) {
    Draws draws = m.draws(Part::term, i);
    const int below = (first + i / p.scale_block * stride) % distances;
    m.put_term(i, {draws.coin(), peak.exponent - below, draw_fill(draws)});
  }
  m.put_c({m.choice().coin(), peak.exponent - m.choice().between(0, distances - 1), draw_fill(m.choice())});
}

}  // namespace

void scale_blocks(Maker& m) {
  const int deepest = m.facts().deepest;
  switch (m.counted(4)) {
    case 0: return block_below_a_bit(m, m.counted(deepest + 1, 4));
    case 1: return block_below_a_bit(m, std::max(0, deepest - m.counted(8, 4)));
    default: return stairs_of_blocks(m);
  }
}

}  // namespace assay::fills
