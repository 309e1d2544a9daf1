// How a datapath is wired: what is done to each product, which values each sum adds, in which order. What groups,
// trees, chains and dealt orders mean is settled here, once; whoever runs, builds, draws or counts goes through these
// lists.
//
//   products    what is done to each of them on its own, one node after the other
//
//   block `step`, for each step of each lane         block `finish`, once
//     terms   products of the step                     terms   what each lane left
//     one     acc, what the step before left           one     c
//     sums    each adds values that stand before it    sums    likewise; the last one is what the block leaves
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "model/core/places.hpp"
#include "model/core/range.hpp"

namespace assay {

struct AdderPlan;

// What is done to a product before any sum sees it.
enum class ProductWork { multiply, scale, round };

struct ProductNode {
  ProductWork work = ProductWork::multiply;
  Range range;                   // of what leaves
  std::optional<Region> region;  // where it can be seen; a mere change of the exponent cannot
};

// A value that enters a sum, and the input of its adder with whose words it enters.
struct SumItem {
  int value = 0;        // in the block
  int input = 0;        // in AdderPlan::inputs
  bool negate = false;  // its sign is turned: by its input's words, but of what an earlier sum of its tree left
};

struct SumNode {
  std::string name;        // sum, groups[1], tree[0].add[2]
  std::string group_name;  // without its addition: tree[0]
  int adder = 0;           // in the block's list of adders
  int group = 0;           // of the adder's
  int addition = -1;       // of the group's tree or chain; -1: the group is one sum
  std::vector<SumItem> items;
  int scaled_by = -1;  // the term whose blocks' scales multiply it; -1: none do
  int draws_from = 0;  // the first random word of its results, among those of its block
  int place = 0;       // its window's, in an instance of the block; one for each item, reduce and results follow

  bool is_of_tree() const { return addition >= 0; }
  std::string own_name() const { return is_of_tree() ? indexed("add", addition) : group_name; }
};

enum class ValueKind { term, one, sum };

// Values are numbered: terms, then the one, then what each sum leaves.
struct CircuitBlock {
  int terms = 0;
  std::vector<SumNode> sums;
  std::vector<Range> ranges;  // of each value
  int draws = 0;              // random words of all results together

  int one() const { return terms; }
  int left_by(std::size_t sum) const { return terms + 1 + static_cast<int>(sum); }
  int values() const { return left_by(sums.size()); }
  int result() const { return values() - 1; }
  ValueKind kind(int value) const {
    return value < terms ? ValueKind::term : value == terms ? ValueKind::one : ValueKind::sum;
  }
  // Of ValueKind::sum.
  const SumNode& sum_of(int value) const { return sums[static_cast<std::size_t>(value - left_by(0))]; }
};

struct Circuit {
  std::vector<ProductNode> products;
  CircuitBlock step, finish;

  // Where a product can be seen, in the order of what is done to it.
  std::vector<Region> regions_of_products() const;
};

// Where the inputs of an adder come from, as its words say it.
struct InputWires {
  ValueKind kind = ValueKind::term;
  int adder = -1;  // the earlier one, for ValueKind::sum
};
struct AdderWires {
  std::vector<InputWires> inputs;
  std::vector<int> members;  // of the first input's numbers, group after group
};

// The first term that any of the items brings, maybe through other sums; 0 where none does.
int first_term(const CircuitBlock& block, const std::vector<SumItem>& items);

// The sums of a list of adders over so many terms.
CircuitBlock wire(const std::vector<AdderPlan>& adders, const std::vector<AdderWires>& wires, int terms);

// What the additions of a group add that they have not added themselves.
std::vector<SumItem> items_of_group(const CircuitBlock& block, int adder, int group);

// Whether the block is one sum of all terms in their order and then the one.
bool is_one_sum(const CircuitBlock& block);

// Whether both add the same values in the same order.
bool wired_alike(const CircuitBlock& x, const CircuitBlock& y);

}  // namespace assay
