// Stages of a unit as functions of what it shows.
//
// The model's aligned addend is a function of a number's place and the window's; its sum one of the addends' places.
// The same function of the places that a unit shows is what the unit should make of them, whatever it makes them of,
// and that is asked of the unit's own gates alone: no gate of the model's is there to be merged with one that the unit
// has in a place's stead. If the model's stage is that function, the unit's is, and the places are equal, so are the
// two.
#pragma once

#include <string>
#include <vector>

#include "tb/prove/aids.hpp"

namespace assay {

// An addend of a rounded sum in the unit, and by what is seen of it in cases how large it can be: to be proved.
struct OwnAddend {
  int place = 0;
  std::vector<Lit> bits;
  std::uint64_t most = 0;  // of its magnitude
  Lit is_within = lit_true;
  std::string name;  // of that lemma
};

struct OwnStage {
  int place = 0;
  std::string name;
  std::vector<int> read;             // the places that it is a function of
  std::vector<Lit> below;            // what that is about: bits of the model
  std::vector<Lit> of_shown, shown;  // the function of the unit's places, and what the unit has: to be equal
  bool is_sum = false;
  std::vector<Lit> leading = {};  // the unit's sum, where it is rounded
  Lit lemma = lit_true;           // of the unit: to be proved before it
  std::string lemma_name = {};
  int after = -1;       // where what it reads was rounded, the stage of this place
  Lit left = lit_true;  // of what it leaves where it rounds, for the next stage: to be proved of the unit
  std::string left_name = {};
  std::vector<OwnAddend> addends = {};  // of that sum, where the unit shows them all
  OverPlaces over = {};                 // by what it is a function of the model's places: to be proved
};

// Of those aligned addends and sums of which the unit shows all that is needed.
// `cases`: a word for each input, of 64 cases each.
std::vector<OwnStage> own_stages(const Plan& plan, const ModelGates& model, const ShownPlaces& unit, Gates& gates,
                                 const std::vector<std::vector<std::uint64_t>>& cases);

}  // namespace assay
