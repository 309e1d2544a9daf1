#include "tb/guarantee/witness.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "tb/generate/anatomy.hpp"
#include "tb/generate/codes.hpp"

namespace assay::guarantee {
namespace {

constexpr int c_sets = -1;

// Which terms are great; the others stand below them.
enum class Great { one, all_but_one, first_half };

// Which of the others are not zero.
enum class Others { all, one_a_sum, one };

// What is put where. `one` is a term, in the order in which they are added, or c.
struct Design {
  Great great = Great::one;
  int one = c_sets;
  int exponent = 0;  // of the great ones
  int below = 0;
  Code great_mantissa = 0, mantissa = 0;  // bits beyond a format's own are dropped
  bool opposite = false;                  // the others have the other sign
  Others others = Others::all;
};

// --- the way of a term through the sums ---

// One term for each sum that the setter goes through: the first that it meets there. With a term of each, every sum on
// the way has something to lose.
class Way {
 public:
  explicit Way(const Plan& plan) : plan_(plan) {}

  struct Met {
    std::vector<int> terms;  // as they are added
    bool c = false;
  };

  Met of(int setter) {
    met_ = {};
    const bool from_c = plan_.datapath.start == Start::c;
    const int lane_terms = plan_.steps * plan_.step_terms;
    const int lane = std::max(setter, 0) / lane_terms;
    if (setter != c_sets || from_c) {
      const int first = setter == c_sets ? 0 : setter % lane_terms / plan_.step_terms;
      if (setter != c_sets && first == 0 && from_c) met_.c = true;
      for (int step = first; step < plan_.steps; ++step) {
        const bool own = setter != c_sets && step == first;
        through(plan_.circuit.step, own ? setter % plan_.step_terms : plan_.circuit.step.one(),
                lane * lane_terms + step * plan_.step_terms, 1);
      }
    }
    if (plan_.finish.empty()) return met_;
    const CircuitBlock& finish = plan_.circuit.finish;
    if (setter != c_sets) met_.c = true;
    through(finish, setter == c_sets && !from_c ? finish.one() : lane, 0, lane_terms);
    return met_;
  }

 private:
  // Where a block's term i is term base + i x stride of all.
  void through(const CircuitBlock& block, int value, int base, int stride) {
    for (std::size_t i = 0; i < block.sums.size(); ++i) {
      const std::vector<SumItem>& items = block.sums[i].items;
      const auto is_own = [&](const SumItem& item) { return item.value == value; };
      if (std::none_of(items.begin(), items.end(), is_own)) continue;
      for (const SumItem& item : items) {
        const int term = first_term(block, item.value);
        if (is_own(item) || term < 0) continue;
        met_.terms.push_back(base + term * stride);
        break;
      }
      value = block.left_by(i);
    }
  }

  static int first_term(const CircuitBlock& block, int value) {
    if (block.kind(value) == ValueKind::one) return -1;
    return block.kind(value) == ValueKind::term ? value : first_term(block, block.sum_of(value).items.front().value);
  }

  const Plan& plan_;
  Met met_;
};

class Builder {
 public:
  explicit Builder(const Plan& plan) : plan_(plan), facts_(anatomy(plan)) {}

  const Anatomy& facts() const { return facts_; }

  Case build(const Design& design) const {
    Case made;
    const auto k = static_cast<std::size_t>(plan_.k);
    made.a.assign(k, zero_code(plan_.a, false));
    made.b.assign(k, zero_code(plan_.b, false));
    made.c = zero_code(plan_.c, false);
    if (plan_.scale) {
      made.scale_a.assign(static_cast<std::size_t>(plan_.scales), one_code(*plan_.scale));
      made.scale_b = made.scale_a;
    }
    const Way::Met met = design.others == Others::one_a_sum ? Way(plan_).of(design.one) : Way::Met{};
    for (int i = 0; i < plan_.k; ++i) {
      const int index = plan_.order[static_cast<std::size_t>(i)];
      if (is_great(design, i)) {
        put(made, index, false, design.exponent, design.great_mantissa);
      } else if (stands(design, met, i)) {
        put(made, index, design.opposite, design.exponent - design.below, design.mantissa);
      }
    }
    if (is_great(design, c_sets)) {
      made.c = number(plan_.c, false, design.exponent, design.great_mantissa);
    } else if (design.others != Others::one_a_sum || met.c) {
      made.c = number(plan_.c, design.opposite, design.exponent - design.below, design.mantissa);
    }
    return made;
  }

