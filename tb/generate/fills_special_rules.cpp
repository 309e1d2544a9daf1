// The rules of NaN and infinity, one after the other: what is wanted is counted by the turn and not drawn, so that each
// seed has every one of them.
#include <algorithm>
#include <array>

#include "tb/generate/codes.hpp"
#include "tb/generate/fills.hpp"
#include "tb/generate/meetings.hpp"

namespace assay::fills {

namespace {

enum class Kind { zero, subnormal, normal, infinity, minus_infinity, nan };

std::vector<Kind> kinds_of(const Format& f) {
  std::vector<Kind> kinds{Kind::normal};
  if (f.has_zero) kinds.push_back(Kind::zero);
  if (f.has_zero && f.mantissa_bits > 0) kinds.push_back(Kind::subnormal);
  if (f.has_infinity) kinds.push_back(Kind::infinity);
  if (f.has_infinity && f.has_sign) kinds.push_back(Kind::minus_infinity);
  if (f.nan != NanCodes::none) kinds.push_back(Kind::nan);
  return kinds;
}

// Numbers are below one, so that the greatest number in place of an infinity does not overflow with them. The
// payload is not the one that an invalid operation leaves.
Code code_of(Kind kind, const Format& f, bool negative, Draws& draws) {
  switch (kind) {
    case Kind::zero: return zero_code(f, negative);
    case Kind::subnormal: return subnormal_code(f, negative, draws.bits() | 1);
    case Kind::normal: return normal_code(f, negative, -2, draws.bits());
    case Kind::infinity: return infinity_code(f, false);
    case Kind::minus_infinity: return infinity_code(f, true);
    case Kind::nan: return nan_code(f, negative, draws.bits() | 1);
  }
  return 0;
}

// What a product is to be.
enum class Term { zero, plus, minus, infinity, minus_infinity, nan };

class Rules {
 public:
  explicit Rules(Maker& m) : m_(m), plan_(m.plan()), meetings_(m.plan()) {}

  void put() {
    const std::vector<void (Rules::*)(int)> puts{&Rules::two_operands, &Rules::product_and_c,
                                                 &Rules::two_products, &Rules::nan_and_both_infinities,
                                                 &Rules::scale,        &Rules::overflow};
    const std::array<int, 6> counts{pairs_of_operands(),    products_with_c(), pairs_of_products(),
                                    nans_with_infinities(), scales(),          overflows()};
    int total = 0;
    for (const int count : counts) total += count;
    int rule = m_.counted(total);
    round_ = static_cast<int>(m_.turn() / static_cast<std::uint64_t>(total) % 1024);
    i_ = plan_.elements[static_cast<std::size_t>((5 * rule + 3 * round_) % plan_.k)];
    for (std::size_t x = 0; x < counts.size(); ++x) {
      if (rule < counts[x]) return (this->*puts[x])(rule);
      rule -= counts[x];
    }
  }

 private:
  static int size(const std::vector<Kind>& kinds) { return static_cast<int>(kinds.size()); }
  static Kind kind(const std::vector<Kind>& kinds, int x) { return kinds[static_cast<std::size_t>(x)]; }
  bool first_time() const { return round_ % 2 == 0; }

  void put_code(int place, Kind kind, bool negative) {
    Draws draws = m_.draws_at(place);
    m_.code_at(place) = code_of(kind, m_.format_at(place), negative, draws);
  }
  void put_operands(int i, Kind a, Kind b, bool negative_a, bool negative_b) {
    put_code(m_.place_of_a(i), a, negative_a);
    put_code(m_.place_of_b(i), b, negative_b);
  }

  // --- every kind of a x every kind of b ---

  int pairs_of_operands() const { return size(kinds_of(plan_.a)) * size(kinds_of(plan_.b)); }
  void two_operands(int rule) {
    const std::vector<Kind> a = kinds_of(plan_.a), b = kinds_of(plan_.b);
    put_operands(i_, kind(a, rule % size(a)), kind(b, rule / size(a)), first_time(), first_time());
  }

  // --- every kind of product with every kind of c ---

