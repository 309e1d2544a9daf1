// A datapath with one word changed by one step, for every word and every step.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "model/core/datapath.hpp"

namespace assay {

// Where the changed word stands.
struct Spot {
  std::string key;      // within the datapath or its adder: "subnormals.a", "window.floor", "result.cut", "add.keep"
  int adder = -1;       // of the step or of the finish; -1: in no adder
  bool finish = false;  // of that list
  int item = -1;        // of the adder's inputs (add.*) or results (result.*)
};

struct Mutation {
  std::string name;      // "adders.sum.add.product.keep +1"
  std::string from, to;  // "25", "26"
  Spot spot;
  Datapath changed;
  std::optional<int> put_in = {};  // the value of a number that was left out
};

// How far a word goes. A mutant is one step away; who looks for the word that a unit has goes further.
struct MutationReach {
  int farthest = 1;  // of a number, either way
  // What a file leaves out altogether (a floor, an infinity_at), at values spread over its bounds, and how far these
  // are from each other where there are many.
  bool put_in = false;
  int apart = 4;
};

// Not all of them can be planned.
std::vector<Mutation> mutations(const Datapath& datapath, int k, const MutationReach& reach = {});

}  // namespace assay
