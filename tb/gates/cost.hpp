// What a datapath costs as gates: its wiring, synthesised by yosys onto the cells of an open library.
//
// Combinational, without probes, no clock to meet: good for holding one width against another, and no chip's area or
// frequency.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "model/core/plan.hpp"
#include "tb/gates/cost_figures.hpp"
#include "tb/gates/synthesis.hpp"

namespace assay {

struct CostAnswer {
  std::optional<Cost> cost;
  std::string no_cost;  // a sentence that says why there is none, where the blocks of rtl_ref cannot do the datapath
  std::string netlist = {};  // a BLIF file of the cells, where it was asked for
};

enum class NetlistFile { dropped, kept };

// Why a plan has no cost, as a sentence; empty where it has one.
std::string why_no_cost(const Plan& plan);

// Throws Error as `answer_to` does.
CostAnswer cost_of(const Plan& plan, const Synthesis& synthesis, NetlistFile netlist = NetlistFile::dropped);

// The seconds of one thread that `cost_of` will take for all of these: those that are kept take none, and of the others
// one is synthesised now, and kept, to see. Throws Error as `cost_of` does.
double synthesis_seconds(const std::vector<const Plan*>& plans, const Synthesis& synthesis);

// What area, depth and delay are read of, with the commands of ABC that come after `abc_tidy` and say them.
extern const char* const abc_tidy;
extern const char* const abc_mapping;
double mapped_area(const SynthesisFolder& folder);
int mapped_cells(const SynthesisFolder& folder);
double mapped_delay(const SynthesisFolder& folder);  // nanoseconds

// "12 0.5 3\n" of numbers, and back: nothing where the text is not what is written of so many of them that are positive
// and finite.
std::string numbers_text(const std::vector<double>& numbers);
std::optional<std::vector<double>> numbers_in(const std::string& text, std::size_t count);

}  // namespace assay
