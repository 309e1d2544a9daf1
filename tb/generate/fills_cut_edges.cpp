// Where adders cut what they take, edge by edge. The turn counts through all of it; place and exponent are drawn.
#include <array>

#include "tb/generate/codes.hpp"
#include "tb/generate/fills.hpp"

namespace assay::fills {

namespace {

// Who has the largest exponent, and what is cut below it. A pair cancels, or c and equal
// products do, so that nothing else is left of the sum.
enum class Setting {
  term_below_term,
  c_below_term,
  term_below_c,
  term_below_pair,
  c_below_pair,
  term_below_equals,
  step_before_pair
};

// What lies at the edge.
//
//   kept        1|           the last bit there is room for
//   lost         |1          the first there is none for
//   above_half   |1 1 1 1
//   all_ones    1 1|1 1      half of its bits are kept
//   even        1 0|0 1
enum class Straddle { kept, lost, above_half, all_ones, even, kinds };

std::vector<Setting> settings_of(const Plan& p) {
  std::vector<Setting> found;
  const bool starts_with_c = p.datapath.start == Start::c;
  if (p.k > 1) found.push_back(Setting::term_below_term);
  if (starts_with_c) found.insert(found.end(), {Setting::c_below_term, Setting::term_below_c});
  if (p.element_terms() > 2) found.push_back(Setting::term_below_pair);
  if (p.element_terms() > 1 && starts_with_c) found.push_back(Setting::c_below_pair);
  if (p.element_terms() > 2 && starts_with_c && p.scales == 0) found.push_back(Setting::term_below_equals);
  if (p.steps > 1 && p.element_terms() > 1) found.push_back(Setting::step_before_pair);
  return found;
}

class Edge {
 public:
  explicit Edge(Maker& m) : m_(m), plan_(m.plan()), on_(m.put_pattern()) {
    const std::vector<Setting> settings = settings_of(plan_);
    const std::vector<int> edges = input_edges(plan_);
    const int kinds = static_cast<int>(Straddle::kinds), places = static_cast<int>(edges.size());
    setting_ = settings[static_cast<std::size_t>(m.counted(static_cast<int>(settings.size())))];
    int times = static_cast<int>(settings.size());
    straddle_ = static_cast<Straddle>(m.counted(kinds, times));
    negative_ = m.counted(2, times *= kinds) == 0;
    edge_ = edges[static_cast<std::size_t>(m.counted(places, times * 2))];
    distance_ = distance(edge_);
  }

  void put() {
    const int step = setting_ == Setting::step_before_pair ? m_.choice().between(1, plan_.steps - 1) : 0;
    const std::vector<int> here = terms_of(step);
    const auto terms = static_cast<int>(here.size());
    const int first = m_.choice().between(0, terms - 1);
    const auto in_step = [&](int x) { return here[static_cast<std::size_t>((first + x) % terms)]; };
    const int doublings = bit_length(static_cast<std::uint64_t>(terms - 1)) - 1;  // of equal products beside one more
    const int peak = setting_ == Setting::term_below_equals ? equals_exponent(doublings) : draw_top();
    switch (setting_) {
      case Setting::term_below_term:
        m_.put_bit(in_step(0), !negative_, peak);
        return put_below(terms > 1 ? in_step(std::max(1, terms / 2)) : m_.ordered(1), peak);
      case Setting::c_below_term:
        m_.put_bit(in_step(0), !negative_, peak);
        return m_.put_c({negative_, peak - distance_, fill()});
      case Setting::term_below_c: m_.put_c({!negative_, peak, Fill::one}); return put_below(in_step(0), peak);
      case Setting::term_below_pair:
        put_pair(in_step(0), in_step(1), peak);
        return put_below(in_step(std::max(2, terms / 2)), peak);
      case Setting::c_below_pair:
        put_pair(in_step(0), in_step(1), peak);
        return m_.put_c({negative_, peak - distance_, fill()});
      case Setting::term_below_equals:
        put_equals(in_step, peak, doublings);
        return put_below(in_step(1 << doublings), peak);
      case Setting::step_before_pair: {
        put_pair(in_step(0), in_step(1), peak);
        const std::vector<int> before = terms_of(step - 1);
        return put_below(before[static_cast<std::size_t>(first) % before.size()], peak);
      }
    }
  }

 private:
  bool c_is_below() const { return setting_ == Setting::c_below_term || setting_ == Setting::c_below_pair; }

