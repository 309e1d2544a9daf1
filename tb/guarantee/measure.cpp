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

  // All terms of the case, so many times.
  void add_terms(const Case& one, long times) {
    for (std::size_t i = 0; i < one.a.size(); ++i) {
      Factor term = read(plan_.a, one.a[i]);
      multiply(term, read(plan_.b, one.b[i]));
      if (plan_.scale) {
        const std::size_t block = i / static_cast<std::size_t>(plan_.scale_block);
        multiply(term, read(*plan_.scale, one.scale_a[block]));
        multiply(term, read(*plan_.scale, one.scale_b[block]));
      }
      see(term, times);
    }
  }

  void add_c(Code c) { see(read(plan_.c, c), 1); }

  Measured result(const Datum& got) {
    m_.finite = m_.terms_finite && got.kind == Kind::finite;
    if (m_.finite) m_.error = rational(got.value) - exact_;
    return m_;
  }

 private:
  struct Factor {
    Datum datum;
    long last_place = 0;
    bool normal = true;
  };

  Factor read(const Format& format, Code code) const {
    Factor x{explain::exact_value(format, code, plan_.datapath.specials)};
    if (format.is_integer() || exact::is_zero(x.datum)) return x;
    x.last_place = x.datum.exponent - format.mantissa_bits;
    x.normal = !format.has_zero || exact::reaches(x.datum.value, format.least_exponent());
    return x;
  }

  static void multiply(Factor& x, const Factor& y) {
    const long exponent = x.datum.exponent + y.datum.exponent;
    x.datum = exact::product(x.datum, y.datum);
    x.datum.exponent = exponent;
    x.last_place += y.last_place;
    x.normal = x.normal && y.normal;
  }

  void see(const Factor& term, long times) {
    if (term.datum.kind != Kind::finite) m_.terms_finite = false;
    if (!m_.terms_finite || exact::is_zero(term.datum)) return;
    const Rational value = rational(term.datum.value);
    exact_ += value * times;
    m_.sum += abs(value) * times;
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
  m.add_terms(one, 1);
  m.add_c(one.c);
  return m.result(explain::exact_value(plan.d, d, plan.datapath.specials));
}

// --- chains ---

namespace {

Datum datum(const Plan& plan, Code d) { return explain::exact_value(plan.d, d, plan.datapath.specials); }

// So many operations from a c on.
Code operations(const Plan& plan, int k, const Case& one, Code c, Registers& registers) {
  Operand operand = one.operand();
  operand.c = c;
  for (int done = 0; done < k; done += plan.k) operand.c = dot(plan, operand, registers);
  return operand.c;
}

Datum software_sum(const Datum& x, const Datum& y) { return exact::nearest(*find_format("f32"), exact::sum(x, y)); }

Datum promoted(const Plan& plan, const Chain& chain, const Case& one, Registers& registers) {
  Datum total = explain::exact_value(plan.c, one.c, plan.datapath.specials);
  for (int run = 0; run < chain.split_k; ++run) {
    Datum sum = exact::finite({0, 0});
    for (int from = 0; from < chain.run(); from += chain.piece()) {
      const int k = std::min(chain.piece(), chain.run() - from);
      sum = software_sum(sum, datum(plan, operations(plan, k, one, 0, registers)));
    }
    total = software_sum(total, sum);
  }
  return total;
}

}  // namespace

Measured measure(const Plan& plan, const Chain& chain, const Case& one, Registers& registers) {
  Measuring m(plan);
  m.add_terms(one, chain.k / plan.k);
  m.add_c(one.c);
  if (chain.promoted()) return m.result(promoted(plan, chain, one, registers));
  return m.result(datum(plan, operations(plan, chain.k, one, one.c, registers)));
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
  const bool nan_unseen = plan.nan.writes_code() &&
                          explain::exact_value(plan.d, plan.nan.code, plan.datapath.specials).kind == Kind::finite;
  return nan_unseen || (plan.product_round && unseen(*plan.product_round)) || any(plan.adders) || any(plan.finish);
}

namespace {

bool is_none(NoneWhere cause, const Promise& claim, const Measured& m) {
  const bool large = !claim.last_place || m.last_place >= *claim.last_place;
  switch (cause) {
    case NoneWhere::last_place: return large;
    case NoneWhere::normal: return m.normal;
    case NoneWhere::both: return large && m.normal;
    case NoneWhere::never:
    case NoneWhere::relative: break;
  }
  return false;
}

}  // namespace

bool relative_alone(const Promise& claim, const Measured& m) {
  return !claim.always_absolute() && is_none(NoneWhere::both, claim, m);
}

Rational bound_of(const Promise& claim, const Measured& m, bool below) {
  const Slack& side = below ? claim.bound.below : claim.bound.above;
  Rational bound = total(side.relative) * m.reference(claim.reference);
  for (const auto& [source, share] : side.absolute) {
    if (!is_none(source.cause, claim, m)) bound += share.amount;
  }
  return bound;
}

bool holds(const Promise& claim, const Measured& m) { return abs(m.error) <= bound_of(claim, m, sgn(m.error) < 0); }

}  // namespace assay::guarantee
