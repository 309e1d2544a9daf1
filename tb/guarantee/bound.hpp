// What a value may be off by: a sum of shares, each with the place of the circuit that makes it.
//
// A share is so many times a quantity R that the operands give (Reference), or absolute. What holds of d - exact is
//
//   -(relative below x R + absolute below)  <=  d - exact  <=  relative above x R + absolute above
#pragma once

#include <map>
#include <string>

#include "tb/guarantee/rational.hpp"

namespace assay::guarantee {

// What a bound is relative to.
//   greatest  2^E, E the greatest exponent of a term: of c as its code says it, of a product the sum of its factors'
//   sum       S, the sum of |a b| and |c|
enum class Reference { greatest, sum };

// What is known of the signs of the terms.
enum class Signs { any, positive };

// relative x R + absolute. Neither is below zero.
struct Amount {
  Rational relative, absolute;
};
Amount operator+(const Amount& x, const Amount& y);

enum class Loss { flushed_operand, cut, dropped, sticky, rounding, flushed_result };
std::string loss_text(Loss loss);

// When an absolute share is none.
//   last_place  where the last place of every term weighs enough (CircuitWalk::last_place says how much)
//   normal      where no operand is subnormal
//   both        where both hold
//   never       it always is there
enum class NoneWhere { relative, last_place, normal, both, never };

struct Source {
  std::string place;  // step.sum.align, of every step
  Loss loss = Loss::cut;
  NoneWhere cause = NoneWhere::relative;
  std::string unit{};  // "2^(window - 25)"

  bool operator<(const Source& o) const;
};

struct Share {
  Rational amount;
  long times = 0;  // so many losses of at most one unit each; of half a unit, where they are rounded to nearest
};

using Shares = std::map<Source, Share>;
Rational total(const Shares& shares);

struct Slack {
  Shares relative, absolute;

  Amount amount() const { return {total(relative), total(absolute)}; }
};

struct Bound {
  Slack below, above;

  bool is_zero() const;
  Amount either() const;  // the greater of both sides
};

// The error of a sum of two values whose terms are different ones. Against the greatest term errors add. Against S they
// are relative to what each value's own terms add to S: e1 S1 + e2 S2 <= max(e1, e2) (S1 + S2), so the greater counts.
void join(Bound& bound, const Bound& other, Reference reference);

void add(Shares& shares, const Source& source, const Share& share);

// All of it times so much.
Bound times(Bound bound, const Rational& relative, const Rational& absolute);

}  // namespace assay::guarantee
