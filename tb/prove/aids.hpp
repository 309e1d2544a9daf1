// What helps a proof of places and is proved itself: that the model goes on with what a place shows, and what is always
// true of the numbers there.
#pragma once

#include <string>
#include <vector>

#include "tb/prove/model_gates.hpp"

namespace assay {

struct Aid {
  int after = 0;  // the place that it is about
  std::string name;
  std::vector<Lit> word, made;  // to be equal, bit for bit; a lemma is one bit, to be true
  bool is_lemma = false;
  std::vector<Lit> below = {};       // the lemma is proved of what these bits may be
  std::vector<int> for_places = {};  // of a lemma: what is proved under it
};

// In the order of the places that they are about.
std::vector<Aid> aids_of(const Plan& plan, const ModelGates& model, Gates& gates);

}  // namespace assay
