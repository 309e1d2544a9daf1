// Points of one adder's sums: how far each item is shifted, who owns the window, how deep sums cancel, how far they
// carry.
#pragma once

#include "model/core/reading.hpp"
#include "tb/coverage/coverage.hpp"
#include "tb/coverage/extent.hpp"

namespace assay {

// One sum of one case, as a trace shows it.
struct SumSample {
  const SumSite& site;
  const Trace& trace;
  const std::vector<Number>& items;
  int window = 0;       // its exponent
  int addend_top = -1;  // the leading one of the widest addend, as a bit of the grid; -1: all are zero
  int sum_top = -1;     // and of the sum
};
SumSample sample(const Trace& trace, const SumSite& site);

// Distance below the window x item, for the items that one input brings.
class ShiftPoint {
 public:
  // The items from port `from` up to `to` of each sum.
  ShiftPoint(const AdderReach& adder, std::size_t from, std::size_t to, const std::string& name);
  const Point& point() const { return point_; }
  void see(const SumSample& sum);

 private:
  void add_item(const std::vector<Port>& ports, std::size_t port, const Window& window);
  std::size_t bins_of_an_item() const { return static_cast<std::size_t>(last_ - first_ + 3); }

  std::size_t from_, to_;
  int first_ = 0, last_ = 0;  // distances with a bin of their own
  Point point_;
};

// Whose exponent the window has.
class OwnerPoint {
 public:
  explicit OwnerPoint(const AdderReach& adder);
  const Point& point() const { return point_; }
  void see(const SumSample& sum);

 private:
  std::size_t ports_ = 0;   // of one sum
  std::size_t owners_ = 0;  // bins of single owners, ahead of the others
  Point point_;
};

// How far below the widest addend's leading one that of the sum stands.
class CancellationPoint {
 public:
  explicit CancellationPoint(const AdderReach& adder);
  const Point& point() const { return point_; }
  void see(const SumSample& sum);

 private:
  int last_ = 0;  // depth with a bin of its own; after it "deeper" and "all of it"
  Point point_;
};

// How far above it.
class CarryPoint {
 public:
  explicit CarryPoint(const AdderReach& adder);
  const Point& point() const { return point_; }
  void see(const SumSample& sum);

 private:
  Point point_;
};

}  // namespace assay