  // Of what lies below: of a product of ones, of c, or of what a step leaves.
  int bits_below() const {
    const int product = plan_.a.mantissa_bits + plan_.b.mantissa_bits + 2;
    if (setting_ == Setting::step_before_pair) return std::min(product, plan_.d.mantissa_bits + 1);
    return c_is_below() ? plan_.c.mantissa_bits + 1 : product;
  }
  int distance(int edge) const {
    switch (straddle_) {
      case Straddle::kept: return edge;
      case Straddle::lost:
      case Straddle::above_half: return edge + 1;
      case Straddle::all_ones:
      case Straddle::even:
      case Straddle::kinds: break;
    }
    return std::max(0, edge + 1 - bits_below() / 2);
  }
  Fill fill() const {
    switch (straddle_) {
      case Straddle::above_half:
      case Straddle::all_ones: return Fill::ones;
      case Straddle::even: return Fill::last;
      case Straddle::kept:
      case Straddle::lost:
      case Straddle::kinds: break;
    }
    return Fill::one;
  }

  void put_below(int i, int peak) {
    m_.put_term(i, {negative_, peak - distance_, fill()});
    if (straddle_ == Straddle::all_ones) lose_above_half(i, peak - edge_);
  }

  // A product of all ones has few ones at its end: a little less of either operand, until what is cut off below 2^last
  // is rounded up. There may be no such product.
  void lose_above_half(int i, int last) {
    constexpr Code few = 8;
    Code &a = m_.code_at(m_.place_of_a(i)), &b = m_.code_at(m_.place_of_b(i));
    const Code a_ones = a, b_ones = b;
    const Code most_a = std::min(few, Code{1} << plan_.a.mantissa_bits),
               most_b = std::min(few, Code{1} << plan_.b.mantissa_bits);
    for (Code less_a = 0; less_a < most_a; ++less_a) {
      for (Code less_b = 0; less_b < most_b; ++less_b) {
        a = nearer_to_zero(plan_.a, a_ones, less_a);
        b = nearer_to_zero(plan_.b, b_ones, less_b);
        if (rounds_up(m_.product(i), last)) return;
      }
    }
    a = a_ones;
    b = b_ones;
  }
  static bool rounds_up(const Number& n, int last) {
    const int lost = last - n.quantum;
    if (lost <= 0 || lost > 64) return false;
    const u128 half = shift_left(1, lost - 1), below = n.magnitude & (2 * half - 1);
    const bool odd = (n.magnitude & (2 * half)) != 0;
    return below > half || (below == half && odd);
  }

  // Near the greatest exponent that leaves room below, but where nothing overflows.
  int draw_top() {
    const Anatomy& f = m_.facts();
    const Exponents& high = setting_ == Setting::term_below_c ? f.c : f.terms;
    const Exponents& low = c_is_below() ? f.c : f.terms;
    const Exponents room = high.meet(low.shifted(distance_));
    const int top = (room.empty() ? high.greatest : room.greatest) - m_.choice().between(2, 5);
    return room.empty() ? high.nearest(top) : room.nearest(top);
  }

  // Where the last bit kept is looked at, the pair's significands are as large as can be: its exponent is the nominal
  // one all the same.
  void put_pair(int x, int y, int exponent) {
    const bool large = straddle_ == Straddle::kept;
    m_.put_term(x, {m_.choice().coin(), exponent, large ? Fill::ones : Fill::one});
    m_.put_negated(y, x);
  }

  // c against as many equal products as there can be beside one more.
  int equals_exponent(int doublings) const {
    return std::min(m_.facts().c.greatest, m_.facts().terms.greatest + doublings);
  }

  template <class Place>
  void put_equals(Place place, int exponent, int doublings) {
    const bool negative = m_.choice().coin();
    for (int x = 0; x < 1 << doublings; ++x) m_.put_bit(place(x), negative, exponent - doublings);
    m_.put_c({!negative, exponent, Fill::one});
  }

  // The terms of a step that are on, as indices in k; all of them where that leaves no pair.
  std::vector<int> terms_of(int step) const {
    std::vector<int> all, on;
    for (int x = 0; x < plan_.element_terms(); ++x) {
      all.push_back(m_.ordered(step * plan_.element_terms() + x));
      if (on_[static_cast<std::size_t>(all.back())] != 0) on.push_back(all.back());
    }
    return on.size() > 1 ? on : all;
  }

  Maker& m_;
  const Plan& plan_;
  std::vector<Code> on_;  // a bit of each product
  Setting setting_;
  Straddle straddle_;
  bool negative_;  // what lies below, and what is above it in a sum with it is not
  int edge_;       // fraction bits kept below the largest exponent
  int distance_;   // from there to the exponent of what lies at the edge
};

}  // namespace

void cut_edges(Maker& m) { settings_of(m.plan()).empty() ? near_exponents(m) : Edge(m).put(); }

}  // namespace assay::fills
