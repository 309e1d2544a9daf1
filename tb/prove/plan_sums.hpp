// The sums of a plan, each with the places of its items.
#pragma once

#include <functional>
#include <map>
#include <set>
#include <vector>

#include "model/core/reading.hpp"
#include "tb/prove/gates.hpp"

namespace assay {

class PlanSums {
 public:
  explicit PlanSums(const Plan& plan) : plan_(plan), sites_(sum_sites(plan)) {}

  static constexpr int no_item = -2;
  // What a sum adds, item by item.
  struct Items {
    std::vector<int> places;            // that hold their numbers; -1: none does; `no_item`: it is zero in every case
    std::vector<const SumSite*> whole;  // of sums that go on as they stand, whose places of sum and window are the item
  };
  using Take = std::function<void(const SumSite& site, const Items& items)>;
  void for_each(const Take& take) const;
  // Among all sums of the plan.
  std::size_t number(const SumSite& site) const { return static_cast<std::size_t>(&site - sites_.data()); }

 private:
  const SumSite* sum_of_value(const CircuitBlock& block, std::size_t first_site, int value) const;
  int place_of_value(Region region, int instance, const CircuitBlock& block, std::size_t first_site, int value) const;
  void for_each_in(Region region, int instance, std::size_t& next, const Take& take) const;

  const Plan& plan_;
  std::vector<SumSite> sites_;
};

// Whether its window is the largest exponent of what it adds.
bool follows_exponents(const SumSite& site);

// The places of numbers that may be zero and have an exponent all the same.
std::set<int> zeros_with_exponents(const Plan& plan);

// By a sum's window the places of what it adds, and of what sums that go on as they stand add: by these the model says
// that nothing counts in them.
std::map<int, std::set<int>> places_added(const Plan& plan);

// So many of the lowest bits of a sum's place are not of the sum, but say whether ones were lost.
int bits_below_sum(const Place& place);
// What is left of the place's bits without these.
std::vector<Lit> without_bits_below(const Place& place, const std::vector<Lit>& bits);

}  // namespace assay
