#include "tb/coverage/class_points.hpp"

#include <algorithm>
#include <array>

#include "model/core/acc.hpp"
#include "model/core/operand_codes.hpp"
#include "model/core/reading.hpp"
#include "model/core/result_words.hpp"
#include "model/core/round.hpp"
#include "tb/coverage/round_point.hpp"

namespace assay {
namespace {

std::string has_no(const Format& f, const std::string& what) { return "Format " + f.name + " has no " + what + "."; }

bool has_subnormals(const Format& f) { return f.has_zero && f.mantissa_bits > 0 && !f.is_list(); }

bool is_greatest(const Number& n, const Format& f) { return compare(n, greatest(f, n.negative)) == 0; }

std::vector<Bin> classes_of(const Format& f) {
  if (f.is_integer()) return {{"zero", ""}, {"positive", ""}, {"negative", unless(f.has_sign, has_no(f, "sign"))}};
  const std::string infinity = unless(f.has_infinity, has_no(f, "infinity"));
  const bool minus = f.has_infinity && f.has_sign;
  return {{"zero", unless(f.has_zero, has_no(f, "zero"))},
          {"subnormal", unless(has_subnormals(f), has_no(f, "subnormals"))},
          {"normal", ""},
          {"+infinity", infinity},
          {"-infinity", unless(minus, has_no(f, "negative infinity"))},
          {"NaN", unless(f.nan != NanCodes::none, has_no(f, "NaN"))}};
}

// Each of `rows` with each of `columns`.
std::vector<Bin> crossed(const std::vector<Bin>& rows, const std::string& between, const std::vector<Bin>& columns) {
  std::vector<Bin> bins;
  for (const Bin& row : rows) {
    for (const Bin& column : columns)
      bins.push_back(
          {row.name + between + column.name, row.unreachable.empty() ? column.unreachable : row.unreachable});
  }
  return bins;
}

bool can_be_nan(const Format& f) { return f.nan != NanCodes::none; }

}  // namespace

bool may_be_nan(const Format& f, Nans read) { return can_be_nan(f) && read == Nans::keep; }

ClassReader::ClassReader(const Format& format, Specials specials)
    : format_(format), decoder_(format, Subnormals::keep, specials), classes_(classes_of(format)) {}

std::size_t ClassReader::read(Code code) const {
  const Number n = decoder_(code);
  if (n.cls == Class::nan) return 5;
  if (n.cls == Class::infinity) return n.negative ? 4 : 3;
  if (n.is_zero()) return 0;
  if (format_.is_integer()) return n.negative ? 2 : 1;
  return n.magnitude >> format_.mantissa_bits == 0 ? 1 : 2;
}

// --- a and b ---

OperandPoint::OperandPoint(const Plan& plan)
    : k_(plan.k), a_(plan.a, plan.datapath.specials), b_(plan.b, plan.datapath.specials) {
  point_.name = "operands";
  point_.about = "class of a[i] x b[i]";
  point_.bins = crossed(a_.classes(), " x ", b_.classes());
}

void OperandPoint::see(const Operand& operand) {
  for (int i = 0; i < k_; ++i) ++point_.bins[a_.read(operand.a[i]) * b_.classes().size() + b_.read(operand.b[i])].count;
}

// --- one bit ---

OneBitPoint::OneBitPoint(std::string operand, const Format& format, Specials specials)
    : format_(format), bits_(told_bits(format)) {
  point_.name = std::move(operand) + ".one_bit";
  point_.about = "all bits of a code but one";
  for (const ToldCode& told : told_codes(format)) {
    if (told.of != ToldCode::Of::zero && specials == Specials::numbers) continue;
    // A sign tells a NaN from zero where it is all of its code; else either will do.
    told_.push_back({told.used, (told.used & format.sign_bit()) != 0 ? 0 : format.sign_bit()});
    for (int bit = 0; bit < bits_; ++bit)
      point_.bins.push_back({std::string(name_of(told.of)) + " but bit " + std::to_string(bit), ""});
  }
}

void OneBitPoint::see(const Code* codes, int count) {
  for (int i = 0; i < count; ++i) {
    const Code used = format_.used(codes[i]);
    for (std::size_t t = 0; t < told_.size(); ++t) {
      const Code apart = (used & ~told_[t].any) ^ told_[t].used;
      if (apart == 0 || (apart & (apart - 1)) != 0) continue;
      const int bit = bit_length(apart) - 1;
      if (bit < bits_) ++point_.bins[t * static_cast<std::size_t>(bits_) + static_cast<std::size_t>(bit)].count;
    }
  }
}

// --- products and c ---

namespace {

bool has_own_signs(const FactorPlan& f) { return !f.zero_point && f.zero_points < 0 && f.scales.empty(); }

bool rounds_to_format(const FactorPlan& f) { return f.round && f.round->words.at == ResultAt::format; }

std::vector<Bin> product_classes(const Plan& plan) {
  const Format &a = plan.a, &b = plan.b;
  // Scales and zero points of elements may bring any of these, a rounding to a format that does not hold them all
  // infinities and NaNs.
  const bool bare = has_own_signs(plan.factor_a) && has_own_signs(plan.factor_b);
  const bool rounded = (rounds_to_format(plan.factor_a) || rounds_to_format(plan.factor_b)) && !keeps_values(plan);
  const bool infinite = !bare || a.has_infinity || b.has_infinity || rounded;
  const std::string why = "Neither " + a.name + " nor " + b.name + " has an infinity.";
  const bool negative = !bare || a.has_sign || b.has_sign || plan.rows.has_value();  // digits of rows have signs
  const std::string below_zero = unless(negative, "Neither a nor b has a sign.");
  std::vector<Bin> classes{{"zero", ""}, {"positive", ""}, {"negative", below_zero}};
  if (a.is_integer() && bare) return classes;
  classes.push_back({"+infinity", unless(infinite, why)});
  classes.push_back({"-infinity", infinite ? below_zero : why});
  const bool nan = may_be_nan(a, plan.datapath.nans_a) || may_be_nan(b, plan.datapath.nans_b);
  classes.push_back({"NaN", unless(infinite || nan, "Neither a nor b is ever NaN.")});
  return classes;
}

}  // namespace

ProductPoint::ProductPoint(const Plan& plan)
    : plan_(plan), first_product_(plan.find_place("multiply[0]")), c_(plan.c, plan.datapath.specials) {
  point_.name = "products";
  point_.about = "class of a product x c";
  point_.bins = crossed(product_classes(plan), " with c ", c_.classes());
  seen_.resize(product_classes(plan).size());
}

std::size_t ProductPoint::read(const Number& product) const {
  switch (product.cls) {
    case Class::nan: return 5;
    case Class::infinity: return product.negative ? 4 : 3;
    case Class::finite: break;
  }
  return product.magnitude == 0 ? 0 : product.negative ? 2 : 1;
}

void ProductPoint::see(const Operand& operand, const Trace& trace) {
  std::fill(seen_.begin(), seen_.end(), char{0});
  for (int i = 0; i < plan_.products(); ++i) seen_[read(number_at(trace, first_product_ + i))] = 1;
  const std::size_t classes = c_.classes().size(), c = c_.read(operand.c);
  for (std::size_t p = 0; p < seen_.size(); ++p) {
    if (seen_[p] != 0) ++point_.bins[p * classes + c].count;
  }
}

// --- scales ---

namespace {

Number magnitude_of(Number n) {
  n.negative = false;
  return n;
}

Number greatest_scale(const Format& f) {
  const Code ones = static_cast<Code>(low_mask(f.stored_bits - (f.has_sign ? 1 : 0)));
  return f.is_integer() ? decode(ones, f, Subnormals::keep, Specials::step) : greatest(f, false);
}

bool has_between(const Format& f) {
  if (f.is_integer()) return f.stored_bits > 2 || (f.stored_bits == 2 && !f.has_sign);
  return f.greatest_finite() > (f.has_zero ? 2U : 1U);
}

// The number nearest to zero that is not zero.
Number least_magnitude(const Format& f) {
  if (!f.is_list()) return decode(f.stored(f.has_zero ? 1 : 0), f, Subnormals::keep, Specials::step);
  std::optional<Number> least;
  for (const ListedValue& v : f.values().ascending) {
    const Number n = magnitude_of(v.number);
    if (!n.is_zero() && (!least || compare(n, *least) < 0)) least = n;
  }
  return least.value_or(Number::zero());
}

}  // namespace

ScalePoint::ScalePoint(std::string name, const Format& format, int blocks)
    : format_(format),
      least_(least_magnitude(format)),
      greatest_(greatest_scale(format)),
      blocks_(static_cast<std::size_t>(blocks)) {
  point_.name = std::move(name);
  point_.about = "each block's scale";
  const Format& f = format_;
  const std::string one = unless(compare(least_, greatest_) < 0, "Format " + f.name + " has one number, but for zero.");
  const std::string ends = unless(has_between(f), has_no(f, "number between the two"));
  for (std::size_t i = 0; i < blocks_; ++i) {
    const std::string block = "[" + std::to_string(i) + "] ";
    point_.bins.push_back({block + "zero", unless(f.has_zero, has_no(f, "zero"))});
    point_.bins.push_back({block + "least", one});
    point_.bins.push_back({block + "between", ends});
    point_.bins.push_back({block + "greatest", ""});
    point_.bins.push_back({block + "infinity", unless(f.has_infinity, has_no(f, "infinity"))});
    point_.bins.push_back({block + "NaN", unless(can_be_nan(f), has_no(f, "NaN"))});
  }
  point_.bins.push_back({"all blocks alike", ""});
  point_.bins.push_back({"blocks differ", unless(blocks_ > 1, "There is one block.")});
}

std::size_t ScalePoint::read(Code code) const {
  const Number n = decode(code, format_, Subnormals::keep, Specials::step);
  if (n.cls == Class::nan) return 5;
  if (n.cls == Class::infinity) return 4;
  if (n.is_zero()) return 0;
  if (compare(magnitude_of(n), greatest_) >= 0) return 3;
  return compare(magnitude_of(n), least_) == 0 ? 1 : 2;
}

void ScalePoint::see(const Code* scales) {
  for (std::size_t i = 0; i < blocks_; ++i) ++point_.bins[6 * i + read(scales[i])].count;
  const bool alike = std::equal(scales + 1, scales + blocks_, scales);
  ++point_.bins[6 * blocks_ + (alike ? 0 : 1)].count;
}

// --- acc ---

AccPoint::AccPoint(const Plan& plan) : plan_(plan) {
  const ResultPlan& left = plan.adders.back().results.back();
  const bool flushed = left.words.subnormals != Subnormals::keep;
  point_.name = "acc";
  point_.about = "what a step but the first reads";
  point_.bins = {{"zero", ""},
                 {"subnormal: read as zero", !has_subnormals(left.format) ? has_no(left.format, "subnormals")
                                             : flushed                    ? "What a step leaves has no subnormals."
                                                                          : ""},
                 {"normal", ""}};
}

void AccPoint::see(const Trace& trace) {
  for (int i = 0; i + 1 < plan_.lanes * plan_.steps; ++i) {
    const int next = (i + 1) % plan_.steps;
    const Number left = number_at(trace, plan_.places.last(Region::step, i));
    if (next == 0 || !left.is_finite()) continue;
    ++point_.bins[left.is_zero() ? 0 : read_acc(plan_, next, left).is_zero() ? 1 : 2].count;
  }
}

// --- d ---

namespace {

bool makes_infinity(const RoundingReach& r) {
  const Overflow overflow = r.result->words.overflow;
  return r.overflows && r.result->words.at == ResultAt::format &&
         (overflow == Overflow::infinity || overflow == Overflow::directed);
}

// Whether a result makes NaNs of what is none.
bool makes_nan(const ResultPlan& r) {
  const Result& w = r.words;
  return w.at == ResultAt::format && (w.overflow == Overflow::nan || w.infinity == OfInfinity::nan ||
                                      (!r.format.has_sign && w.negative != OfNegative::zero));
}

bool make_nan(const std::vector<RoundingReach>& results) {
  return std::any_of(results.begin(), results.end(), [](const RoundingReach& r) { return makes_nan(*r.result); });
}

// Whether any operand is infinite, or some finite case meets an infinity on its way.
bool meets_infinity(const Plan& plan, const Reach& reach) {
  if (plan.a.has_infinity || plan.b.has_infinity || plan.c.has_infinity) return true;
  const auto infinite = [](const CaseOperand& more) { return more.format.has_infinity; };
  if (std::any_of(plan.more.begin(), plan.more.end(), infinite)) return true;
  for (const FactorPlan* factor : {&plan.factor_a, &plan.factor_b}) {
    if (factor->round && factor->round->words.overflow == Overflow::infinity && factor->round->format.has_infinity)
      return true;
  }
  if ((plan.scale && plan.scale->has_infinity) || plan.datapath.product.infinity_at) return true;
  if (reach.product && makes_infinity(*reach.product)) return true;
  return std::any_of(reach.adders.begin(), reach.adders.end(), [](const AdderReach& a) {
    return std::any_of(a.results.begin(), a.results.end(), makes_infinity);
  });
}

// Empty where d may be infinite.
std::string why_no_infinity(const Plan& plan, const Reach& reach) {
  const RoundingReach& last = reach.adders.back().results.back();
  const Result& words = last.result->words;
  if (!plan.d.has_infinity) return has_no(plan.d, "infinity");
  if (!meets_infinity(plan, reach)) return "Nothing makes an infinity.";
  const bool ends = words.at == ResultAt::format && words.infinity != OfInfinity::keep;
  return unless(!ends || makes_infinity(last), "The last result makes something else of an infinity.");
}

bool meets_nan(const Plan& plan, const Reach& reach) {
  const auto nan = [](const CaseOperand& more) { return can_be_nan(more.format); };
  if (std::any_of(plan.more.begin(), plan.more.end(), nan)) return true;
  for (const FactorPlan* factor : {&plan.factor_a, &plan.factor_b}) {
    if (factor->round && makes_nan(*factor->round)) return true;
  }
  return can_be_nan(plan.a) || can_be_nan(plan.b) || can_be_nan(plan.c) || (plan.scale && can_be_nan(*plan.scale)) ||
         meets_infinity(plan, reach) || (reach.product && makes_nan(*reach.product->result)) ||
         std::any_of(reach.adders.begin(), reach.adders.end(), [](const AdderReach& a) { return make_nan(a.results); });
}

// A negative zero comes from a sum that keeps the sign of its zeros, from scales, or from what is rounded to zero.
bool may_be_negative_zero(const AdderReach& last) {
  return last.adder->zero == ZeroSign::ieee || last.adder->is_scaled() ||
         std::any_of(last.results.begin(), last.results.end(), may_vanish);
}

std::string why_no_subnormal(const Plan& plan, const RoundingReach& last) {
  if (!has_subnormals(plan.d)) return has_no(plan.d, "subnormals");
  if (last.result->words.subnormals != Subnormals::keep) return "The last result makes subnormals zero.";
  return unless(last.before.low < plan.d.least_exponent(), "No sum is so small.");
}

void add_both_signs(std::vector<Bin>& bins, const Format& d, const std::string& name, const std::string& unreachable) {
  bins.push_back({"+" + name, unreachable});
  bins.push_back({"-" + name, d.has_sign ? unreachable : has_no(d, "sign")});
}

bool makes_greatest(const Result& w) { return w.infinity == OfInfinity::largest || w.nan == OfNan::largest; }

}  // namespace

OutputPoint::OutputPoint(const Plan& plan, const Reach& reach) : plan_(plan) {
  point_.name = "d";
  point_.about = "class of d";
  std::vector<Bin>& bins = point_.bins;
  const Format& d = plan.d;
  if (d.is_integer()) {
    bins = {{"zero", ""}, {"positive", ""}, {"negative", ""}, {"the greatest", ""}, {"the least", ""}};
    return;
  }
  const AdderReach& last = reach.adders.back();
  const RoundingReach& result = last.results.back();
  bins.push_back({"+zero", ""});
  bins.push_back({"-zero", !d.has_signed_zero ? has_no(d, "negative zero")
                                              : unless(may_be_negative_zero(last),
                                                       "An exact zero is positive, and "
                                                       "nothing is rounded to zero.")});
  add_both_signs(bins, d, "subnormal", why_no_subnormal(plan, result));
  add_both_signs(bins, d, "normal", "");
  add_both_signs(
      bins, d, "greatest",
      unless(d.rounds_to_list() || result.before.top >= d.greatest_exponent() || makes_greatest(result.result->words),
             "All terms together stay below it."));
  add_both_signs(bins, d, "infinity", why_no_infinity(plan, reach));
  const bool written = special_codes(plan.datapath, d).write_nan;
  bins.push_back({"NaN", written ? unless(meets_nan(plan, reach), "Nothing makes a NaN.") : has_no(d, "NaN")});
}

std::size_t OutputPoint::read_float(Code code) const {
  const Number n = decode(code, plan_.d, Subnormals::keep, plan_.datapath.specials);
  const std::size_t minus = n.negative ? 1 : 0;
  if (n.cls == Class::infinity) return 8 + minus;
  if (n.is_zero()) return 0 + minus;
  if (is_greatest(n, plan_.d)) return 6 + minus;
  return (n.magnitude >> plan_.d.mantissa_bits == 0 ? 2 : 4) + minus;
}

std::size_t OutputPoint::read_integer(Code code) const {
  const Code used = plan_.d.used(code), sign = plan_.d.sign_bit();
  if (used == 0) return 0;
  if (used == sign) return 4;
  if (used == (plan_.d.has_sign ? sign - 1 : static_cast<Code>(low_mask(plan_.d.used_bits())))) return 3;
  return (used & sign) != 0 ? 2 : 1;
}

// Any code may be a datapath's NaN, so it is not told by the code.
void OutputPoint::see(Code d, bool is_nan) {
  constexpr std::size_t nan = 10;
  ++point_.bins[plan_.d.is_integer() ? read_integer(d) : is_nan ? nan : read_float(d)].count;
}

}  // namespace assay
