// What the numbers at a place of a Plan can be at most, worked out without running anything. Every bound is on the safe
// side: a number may stay away from it, none goes beyond. What lies outside is thereby shown to be out of reach.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "model/core/plan.hpp"

namespace assay {

// Of the numbers at one place that are not zero.
//
//     2^top          2^low
//       |              |
//       1 x x x x x x x         no leading one above, no bit below, and no more than `bits` from the one to the other
struct Extent {
  bool always_zero = false;
  int least = 0, greatest = 0;  // nominal exponents
  int low = 0, top = 0;
  int bits = 0;
  // And the exponents of all of them, zeros too: a sum that is zero keeps its window's.
  int least_of_all = least, greatest_of_all = greatest;
  double fullest = 1;  // at most this fraction of the power of two above the leading one: 15/16 of 1.111
  int apart = 1;       // exponents are multiples of this, counted from `first`
  int first = 0;

  static Extent zero() { return {true, 0, 0, 0, 0, 0}; }
};

// One item of a sum: how it enters, and what it can be.
struct Port {
  std::string name;  // product[3], acc, add[2].left
  const Input* words = nullptr;
  Extent extent;
  bool may_be_nothing = false;  // acc of a first step that adds to nothing: it does not count

  // The exponents it can count with when the window is looked for; of a zero without `empty` there is none.
  bool counts() const { return !extent.always_zero || words->empty; }
  // Whether it does in every case, zero or not.
  bool always_counts() const { return words->empty && !may_be_nothing; }
  int least_counted() const;
  int greatest_counted() const;
};

// What arrives at one result, and what becomes of it.
struct RoundingReach {
  const ResultPlan* result = nullptr;
  Extent before, after;
  bool overflows = true;
  bool negative = true;  // what arrives may be below zero
};

// The sums of one adder; several where it has groups or is a tree.
struct AdderReach {
  const AdderPlan* adder = nullptr;
  std::string name;  // sum, finish.late
  std::vector<std::vector<Port>> sums;
  std::vector<RoundingReach> results;
};

struct Reach {
  std::optional<RoundingReach> factor_a, factor_b;  // of the elements
  std::optional<RoundingReach> product;
  std::vector<AdderReach> adders;  // those of the finish last
  Extent d;
};

Reach reach(const Plan& plan);  // refers to `plan`

// --- of the window of one sum ---

// The exponents that the largest of some items can have, where any of them has one.
struct WindowReach {
  int least = 0, greatest = 0;
};
// Before the floor and the step: empty where no item ever counts.
std::optional<WindowReach> largest_exponents(const std::vector<Port>& ports);
// The distances at which item `port` can lie below the window.
WindowReach shift_distances(const std::vector<Port>& ports, std::size_t port, const Window& window);
// All of these are multiples of `apart`, counted from `first`.
struct ShiftGrid {
  int apart = 1, first = 0;

  bool has(int distance) const { return (distance - first) % apart == 0; }
};
ShiftGrid shift_grid(const std::vector<Port>& ports, std::size_t port, const Window& window);

}  // namespace assay
