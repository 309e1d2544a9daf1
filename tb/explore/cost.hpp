// What a datapath costs as gates: its wiring, synthesised by yosys onto the cells of an open library.
//
// Combinational, without probes, no clock to meet: good for holding one width against another, and no chip's area or
// frequency.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "model/core/plan.hpp"
#include "tb/explore/result.hpp"

namespace assay {

// What synthesis is done with, looked up once for many datapaths.
struct Synthesis {
  std::string yosys;    // the program, as it is started
  std::string version;  // what it says of itself
  std::string library;  // the Liberty file
  std::string sha256;   // of the library
};

// Throws Error where this machine lacks one of them (status 4).
Synthesis find_synthesis(const std::string& yosys = "yosys",
                         const std::string& library = "/usr/share/qflow/tech/osu018/osu018_stdcells.lib");

struct CostAnswer {
  std::optional<Cost> cost;
  std::string no_cost;  // a sentence that says why there is none, where the blocks of rtl_ref cannot do the datapath
};

// Kept in ${XDG_CACHE_HOME:-~/.cache}/assay/cost by a hash of everything that it depends on: what is found there starts
// no program. Several threads and processes may ask at once. Throws Error where yosys fails or does not say what
// is asked of it.
CostAnswer cost_of(const Plan& plan, const Synthesis& synthesis);

// The seconds of one thread that `cost_of` will take for all of these: those that are kept take none, and of the others
// one is synthesised now, and kept, to see. Throws Error as `cost_of` does.
double synthesis_seconds(const std::vector<const Plan*>& plans, const Synthesis& synthesis);

}  // namespace assay
