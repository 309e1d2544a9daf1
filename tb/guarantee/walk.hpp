// One walk over a plan's circuit that carries, for each value, what bounds it. A rule for each kind of node; each rule
// stands beside its argument in walk.cpp. The walk knows no family of instructions.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "model/core/plan.hpp"
#include "tb/guarantee/bound.hpp"

namespace assay::guarantee {

// 2^(nominal exponent) <= relative x R, or <= `small`, or <= `operand`: the greatest of the three bounds it.
struct Exponent {
  Rational relative;
  Rational small;  // floors of windows, subnormal results, zeros that count with `empty`
  Rational
      operand;  // subnormal operands, whose exponent is above their leading one; and what follows from absolute shares
};

// A finite value of the circuit, whatever the operands.
struct Value {
  bool zero = false;                      // it is always zero
  Amount magnitude;                       // |value| is at most this
  NoneWhere grown = NoneWhere::relative;  // of magnitude.absolute
  Exponent exponent;
  long least_bit = 0;  // it is a multiple of 2^least_bit
  Bound error;         // of the value less what it stands for: the sum of its terms
  Range range;
};

// Nothing overflows at `place` where S is at most `sum`; below zero: no S tells.
struct Limit {
  std::string place;
  Rational sum;
};

class CircuitWalk {
 public:
  // What is lost at places whose names begin as one of `without` is not counted.
  using Places = std::vector<std::string>;
  CircuitWalk(const Plan& plan, Reference reference, Signs signs, Places without = {});

  Value c() const;     // the operand c as adders receive it
  Value zero() const;  // a c of zero
  // The d of one operation as the c of the next. Its format is c's.
  Value as_c(Value d);

  // d of one operation.
  Value operation(const Value& c);
  // x + y rounded to nearest in `format`, as software adds partial sums.
  Value software_sum(const Value& x, const Value& y, const Format& format, const std::string& place);

  // By place, the least S at which something might overflow. Only with Reference::sum; else empty.
  const std::vector<Limit>& limits() const { return limits_; }
  // Absolute shares are none where the last place of every product (those of a, b and their scales multiplied) and of c
  // weighs at least 2^this and no operand is subnormal; unless there are some with NoneWhere::never.
  const std::optional<long>& last_place() const { return last_place_; }

 private:
  struct Losing;
  struct Summed;
  struct Rounding;

  void note(Shares& shares, const Source& source, const Share& share) const;
  bool against_sum() const { return reference_ == Reference::sum; }
  Value term();
  bool flushes_c() const;
  void flush_operands(Value& term) const;
  void flush_acc(Value& acc);
  void normalise_exponent(Value& term) const;
  Value block(const CircuitBlock& block, const std::vector<AdderPlan>& adders, std::vector<Value> values,
              const std::string& name);
  Value sum(const SumNode& node, const AdderPlan& adder, const std::vector<Value>& values, const std::string& place);
  Exponent window(const Summed& s) const;
  void anchor(Summed& s) const;
  Losing losing(const Value& value, const Input& input, const Summed& s) const;
  void cut_items(Summed& s, const std::vector<Losing>& items, Rational Losing::*way, Slack& side);
  void grow(Summed& s, const std::vector<Losing>& items) const;
  void sticky(Summed& s, bool lost);
  void scale_sum(Summed& s);
  Value result(Value v, const ResultPlan& r, const std::string& place);
  void cut_at_window(Value& v, const Result& words, const std::string& place);
  void round_at_leading_one(Value& v, const Result& words, const std::string& place);
  void round_to_format(Value& v, const ResultPlan& r, const std::string& place);
  void round_to_integer(Value& v, const ResultPlan& r, const std::string& place);
  void round(Value& v, const Rounding& rounding);
  void flush_small(Value& v, const Format& format, Source source);
  void flush(Value& v, const Source& source, const Rational& less_than) const;
  Amount leading(const Value& v) const;
  void limit(const std::string& place, const Value& v, const Rational& greatest);
  void needs_last_place(long weight);

  const Plan& plan_;
  Reference reference_;
  Signs signs_;
  Places without_;
  std::vector<Limit> limits_;
  std::optional<long> last_place_;
  bool before_scales_ = false;  // the term at work is multiplied by its scales later, in a sum
};

}  // namespace assay::guarantee
