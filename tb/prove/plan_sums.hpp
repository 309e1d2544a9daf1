// The sums of a plan, each with the places of its items.
#pragma once

#include <functional>
#include <vector>

#include "model/core/reading.hpp"
#include "tb/prove/gates.hpp"

namespace assay {

class PlanSums {
 public:
  explicit PlanSums(const Plan& plan) : plan_(plan), sites_(sum_sites(plan)) {}

  // Of an item -1 where it cannot be seen before the sum reads it.
  using Take = std::function<void(const SumSite& site, const std::vector<int>& items)>;
  void for_each(const Take& take) const;

 private:
  int place_of_value(Region region, int instance, const CircuitBlock& block, std::size_t first_site, int value) const;
  void for_each_in(Region region, int instance, std::size_t& next, const Take& take) const;

  const Plan& plan_;
  std::vector<SumSite> sites_;
};

// So many of the lowest bits of a sum's place are not of the sum, but say whether ones were lost.
int bits_below_sum(const Place& place);
// What is left of the place's bits without these.
std::vector<Lit> without_bits_below(const Place& place, const std::vector<Lit>& bits);

}  // namespace assay
