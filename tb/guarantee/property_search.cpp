#include "tb/guarantee/property_search.hpp"

#include <algorithm>
#include <map>

#include "tb/generate/codes.hpp"
#include "tb/guarantee/directed.hpp"
#include "tb/guarantee/property_argument.hpp"

namespace assay::guarantee {
namespace {

std::size_t at(int index) { return static_cast<std::size_t>(index); }

// --- all cases ---

// The codes of a case as one number, a[0] lowest.
class AllCodes {
 public:
  explicit AllCodes(const Plan& plan) : plan_(plan) {
    one_.a.assign(at(plan.k), 0);
    one_.b.assign(at(plan.k), 0);
    one_.scale_a.assign(at(plan.scales), 0);
    one_.scale_b.assign(at(plan.scales), 0);
  }

  // Bits of all operands together.
  int bits() const {
    int sum = plan_.k * (plan_.a.stored_bits + plan_.b.stored_bits) + plan_.c.stored_bits;
    if (plan_.scale) sum += 2 * plan_.scales * plan_.scale->stored_bits;
    return sum;
  }

  const Case& at_number(std::uint64_t number) {
    one_.number = number;
    const auto take = [&](Code& code, const Format& format) {
      code = number & all_bits(format);
      number >>= format.stored_bits;
    };
    for (Code& code : one_.a) take(code, plan_.a);
    for (Code& code : one_.b) take(code, plan_.b);
    take(one_.c, plan_.c);
    for (Code& code : one_.scale_a) take(code, *plan_.scale);
    for (Code& code : one_.scale_b) take(code, *plan_.scale);
    return one_;
  }

 private:
  const Plan& plan_;
  Case one_;
};

constexpr int most_bits = 40;

// --- small ---

class Shrinker {
 public:
  Shrinker(PropertyTrial& trial, FailingTrial failing)
      : trial_(trial), plan_(trial.plan()), best_(std::move(failing)) {}

  FailingTrial run() {
    for (int round = 0; round < 8; ++round) {
      const FailingTrial before = best_;
      simplify_choice();
      zero_terms();
      move_to_the_front();
      for (int i = 0; i < plan_.k; ++i) {
        simplify([i](Case& one) -> Code& { return one.a[at(i)]; }, plan_.a);
        simplify([i](Case& one) -> Code& { return one.b[at(i)]; }, plan_.b);
      }
      simplify([](Case& one) -> Code& { return one.c; }, plan_.c);
      for (int i = 0; i < plan_.scales; ++i) {
        put([i](Case& one) -> Code& { return one.scale_a[at(i)]; }, one_code(*plan_.scale));
        put([i](Case& one) -> Code& { return one.scale_b[at(i)]; }, one_code(*plan_.scale));
      }
      if (same(before)) break;
    }
    return best_;
  }

 private:
  bool same(const FailingTrial& other) const {
    return other.one.a == best_.one.a && other.one.b == best_.one.b && other.one.c == best_.one.c &&
           other.one.scale_a == best_.one.scale_a && other.one.scale_b == best_.one.scale_b &&
           other.choice.number == best_.choice.number;
  }

  bool take(const FailingTrial& candidate) {
    const std::optional<bool> holds = trial_.holds(candidate.one, candidate.choice);
    if (!holds || *holds) return false;
    best_ = candidate;
    return true;
  }

  void simplify_choice() {
    for (std::uint64_t number = 0; number < std::min<std::uint64_t>(best_.choice.number, 16); ++number) {
      if (take({best_.one, {number, best_.choice.listed}})) return;
    }
  }

  // Halves of the terms, quarters and so on down to single ones.
  void zero_terms() {
    for (int size = std::max(1, plan_.k / 2); size > 0; size /= 2) {
      for (int first = 0; first < plan_.k; first += size) zero_terms(first, std::min(first + size, plan_.k));
    }
  }
  void zero_terms(int first, int last) {
    FailingTrial candidate = best_;
    for (int i = first; i < last; ++i) {
      candidate.one.a[at(i)] = zero_code(plan_.a, false);
      candidate.one.b[at(i)] = zero_code(plan_.b, false);
    }
    if (candidate.one.a != best_.one.a || candidate.one.b != best_.one.b) take(candidate);
  }