  bool can_be_infinite() const { return plan_.a.has_infinity || plan_.b.has_infinity; }
  bool can_be_nan() const {
    return can_be_infinite() || plan_.a.nan != NanCodes::none || plan_.b.nan != NanCodes::none;
  }
  std::vector<Term> terms() const {
    std::vector<Term> found{Term::zero, Term::plus, Term::minus};
    if (can_be_infinite()) found.insert(found.end(), {Term::infinity, Term::minus_infinity});
    if (can_be_nan()) found.push_back(Term::nan);
    return found;
  }

  // Each way in which a product becomes NaN, from either side.
  void put_nan_term(int i, int way) {
    std::vector<std::array<Kind, 2>> ways;
    if (plan_.a.nan != NanCodes::none) ways.push_back({Kind::nan, Kind::normal});
    if (plan_.b.nan != NanCodes::none) ways.push_back({Kind::normal, Kind::nan});
    if (plan_.a.has_infinity) ways.push_back({Kind::infinity, Kind::zero});
    if (plan_.b.has_infinity) ways.push_back({Kind::zero, Kind::infinity});
    const auto& [a, b] = ways[static_cast<std::size_t>(way) % ways.size()];
    put_operands(i, a, b, first_time(), !first_time());
  }
  void put_term(int i, Term term, int way) {
    const bool negative = term == Term::minus || term == Term::minus_infinity, other = way % 4 >= 2;
    if (term == Term::nan) return put_nan_term(i, way);
    if (term == Term::zero) return put_operands(i, Kind::zero, Kind::normal, way % 2 == 0, other);
    if (term == Term::plus || term == Term::minus)
      return put_operands(i, Kind::normal, Kind::normal, negative != other, other);
    const bool in_a = plan_.a.has_infinity && (!plan_.b.has_infinity || way % 2 == 0);
    const Kind infinite = negative != other ? Kind::minus_infinity : Kind::infinity;
    if (in_a) return put_operands(i, infinite, Kind::normal, false, other);
    put_operands(i, Kind::normal, infinite, other, false);
  }

  int products_with_c() const { return static_cast<int>(terms().size()) * size(kinds_of(plan_.c)); }
  void product_and_c(int rule) {
    const std::vector<Kind> c = kinds_of(plan_.c);
    const std::vector<Term> found = terms();
    put_term(i_, found[static_cast<std::size_t>(rule / size(c))], rule % size(c) + round_);
    put_code(m_.place_of_c(), kind(c, rule % size(c)), first_time());
  }

  // --- two products, wherever two can meet ---

  std::vector<Meeting> places_to_meet() const {
    std::vector<Meeting> found;
    for (int x = 0; x < meetings; ++x) {
      if (meetings_.any(static_cast<Meeting>(x))) found.push_back(static_cast<Meeting>(x));
    }
    return found;
  }
  // Those that meet `i_` there, as they are added.
  std::vector<int> met_at(Meeting meeting) const {
    std::vector<int> found;
    for (const int j : plan_.elements) {
      if (j != i_ && meetings_.of(i_, j) == meeting) found.push_back(j);
    }
    return found;
  }
  int partner(Meeting meeting) const {
    const std::vector<int> found = met_at(meeting);
    return found.empty() ? i_ : found[static_cast<std::size_t>(i_ + 7 * round_) % found.size()];
  }

  static constexpr std::array<std::array<Term, 2>, 8> two{{{Term::infinity, Term::minus_infinity},
                                                           {Term::minus_infinity, Term::infinity},
                                                           {Term::infinity, Term::nan},
                                                           {Term::nan, Term::infinity},
                                                           {Term::minus_infinity, Term::nan},
                                                           {Term::nan, Term::minus_infinity},
                                                           {Term::infinity, Term::infinity},
                                                           {Term::minus_infinity, Term::minus_infinity}}};

