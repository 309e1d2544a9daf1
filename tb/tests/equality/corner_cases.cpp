#include "tb/tests/equality/corner_cases.hpp"

#include <algorithm>
#include <climits>
#include <utility>

#include "tb/generate/anatomy.hpp"
#include "tb/generate/codes.hpp"
#include "tb/generate/mask_draw.hpp"
#include "tb/generate/random.hpp"

namespace assay {
namespace {

constexpr std::uint64_t seed = 2;

// A nominal exponent of a x b, as one of a and one of b.
struct Factors {
  int a = 0, b = 0;
};

class Corners {
 public:
  Corners(const Plan& plan, std::uint64_t number)
      : plan_(plan), random_{seed, number}, choice_(random_.at(Part::choice)) {
    made_.number = number;
    made_.a.assign(static_cast<std::size_t>(plan.k), zero_code(plan.a, false));
    made_.b.assign(static_cast<std::size_t>(plan.k), zero_code(plan.b, false));
    made_.c = zero_code(plan.c, false);
    made_.scale_a.assign(static_cast<std::size_t>(plan.scales), 0);
    made_.scale_b = made_.scale_a;
    for (std::size_t i = 0; i < made_.scale_a.size(); ++i) {
      made_.scale_a[i] = near(*plan.scale, 0);
      made_.scale_b[i] = near(*plan.scale, 0);
    }
    for (const CaseOperand& operand : plan.more) {
      Draws draws = random_.at(Part::more, operand.first);
      if (operand.kind == CaseOperandKind::mask) {
        put_mask(operand, draws);
        continue;
      }
      for (int i = 0; i < operand.count; ++i) made_.more.push_back(one_of(operand, draws));
    }
  }

  Case make() {
    switch (made_.number % corner_styles) {
      case 0: corners(); break;
      case 1: cluster(); break;
      case 2: few(); break;
      case 3: cancelling(); break;
      case 4: faint(); break;
      case 5: zeros(); break;
      case 6: bursts(); break;
      case 7: steps(); break;
      default: edges(); break;
    }
    return std::move(made_);
  }

 private:
  // --- codes ---

  int between(int least, int greatest) { return choice_.between(least, greatest); }
  bool coin() { return choice_.coin(); }
  bool one_in(std::uint64_t n) { return choice_.below(n) == 0; }
  bool any_sign(const Format& f) { return f.has_sign && coin(); }

  int any_exponent(const Format& f) {
    const Exponents all = range_of(f);
    return between(all.least, all.greatest);
  }

  Code mantissa() {
    switch (choice_.below(4)) {
      case 0: return 0;
      case 1: return 1;
      case 2: return ~Code{0};
      default: return choice_.bits();
    }
  }

  Code corner(const Format& f) {
    const bool negative = any_sign(f);
    switch (choice_.below(10)) {
      case 0: return zero_code(f, negative);
      case 1: return subnormal_code(f, negative, 1);
      case 2: return subnormal_code(f, negative, ~Code{0});
      case 3: return normal_code(f, negative, f.least_exponent(), 0);
      case 4: return greatest_code(f, negative);
      case 5: return infinity_code(f, negative);
      case 6: return nan_code(f, negative, choice_.bits());
      case 7: return choice_.bits() & all_bits(f);
      default: return normal_code(f, negative, between(-2, 2), mantissa());
    }
  }

  // By draws of its own: what else a case has stays as it was.
  static Code one_of(const CaseOperand& operand, Draws& draws) {
    const Format& f = operand.format;
    const Code any = draws.bits() & all_bits(f);
    if (operand.kind != CaseOperandKind::scale || draws.below(6) == 0) return any;
    if (draws.below(10) == 0) return zero_code(f, draws.coin());
    if (f.is_integer()) return any & 7;
    return normal_code(f, f.has_sign && draws.coin(), draws.between(-4, 4), any);
  }

  void put_mask(const CaseOperand& operand, Draws& draws) {
    const auto kind = static_cast<MaskKind>(draws.below(3));
    const std::vector<int> all(static_cast<std::size_t>(operand.count), 1);
    const std::vector<Code> bits = drawn_mask(operand, all, kind, draws);
    made_.more.insert(made_.more.end(), bits.begin(), bits.end());
  }

  Code near(const Format& f, int exponent) {
    if (one_in(8)) return zero_code(f, coin());
    return normal_code(f, any_sign(f), exponent + between(-3, 3), mantissa());
  }

  // --- terms ---

  Code& a(int i) { return made_.a[static_cast<std::size_t>(i)]; }
  Code& b(int i) { return made_.b[static_cast<std::size_t>(i)]; }
  int term(int i) const { return plan_.elements[static_cast<std::size_t>(i % plan_.k)]; }  // the i-th that is added

