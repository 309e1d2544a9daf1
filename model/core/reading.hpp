// A trace, read: where each sum of a Plan has its places, and the numbers that stand there.
#pragma once

#include <string>
#include <vector>

#include "model/core/trace.hpp"

namespace assay {

// One sum of a plan and its places: window, one align an item, reduce, then its results up to `end`.
struct SumSite {
  std::string name;  // step[0].sum, step[1].tree.add[3]
  const AdderPlan* adder = nullptr;
  int index = 0;                     // among the sums of its adder in one step: group after group
  std::vector<const Input*> inputs;  // of each item
  int special = -1;                  // the place where NaN and infinity decide its step; -1: there is none
  int window = 0;
  int reduce = 0;
  int end = 0;
  int scaled_term = -1;  // of k, whose blocks' scales multiply the sum; -1: none do
  int scale_block = -1;  // of the pair of scales that multiplies it; -1: none does

  int items() const { return reduce - window - 1; }
  int align(int item) const { return window + 1 + item; }
  int first_result() const { return reduce + 1 + (adder->scaled ? 1 : 0); }
};
std::vector<SumSite> sum_sites(const Plan& plan);

bool holds_number(const Place& place);            // class, sign, exponent and significand
Number number_at(const Trace& trace, int place);  // of such a place

// Whether what somebody put at a place is something that may come there: a class that there is, a number whose
// exponent lies where the datapath's do.
bool may_stand_at(const Trace& trace, int place);

// What stands at such a place where somebody changed it, all that is not told there being as in `n`.
Number number_in_place_of(const Number& n, const Trace& trace, int place);

// The bits from `from` on, in two's complement.
template <class Register>
Register register_of(const Bits& bits, int from);

}  // namespace assay
