// Where a format that is a list of values has something to get wrong, read off the list itself.
#pragma once

#include <cstddef>
#include <vector>

#include "model/core/values.hpp"

namespace assay {

enum class EdgeKind {
  least,        // of all its values
  greatest,     // of all its values
  beside_zero,  // the value next to zero, on either side
  precision,    // the values before it lie at least twice as far apart as those behind it, or the other way round
  hole,         // the gap above it is wider than the gaps on either side
};

struct FormatEdge {
  EdgeKind kind;
  std::size_t value;  // of the list, in ascending order
};

//   |    |    |    |         |         |                   |    |    |
//                  precision                   hole: from here to here
//
// In the order of the values; of one value in that of the kinds.
std::vector<FormatEdge> format_edges(const ValueTable& list);

}  // namespace assay
