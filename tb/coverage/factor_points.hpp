// Points of what a case brings beside a, b and c, and of what becomes of an element before it is multiplied.
#pragma once

#include "model/core/plan.hpp"
#include "model/core/trace.hpp"
#include "tb/coverage/coverage.hpp"

namespace assay {

// The zero points of one side, where the case brings them, and what is left of elements: q - z.
class ZeroPointPoint {
 public:
  ZeroPointPoint(const Plan& plan, Side side);
  const Point& point() const { return point_; }
  void see(const Number& q, const Number& z);

 private:
  // From the least to the greatest of a format, or one number alone; in units of 2^unit_.
  struct Span {
    i128 least = 0, greatest = 0;
  };
  Span span_of(const Format& format) const;
  i128 units(const Number& n) const;
  void see_zero_point(i128 z);

  int unit_ = 0;
  bool brought_ = false;
  Span z_, difference_;
  Point point_;
};

// Which products are on, and what the mask hides of those that are off.
class MaskPoint {
 public:
  explicit MaskPoint(const Plan& plan);
  const Point& point() const { return point_; }
  void see(const Trace& trace, const Code* more);  // of Operand

 private:
  std::size_t hidden(const Trace& trace, int i) const;

  const Plan& plan_;
  const CaseOperand& mask_;
  int first_a_, first_b_;
  Point point_;
};

// The random words of stochastic roundings.
class RandomPoint {
 public:
  explicit RandomPoint(const CaseOperand& random);
  const Point& point() const { return point_; }
  void see(const Code* more);  // of Operand

 private:
  const CaseOperand& random_;
  Point point_;
};

}  // namespace assay
