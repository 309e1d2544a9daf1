// Products of slices: where a slice ends, what a window's floor cuts off several of them, and the order of their sums.
#include <array>

#include "tb/generate/codes.hpp"
#include "tb/generate/fills.hpp"

namespace assay::fills {

namespace {

const std::vector<SlicePair>& pairs_of(const Plan& p) { return p.datapath.slices.pairs; }

// The first bits of a significand of so many bits.
struct Slice {
  int from, bits;
};

// What a slice takes of a significand; none of it where it has no such bits.
std::uint64_t taken(std::uint64_t significand, int bits, const Slice& s) {
  const int below = std::max(0, bits - s.from - s.bits), above = std::max(0, bits - s.from);
  const std::uint64_t mask = ((std::uint64_t{1} << above) - 1) & ~((std::uint64_t{1} << below) - 1);
  return significand & mask;
}

// --- where a slice ends ---

// Of one side: its significands, and its slice in one pair.
struct Sided {
  int bits = 0;
  Slice slice{};
};
Sided side_of(const Format& f, const FactorPlan& factor, int from, const std::optional<int>& bits) {
  const int all = std::min({f.mantissa_bits + 1, factor.range.significand_bits(), 30});
  return {all, {from, bits.value_or(all)}};
}

// One product whose slice, one bit longer or shorter, would have another bit left after a cut; c takes the rest away.
void slice_end(Maker& m, int turn) {
  const Plan& p = m.plan();
  const std::vector<int> edges = input_edges(p);
  const SlicePair& pair = pairs_of(p)[static_cast<std::size_t>(turn / 4) % pairs_of(p).size()];
  const Sided a = side_of(p.a, p.factor_a, pair.a_from, pair.a_bits),
              b = side_of(p.b, p.factor_b, pair.b_from, pair.b_bits);
  if (edges.empty() || p.a.is_integer() || p.b.is_integer()) return small_integers(m);
  const bool of_a = turn % 2 == 0;
  const int change = turn / 2 % 2 == 0 ? 1 : -1, edge = edges[m.choice().below(edges.size())];
  const int lost = std::max(0, a.bits + b.bits - 2 - edge);
  const auto kept = [&](std::uint64_t x, std::uint64_t y, int by) {
    const Slice sa{a.slice.from, a.slice.bits + (of_a ? by : 0)}, sb{b.slice.from, b.slice.bits + (of_a ? 0 : by)};
    return taken(x, a.bits, sa) * taken(y, b.bits, sb) >> lost;
  };
  const std::uint64_t one_a = std::uint64_t{1} << (a.bits - 1), one_b = std::uint64_t{1} << (b.bits - 1);
  std::uint64_t x = one_a, y = one_b;
  constexpr int tries = 4096;
  for (int i = 0; i < tries; ++i) {
    x = one_a | m.choice().below(one_a);
    y = one_b | m.choice().below(one_b);
    if (x * y < 2 * one_a * one_b && kept(x, y, 0) != kept(x, y, change)) break;
  }
  const int i = m.index(m.choice().between(0, m.count() - 1)), exponent = draw_shared_exponent(m);
  put_whole(m, i, m.choice().coin(), x, y, exponent - a.bits - b.bits + 2);
  Number rest = m.product(i);
  rest.negative = !rest.negative;
  m.code_at(m.place_of_c()) = rounded_code(p.c, rest, Cut::toward_zero);
}

// --- below a floor ---

std::vector<int> floors_of(const Plan& p) {
  std::vector<int> found;
  for (const AdderPlan& a : p.adders) {
    if (a.window.floor) found.push_back(*a.window.floor);
  }
  return found;
}

// One product right below a floor, all ones but for a last bit that two of its slices have: what the window cuts off
// both of them carries through all the others.
//
//   1 1 1 1 1 1 1 | 1      a slice's last bit
//               0 | 1 . .  and another one's first
void below_a_floor(Maker& m, int turn) {
  const Plan& p = m.plan();
  const std::vector<int> floors = floors_of(p);
  const int floor = floors[static_cast<std::size_t>(turn / 12) % floors.size()], exponent = floor - 1 - turn % 3;
  const int i = m.index(m.choice().between(0, m.count() - 1));
  const std::uint64_t one_a = std::uint64_t{1} << p.a.mantissa_bits, one_b = std::uint64_t{1} << p.b.mantissa_bits;
  const bool ones_in_a = turn / 3 % 2 == 0, negative = turn / 6 % 2 == 0;
  const std::uint64_t a = ones_in_a ? 2 * one_a - 1 : one_a + 1, b = ones_in_a ? one_b + 1 : 2 * one_b - 1;
  put_whole(m, i, negative, a, b, exponent - p.a.mantissa_bits - p.b.mantissa_bits);
}

// --- what the last slices take away ---

// Products that add +-1 or +-1.5 times 2^exponent where the slices of one pair are multiplied, and zero elsewhere:
// (x + u)(y + v) - (x + u) y - x (y + v) + x y = u v, where x and y are the first bits and u and v are these slices'.
class Unit {
 public:
  Unit(const Plan& p, int piece, int exponent, bool one_and_a_half)
      : pair_(pairs_of(p)[static_cast<std::size_t>(piece)]), half_in_a_(one_and_a_half), half_in_b_(false) {
    const Sided a = side_of(p.a, p.factor_a, pair_.a_from, pair_.a_bits);
    if (one_and_a_half && std::min(a.bits - pair_.a_from, a.slice.bits) < 2) std::swap(half_in_a_, half_in_b_);
    quantum_ = exponent - 2;
  }
  int elements() const { return (pair_.a_from > 0 ? 2 : 1) * (pair_.b_from > 0 ? 2 : 1); }

