// Sums that are cut more than once on their way, or that a cut sees where it would see none of their terms.
#include <array>

#include "model/core/decode.hpp"
#include "tb/generate/codes.hpp"
#include "tb/generate/fills.hpp"

namespace assay::fills {

namespace {

// A product of two significands, in units of 2^shift.
struct Product {
  std::uint64_t a = 0, b = 0;
  int shift = 0;

  std::uint64_t units() const { return a * b << shift; }
};

// The bits of significands at one: a list may hold fewer numbers there than its widest has bits.
int bits_at_one(const Format& f) {
  constexpr int enough = 12;
  int bits = 1;
  for (; bits < enough; ++bits) {
    const Number next = whole_number(false, (std::uint64_t{2} << bits) - 1, -bits);
    const Number held = decode(rounded_code(f, next, Cut::toward_zero), f, Subnormals::keep, Specials::numbers);
    if (held.magnitude == 0 || held.magnitude >> trailing_zeros(held.magnitude) != next.magnitude) return bits;
  }
  return bits;
}

// Of those, what the first slice takes; all of them where there is none.
int bits_of(const Format& f, const std::optional<int>& slice) {
  return std::min(bits_at_one(f), slice.value_or(INT_MAX));
}

// Sums of products with exponents between `least` and `greatest`.
class Sum {
 public:
  Sum(Maker& m, const Exponents& nominal) : m_(m), nominal_(nominal) {
    const Plan& p = m.plan();
    const SlicePair first = p.is_sliced() ? p.datapath.slices.pairs.front() : SlicePair{};
    most_a_ = low_bits(bits_of(p.a, first.a_bits));
    most_b_ = low_bits(std::min(6, bits_of(p.b, first.b_bits)));
  }

  // units x 2^quantum in these elements, the greatest products first; false where they do not reach it.
  bool put(const std::vector<int>& elements, bool negative, std::uint64_t units, int quantum) {
    for (const int i : elements) {
      if (units == 0) return true;
      const Product next = nearest_below(units, quantum);
      if (next.a == 0) return false;
      put_whole(m_, i, negative, next.a, next.b, quantum + next.shift);
      units -= next.units();
    }
    return units == 0;
  }

 private:
  static std::uint64_t low_bits(int count) { return (std::uint64_t{1} << count) - 1; }

  Product nearest_below(std::uint64_t units, int quantum) const {
    Product best;
    for (std::uint64_t b = 1; b <= most_b_; ++b) {
      for (int shift = 0; units >> shift >= b; ++shift) {
        const Product next{std::min(most_a_, (units >> shift) / b), b, shift};
        const int exponent = quantum + shift + bit_length(next.a) + bit_length(b) - 2;
        if (nominal_.nearest(exponent) == exponent && next.units() > best.units()) best = next;
      }
    }
    return best;
  }

  Maker& m_;
  const Exponents nominal_;
  std::uint64_t most_a_ = 0, most_b_ = 0;
};

// In quarters of the first cut's unit, from where the second one's results change.
constexpr std::array<int, 6> beside_the_tie{-2, -4, -3, 2, -1, 1};

}  // namespace

// A group's sum next to half a unit of the second cut: whole units of the first one, halves or quarters away, so that
// the first cut takes it there or does not. Another group and c cancel, and give the window; c alone, where there is
// one group.
//
//   2^window . . second . . . . first
//                       1 0 0 0 0 | 0 0      half a unit of the second cut
//                       0 1 1 1 1 | 1 0      and what the first one makes that
void cut_twice(Maker& m) {
  const Plan& p = m.plan();
  const TwiceCut twice = *twice_cut(p);
  const AdderPlan& groups = p.adders[static_cast<std::size_t>(twice.groups)];
  const int offset = beside_the_tie[static_cast<std::size_t>(m.counted(static_cast<int>(beside_the_tie.size())))];
  const bool negative = m.counted(2, static_cast<int>(beside_the_tie.size())) == 0;
  const int fraction = offset % 4 == 0 ? 0 : offset % 2 == 0 ? 1 : 2, apart = twice.first - twice.second - 1;
  const Exponents& products = m.facts().products;
  const int kept = groups.inputs.front().words.keep.value_or(twice.first);
  const int lost = groups.window.lost_at.value_or(INT_MIN / 2) + twice.first - kept + 4;
  const Exponents windows{std::max({products.least + twice.first + fraction, m.facts().c.least, lost}),
                          std::min({products.greatest, m.facts().c.greatest, range_of(p.d).greatest}) - 1};
  if (apart < 0 || apart > 40 || windows.empty()) return near_exponents(m);
  const int window = m.choice().between(windows.least, windows.greatest);
  const int quantum = window - twice.first - fraction, group = m.choice().between(0, groups.groups - 1);
  const auto quarters = static_cast<std::uint64_t>((std::int64_t{4} << apart) + offset);
  const std::vector<int> elements = elements_of_group(p, twice.groups, group, 0);
  Sum sum(m, products.meet({products.least, quantum + kept}));
  if (!sum.put(elements, negative, quarters >> (2 - fraction), quantum)) return near_exponents(m);
  const bool peak = m.choice().coin();
  m.put_c({peak, window, Fill::one});
  if (groups.groups == 1) return;
  m.put_bit(elements_of_group(p, twice.groups, (group + 1) % groups.groups, 0).front(), !peak, window);
}

// Three quarters of the unit in each of two products: a cut sees one unit of their sum, and none of either. They are
// the first two of a step, the last two, or half the step apart; a pair that cancels has the largest exponent.
void lost_alone(Maker& m) {
  const Plan& p = m.plan();
  const int terms = p.element_terms(), half = terms / 2, kind = m.counted(3), keep = *widest_keep_of_products(p);
  const Exponents peaks{std::max(m.facts().products.least, m.facts().products.least + keep + 1),
                        m.facts().products.greatest - 1};
  if (terms < 4 || peaks.empty()) return near_exponents(m);
  const int peak = m.choice().between(peaks.least, peaks.greatest), step = m.choice().between(0, p.k / terms - 1);
  const bool negative = m.choice().coin();
  const auto in_step = [&](int x) { return m.ordered(step * terms + x); };
  const std::array<int, 2> small = kind == 0   ? std::array{0, 1}
                                   : kind == 1 ? std::array{terms - 2, terms - 1}
                                               : std::array{0, half};
  const std::array<int, 2> pair = kind == 0 ? std::array{2, 3} : kind == 1 ? std::array{0, 1} : std::array{1, half + 1};
  for (const int x : small) put_whole(m, in_step(x), negative, 3, 1, peak - keep - 2);
  m.put_bit(in_step(pair[0]), m.choice().coin(), peak);
  m.put_negated(in_step(pair[1]), in_step(pair[0]));
}

}  // namespace assay::fills
