// Own datapaths nobody would think of: datapath N is a function of N.
#pragma once

#include <string>
#include <vector>

#include "model/core/plan.hpp"

namespace assay {

struct OwnDatapath {
  Datapath words;
  int k = 0;
};

// `farther`: also odd k, blocks of scales that do not divide it, own formats of any width, and sticky bits below exact
// sums, which the second judge does not place.
enum class Domain { usual, farther };

// Of the datapaths drawn for `number`, attempt after attempt. Many cannot be planned.
OwnDatapath random_datapath(std::uint64_t number, std::uint64_t attempt, Domain domain = Domain::usual);

// "adders.shape.serial" and the like: every key and word the datapath uses.
std::vector<std::string> words_used(const OwnDatapath& own);

// All that words_used can say.
std::vector<std::string> all_words();

}  // namespace assay