  void put(Maker& m, const int* elements, bool negative) const {
    for (int without_a = 0; without_a <= (pair_.a_from > 0 ? 1 : 0); ++without_a) {
      for (int without_b = 0; without_b <= (pair_.b_from > 0 ? 1 : 0); ++without_b) {
        const bool turned = without_a != without_b;
        put_whole(m, *elements++, negative != turned, significand(pair_.a_from, half_in_a_, without_a == 1),
                  significand(pair_.b_from, half_in_b_, without_b == 1), quantum_);
      }
    }
  }

 private:
  // Twice the first bit, and the slice's after it.
  static std::uint64_t significand(int from, bool half, bool without) {
    const std::uint64_t first = std::uint64_t{2} << from, slice = half ? 3 : 2;
    return from == 0 ? slice : without ? first : first + slice;
  }

  const SlicePair& pair_;
  bool half_in_a_, half_in_b_;
  int quantum_;
};

// The least normal number when the last slices but one are added, less half of it than nothing when the last ones are:
// the sign of what is flushed then is the sign of d.
void tiny_at_last(Maker& m, bool negative) {
  const Plan& p = m.plan();
  const int least = p.d.least_exponent(), last = p.pieces - 1;
  const Unit before(p, last - 1, least, false), after(p, last, least, true);
  const std::vector<int> elements = elements_of_group(p, 0, 0, p.lanes * p.steps - 1);
  if (static_cast<int>(elements.size()) < before.elements() + after.elements()) return near_exponents(m);
  before.put(m, elements.data(), !negative);
  after.put(m, elements.data() + before.elements(), negative);
}

// --- sums that stop at the greatest number ---

Code integer_of(const Format& f, const Sided& s, bool negative) {
  const std::uint64_t ones = taken((std::uint64_t{1} << s.bits) - 1, s.bits, s.slice);
  return rounded_code(f, whole_number(negative && f.has_sign, ones, f.last_place()), Cut::toward_zero);
}

// One element that only one pair of slices sees, and one of the other sign that only the next pair sees, or the one
// before; c is so near its end that the first of them takes it there.
void stops_between(Maker& m, int turn) {
  const Plan& p = m.plan();
  const auto count = static_cast<int>(pairs_of(p).size());
  const int one = turn / 4 % count, other = (one + (turn / 2 % 2 == 0 ? 1 : count - 1)) % count;
  const bool negative = turn % 2 == 0;
  const int x = m.choice().between(0, p.k - 1), y = p.k > 1 ? (x + m.choice().between(1, p.k - 1)) % p.k : x;
  const auto put = [&](int i, int piece, bool minus) {
    const SlicePair& pair = pairs_of(p)[static_cast<std::size_t>(piece)];
    const auto side = [](const Format& f, int from, const std::optional<int>& bits) {
      const int all = f.stored_bits - (f.sign_magnitude ? 1 : 0);
      return Sided{all, {from, bits.value_or(all)}};
    };
    m.code_at(m.place_of_a(i)) = integer_of(p.a, side(p.a, pair.a_from, pair.a_bits), minus);
    m.code_at(m.place_of_b(i)) = integer_of(p.b, side(p.b, pair.b_from, pair.b_bits), false);
  };
  put(x, one, negative);
  if (y != x) put(y, other, !negative);
  m.code_at(m.place_of_c()) = greatest_code(p.c, negative, m.choice().between(0, 3));
}

}  // namespace

void slices(Maker& m) {
  const Plan& p = m.plan();
  const int turn = static_cast<int>(m.turn() / 2 % 4096);
  if (p.d.is_integer()) return stops_between(m, turn);
  const bool follow = p.pieces > 1 && p.datapath.slices.run != SliceRun::together;
  if (m.counted(2) == 0 && follow) return tiny_at_last(m, turn % 4 != 3);
  if (m.counted(2) == 0 && !floors_of(p).empty()) return below_a_floor(m, turn);
  return slice_end(m, turn);
}

}  // namespace assay::fills
