// Rounding to a list of values as comparisons alone: whichever the rule is, that is all it looks at.
#pragma once

#include <vector>

#include "model/core/plan.hpp"

namespace assay {

// Of two neighbours in a list numbers above the edge between them, and maybe those on it, become the upper one.
struct ListEdge {
  Number at;
  bool is_upper = false;  // what stands on it
};

// From the lowest up. One before the first value where numbers can lie too low for the list, one behind the last.
std::vector<ListEdge> list_edges(const Format& format, Cut cut);

// The cut that makes of -x what `cut` makes of x.
Cut mirrored(Cut cut);

}  // namespace assay
