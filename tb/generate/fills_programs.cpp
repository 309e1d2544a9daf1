// What programs compute.
#include <algorithm>

#include "tb/generate/codes.hpp"
#include "tb/generate/fills.hpp"

namespace assay::fills {

namespace {

// Twelve uniform values less their mean: about normal, with deviation 1; and finer bits below.
Number draw_gaussian(Draws& draws, int scaled_by) {
  std::int64_t sum = -6 * 0xffff;
  for (int word = 0; word < 3; ++word) {
    const std::uint64_t bits = draws.bits();
    for (int at = 0; at < 64; at += 16) sum += static_cast<std::int64_t>(bits >> at & 0xffff);
  }
  const bool negative = sum < 0;
  const auto coarse = static_cast<std::uint64_t>(negative ? -sum : sum);
  return whole_number(negative, coarse << 32 | draws.bits() >> 32, scaled_by - 48);
}

// As large as the sum.
int scale_of_c(const Plan& p) { return bit_length(static_cast<std::uint64_t>(p.k)) / 2; }

void put_gaussian(Maker& m, int place, int scaled_by) {
  Draws draws = m.draws_at(place);
  m.code_at(place) = rounded_code(m.format_at(place), draw_gaussian(draws, scaled_by), Cut::nearest_even);
}

// Where a mask has a pattern, term i and i + `pairs` are on together or off together.
void keep_pairs(Maker& m, int pairs) {
  std::vector<Code> bits = m.drawn_pattern();
  if (bits.empty() || pairs % *m.plan().more[static_cast<std::size_t>(m.plan().mask)].pattern.among != 0) return;
  std::copy_n(bits.begin(), pairs, bits.begin() + pairs);
  m.put_mask(bits);
}

}  // namespace

void gaussian(Maker& m) {
  for (int place = 0; place <= m.place_of_c(); ++place) {
    put_gaussian(m, place, place == m.place_of_c() ? scale_of_c(m.plan()) : 0);
  }
}

// One element of 16 or so is 2^4 to 2^9 times larger, as activations have it.
void outliers(Maker& m) {
  for (int place = 0; place <= m.place_of_c(); ++place) {
    Draws rare = m.draws(Part::outlier, place);
    const int larger = rare.below(16) == 0 ? rare.between(4, 9) : 0;
    put_gaussian(m, place, place == m.place_of_c() ? scale_of_c(m.plan()) : larger);
  }
}

// Pairs of terms that cancel, and c alone is what is left: the sum of magnitudes is about 2^t times the sum, and t is
// 0, 1, .. from case to case, up to where all of c is cut off.
void ill_conditioned(Maker& m) {
  const int condition = m.counted(m.facts().deepest + 1);
  const int pairs = m.plan().k / 2, total = bit_length(static_cast<std::uint64_t>(2 * pairs));  // of terms of 1 or 2
  const Exponents room = m.facts().terms.meet(m.facts().c.shifted(condition - total));
  const int exponent = room.empty() ? m.facts().terms.nearest(0) : m.choice().between(room.least, room.greatest);
  const int turned = m.choice().between(0, m.plan().k - 1);
  m.level(exponent);
  for (int x = 0; x < pairs; ++x) {
    const int i = (turned + x) % m.plan().k, j = (turned + x + pairs) % m.plan().k;
    Draws draws = m.draws(Part::term, i);
    m.put_term(i, {draws.coin(), exponent, Fill::any});
    m.put_negated(j, i);
  }
  m.put_c({m.choice().coin(), exponent + total - condition, Fill::any});
  keep_pairs(m, pairs);
}

void log_uniform(Maker& m) {
  for (int place = 0; place < m.places(); ++place) {
    const Format& f = m.format_at(place);
    Draws draws = m.draws_at(place);
    const Exponents range = range_of(f).meet({-12, 12});
    if (range.empty()) continue;
    const bool negative = draws.coin();
    const int exponent = draws.between(range.least, range.greatest);
    m.code_at(place) = normal_code(f, negative, exponent, draws.bits());
  }
}

}  // namespace assay::fills
