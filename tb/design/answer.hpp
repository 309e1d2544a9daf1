// What a search found, for people and for programs.
#pragma once

#include <string>

#include "tb/design/search.hpp"
#include "tb/gates/clocked.hpp"

namespace assay::design {

// A point of a front.
struct Chosen {
  int point = -1;
  std::vector<bool> on;  // the front of each cost of Spec::want
  // On a second library, where there is one; and whether the order of the first cost is another there.
  std::optional<Cost> elsewhere = {};
  bool ranks_otherwise = false;
  std::optional<Pipelined> clocked = {};  // where the spec says a period
  std::vector<FpgaCost> fpga = {};        // of the spec's families, in their order
  std::string smaller;  // why the nearest smaller neighbour was not kept, as a sentence; empty: there is none
};

struct DesignAnswer {
  std::vector<Chosen> chosen;  // in the order of the first cost
  // Where no point meets all limits: of each limit how near the nearest point came.
  std::vector<std::string> misses;
};

// Synthesises what was chosen on another library, too: an order that only one library has is no reason to choose.
void hold_ranks(const Spec& spec, const Space& space, const Searched& found, const Costs& elsewhere, int threads,
                DesignAnswer& answer);

DesignAnswer answer_of(const Spec& spec, const Space& space, const Searched& found);

std::string space_text(const Space& space);
std::string answer_text(const Spec& spec, const Space& space, const Searched& found, const DesignAnswer& answer);
std::string answer_json(const Spec& spec, const Space& space, const Searched& found, const DesignAnswer& answer,
                        const std::string& version);
std::string points_csv(const Spec& spec, const Space& space, const Searched& found);  // a row for each point

}  // namespace assay::design