 private:
  bool is_great(const Design& design, int term) const {
    switch (design.great) {
      case Great::one: return term == design.one;
      case Great::all_but_one: return term != design.one;
      case Great::first_half: break;
    }
    const int lane_terms = plan_.steps * plan_.step_terms;
    return term == c_sets || term % lane_terms < (lane_terms + 1) / 2;
  }

  static bool stands(const Design& design, const Way::Met& met, int term) {
    switch (design.others) {
      case Others::all: return true;
      case Others::one_a_sum: return std::find(met.terms.begin(), met.terms.end(), term) != met.terms.end();
      case Others::one: break;
    }
    return term == (design.one == 0 ? 1 : 0);
  }

  static Code number(const Format& f, bool negative, int exponent, Code mantissa) {
    if (f.is_integer()) return zero_code(f, false);
    if (exponent < f.least_exponent()) return power_code(f, negative, exponent);
    return normal_code(f, negative, exponent, mantissa);
  }

  void put(Case& made, int index, bool negative, int exponent, Code mantissa) const {
    if (plan_.d.is_integer()) return;
    const Exponents x = range_of(plan_.a), y = range_of(plan_.b);
    const int half = exponent / 2;
    int part = std::clamp(half, x.least, x.greatest);
    part = std::clamp(exponent - std::clamp(exponent - part, y.least, y.greatest), x.least, x.greatest);
    const auto at = static_cast<std::size_t>(index);
    made.a[at] = number(plan_.a, negative, part, mantissa);
    made.b[at] = number(plan_.b, false, exponent - part, mantissa);
  }

  const Plan& plan_;
  Anatomy facts_;
};

std::string design_text(const Plan& plan, const Design& d) {
  const std::string one =
      d.one == c_sets ? "c" : fmt::format("a[{0}] x b[{0}]", plan.order[static_cast<std::size_t>(d.one)]);
  if (d.below == 0) return "all terms of one exponent";
  if (d.great == Great::first_half)
    return fmt::format("the second half of the terms stands {} below the first", d.below);
  if (d.great == Great::all_but_one) return fmt::format("{} stands {} below all others", one, d.below);
  const char* which = d.others == Others::one_a_sum ? "one term of each sum that it goes through stands"
                      : d.others == Others::one     ? "one other stands"
                                                    : "the others stand";
  return fmt::format("{} is the greatest, {} {} below it", one, which, d.below);
}

// Where the bound is lost: right below each bit at which something is cut or rounded.
class Designs {
 public:
  Designs(const Plan& plan, const Anatomy& facts) : plan_(plan), facts_(facts) {}

  std::vector<Design> all() {
    const std::set<int> ones{c_sets, 0, plan_.k / 2, plan_.k - 1};
    // Below one great term something is lost right behind a cut.
    std::set<int> below{0, 1};
    for (const int edge : facts_.edges) below.insert({edge, edge + 1, edge + 2, edge + 3});
    for (const int one : ones) {
      for (const int distance : below) below_one(one, distance);
    }
    // The sum of many reaches higher, and what is lost of it with it.
    const int higher = bit_length(static_cast<u128>(plan_.k)) + 2;
    std::set<int> below_many;
    for (const int edge : facts_.edges) {
      for (int distance = std::max(0, edge - higher); distance <= edge + 1; ++distance) below_many.insert(distance);
    }
    for (const int distance : below_many) {
      for (const int one : ones) below_all(Great::all_but_one, one, distance);
      below_all(Great::first_half, c_sets, distance);
    }
    return std::move(list_);
  }

 private:
  static constexpr Code all_ones = ~Code{0};

  // Where a sum of all terms does not overflow.
  int highest() const { return plan_.d.greatest_exponent() - bit_length(static_cast<u128>(plan_.k)) - 3; }

  void below_one(int one, int distance) {
    const int middle = (facts_.products.least + facts_.products.greatest) / 2;
    Design d{Great::one, one, std::min(facts_.products.greatest, highest()), distance};
    if (one == c_sets) d.exponent = std::min({middle + distance, facts_.c.greatest, highest()});
    for (const Others others : {Others::all, Others::one_a_sum, Others::one}) {
      for (const bool opposite : {false, true}) {
        d.others = others;
        d.opposite = opposite;
        with_mantissas(d, {0, 1, all_ones});
      }
    }
  }

