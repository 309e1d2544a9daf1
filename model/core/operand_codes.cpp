#include "model/core/operand_codes.hpp"

#include "model/core/decode.hpp"
#include "model/core/round.hpp"

namespace assay {
namespace {

constexpr int tried_bits = 16;

// Zeros keep their signs, too: IEEE's sums look at them. What a NaN becomes is no matter, since kernels leave it to
// core, where it is one still.
bool is_same(const Number& x, const Number& y) {
  if (x.cls != y.cls) return false;
  if (x.cls == Class::nan) return true;
  if (x.negative != y.negative) return false;
  return !x.is_finite() || (compare(x, y) == 0 && x.has_exponent() == y.has_exponent());
}

// Whether `holds(code's number in x, in y)` of every code.
template <class Holds>
bool of_every_code(const OperandCodes& x, const OperandCodes& y, Holds holds) {
  if (x.format.used_bits() > tried_bits) return false;
  for (Code used = 0; used < Code{1} << x.format.used_bits(); ++used) {
    if (!holds(x(used), y(used))) return false;
  }
  return true;
}

OperandCodes unrounded(const OperandCodes& codes) { return {codes.format, codes.subnormals, std::nullopt, codes.nans}; }

bool keeps_values(const OperandCodes& codes) { return of_every_code(unrounded(codes), codes, is_same); }

bool raises_no_exponent(const OperandCodes& codes) {
  return !codes.round || of_every_code(unrounded(codes), codes, [](const Number& x, const Number& y) {
    return !y.is_finite() || y.is_zero() || y.exponent <= x.exponent;
  });
}

bool keeps_values(const FactorPlan& factor, const OperandCodes& codes) {
  return !factor.works() || (at_most_rounds(factor) && keeps_values(codes));
}

}  // namespace

Number OperandCodes::operator()(Code used) const {
  const Number n = Decoder(format, subnormals, Specials::step, nans)(format.stored(used));
  return round ? assay::round(n, *round) : n;
}

void of_each_code(const OperandCodes& codes, const std::function<void(Code, const Number&)>& f) {
  const Decoder decoder(codes.format, codes.subnormals, Specials::step, codes.nans);
  for (Code used = 0; used < Code{1} << codes.format.used_bits(); ++used) {
    const Number n = decoder(codes.format.stored(used));
    f(used, codes.round ? assay::round(n, *codes.round) : n);
  }
}

bool are_read_alike(const OperandCodes& x, const OperandCodes& y) {
  return x.format == y.format && x.subnormals == y.subnormals && !x.round && !y.round && x.nans == y.nans;
}

Nans nans_of(const Plan& plan, const Format& format, Nans words) {
  return plan.datapath.specials == Specials::numbers && !format.is_list() ? Nans::keep : words;
}

OperandCodes codes_of_a(const Plan& plan) {
  const Datapath& words = plan.datapath;
  return {plan.a, words.subnormals_a, plan.factor_a.round, nans_of(plan, plan.a, words.nans_a)};
}
OperandCodes codes_of_b(const Plan& plan) {
  const Datapath& words = plan.datapath;
  return {plan.b, words.subnormals_b, plan.factor_b.round, nans_of(plan, plan.b, words.nans_b)};
}

bool at_most_rounds(const FactorPlan& f) {
  const bool has_numbers = f.zero_point || f.zero_points >= 0 || !f.scales.empty() || f.step != 1 || f.empty;
  return !has_numbers && !(f.round && is_stochastic(f.round->words.cut));
}

bool raises_no_exponent(const Plan& plan) {
  return raises_no_exponent(codes_of_a(plan)) && raises_no_exponent(codes_of_b(plan));
}

bool are_alike(const OperandCodes& x, const OperandCodes& y) {
  return of_every_code(x, y, [](const Number& m, const Number& n) {
    return is_same(m, n) && (!m.is_finite() || m.is_zero() || m.exponent == n.exponent);
  });
}

bool keeps_values(const Plan& plan) {
  return keeps_values(plan.factor_a, codes_of_a(plan)) && keeps_values(plan.factor_b, codes_of_b(plan));
}

}  // namespace assay
