// The point of one result: what is cut off and how that is decided, and what becomes of numbers at the ends of a
// format.
#pragma once

#include <array>

#include "tb/coverage/coverage.hpp"
#include "tb/coverage/extent.hpp"

namespace assay {

// What can happen to a number at a result; several may at once.
enum class RoundBin {
  kept,
  below_half,
  tie_down,
  tie_up,
  tie_away,
  above_half,
  kept_positive,
  kept_negative,
  cut_positive,
  cut_negative,
  carries,
  least_normal,
  subnormal,
  flushed,
  vanishes,
  held,
  overflows,
  chance_nearer,
  chance_farther,
  below_zero,
};
inline constexpr std::size_t decisions = 20;

class RoundPoint {
 public:
  RoundPoint(const RoundingReach& rounding, const std::string& name);
  const Point& point() const { return point_; }
  void see(const Number& before, const Number& after);  // both finite or the second infinite, the first not zero

 private:
  void add(RoundBin decision, const std::string& name, const std::string& unreachable);
  void count(RoundBin decision);
  void list_bins();
  void see_in_list(const Number& before, const Number& after);
  void cutting_bins(const RoundingReach& rounding);
  void end_bins(const RoundingReach& rounding);
  void see_cut(const Number& n, int quantum);
  void see_chance(const Number& n, const Number& after);
  void see_ends(const Number& n, const Number& after);

  const ResultPlan& result_;
  std::array<int, decisions> bin_{};
  Point point_;
};

// Whether a result can turn a number into zero.
bool may_vanish(const RoundingReach& rounding);

}  // namespace assay
