#include "tb/guarantee/measure.hpp"

#include <algorithm>
#include <climits>

#include "tb/explain/exact.hpp"

namespace assay::guarantee {
namespace {

using exact::Datum;
using exact::Kind;

class Measuring {
 public:
  explicit Measuring(const Plan& plan) : plan_(plan) {}

  void add_terms(const Case& one) {
    for (std::size_t i = 0; i < one.a.size(); ++i) {
      Operand term = read(plan_.a, one.a[i]);
      multiply(term, read(plan_.b, one.b[i]));
      if (plan_.scale) {
        const std::size_t block = i / static_cast<std::size_t>(plan_.scale_block);
        multiply(term, read(*plan_.scale, one.scale_a[block]));
        multiply(term, read(*plan_.scale, one.scale_b[block]));
      }
      see(term);
    }
  }

  void add_c(Code c) { see(read(plan_.c, c)); }

  Measured result(Code d) {
    const Datum got = explain::exact_value(plan_.d, d, plan_.datapath.specials);
    m_.finite = m_.terms_finite && got.kind == Kind::finite;
    if (m_.finite) m_.error = rational(got.value) - exact_;
    return m_;
  }

 private:
  struct Operand {
    Datum datum;
    long last_place = 0;
    bool normal = true;
  };

  Operand read(const Format& format, Code code) const {
    Operand x{explain::exact_value(format, code, plan_.datapath.specials)};
    if (format.is_integer() || exact::is_zero(x.datum)) return x;
    x.last_place = x.datum.exponent - format.mantissa_bits;
    x.normal = !format.has_zero || exact::reaches(x.datum.value, format.least_exponent());
    return x;
  }

  static void multiply(Operand& x, const Operand& y) {
    const long exponent = x.datum.exponent + y.datum.exponent;
    x.datum = exact::product(x.datum, y.datum);
    x.datum.exponent = exponent;
    x.last_place += y.last_place;
    x.normal = x.normal && y.normal;
  }

  void see(const Operand& term) {
    if (term.datum.kind != Kind::finite) m_.terms_finite = false;
    if (!m_.terms_finite || exact::is_zero(term.datum)) return;
    const Rational value = rational(term.datum.value);
    exact_ += value;
    m_.sum += abs(value);
    m_.positive = m_.positive && sgn(value) > 0;
    m_.normal = m_.normal && term.normal;
    m_.last_place = m_.greatest ? std::min(m_.last_place, term.last_place) : term.last_place;
    m_.greatest = std::max(m_.greatest.value_or(term.datum.exponent), term.datum.exponent);
  }

  const Plan& plan_;
  Measured m_;
  Rational exact_;
};

}  // namespace

Rational Measured::reference(Reference r) const {
  if (r == Reference::sum) return sum;
  return greatest ? power_of_two(*greatest) : Rational(0);
}

Measured measure(const Plan& plan, const Case& one, Code d) {
  Measuring m(plan);
  m.add_terms(one);
  m.add_c(one.c);
  return m.result(d);
}

Measured measure(const Plan& plan, const std::vector<Case>& chain, Code d) {
  Measuring m(plan);
  for (const Case& one : chain) m.add_terms(one);
  m.add_c(chain.front().c);
  return m.result(d);
}

bool within(const std::vector<Limit>& limits, const Measured& m) {
  return std::all_of(limits.begin(), limits.end(), [&](const Limit& l) { return m.sum <= l.sum; });
}

bool overflows_unseen(const Plan& plan) {
  const auto unseen = [](const ResultPlan& r) {
    return r.words.at == ResultAt::format && r.words.overflow != Overflow::infinity;
  };
  const auto any = [&](const std::vector<AdderPlan>& adders) {
    return std::any_of(adders.begin(), adders.end(),
                       [&](const AdderPlan& a) { return std::any_of(a.results.begin(), a.results.end(), unseen); });
  };
  // A code of one's own for NaN may be that of a number.
  const bool nan_unseen =
      !plan.nan.propagate && explain::exact_value(plan.d, plan.nan.code, plan.datapath.specials).kind == Kind::finite;
  return nan_unseen || (plan.product_round && unseen(*plan.product_round)) || any(plan.adders) || any(plan.finish);
}

bool relative_alone(const Claim& claim, const Measured& m) {
  return !claim.always_absolute() && m.normal && (!claim.last_place || m.last_place >= *claim.last_place);
}

bool holds(const Claim& claim, const Measured& m) {
  const Rational reference = m.reference(claim.reference);
  const bool relative = relative_alone(claim, m);
  const auto most = [&](const Side& side) {
    const Amount amount = side.amount();
    return Rational(amount.relative * reference + (relative ? Rational(0) : amount.absolute));
  };
  return m.error <= most(claim.bound.above) && -m.error <= most(claim.bound.below);
}

}  // namespace assay::guarantee
