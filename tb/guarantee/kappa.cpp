#include "tb/guarantee/kappa.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>

#include "model/core/encode.hpp"
#include "model/core/result_words.hpp"
#include "model/core/round.hpp"
#include "tb/generate/codes.hpp"
#include "tb/guarantee/chain.hpp"
#include "tb/guarantee/directed.hpp"
#include "tb/guarantee/property_argument.hpp"
#include "tb/guarantee/property_codes.hpp"
#include "tb/guarantee/property_trial.hpp"

namespace assay::guarantee {
namespace {

// --- the defined result ---

const Result& last_words(const Plan& plan) { return plan.last_adder().results.back().words; }

// The code for NaN may be that of a number.
std::optional<Code> nan_code(const Plan& plan) {
  if (!plan.nan.writes_code() || !is_number(plan.d, plan.nan.code, plan.datapath.specials)) return std::nullopt;
  return plan.nan.code;
}

// The exact sum lies beyond the numbers of d on one side.
std::optional<Code> beyond(const Plan& plan, bool negative) {
  const Format& d = plan.d;
  const Result& words = last_words(plan);
  const bool has_side = !negative || d.has_sign;
  if (!has_side && !d.is_integer()) return words.negative == OfNegative::zero ? Code{0} : nan_code(plan);
  switch (words.overflow) {
    case Overflow::infinity:
    case Overflow::directed: return d.stored(negative ? d.negative_infinity() : d.infinity());
    case Overflow::nan: return nan_code(plan);
    case Overflow::top: return encode(first_of_top(d, negative), d, plan.nan);
    case Overflow::symmetric: return negative ? negated_code(d, greatest_code(d, false)) : greatest_code(d, false);
    case Overflow::largest:
    case Overflow::wrap: break;
  }
  return greatest_code(d, negative);
}

std::optional<Code> defined_code(const Plan& plan, const explain::ExactSum& exact) {
  const bool negative = sign(exact.sum.value) < 0, is_integer = plan.d.is_integer();
  const Overflow overflow = last_words(plan).overflow;
  if (is_integer && overflow == Overflow::wrap) return exact.nearest;
  // The least of two's complement is too large for `symmetric`, too.
  const bool least = is_integer && overflow == Overflow::symmetric && exact.nearest == greatest_code(plan.d, true);
  return exact.beyond || least ? beyond(plan, negative) : exact.nearest;
}

mpz_class order(const Format& format, Code code) { return {static_cast<long>(order_of(format, code))}; }

// Whether what is promised where nothing cancels is promised of the case.
bool is_promised(const Plan& plan, const KappaCase& found, const Promise& promise) {
  const Measured m = measure(plan, found.one, found.d);
  return m.positive && within(promise.limits, m) && (promise.always_absolute() || relative_alone(promise, m));
}

// --- what arguments say ---

std::string problem_of(const Plan& plan) {
  const auto is_list = [](const Format& f) { return f.is_list(); };
  const bool lists =
      is_list(plan.a) || is_list(plan.b) || is_list(plan.c) || is_list(plan.d) || (plan.scale && is_list(*plan.scale));
  if (lists || point_in(plan) != nullptr || magnitude_in(plan) != nullptr) return unspoken(plan);
  if (std::string why = unit_problem(plan); !why.empty()) return why;
  return sum_problem(plan);
}

// What is the exact sum, rounded once, lies right beside the defined result, unless one of both leaves the numbers for
// a NaN. A flush takes the subnormals away.
std::optional<mpz_class> rounded_at_most(const ResultPlan& rounding, const Format& d) {
  const bool nearest = rounding.words.cut == Cut::nearest_even;
  const bool may_be_nan = rounding.words.overflow == Overflow::nan || !d.has_sign;
  if (!nearest && may_be_nan) return std::nullopt;
  if (rounding.words.subnormals == Subnormals::keep) return mpz_class(nearest ? 0 : 1);
  return mpz_class(1) << static_cast<mp_bitcnt_t>(d.mantissa_bits);
}

void argue(const Plan& plan, Kappa& kappa) {
  if (sums_wrap(plan)) {
    kappa.at_most = 0;
    kappa.why = "Sums that wrap are the exact sum, less what d does not hold.";
  } else if (const ResultPlan* rounding = rounding_of_exact_sum(plan)) {
    kappa.at_most = rounded_at_most(*rounding, plan.d);
    if (kappa.at_most) kappa.why = "The sum is exact and is rounded once.";
  }
}

// Number the values of d's format in their order, and join these points by straight lines: N(x). Between 2^e and
// 2^(e + 1) it rises by 2^M, so N(y) - N(x) <= 2^(M + 1) (y - x) / x for 0 < x < y; below the least normal number, and
// so everywhere, it rises by no more than 1 for each last place of a subnormal. Where nothing cancels the exact sum x
// is S, d lies within x (1 - below) - absolute and x (1 + above) + absolute, and the defined result within half a step
// of N(x).
std::optional<mpz_class> at_most_positive(const Format& d, const Promise& promise) {
  const Amount below = promise.bound.below.amount(), above = promise.bound.above.amount();
  if (d.is_integer() || below.relative >= 1) return std::nullopt;
  const Rational steep = power_of_two(d.mantissa_bits + 1);
  Rational down = steep * below.relative / (1 - below.relative), up = steep * above.relative;
  if (promise.always_absolute()) {
    const Rational last_places = power_of_two(d.mantissa_bits - d.least_exponent());
    down += last_places * below.absolute;
    up += last_places * above.absolute;
  }
  const Rational most = Rational(1, 2) + std::max(down, up);
  if (most >= power_of_two(d.stored_bits)) return std::nullopt;  // so many values d does not have
  return mpz_class(most.get_num() / most.get_den());
}

std::string where(const Promise& promise) {
  std::string text = "no term is below zero and nothing overflows";
  if (promise.always_absolute() || sgn(promise.bound.either().absolute) == 0) return text;
  text = "no term is below zero, nothing overflows, no operand is subnormal";
  if (promise.last_place)
    text += fmt::format(" and the last place of each product and of c weighs 2^{} or more", *promise.last_place);
  return text;
}

// --- trials ---

void clear_signs(const Format& format, std::vector<Code>& codes) {
  for (Code& code : codes) {
    if (is_negative(format, code)) code = minus(format, code).value_or(zero_code(format, false));
  }
}

Case without_signs(const Plan& plan, Case one) {
  std::vector<Code> c{one.c};
  clear_signs(plan.a, one.a);
  clear_signs(plan.b, one.b);
  clear_signs(plan.c, c);
  one.c = c.front();
  if (plan.scale) {
    clear_signs(*plan.scale, one.scale_a);
    clear_signs(*plan.scale, one.scale_b);
  }
  return one;
}

// A NaN in the place of a number is farther than any number.
bool is_farther(const KappaCase& one, const std::optional<KappaCase>& other) {
  if (!other || !other->apart) return !other && (!one.apart || *one.apart != 0);
  return !one.apart || *one.apart > *other->apart;
}

// The farthest cases that are found, each made farther bit by bit.
class Search {
 public:
  explicit Search(const Plan& plan) : plan_(plan) {}

