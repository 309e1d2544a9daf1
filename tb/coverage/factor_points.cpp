#include "tb/coverage/factor_points.hpp"

#include <algorithm>

#include "model/core/integer.hpp"
#include "model/core/reading.hpp"
#include "tb/coverage/class_points.hpp"

namespace assay {
namespace {

// The bins, in order.
constexpr std::size_t zero = 0, least = 1, greatest = 2, between = 3, zero_point_bins = 4;
constexpr std::size_t no_difference = 0, negative = 1, positive = 2, most_negative = 3, most_positive = 4;

}  // namespace

// --- q - z ---

ZeroPointPoint::ZeroPointPoint(const Plan& plan, Side side) {
  const bool of_a = side == Side::a;
  const FactorPlan& factor = of_a ? plan.factor_a : plan.factor_b;
  const Format& element = of_a ? plan.a : plan.b;
  brought_ = factor.zero_points >= 0;
  const Format* const format = brought_ ? &plan.more[static_cast<std::size_t>(factor.zero_points)].format : nullptr;
  unit_ = std::min({element.last_place(), format != nullptr ? format->last_place() : 0, 0});
  const Span q = span_of(element);
  if (format != nullptr) z_ = span_of(*format);
  if (factor.zero_point) z_.least = z_.greatest = units(*factor.zero_point);
  difference_ = {q.least - z_.greatest, q.greatest - z_.least};

  point_.name = std::string("zero_point.") + (of_a ? "a" : "b");
  point_.about = "zero points, and q - z";
  std::vector<Bin>& bins = point_.bins;
  if (brought_) {
    bins = {{"zero", ""},
            {"least", unless(z_.least < 0, "The least zero point of format " + format->name + " is zero.")},
            {"greatest", ""},
            {"between", unless(z_.greatest - z_.least > (z_.least < 0 ? 2 : 1),
                               "Format " + format->name + " has no number between these.")}};
  }
  const std::string never = "With these zero points q - z never is ";
  const bool has_zero = difference_.least <= 0 && difference_.greatest >= 0;
  bins.push_back({"q - z: zero", unless(has_zero, never + "zero.")});
  bins.push_back({"q - z: negative", unless(difference_.least < 0, never + "negative.")});
  bins.push_back({"q - z: positive", unless(difference_.greatest > 0, never + "positive.")});
  bins.push_back({"q - z: the least", ""});
  bins.push_back({"q - z: the greatest", ""});
}

ZeroPointPoint::Span ZeroPointPoint::span_of(const Format& f) const {
  const i128 last = i128{1} << (f.last_place() - unit_), all = i128{1} << f.stored_bits;
  return f.has_sign ? Span{-all / 2 * last, (all / 2 - 1) * last} : Span{0, (all - 1) * last};
}

i128 ZeroPointPoint::units(const Number& n) const {
  const auto magnitude = static_cast<i128>(n.magnitude << (n.is_zero() ? 0 : n.quantum - unit_));
  return n.negative ? -magnitude : magnitude;
}

void ZeroPointPoint::see_zero_point(i128 z) {
  ++point_.bins[z == 0 ? zero : z == z_.least ? least : z == z_.greatest ? greatest : between].count;
}

void ZeroPointPoint::see(const Number& q, const Number& z) {
  const i128 taken = units(z), left = units(q) - taken;
  if (brought_) see_zero_point(taken);
  const std::size_t first = brought_ ? zero_point_bins : 0;
  ++point_.bins[first + (left == 0 ? no_difference : left < 0 ? negative : positive)].count;
  if (left == difference_.least) ++point_.bins[first + most_negative].count;
  if (left == difference_.greatest) ++point_.bins[first + most_positive].count;
}

// --- masks ---

namespace {

constexpr std::size_t on = 0, all_on = 1, all_off = 2, off_nan = 3, off_infinity = 4, off_number = 5, off_zero = 6;

}  // namespace

MaskPoint::MaskPoint(const Plan& plan)
    : plan_(plan),
      mask_(plan.more[static_cast<std::size_t>(plan.mask)]),
      first_a_(plan.places.first(Region::decode_a)),
      first_b_(plan.places.first(Region::decode_b)) {
  const bool fixed = mask_.pattern.has_pattern();
  const bool every = fixed && *mask_.pattern.take == *mask_.pattern.among;
  const bool nan = may_be_nan(plan.a, plan.datapath.nans_a) || may_be_nan(plan.b, plan.datapath.nans_b);
  const std::string some = "Of each group as many are on as `take` says.", none = "Every product is on.";
  point_.name = "mask";
  point_.about = "products on and off, and what is hidden of a and b";
  point_.bins = {
      {"on", ""},
      {"all on", unless(!fixed || every, some)},
      {"all off", unless(!fixed, some)},
      {"off: NaN", every ? none : unless(nan, "Neither a nor b is ever NaN.")},
      {"off: infinity",
       every ? none : unless(plan.a.has_infinity || plan.b.has_infinity, "Neither a nor b is ever infinite.")},
      {"off: number", unless(!every, none)},
      {"off: zero times zero", unless(!every, none)}};
}

void MaskPoint::see(const Trace& trace, const Code* more) {
  int count = 0;
  for (int i = 0; i < plan_.k; ++i) {
    const bool is_on = more[mask_.first + i] != 0;
    count += is_on ? 1 : 0;
    ++point_.bins[is_on ? on : hidden(trace, i)].count;
  }
  if (count == plan_.k) ++point_.bins[all_on].count;
  if (count == 0) ++point_.bins[all_off].count;
}

std::size_t MaskPoint::hidden(const Trace& trace, int i) const {
  const Number a = number_at(trace, first_a_ + i), b = number_at(trace, first_b_ + i);
  if (a.cls == Class::nan || b.cls == Class::nan) return off_nan;
  if (!a.is_finite() || !b.is_finite()) return off_infinity;
  return a.is_zero() && b.is_zero() ? off_zero : off_number;
}

// --- random words ---

RandomPoint::RandomPoint(const CaseOperand& random) : random_(random) {
  point_.name = random.name;
  point_.about = "the word of each rounding";
  point_.bins = {{"zero", ""},
                 {"between", unless(random.format.stored_bits > 1, "A word of one bit is zero or one.")},
                 {"greatest", ""}};
}

void RandomPoint::see(const Code* more) {
  const auto most = static_cast<Code>(low_mask(random_.format.stored_bits));
  for (int i = random_.first; i < random_.end(); ++i) ++point_.bins[more[i] == 0 ? 0 : more[i] == most ? 2 : 1].count;
}

}  // namespace assay
