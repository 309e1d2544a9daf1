#include "tb/guarantee/witness.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "tb/generate/anatomy.hpp"
#include "tb/generate/codes.hpp"

namespace assay::guarantee {
namespace {

constexpr int c_sets = -1;

// What is put where: one term, or c, stands above; others stand `below` it.
struct Design {
  int setter = c_sets;  // a term, in the order in which they are added; or c
  int exponent = 0;     // of the setter
  int below = 0;
  Code setter_mantissa = 0, mantissa = 0;  // bits beyond a format's own are dropped
  bool opposite = false;                   // the others have the other sign
  int others = 0;                          // which
};

enum Others { all_others, one_a_sum, one_other };

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
    if (plan_.scale)
      made.scale_a.assign(static_cast<std::size_t>(plan_.scales), one_code(*plan_.scale)), made.scale_b = made.scale_a;
    const int low = design.exponent - design.below;
    const Way::Met met = design.others == one_a_sum ? Way(plan_).of(design.setter) : Way::Met{};
    const auto stands = [&](int term) {
      if (design.others == one_a_sum) return std::find(met.terms.begin(), met.terms.end(), term) != met.terms.end();
      return design.others == all_others || term == (design.setter == 0 ? 1 : 0);
    };
    for (int i = 0; i < plan_.k; ++i) {
      const int index = plan_.order[static_cast<std::size_t>(i)];
      if (i == design.setter) {
        put(made, index, false, design.exponent, design.setter_mantissa);
      } else if (stands(i)) {
        put(made, index, design.opposite, low, design.mantissa);
      }
    }
    if (design.setter == c_sets) {
      made.c = number(plan_.c, false, design.exponent, design.setter_mantissa);
    } else if (design.others != one_a_sum || met.c) {
      made.c = number(plan_.c, design.opposite, low, design.mantissa);
    }
    return made;
  }

 private:
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
  const std::string setter =
      d.setter == c_sets ? "c" : fmt::format("a[{0}] x b[{0}]", plan.order[static_cast<std::size_t>(d.setter)]);
  if (d.below == 0) return "all terms of one exponent";
  const char* which = d.others == one_a_sum   ? "one term of each sum it goes through"
                      : d.others == one_other ? "one other term"
                                              : "the others";
  return fmt::format("{} is the greatest, {} stand{} {} below it", setter, which, d.others == all_others ? "" : "s",
                     d.below);
}

// Where the bound is lost: right below each bit at which something is cut or rounded.
std::vector<Design> designs(const Plan& plan, const Anatomy& facts) {
  std::set<int> below{0, 1};
  for (const int edge : facts.edges) {
    for (const int more : {0, 1, 2, 3}) below.insert(edge + more);
  }
  std::vector<Design> list;
  // Where a sum of all terms does not overflow.
  const int highest = plan.d.greatest_exponent() - bit_length(static_cast<u128>(plan.k)) - 3;
  std::set<int> setters{c_sets, 0, plan.k / 2, plan.k - 1};
  const Code ones = ~Code{0};
  for (const int setter : setters) {
    for (const int distance : below) {
      const int middle = (facts.products.least + facts.products.greatest) / 2;
      const int exponent = setter == c_sets ? std::min({middle + distance, facts.c.greatest, highest})
                                            : std::min(facts.products.greatest, highest);
      for (const Code setter_mantissa : {Code{0}, ones}) {
        for (const Code mantissa : {Code{0}, Code{1}, ones}) {
          for (const bool opposite : {false, true}) {
            for (const int others : {all_others, one_a_sum, one_other}) {
              if (plan.k == 1 && others != all_others) continue;
              list.push_back({setter, exponent, distance, setter_mantissa, mantissa, opposite, others});
            }
          }
        }
      }
    }
  }
  return list;
}

class Search {
 public:
  Search(const Plan& plan, const Chain& chain, const std::vector<Claim>& claims)
      : plan_(plan), chain_(chain), claims_(claims), best_(claims.size()) {}

  std::vector<std::optional<Witness>> run() {
    const Builder builder(plan_);
    if (std::none_of(claims_.begin(), claims_.end(), [](const Claim& c) { return !c.bound.is_zero(); })) return best_;
    for (const Design& design : designs(plan_, builder.facts())) see(builder.build(design), design_text(plan_, design));
    for (std::size_t i = 0; i < claims_.size(); ++i) {
      if (best_[i]) sharpen(i);
    }
    return best_;
  }

 private:
  // Whether it is better than what was known for the claim.
  bool see(std::size_t claim, const Case& one, const Measured& m, const std::string& built) {
    const Claim& c = claims_[claim];
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

  // Flips bits of the operands while that brings the case nearer to the bound.
  void sharpen(std::size_t claim) {
    if (chain_.k != plan_.k) return;
    const Rational near(9, 10);
    for (bool better = true; better && best_[claim]->quotient() < near;) {
      better = false;
      const auto flip = [&](std::vector<Code> Case::*codes, const Format& f) {
        for (std::size_t i = 0; i < (best_[claim]->one.*codes).size(); ++i) {
          for (int bit = 0; bit < f.stored_bits; ++bit) {
            Case one = best_[claim]->one;
            (one.*codes)[i] ^= Code{1} << bit;
            better = try_one(claim, one) || better;
          }
        }
      };
      for (int bit = 0; bit < plan_.c.stored_bits; ++bit) {
        Case one = best_[claim]->one;
        one.c ^= Code{1} << bit;
        better = try_one(claim, one) || better;
      }
      flip(&Case::a, plan_.a);
      flip(&Case::b, plan_.b);
    }
  }

  bool try_one(std::size_t claim, const Case& one) {
    const std::optional<Measured> m = measured(one);
    return m && see(claim, one, *m, best_[claim]->built);
  }

  const Plan& plan_;
  const Chain& chain_;
  const std::vector<Claim>& claims_;
  std::vector<std::optional<Witness>> best_;
  Registers registers_;
};

}  // namespace

std::vector<std::optional<Witness>> witnesses(const Plan& plan, const Chain& chain, const std::vector<Claim>& claims) {
  return Search(plan, chain, claims).run();
}

}  // namespace assay::guarantee