  int pairs_of_products() const {
    return can_be_infinite() ? static_cast<int>(two.size() * places_to_meet().size()) : 0;
  }
  void two_products(int rule) {
    const std::array<Term, 2> terms = two[static_cast<std::size_t>(rule) % two.size()];
    const int way = rule / static_cast<int>(two.size());
    const int j = partner(places_to_meet()[static_cast<std::size_t>(way)]);
    const bool in_order = position(i_) < position(j);
    put_term(in_order ? j : i_, terms[1], way + round_ + 1);
    put_term(in_order ? i_ : j, terms[0], way + round_);
  }
  std::ptrdiff_t position(int i) const {
    return std::find(plan_.elements.begin(), plan_.elements.end(), i) - plan_.elements.begin();
  }

  // --- a NaN before, between and after infinities of both signs, or in c: whose payload is passed on ---

  int nans_with_infinities() const {
    const bool payloads = plan_.a.nan == NanCodes::ieee && plan_.c.nan == NanCodes::ieee;
    return can_be_infinite() && payloads && plan_.k > 2 ? 8 : 0;
  }
  void nan_and_both_infinities(int rule) {
    const int terms = plan_.element_terms() > 2 ? plan_.element_terms() : plan_.k, first = 3 * round_ % terms;
    const int nan_at = rule / 2;
    if (nan_at == 3) put_code(m_.place_of_c(), Kind::nan, first_time());
    for (int x = 0; x < 3; ++x) {
      const int i = plan_.elements[static_cast<std::size_t>((first + x) % terms)];
      if (x == nan_at) {
        put_operands(i, Kind::nan, Kind::normal, first_time(), false);
      } else {
        put_term(i, (x == 0 || (x == 1 && nan_at == 0)) == (rule % 2 == 0) ? Term::infinity : Term::minus_infinity,
                 round_);
      }
    }
  }

  // --- a NaN, zero or infinite scale of either side, and a block of each kind of product ---

  std::vector<Kind> kinds_of_scales() const {
    std::vector<Kind> found;
    for (const Kind k : kinds_of(*plan_.scale)) {
      if (k != Kind::normal && k != Kind::subnormal) found.push_back(k);
    }
    return found;
  }
  int scales() const { return plan_.scales == 0 ? 0 : 2 * size(kinds_of_scales()) * static_cast<int>(terms().size()); }
  void scale(int rule) {
    const std::vector<Term> found = terms();
    const std::vector<Kind> kinds = kinds_of_scales();
    const Term term = found[static_cast<std::size_t>(rule / 2) % found.size()];
    const int block = i_ / plan_.scale_block, side = rule % 2 * plan_.scales;
    const int first = block * plan_.scale_block, end = std::min(first + plan_.scale_block, plan_.k);
    for (int i = first; i < end && term == Term::zero; ++i) put_term(i, term, i - first);
    put_term(i_, term, round_);
    put_code(m_.place_of_c() + 1 + side + block, kind(kinds, rule / 2 / static_cast<int>(found.size())), false);
  }

  // --- a product that counts as infinite, and an infinity of the other sign in c, or in a product, or another such ---

  int overflows() const {
    const std::optional<int>& limit = plan_.datapath.product.infinity_at;
    return limit && m_.facts().products.greatest >= *limit ? 2 + 4 * static_cast<int>(places_to_meet().size()) : 0;
  }
  void overflow(int rule) {
    const bool negative = rule % 2 == 0;
    const int exponent = *plan_.datapath.product.infinity_at, way = rule / 2 - 1;
    const Term against = negative ? Term::infinity : Term::minus_infinity;
    if (way < 0) {
      put_code(m_.place_of_c(), negative ? Kind::infinity : Kind::minus_infinity, false);
    } else {
      const int j = partner(places_to_meet()[static_cast<std::size_t>(way / 2)]);
      way % 2 == 0 && can_be_infinite() ? put_term(j, against, round_)
                                        : m_.put_term(j, {!negative, exponent, Fill::one});
    }
    m_.put_term(i_, {negative, exponent, Fill::one});
  }

  Maker& m_;
  const Plan& plan_;
  Meetings meetings_;
  int round_ = 0;
  int i_ = 0;  // the product that a rule is about
};

}  // namespace

// Ordinary terms of no great size, so that nothing else overflows.
void special_rules(Maker& m) {
  put_near(m, m.facts().shared.nearest(0), 2);
  Rules(m).put();
  m.keep_on();
}

}  // namespace assay::fills
