// Two devices side by side on one case: their d, and every place that both name.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "sim/cli/explain_exact.hpp"
#include "sim/cli/explain_sums.hpp"

namespace assay {

// What one device made of the case. Its trace, where it has one, is of `plan`, which need not be the other's.
struct Side {
  std::string name;
  std::shared_ptr<const Plan> plan;
  Answer answer;

  bool has(int place) const { return answer.trace && answer.traced[static_cast<std::size_t>(place)] != 0; }
};

// A place that both have, and its index in the plan of each.
struct SharedPlace {
  int reference = 0;
  int device = 0;
  bool same = true;
};

// In the order of the reference's plan.
std::vector<SharedPlace> shared_places(const Side& reference, const Side& device);

// What stands at a place as bits under each other: "+ 00.1101", "2^3".
struct BitPair {
  std::string reference, device;
};
BitPair bit_pair(const Side& reference, const Side& device, const SharedPlace& place);

// A mark under each character that differs.
std::string marks(const BitPair& pair);

// The first difference bit by bit, the names of all others, both d.
std::string sides_text(const Side& reference, const Side& device, bool colour);

}  // namespace assay
