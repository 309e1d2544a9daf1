// What helps a proof of places and is proved itself: that the model goes on with what a place shows, and what is always
// true of the numbers there.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tb/prove/place_functions.hpp"
#include "tb/prove/shown.hpp"

namespace assay {

// A claim about the model as a function of places, whatever these are made of.
struct OverPlaces {
  std::vector<int> places = {};
  bool is_asked = false;           // of the places alone; else it is known where it is proved in another way
  std::vector<Lit> made = {};      // empty where there is no such function
  std::vector<Lit> of_about = {};  // the same of those places alone that the claim is about
  std::vector<Lit> is_model = {}, is_same = {}, free = {};  // as of a PlaceFunction

  void claim(const std::vector<int>& of, bool of_these_alone, const PlaceFunction& function) {
    places = of;
    is_asked = of_these_alone;
    made = function.made;
    add(function);
  }
  // What it is known by to be one.
  template <class Function>
  void add(const Function& function) {
    is_model.insert(is_model.end(), function.is_model.begin(), function.is_model.end());
    is_same.insert(is_same.end(), function.is_same.begin(), function.is_same.end());
    free.insert(free.end(), function.free.begin(), function.free.end());
  }
};

struct Aid {
  int place = 0;  // that it is about
  std::string name;
  std::vector<Lit> word, made;  // to be equal, bit for bit; a lemma is one bit, to be true
  bool is_lemma = false;  // which stands behind its place; what is read of a place is the model's alone, and before it
  bool counts = false;    // of what is read: whether a number counts
  bool is_at_places = false;         // of use only where stages are cut at places
  std::vector<Lit> below = {};       // the lemma is proved of what these bits may be
  std::vector<int> for_places = {};  // of a lemma: what is proved under it
  int for_lemmas = -1;               // of a lemma: the place of which all further lemmas and laws are proved under it
  std::vector<int> about = {};       // a lemma may be about places alone: these
  Lit of_unit = lit_none;            // then the same of those that the unit shows
  std::vector<Lit> sum = {};         // of what is read of a sum: all its bits ..
  std::vector<std::vector<Lit>> addends = {};  // .. and what it is the sum of
  bool is_known = false;                       // of a lemma: by the gates that it is made of
  bool is_plain = false;                       // of a lemma: a solver mostly sees it with all that is below
  std::vector<int> if_needed_for = {};         // of a lemma: what is tried under it once it was not proved without
  OverPlaces over_places = {};                 // that it is true, or that both are equal
};

// One of those that decide a place together, whatever it is made of: what all of them are true of is one value. Of a
// window: it is not below the exponent of any number that counts, and it is one of these.
struct Law {
  int place = 0;
  std::string name;
  Lit of_model = lit_true, of_unit = lit_true;
  std::vector<Lit> below;       // what it says something about, but for the place
  OverPlaces over_places = {};  // of the model
};

std::vector<Law> laws_of(const Plan& plan, const ModelGates& model, const ShownPlaces& unit, Gates& gates);

// In the order in which they are proved.
std::vector<Aid> aids_of(const Plan& plan, const ModelGates& model, const ShownPlaces& unit, Gates& gates);

// Without the lemmas and laws that a case shows to be untrue: nobody has to try them. `cases`: a word for each input,
// of 64 cases each.
void leave_out_untrue(const Gates& gates, const std::vector<std::vector<std::uint64_t>>& cases, std::vector<Aid>& aids,
                      std::vector<Law>& laws);

// Of each place those that are proved with it: what a stage reads, as far as places of sums go.
std::vector<std::vector<int>> places_read(const Plan& plan);

}  // namespace assay
