#include "tb/guarantee/bound.hpp"

#include <algorithm>
#include <tuple>

namespace assay::guarantee {
namespace {

void add_all(Shares& shares, const Shares& others) {
  for (const auto& [source, share] : others) add(shares, source, share);
}

void join(Slack& side, const Slack& other, Reference reference) {
  add_all(side.absolute, other.absolute);
  if (reference == Reference::greatest) {
    add_all(side.relative, other.relative);
  } else if (total(other.relative) > total(side.relative)) {
    side.relative = other.relative;
  }
}

void multiply(Shares& shares, const Rational& factor) {
  for (auto& [source, share] : shares) share.amount = rounded_up(share.amount * factor);
}

}  // namespace

Amount operator+(const Amount& x, const Amount& y) { return {x.relative + y.relative, x.absolute + y.absolute}; }

std::string loss_text(Loss loss) {
  switch (loss) {
    case Loss::flushed_operand: return "subnormal read as zero";
    case Loss::cut: return "cut";
    case Loss::dropped: return "dropped whole";
    case Loss::sticky: return "sticky bit";
    case Loss::rounding: return "rounded";
    case Loss::flushed_result: return "flushed to zero";
  }
  return "";
}

bool Source::operator<(const Source& o) const {
  return std::tie(place, loss, cause, unit) < std::tie(o.place, o.loss, o.cause, o.unit);
}

Rational total(const Shares& shares) {
  Rational sum;
  for (const auto& [source, share] : shares) sum += share.amount;
  return sum;
}

bool Bound::is_zero() const {
  return below.relative.empty() && below.absolute.empty() && above.relative.empty() && above.absolute.empty();
}

Amount Bound::either() const {
  const Amount x = below.amount(), y = above.amount();
  return {std::max(x.relative, y.relative), std::max(x.absolute, y.absolute)};
}

void join(Bound& bound, const Bound& other, Reference reference) {
  join(bound.below, other.below, reference);
  join(bound.above, other.above, reference);
}

void add(Shares& shares, const Source& source, const Share& share) {
  if (sgn(share.amount) == 0) return;
  Share& own = shares[source];
  own.amount = rounded_up(own.amount + share.amount);
  own.times += share.times;
}

Bound times(Bound bound, const Rational& relative, const Rational& absolute) {
  for (Slack* side : {&bound.below, &bound.above}) {
    multiply(side->relative, relative);
    multiply(side->absolute, absolute);
  }
  return bound;
}

}  // namespace assay::guarantee
