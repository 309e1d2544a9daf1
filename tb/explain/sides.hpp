// Two devices side by side on one case: their d, and every place that both name.
#pragma once

#include <string>
#include <vector>

#include "tb/explain/explanation.hpp"

namespace assay::explain {

// A place that both have, and its index in the plan of each.
struct SharedPlace {
  int reference = 0;
  int device = 0;
  bool same = true;
};

// In the order of the reference's plan.
std::vector<SharedPlace> shared_places(const Sides& sides);

// What stands at a place as bits under each other: "+ 00.1101", "2^3".
struct BitPair {
  std::string reference, device;
};
BitPair bit_pair(const Sides& sides, const SharedPlace& place);

// A mark under each character that differs.
std::string marks(const BitPair& pair);

// The first difference bit by bit, the names of all others, both d.
std::string sides_text(const Sides& sides, bool colour);

}  // namespace assay::explain