  // A term to the first place that is free.
  void move_to_the_front() {
    for (int i = 1; i < plan_.k; ++i) {
      for (int j = 0; j < i; ++j) {
        const Case& now = best_.one;
        if (is_empty(now, i) || !is_empty(now, j)) continue;
        FailingTrial candidate = best_;
        std::swap(candidate.one.a[at(i)], candidate.one.a[at(j)]);
        std::swap(candidate.one.b[at(i)], candidate.one.b[at(j)]);
        if (take(candidate)) break;
      }
    }
  }
  bool is_empty(const Case& one, int i) const {
    return one.a[at(i)] == zero_code(plan_.a, false) && one.b[at(i)] == zero_code(plan_.b, false);
  }

  template <class Code_of>
  bool put(const Code_of& code_of, Code code) {
    FailingTrial candidate = best_;
    if (code_of(candidate.one) == code) return true;
    code_of(candidate.one) = code;
    return take(candidate);
  }

  // Zero, one, no sign, a power of two, fewer ones from below.
  template <class Code_of>
  void simplify(const Code_of& code_of, const Format& format) {
    const Code now = code_of(best_.one);
    if (now == 0 || put(code_of, zero_code(format, false))) return;
    if (now == one_code(format) || put(code_of, one_code(format))) return;
    if (format.has_sign && (format.used(now) & format.sign_bit()) != 0 && !format.is_integer())
      put(code_of, code_of(best_.one) & ~format.stored(format.sign_bit()));
    const int bits = format.is_integer() ? format.stored_bits - 1 : format.mantissa_bits;
    put(code_of, code_of(best_.one) & ~format.stored((Code{1} << bits) - 1) & ~ignored_bits(format));
    for (int bit = 0; bit < bits; ++bit) {
      const Code one = format.stored(Code{1} << bit);
      if ((code_of(best_.one) & one) != 0) put(code_of, code_of(best_.one) & ~one);
    }
  }

  PropertyTrial& trial_;
  const Plan& plan_;
  FailingTrial best_;
};

// --- the search ---

// A property at work.
struct Asked {
  PropertyFinding finding;
  std::unique_ptr<PropertyTrial> trial;
  std::map<std::string, std::uint64_t> by_family;
  std::optional<FailingTrial> failing;
  bool chooses = false;  // between terms or orders: each case is tried twice