  Factors any_exponents() { return {any_exponent(plan_.a), any_exponent(plan_.b)}; }

  static Factors halved(int exponent) { return {exponent - exponent / 2, exponent / 2}; }

  void put_near(int i, const Factors& e) {
    a(i) = near(plan_.a, e.a);
    b(i) = near(plan_.b, e.b);
  }

  // 2^(e.a + e.b - below), or what comes nearest, with a mantissa on a.
  void put(int i, const Factors& e, int below, bool negative, Code mantissa) {
    const int from_a = between(0, below);
    a(i) = normal_code(plan_.a, negative, e.a - from_a, mantissa);
    b(i) = power_code(plan_.b, false, e.b - (below - from_a));
  }

  void put_negated(int to, int from) {
    a(to) = negated_code(plan_.a, a(from));
    b(to) = b(from);
  }

  // --- styles ---

  // Anything the formats have.
  void corners() {
    for (int i = 0; i < plan_.k; ++i) a(i) = corner(plan_.a), b(i) = corner(plan_.b);
    for (Code& scale : made_.scale_a) scale = corner(*plan_.scale);
    for (Code& scale : made_.scale_b) scale = corner(*plan_.scale);
    made_.c = corner(plan_.c);
  }

  // All terms about as large.
  void cluster() {
    const Factors e = any_exponents();
    for (int i = 0; i < plan_.k; ++i) put_near(i, e);
    made_.c = near(plan_.c, coin() ? e.a + e.b : any_exponent(plan_.c));
  }

  // One to three terms.
  void few() {
    cluster();
    const auto left = 1 + choice_.below(3);
    for (int i = 0; i < plan_.k; ++i) {
      if (choice_.below(static_cast<std::uint64_t>(plan_.k)) >= left) a(i) = zero_code(plan_.a, coin());
    }
  }

  // Pairs that cancel, next to each other or half the list apart.
  void cancelling() {
    cluster();
    if (coin()) made_.c = zero_code(plan_.c, coin());
    const int apart = coin() ? 1 : std::max(1, plan_.k / 2);
    for (int i = 0; i + apart < plan_.k; ++i) {
      if (i / apart % 2 == 0) put_negated(i + apart, i);
    }
  }

  // One number, and terms so far below it that they decide how it is rounded, or not even that.
  void faint() {
    const int tie = plan_.d.mantissa_bits + between(0, 3);
    Factors e = any_exponents();
    if (one_in(3)) e = halved(plan_.d.least_exponent() + between(-1, 1) - tie);
    const int large = e.a + e.b + tie;
    const bool negative = coin(), opposite = coin();
    if (coin()) {
      made_.c = normal_code(plan_.c, negative, large, mantissa());
    } else {
      put(term(0), halved(large), 0, negative, mantissa());
    }
    const int apart = coin() ? 1 : std::max(1, plan_.k / 5), terms = between(1, 3);
    for (int j = 1; j <= terms; ++j) {
      const int below = j == 1 && coin() ? 0 : between(0, 14);
      put(term(j * apart), e, below, opposite ? !negative : coin(), coin() ? 0 : mantissa());
    }
  }

  // Zeros, and what becomes zero: subnormals, and pairs of the least numbers, which cancel but for less than that.
  void zeros() {
    const bool alike = coin(), negative = coin(), cancel = one_in(3), neighbours = coin(), only_zeros = one_in(3);
    const Factors least = halved(plan_.d.least_exponent() + between(0, 1));
    const int apart = neighbours ? 1 : std::max(1, plan_.k / 2);
    for (int i = 0; i < plan_.k; ++i) {
      const bool sign = alike ? negative : coin(), sign_b = coin();
      const bool second = i / apart % 2 != 0;
      a(i) = only_zeros || coin() ? zero_code(plan_.a, sign != sign_b)
                                  : subnormal_code(plan_.a, sign != sign_b, mantissa());
      b(i) = normal_code(plan_.b, sign_b, plan_.b.least_exponent() + between(0, 3), mantissa());
      if (plan_.a == plan_.b && coin()) std::swap(a(i), b(i));
      if (!cancel || !second) continue;
      put(i - apart, least, 0, sign, Code{1} << (std::max(plan_.a.mantissa_bits, 1) - 1));
      put(i, least, 0, !sign, 0);
    }
    const bool sign = alike ? negative : coin();
    made_.c = coin() ? zero_code(plan_.c, sign) : subnormal_code(plan_.c, sign, mantissa());
  }

