#include "tb/tests/equality/corner_cases.hpp"

#include <algorithm>
#include <utility>

#include "tb/generate/codes.hpp"
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
  }

  Case make() {
    switch (made_.number % corner_styles) {
      case 0: corners(); break;
      case 1: cluster(); break;
      case 2: few(); break;
      case 3: cancelling(); break;
      case 4: faint(); break;
      case 5: zeros(); break;
      default: steps(); break;
    }
    return std::move(made_);
  }

 private:
  // --- codes ---

  int between(int least, int greatest) { return choice_.between(least, greatest); }
  bool coin() { return choice_.coin(); }
  bool one_in(std::uint64_t n) { return choice_.below(n) == 0; }
  bool any_sign(const Format& f) { return f.has_sign && coin(); }

  int any_exponent(const Format& f) { return between(f.least_exponent(), f.greatest_exponent()); }

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

  Code near(const Format& f, int exponent) {
    if (one_in(8)) return zero_code(f, coin());
    return normal_code(f, any_sign(f), exponent + between(-3, 3), mantissa());
  }

  // --- terms ---

  Code& a(int i) { return made_.a[static_cast<std::size_t>(i)]; }
  Code& b(int i) { return made_.b[static_cast<std::size_t>(i)]; }
  int term(int i) const { return plan_.order[static_cast<std::size_t>(i % plan_.k)]; }  // the i-th that is added

  Factors any_exponents() { return {any_exponent(plan_.a), any_exponent(plan_.b)}; }

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

  // One number, and terms so far below it that they reach its last bits or not even these.
  void faint() {
    const Factors e = any_exponents();
    const bool in_c = coin();
    const bool negative = coin();
    const int floor = plan_.d.least_exponent() + between(-1, 1);
    int large = e.a + e.b + between(9, 40);
    if (one_in(3)) large = floor;
    if (in_c) made_.c = normal_code(plan_.c, negative, large, mantissa());
    if (!in_c) put(term(0), {large - large / 2, large / 2}, 0, negative, mantissa());
    const int terms = between(1, 3);
    const bool opposite = coin();
    for (int j = 1; j <= terms; ++j) {
      const int depth = between(8, 40), exponent = large - depth;
      put(term(j * std::max(1, plan_.k / 5)), {exponent - exponent / 2, exponent / 2}, 0, opposite ? !negative : coin(),
          coin() ? 0 : mantissa());
    }
  }

  // Zeros and what is read or flushed as zero, of one sign or of both.
  void zeros() {
    const bool alike = coin(), negative = coin();
    const int flushed = between(0, 2);
    for (int i = 0; i < plan_.k; ++i) {
      const bool sign = alike ? negative : coin(), sign_b = coin();
      a(i) = flushed == 0 || coin() ? zero_code(plan_.a, sign != sign_b)
                                    : subnormal_code(plan_.a, sign != sign_b, mantissa());
      b(i) = normal_code(plan_.b, sign_b, plan_.b.least_exponent() + between(0, 3), mantissa());
      if (plan_.a == plan_.b && coin()) std::swap(a(i), b(i));
    }
    made_.c = coin() ? zero_code(plan_.c, alike ? negative : coin())
                     : subnormal_code(plan_.c, alike ? negative : coin(), mantissa());
  }

  // Every step by itself: its own size, and what is large in it may cancel.
  void steps() {
    for (int first = 0; first < plan_.k; first += plan_.step_terms) {
      const Factors e = any_exponents();
      const bool cancels = coin();
      const int half = plan_.step_terms / 2;
      for (int i = 0; i < plan_.step_terms; ++i) {
        if (cancels && i >= half && half > 0) {
          put_negated(term(first + i), term(first + i % half));
        } else {
          put_near(term(first + i), e);
        }
      }
      if (cancels && coin())
        put_near(term(first + between(0, plan_.step_terms - 1)), {e.a - between(0, 12), e.b - between(0, 12)});
    }
    made_.c = coin() ? zero_code(plan_.c, coin()) : near(plan_.c, any_exponent(plan_.c));
  }

  const Plan& plan_;
  Random random_;
  Draws choice_;
  Case made_;
};

}  // namespace

Case corner_case(const Plan& plan, std::uint64_t number) { return Corners(plan, number).make(); }

}  // namespace assay