  bool is_open() const { return finding.state == HoldState::open && !failing; }
};

Asked asked_of(const Plan& plan, const Property& property, const SearchEffort& effort) {
  Asked made;
  made.finding.property = property;
  made.trial = std::make_unique<PropertyTrial>(plan, property);
  made.chooses = made.trial->listed_choices() != 1;
  if (!made.trial->idle().empty()) {
    made.finding.state = HoldState::idle;
    made.finding.why = made.trial->idle();
  } else if (const std::string_view why = effort.argues ? argument(plan, property) : ""; !why.empty()) {
    made.finding.state = HoldState::holds;
    made.finding.why = why;
  }
  return made;
}

void try_case(Asked& asked, CaseFacts& facts, std::string_view family) {
  const std::uint64_t number = facts.operands().number;
  for (const std::uint64_t choice : {std::uint64_t{0}, number + 1}) {
    if (choice != 0 && !asked.chooses) return;
    const std::optional<bool> holds = asked.trial->holds(facts, {choice, false});
    if (!holds) continue;
    ++asked.finding.tried;
    ++asked.by_family[std::string(family)];
    if (*holds) continue;
    asked.failing = FailingTrial{facts.operands(), {choice, false}};
    asked.finding.failing_case = number;
    return;
  }
}

void try_generated(const Plan& plan, std::vector<Asked>& all, const SearchEffort& effort,
                   const SearchProgress& progress) {
  const DirectedCases cases(plan, effort.seed);
  for (std::uint64_t number = 0; number < effort.cases; ++number) {
    if (std::none_of(all.begin(), all.end(), [](const Asked& a) { return a.is_open(); })) return;
    const Case one = cases.make(number);
    CaseFacts facts(plan, one);
    for (Asked& asked : all) {
      if (asked.is_open()) try_case(asked, facts, cases.family(number));
    }
    if (progress && number % 256 == 0) progress(number);
  }
}

void try_all(Asked& asked, const SearchEffort& effort) {
  if (!asked.is_open() || !size_of_all(*asked.trial, effort.exhausted)) return;
  asked.finding.tried = 0;
  asked.by_family.clear();
  asked.failing = failing_of_all(*asked.trial, asked.finding.tried);
  if (asked.failing || asked.finding.tried == 0) return;
  asked.finding.state = HoldState::holds;
  asked.finding.why = "Every case was tried.";
}

void conclude(Asked& asked, const SearchEffort& effort) {
  for (const auto& [family, count] : asked.by_family) asked.finding.by_family.emplace_back(family, count);
  if (!asked.failing) return;
  asked.finding.state = HoldState::fails;
  const FailingTrial small = effort.makes_small ? made_small(*asked.trial, *asked.failing) : *asked.failing;
  asked.finding.failure = asked.trial->pair(small.one, small.choice);
}

}  // namespace

std::optional<std::uint64_t> size_of_all(const PropertyTrial& trial, std::uint64_t most) {
  const int bits = AllCodes(trial.plan()).bits();
  const std::uint64_t choices = trial.listed_choices();
  if (bits > most_bits || choices == 0 || choices > most) return std::nullopt;
  const std::uint64_t cases = std::uint64_t{1} << bits;
  return cases > most / choices ? std::nullopt : std::optional<std::uint64_t>(cases * choices);
}

std::optional<FailingTrial> failing_of_all(PropertyTrial& trial, std::uint64_t& tried) {
  AllCodes codes(trial.plan());
  const std::uint64_t cases = std::uint64_t{1} << codes.bits(), choices = trial.listed_choices();
  for (std::uint64_t number = 0; number < cases; ++number) {
    const Case& one = codes.at_number(number);
    CaseFacts facts(trial.plan(), one);
    for (std::uint64_t choice = 0; choice < choices; ++choice) {
      const std::optional<bool> holds = trial.holds(facts, {choice, true});
      if (!holds) continue;
      ++tried;
      if (!*holds) return FailingTrial{one, {choice, true}};
    }
  }
  return std::nullopt;
}

FailingTrial made_small(PropertyTrial& trial, FailingTrial failing) {
  return Shrinker(trial, std::move(failing)).run();
}

std::vector<PropertyFinding> property_findings(const Plan& plan, const std::vector<Property>& asked,
                                               const SearchEffort& effort, const SearchProgress& progress) {
  std::vector<Asked> all;
  for (const Property& property : asked) all.push_back(asked_of(plan, property, effort));
  try_generated(plan, all, effort, progress);
  std::vector<PropertyFinding> findings;
  for (Asked& one : all) {
    try_all(one, effort);
    conclude(one, effort);
    findings.push_back(std::move(one.finding));
  }
  return findings;
}

std::vector<PropertyDifference> differences(const std::vector<PropertyFinding>& one,
                                            const std::vector<PropertyFinding>& other) {
  std::vector<PropertyDifference> found;
  for (const PropertyFinding& x : one) {
    for (const PropertyFinding& y : other) {
      if (x.property.name == y.property.name && x.state != y.state) found.push_back({x.property, x.state, y.state});
    }
  }
  return found;
}

}  // namespace assay::guarantee