  // Every step by itself: its own size, and what is large in it may cancel.
  void steps() {
    for (int first = 0; first < plan_.k; first += plan_.element_terms()) {
      const Factors e = any_exponents();
      const bool cancels = coin();
      const int half = plan_.element_terms() / 2;
      for (int i = 0; i < plan_.element_terms(); ++i) {
        if (cancels && i >= half && half > 0) {
          put_negated(term(first + i), term(first + i % half));
        } else {
          put_near(term(first + i), e);
        }
      }
      if (cancels && coin())
        put_near(term(first + between(0, plan_.element_terms() - 1)), {e.a - between(0, 12), e.b - between(0, 12)});
    }
    made_.c = coin() ? zero_code(plan_.c, coin()) : near(plan_.c, any_exponent(plan_.c));
  }

  // --- the edges of windows ---

  // Where some window ends: bits kept below its exponent, and an exponent that it never falls below.
  struct Edge {
    int keep = 0;
    int least = 0;
  };

  Edge any_edge() {
    std::vector<Edge> edges;
    for (const auto* adders : {&plan_.adders, &plan_.finish}) {
      for (const AdderPlan& adder : *adders) add_edges(adder, edges);
    }
    if (edges.empty()) return {plan_.d.mantissa_bits + 2, plan_.d.least_exponent()};
    return edges[choice_.below(edges.size())];
  }

  void add_edges(const AdderPlan& adder, std::vector<Edge>& edges) const {
    int least = adder.window.floor.value_or(plan_.d.least_exponent());
    for (const InputPlan& input : adder.inputs) least = std::max(least, input.words.empty.value_or(least));
    for (const InputPlan& input : adder.inputs) {
      if (input.words.keep) edges.push_back({*input.words.keep, least});
    }
  }

  // A product near 2^exponent. The first in a scale block chooses the block's scales.
  void put_at(int i, int exponent, bool negative, Code mantissa, std::vector<int>& scales) {
    if (plan_.scale) {
      const auto block = static_cast<std::size_t>(i / plan_.scale_block);
      if (scales[block] == INT_MIN) {
        scales[block] = exponent - between(std::min(2 * plan_.a.least_exponent(), 2), 2);
        const Factors e = halved(scales[block]);
        made_.scale_a[block] = power_code(*plan_.scale, false, e.a);
        made_.scale_b[block] = power_code(*plan_.scale, false, e.b);
      }
      exponent -= scales[block];
    }
    put(i, halved(exponent), 0, negative, mantissa);
  }

  // A sum half-way between two numbers of d but for a last term at the edge of a window, which may be cut off. What is
  // large is c or a product, or there is nothing but the half: then it is half the last bit that d ever has.
  void edges() {
    const Edge edge = any_edge();
    const bool negative = coin(), opposite = coin(), alone = one_in(3);
    const Code half_more = coin() ? 0 : Code{1} << (std::max(plan_.a.mantissa_bits, 1) - 1);
    std::vector<int> scales(made_.scale_a.size(), INT_MIN);
    const int places = coin() ? plan_.element_terms() : plan_.k, first = between(0, places - 1);
    const auto place = [&](int i) { return term((first + i) % places); };
    const Factors any = any_exponents();
    int large = std::min(any.a + any.b + between(0, edge.keep), range_of(plan_.d).greatest);
    if (alone) large = edge.least;
    if (!alone && coin()) {
      made_.c = normal_code(plan_.c, negative, large, coin() ? 0 : mantissa());
    } else if (!alone) {
      put_at(place(2), large, negative, 0, scales);
    }
    const int half = (alone ? plan_.d.least_exponent() : large) - plan_.d.mantissa_bits - between(0, 2);
    put_at(place(0), half + (half_more != 0 ? 1 : 0), negative != opposite, half_more, scales);
    put_at(place(1), large - edge.keep + between(-2, 1), coin(), coin() ? 0 : mantissa(), scales);
  }

  // Terms whose sum leaves d's range, and one infinity.
  void bursts() {
    const bool negative = coin();
    const Factors greatest{range_of(plan_.a).greatest, range_of(plan_.b).greatest};
    const int total = std::min(greatest.a + greatest.b, range_of(plan_.d).greatest);
    const Factors e{std::min(greatest.a, total - total / 2), std::min(greatest.b, total / 2)};
    for (int i = 0; i < plan_.k; ++i) {
      if (coin()) put(i, e, between(0, 2), negative, mantissa());
    }
    if (coin()) {
      made_.c = coin() ? infinity_code(plan_.c, !negative) : greatest_code(plan_.c, coin());
    } else {
      const int i = between(0, plan_.k - 1);
      a(i) = infinity_code(plan_.a, !negative);
      b(i) = one_code(plan_.b);
    }
  }

  const Plan& plan_;
  Random random_;
  Draws choice_;
  Case made_;
};

}  // namespace

Case corner_case(const Plan& plan, std::uint64_t number) { return Corners(plan, number).make(); }

}  // namespace assay
