// How the sums of a datapath are wired: which values each of them adds, in which order. What groups, trees, chains and
// dealt orders mean is settled here, once; whoever runs, builds, draws or counts sums goes through a list.
//
//   block `step`, for each step of each lane         block `finish`, once
//     terms   products of the step                     terms   what each lane left
//     one     acc, what the step before left           one     c
//     sums    each adds values that stand before it    sums    likewise; the last one is what the block leaves
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace assay {

struct AdderPlan;

// A value that enters a sum, and the input of its adder with whose words it enters.
struct SumItem {
  int value = 0;  // in the block
  int input = 0;  // in AdderPlan::inputs
};

struct SumNode {
  std::string name;  // sum, groups[1], tree[0].add[2]
  int adder = 0;     // in the block's list of adders
  int index = 0;     // among the sums of its adder: group after group
  std::vector<SumItem> items;
  int scaled_by = -1;  // the term whose block's scales multiply it; -1: none do
  int place = 0;       // its window's, in an instance of the block; one for each item, reduce and results follow
};

// Values are numbered: terms, then the one, then what each sum leaves.
struct CircuitBlock {
  int terms = 0;
  std::vector<SumNode> sums;

  int one() const { return terms; }
  int left_by(std::size_t sum) const { return terms + 1 + static_cast<int>(sum); }
  int values() const { return left_by(sums.size()); }
  int result() const { return values() - 1; }
};

struct Circuit {
  CircuitBlock step, finish;
};

CircuitBlock wire(const std::vector<AdderPlan>& adders, int terms);

}  // namespace assay
