#include "tb/guarantee/guarantee.hpp"

#include <algorithm>

namespace assay::guarantee {
namespace {

Rational greatest_integer(const Format& f) { return power_of_two(f.has_sign ? f.stored_bits - 1 : f.stored_bits); }

// d = c + the products of K terms, each at its greatest.
std::optional<long> most_terms(const Plan& plan) {
  if (!plan.d.is_integer()) return std::nullopt;
  const Rational product = greatest_integer(plan.a) * greatest_integer(plan.b);
  const Rational most = (greatest_integer(plan.d) - 1) / product;
  return mpz_class(most.get_num() / most.get_den()).get_si();
}

}  // namespace

std::optional<long> Guarantee::right_bits() const {
  const Rational error = by_sum.bound.either().relative;
  if (sgn(error) == 0) return std::nullopt;
  return std::max(0L, -floor_log2(error) - (error == floor_to_power(error) ? 0 : 1));
}

Guarantee guarantee(const Asked& asked, const Plan& plan, const Chain& chain) {
  Guarantee g;
  g.asked = asked;
  g.chain = chain;
  g.by_sum = promise(plan, chain, Reference::sum, Signs::any);
  g.by_greatest = promise(plan, chain, Reference::greatest, Signs::any);
  g.positive_by_sum = promise(plan, chain, Reference::sum, Signs::positive);
  g.positive_by_greatest = promise(plan, chain, Reference::greatest, Signs::positive);
  const std::vector<std::optional<Witness>> found = witnesses(plan, chain, {g.by_sum, g.by_greatest});
  g.attained_by_sum = found[0];
  g.attained_by_greatest = found[1];
  g.most_terms = most_terms(plan);
  return g;
}

Guarantee without_bounds(const Asked& asked, const Chain& chain, const std::string& why) {
  Guarantee g;
  g.asked = asked;
  g.chain = chain;
  g.no_bounds = why;
  return g;
}

std::string reason(const Promise& claim, const std::optional<Witness>& witness) {
  if (claim.bound.is_zero() || (witness && witness->quotient() >= Rational(1, 2))) return "";
  if (!witness) return "no case was found that loses anything";
  std::size_t places = 0;
  for (const Slack* side : {&claim.bound.below, &claim.bound.above}) places = std::max(places, side->relative.size());
  const long times = [&] {
    long most = 0;
    for (const auto& [source, share] : claim.bound.above.relative) most = std::max(most, share.times);
    for (const auto& [source, share] : claim.bound.below.relative) most = std::max(most, share.times);
    return most;
  }();
  if (places > 1 || times > 1)
    return "the greatest sums and the greatest losses of each of them count together, and no operands have both at "
           "every sum";
  return "terms at their greatest have too few bits below the last place of d";
}

}  // namespace assay::guarantee