  void below_all(Great great, int one, int distance) {
    Design d{great, one, std::min({facts_.products.greatest, facts_.c.greatest, highest()}), distance};
    with_mantissas(d, {0, all_ones});
  }

  void with_mantissas(Design d, const std::vector<Code>& mantissas) {
    for (const Code great : {Code{0}, all_ones}) {
      for (const Code mantissa : mantissas) {
        d.great_mantissa = great;
        d.mantissa = mantissa;
        list_.push_back(d);
      }
    }
  }

  const Plan& plan_;
  const Anatomy& facts_;
  std::vector<Design> list_;
};

class Search {
 public:
  Search(const Plan& plan, const Chain& chain, const std::vector<Promise>& claims)
      : plan_(plan), chain_(chain), claims_(claims), best_(claims.size()) {}

  std::vector<std::optional<Witness>> run() {
    if (std::none_of(claims_.begin(), claims_.end(), [](const Promise& c) { return !c.bound.is_zero(); })) return best_;
    for (const Designed& designed : designed_cases(plan_)) see(designed.one, designed.built);
    for (std::size_t i = 0; i < claims_.size(); ++i) {
      if (best_[i]) sharpen(i);
    }
    return best_;
  }

 private:
  // Whether it is better than what was known for the claim.
  bool see(std::size_t claim, const Case& one, const Measured& m, const std::string& built) {
    const Promise& c = claims_[claim];
    if (c.signs == Signs::positive && !m.positive) return false;
    const Rational bound = bound_of(c, m, sgn(m.error) < 0);
    if (sgn(bound) == 0 || sgn(m.error) == 0) return false;
    Witness found{one, m, bound, built};
    if (best_[claim] && found.quotient() <= best_[claim]->quotient()) return false;
    best_[claim] = std::move(found);
    return true;
  }

  std::optional<Measured> measured(const Case& one) {
    const Measured m = measure(plan_, chain_, one, registers_);
    if (!m.finite || !within(claims_.front().limits, m)) return std::nullopt;
    return m;
  }

  void see(const Case& one, const std::string& built) {
    const std::optional<Measured> m = measured(one);
    if (!m) return;
    for (std::size_t i = 0; i < claims_.size(); ++i) see(i, one, *m, built);
  }

  void sharpen(std::size_t claim) {
    if (chain_.k != plan_.k) return;
    const std::string built = best_[claim]->built;
    const Rational near(3, 4);
    guarantee::sharpen(plan_, best_[claim]->one, [&](const Case& one) {
      if (best_[claim]->quotient() >= near) return false;
      const std::optional<Measured> m = measured(one);
      return m && see(claim, one, *m, built);
    });
  }

  const Plan& plan_;
  const Chain& chain_;
  const std::vector<Promise>& claims_;
  std::vector<std::optional<Witness>> best_;
  Registers registers_;
};

void flip_bits(Case& one, std::vector<Code> Case::*codes, const Format& f, bool& found,
               const std::function<bool(const Case&)>& better) {
  for (std::size_t i = 0; i < (one.*codes).size(); ++i) {
    for (int bit = 0; bit < f.stored_bits; ++bit) {
      (one.*codes)[i] ^= Code{1} << bit;
      if (better(one)) {
        found = true;
      } else {
        (one.*codes)[i] ^= Code{1} << bit;
      }
    }
  }
}

}  // namespace

std::vector<Designed> designed_cases(const Plan& plan) {
  const Builder builder(plan);
  std::vector<Designed> cases;
  for (const Design& design : Designs(plan, builder.facts()).all())
    cases.push_back({builder.build(design), design_text(plan, design)});
  return cases;
}

void sharpen(const Plan& plan, Case one, const std::function<bool(const Case&)>& better) {
  for (bool found = true; found;) {
    found = false;
    for (int bit = 0; bit < plan.c.stored_bits; ++bit) {
      one.c ^= Code{1} << bit;
      if (better(one)) {
        found = true;
      } else {
        one.c ^= Code{1} << bit;
      }
    }
    flip_bits(one, &Case::a, plan.a, found, better);
    flip_bits(one, &Case::b, plan.b, found, better);
  }
}

std::vector<std::optional<Witness>> witnesses(const Plan& plan, const Chain& chain,
                                              const std::vector<Promise>& claims) {
  return Search(plan, chain, claims).run();
}

}  // namespace assay::guarantee
