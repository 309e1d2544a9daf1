// What the model makes of places: the same gates, with what they read of each made of the bits that the place shows.
#pragma once

#include <map>
#include <optional>
#include <unordered_set>
#include <vector>

#include "tb/prove/model_gates.hpp"

namespace assay {

// Gates of the model that say that nothing counts in a sum, and what a function of places has in their stead.
struct EmptySums {
  std::vector<Lit> of_model = {};
  Lit made = lit_false;
};

// It is what the model has if all of this is true: of the model that it reads what it is said to read, and of the
// function that it does not depend on what the places do not show.
struct PlaceFunction {
  std::vector<Lit> made;
  std::vector<Lit> is_model;
  std::vector<Lit> is_same, free;  // whatever these bits are, which are read and not shown
};

class PlaceFunctions {
 public:
  PlaceFunctions(const Plan& plan, const ModelGates& model, Gates& gates, const std::vector<int>& places,
                 EmptySums empty);

  // Of bits of the model, as a function of the places. An operand's place is left as it is made: all read it alike.
  // Nothing where it is made of more than the places and of the operands of those that are one.
  std::optional<PlaceFunction> of(const std::vector<Lit>& bits);

 private:
  // A bit of the model, as it is where numbers count, and what it is made of places.
  struct Reading {
    Lit from = lit_none, to = lit_none, exact = lit_none;
  };

  const std::vector<Lit>& at(int place) const { return model_.places[static_cast<std::size_t>(place)]; }
  void read(int place);
  std::vector<Lit> never_empty(const std::vector<Lit>& bits);
  void add_read(const std::vector<Lit>& now, PlaceFunction& function);
  bool is_made_of_places(const std::vector<Lit>& made) const;

  const ModelGates& model_;
  Gates& gates_;
  EmptySums empty_;
  std::vector<Lit> empty_map_, place_map_, exact_map_;  // what stands for gates of the model
  std::map<std::uint32_t, Reading> readings_;           // by the node, as it is where numbers count
  std::unordered_set<std::uint32_t> leaves_;
};

}  // namespace assay
