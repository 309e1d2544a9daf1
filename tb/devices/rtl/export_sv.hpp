// The wiring of a datapath in SystemVerilog: one module that instantiates the hand-written blocks of rtl_ref.
#pragma once

#include <string>
#include <vector>

#include "model/core/plan.hpp"

namespace assay {

enum class ExportTiming { combinational, pipelined };

// The text of a module:
//
//   a_i      k codes of a, element 0 lowest        d_o      the code of d
//   b_i      likewise of b                         probe_o  the bits of every place of the plan,
//   c_i      the code of c                                  Plan::places[0] lowest
//   scale_a_i, scale_b_i  a code a block, where there are scales
//
// Pipelined it also has clk_i, rst_ni, valid_i, ready_o, valid_o and ready_i, and a parameter Registers with a bit for
// each cut where there can be registers. Throws Error, Ending::not_here.
std::string export_sv(const Plan& plan, const std::string& module_name,
                      ExportTiming timing = ExportTiming::combinational);

// Where the pipelined one can have registers, by the places that each cut comes after; bit 0 of Registers first.
std::vector<std::string> export_cuts(const Plan& plan);

}  // namespace assay
