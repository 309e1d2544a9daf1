#include "tb/guarantee/directed.hpp"

#include <algorithm>
#include <array>

#include "tb/generate/codes.hpp"
#include "tb/generate/fills.hpp"
#include "tb/generate/maker.hpp"

namespace assay::guarantee {
namespace {

// The fraction bits after which something is cut, one after the other, and how far below the last one kept a bit
// stands.
int counted_edge(const Maker& m, int times) {
  const std::vector<int>& edges = m.facts().edges;
  return edges.empty() ? 0 : edges[static_cast<std::size_t>(m.counted(static_cast<int>(edges.size()), times))];
}
constexpr int depths = 4;
int counted_depth(const Maker& m) { return m.counted(depths) - 1; }

// An exponent with room for terms `below` it.
int draw_top(Maker& m, const Exponents& tops, int below) {
  const Exponents room = tops.meet(m.facts().powers.shifted(below));
  const Exponents& range = room.empty() ? tops : room;
  return m.choice().between(range.least, range.greatest);
}

// Bits, or numbers of all ones, from term `first` on.
void put_small(Maker& m, int first, int count, bool negative, int exponent, bool ones) {
  for (int x = first; x < std::min(first + count, m.count()); ++x) {
    if (ones) {
      m.put_term(m.index(x), {negative, exponent, Fill::ones});
    } else {
      m.put_bit(m.index(x), negative, exponent);
    }
  }
}

// The code with all mantissa bits, which its exponent keeps.
Code with_ones(const Format& f, Code code) {
  if (f.is_integer()) return code;
  const Code mantissa = f.stored((Code{1} << f.mantissa_bits) - 1);
  const Code made = code | mantissa;
  const Code most = f.greatest_finite();
  return (f.used(made) & ~f.sign_bit()) > most ? f.stored(most | (f.used(made) & f.sign_bit())) : made;
}

// Signs of b turned to those of a, or the other way round, so that no b is negative or none positive.
void turn_b(Maker& m, bool positive) {
  const Plan& p = m.plan();
  for (int i = 0; i < p.k; ++i) {
    Code &a = m.code_at(m.place_of_a(i)), &b = m.code_at(m.place_of_b(i));
    const bool negative = !p.b.is_integer() && (p.b.used(b) & p.b.sign_bit()) != 0;
    if (negative != positive || p.a.is_integer() || !p.a.has_sign || !p.b.has_sign) continue;
    a = negated_code(p.a, a);
    b = negated_code(p.b, b);
  }
}

// c one code below a power of two, or at it, and bits about the last one that is kept there: as c takes its next code,
// the window moves up and they are lost.
void c_below_power(Maker& m) {
  const int edge = counted_edge(m, depths), depth = counted_depth(m);
  const Exponents tops = m.facts().c;
  const int top = draw_top(m, tops, edge + depth);
  const bool negative = m.choice().coin(), alike = m.choice().below(4) != 0, ones = m.choice().below(4) == 0;
  m.level(top - edge - depth);
  put_small(m, 0, m.choice().coin() ? m.count() : 1 + static_cast<int>(m.choice().below(8)), negative == alike,
            top - edge - depth, ones);
  // Going up, a positive c reaches the power; a negative one leaves it.
  m.put_c({negative, negative ? top : top - 1, negative ? Fill::one : Fill::ones});
}

// The same of a product, by its a. b is a power of two, or subnormal.
void a_below_power(Maker& m) {
  const int edge = counted_edge(m, depths), depth = counted_depth(m);
  const Plan& p = m.plan();
  const int top = draw_top(m, m.facts().terms, edge + depth);
  const bool negative = m.choice().coin(), ones = m.choice().below(4) == 0;
  if (p.scales != 0) m.level(top);
  put_small(m, 1, m.choice().coin() ? m.count() : 1 + static_cast<int>(m.choice().below(8)), negative,
            top - edge - depth, ones);
  m.put_bit(m.index(0), negative, negative ? top : top - 1);
  Code& a = m.code_at(m.place_of_a(m.index(0)));
  if (!negative) a = with_ones(p.a, a);
  if (m.choice().coin()) m.put_c({negative, top - edge - depth, Fill::one});
  turn_b(m, m.choice().coin());
}

// c zero, or the least number: as c takes its next code it counts in the search for the window.
void c_about_zero(Maker& m) {
  const Plan& p = m.plan();
  const bool negative = m.choice().coin();
  const int edge = counted_edge(m, depths), depth = counted_depth(m);
  const int least = p.c.least_exponent();
  const int base = least - edge - depth + m.choice().between(-2, 2);
  m.level(base);
  put_small(m, 0, m.count(), negative, base, m.choice().coin());
  m.code_at(m.place_of_c()) = negative ? subnormal_code(p.c, true, 1) : zero_code(p.c, m.choice().coin());
}

// x and -x, where they first meet or far from each other, and small terms of both signs about the last bit kept beside
// them: what is left is one kept unit and what was cut away.
void cancelling(Maker& m) {
  const int edge = counted_edge(m, depths), depth = counted_depth(m);
  const int top = draw_top(m, m.facts().terms, edge + depth);
  const bool negative = m.choice().coin(), with_c = m.choice().below(3) == 0;
  const int k = m.plan().k;
  const int first = m.ordered(m.choice().coin() ? 0 : m.choice().between(0, k - 1));
  const int second = m.ordered(m.choice().coin() ? k - 1 : m.choice().between(0, k - 1));
  m.level(top);
  const int small = top - edge;
  const bool last_kept = m.choice().coin();
  const Fill fill = m.choice().coin() ? Fill::ones : Fill::any;
  for (int position = 0; position < k; ++position) {
    const int i = m.ordered(position);
    if (i == first || (i == second && !with_c) || m.draws(Part::term, i).below(4) == 0) continue;
    m.put_term(i, {!negative, small - 1 - std::max(depth, 0), fill});
  }
  if (last_kept && k > 2) m.put_bit(m.ordered(k / 2), negative, small);
  if (with_c) {
    m.put_bit(first, negative, top);
    m.put_c({!negative, top, Fill::one});
    return;
  }
  m.put_term(first, {negative, top, m.choice().coin() ? Fill::one : Fill::any});
  if (second != first) m.put_negated(second, first);
  if (m.choice().coin()) m.put_c({m.choice().coin(), small + m.choice().between(-2, 2), Fill::any});
}

// x and -x, one last kept unit, and numbers just too small to be kept on the other side: together they are more than
// it.
void outweighed_unit(Maker& m) {
  const int edge = counted_edge(m, 2);
  const Exponents room = m.facts().terms.meet(m.facts().terms.shifted(edge + 2));
  const Exponents& range = room.empty() ? m.facts().terms : room;
  const int top = m.choice().between(range.least, range.greatest);
  const bool negative = m.choice().coin(), with_c = m.counted(2) == 0;
  m.level(top);
  const int first_small = with_c ? 2 : 3;
  // A product of all ones is nearly 4 x 2^exponent.
  for (int x = first_small; x < m.count(); ++x) m.put_term(m.index(x), {!negative, top - edge - 2, Fill::ones});
  m.put_bit(m.index(0), negative, top);
  if (m.count() > 1) m.put_bit(m.index(1), negative, top - edge);
  if (with_c) {
    m.put_c({!negative, top, Fill::one});
  } else if (m.count() > 2) {
    m.put_bit(m.index(2), !negative, top);
  }
}

// A power of two, and two halves of a unit of the last place kept that go against it: added to each other first they
// are that unit, cut one by one they are nothing.
void halves_of_a_unit(Maker& m) {
  const int edge = counted_edge(m, 2);
  const Exponents tops = m.facts().c.meet(m.facts().terms.shifted(edge + 1));
  const int top = draw_top(m, tops.empty() ? m.facts().c : tops, edge + 1);
  const bool negative = m.choice().coin();
  const int k = m.plan().k, first = m.choice().between(0, k - 1), second = m.choice().between(0, k - 1);
  m.level(top - edge - 1);
  m.put_bit(m.ordered(first), !negative, top - edge - 1);
  m.put_bit(m.ordered(second), !negative, top - edge - 1);
  m.put_c({negative, top, Fill::one});
}

// c the greatest number, one unit of its last place, and as much off it in numbers too small to be kept; or terms that
// go beyond the range and come back.
void beyond_and_back(Maker& m) {
  const Plan& p = m.plan();
  const int edge = counted_edge(m, 2), top = p.d.greatest_exponent();
  const bool negative = m.choice().coin();
  m.code_at(m.place_of_c()) = greatest_code(p.c, negative);
  if (m.counted(2) == 0) {
    const int unit = top - p.d.mantissa_bits;
    m.level(unit);
    for (int x = 1; x < m.count(); ++x) m.put_term(m.index(x), {!negative, top - edge - 2, Fill::ones});
    m.put_bit(m.index(0), negative, unit);
    return;
  }
  const int exponent = top - m.choice().between(0, p.d.mantissa_bits);
  m.level(exponent);
  m.put_bit(m.ordered(0), negative, exponent);
  if (p.k > 1) m.put_bit(m.ordered(p.k - 1), !negative, exponent);
}

// Terms of any size, and c of every kind: what it leaves where all products are zero, or cancel.
void c_of_any_kind(Maker& m) {
  const Plan& p = m.plan();
  fills::each_term(m, [&](int i, Draws& draws) {
    m.put_term(i, {draws.coin(), m.facts().terms.greatest - draws.between(0, 40), Fill::any});
  });
  Draws& c = m.choice();
  const bool negative = p.c.has_sign && c.coin();
  Code& code = m.code_at(m.place_of_c());
  switch (m.counted(6)) {
    case 0: code = subnormal_code(p.c, negative, c.bits()); break;
    case 1: code = subnormal_code(p.c, negative, 1); break;
    case 2: code = subnormal_code(p.c, negative, ~Code{0}); break;
    case 3: m.put_c({negative, c.between(m.facts().c.least, m.facts().c.greatest), Fill::ones}); break;
    case 4: m.put_c({negative, c.between(m.facts().c.least, m.facts().c.greatest), Fill::last}); break;
    default: code = greatest_code(p.c, negative, static_cast<int>(c.below(3))); break;
  }
}

// One product far above or below c, by every distance.
void product_beside_c(Maker& m) {
  const int distance = m.counted(2 * m.facts().deepest + 1) - m.facts().deepest;
  const Exponents tops = m.facts().terms.meet(m.facts().c.shifted(distance));
  const Exponents& range = tops.empty() ? m.facts().terms : tops;
  const int top = m.choice().between(range.least, range.greatest);
  m.level(top);
  const bool negative = m.choice().coin();  // one draw after the other: a compiler may take arguments in any order
  const Fill fill = m.choice().coin() ? Fill::ones : Fill::any;
  const int product = m.ordered(static_cast<int>(m.choice().below(static_cast<std::uint64_t>(m.plan().k))));
  m.put_term(product, {negative, top, fill});
  m.put_c({m.choice().coin(), top - distance, m.choice().coin() ? Fill::last : Fill::any});
}

// c and sums about the ends of d's range.
void about_the_greatest(Maker& m) {
  const Plan& p = m.plan();
  const bool negative = p.c.has_sign && m.choice().coin();
  m.code_at(m.place_of_c()) = greatest_code(p.c, negative, m.counted(3));
  if (p.d.is_integer()) {
    const int terms = 1 + static_cast<int>(m.choice().below(2));
    for (int x = 0; x < terms; ++x) {
      Code &a = m.code_at(m.place_of_a(m.index(x))), &b = m.code_at(m.place_of_b(m.index(x)));
      a = p.a.has_sign && m.choice().coin() ? all_bits(p.a) : 1;
      b = p.b.has_sign && m.choice().coin() ? all_bits(p.b) : 1;
    }
    return;
  }
  const int unit = p.d.greatest_exponent() - p.d.mantissa_bits;
  const int exponent = unit - m.choice().between(-1, 3);
  m.level(exponent);
  const bool ones = m.choice().coin(), is_negative = m.choice().coin();
  put_small(m, 0, 1 + static_cast<int>(m.choice().below(8)), is_negative, exponent, ones);
  if (m.choice().coin()) put_small(m, 8, m.count(), !negative, exponent, false);
}

// Subnormal operands beside ordinary ones: what is read as a zero or counts with another exponent.
void subnormal_operands(Maker& m) {
  const Plan& p = m.plan();
  fills::put_near(m, fills::draw_shared_exponent(m), 2);
  if (m.choice().coin()) fills::put_zero_c(m);
  const int i = m.index(static_cast<int>(m.choice().below(static_cast<std::uint64_t>(m.count()))));
  const bool in_a = m.choice().coin();
  const Format& f = in_a ? p.a : p.b;
  if (f.is_integer()) return;
  const Code bits = m.choice().bits();
  m.code_at(in_a ? m.place_of_a(i) : m.place_of_b(i)) = subnormal_code(f, f.has_sign && m.choice().coin(), bits);
}

struct DirectedFamily {
  std::string_view name;
  void (*fill)(Maker&);
};
constexpr DirectedFamily of_integers{"about_the_greatest", about_the_greatest};
constexpr std::array<DirectedFamily, 11> families_of_all{{
    {"c_below_power", c_below_power},
    {"a_below_power", a_below_power},
    {"c_about_zero", c_about_zero},
    {"cancelling", cancelling},
    {"outweighed_unit", outweighed_unit},
    {"halves_of_a_unit", halves_of_a_unit},
    {"beyond_and_back", beyond_and_back},
    {"c_of_any_kind", c_of_any_kind},
    {"product_beside_c", product_beside_c},
    {"about_the_greatest", about_the_greatest},
    {"subnormal_operands", subnormal_operands},
}};

const DirectedFamily& family_of(const Plan& plan, std::uint64_t turn) {
  const bool integers = plan.d.is_integer() || plan.c.is_integer() || plan.a.is_integer() || plan.b.is_integer();
  if (integers) return of_integers;
  return families_of_all[turn % families_of_all.size()];
}

bool is_directed(std::uint64_t number) { return number % 2 == 0; }

}  // namespace

DirectedCases::DirectedCases(const Plan& plan, std::uint64_t seed)
    : plan_(plan), facts_(anatomy(plan)), seed_(seed), generator_(plan, seed) {}

Case DirectedCases::make(std::uint64_t number) const {
  if (!is_directed(number)) {
    Case made = generator_.make(number / 2);
    made.number = number;
    return made;
  }
  const std::uint64_t turn = number / 2;
  // Other numbers than the generator's cases have under this seed.
  Maker maker(facts_, {seed_ ^ 0x6469726563746564, number}, turn / families_of_all.size());
  family_of(plan_, turn).fill(maker);
  Case made = maker.finish();
  made.number = number;
  return made;
}

std::string_view DirectedCases::family(std::uint64_t number) const {
  return is_directed(number) ? family_of(plan_, number / 2).name : generator_.family(number / 2).name;
}

}  // namespace assay::guarantee