  using Counts = std::function<bool(const KappaCase&)>;

  std::optional<KappaCase> farthest(const SearchEffort& effort, bool signs, const Counts& counts) {
    std::optional<KappaCase> best;
    const auto see = [&](const Case& one) {
      std::optional<KappaCase> found = kappa_case(plan_, one, registers_);
      if (!found || !counts(*found)) return false;
      ++tried_;
      if (!is_farther(*found, best)) return false;
      best = std::move(found);
      return true;
    };
    const DirectedCases cases(plan_, effort.seed);
    for (std::uint64_t number = 0; number < effort.cases; ++number)
      see(signs ? cases.make(number) : without_signs(plan_, cases.make(number)));
    if (best && best->apart && plan_.k <= most_sharpened) sharpen(plan_, Case(best->one), see);
    return best;
  }

  std::uint64_t tried() const { return tried_; }

 private:
  static constexpr int most_sharpened = 64;

  const Plan& plan_;
  Registers registers_;
  std::uint64_t tried_ = 0;
};

}  // namespace

std::optional<KappaCase> kappa_case(const Plan& plan, const Case& one, Registers& registers) {
  CaseFacts facts(plan, one);
  if (!facts.finite()) return std::nullopt;
  KappaCase found;
  found.one = one;
  found.d = facts.d(registers);
  found.defined = defined_code(plan, facts.exact());
  const bool nan = is_nan(plan.d, found.d, plan.datapath.specials);
  if (nan && !found.defined) found.apart = 0;
  if (!nan && found.defined) found.apart = abs(order(plan.d, found.d) - order(plan.d, *found.defined));
  return found;
}

// More than two powers of two of values apart: what is left has no digit of the defined result.
bool Kappa::unbounded(const Format& d) const {
  if (at_most || !reached) return false;
  return !reached->apart || *reached->apart > mpz_class(1) << static_cast<mp_bitcnt_t>(d.mantissa_bits + 1);
}

Kappa kappa(const Plan& plan, const SearchEffort& effort) {
  Kappa found;
  found.declined = problem_of(plan);
  if (!found.declined.empty()) return found;
  argue(plan, found);
  if (found.at_most && *found.at_most == 0) return found;
  Search search(plan);
  found.reached = search.farthest(effort, true, [](const KappaCase&) { return true; });
  found.tried = search.tried();
  const Chain chain{plan.k, 0, 1};
  if (found.at_most || !chain_problem(plan, chain).empty()) return found;
  const Promise promised = promise(plan, chain, Reference::sum, Signs::positive);
  found.at_most_positive = at_most_positive(plan.d, promised);
  if (!found.at_most_positive) return found;
  found.positive_where = where(promised);
  found.reached_positive =
      search.farthest(effort, false, [&](const KappaCase& one) { return is_promised(plan, one, promised); });
  return found;
}

}  // namespace assay::guarantee
