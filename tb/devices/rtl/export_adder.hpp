// The wiring of one adder of a Plan: term, window, align, reduce, scale, round.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tb/devices/rtl/sheet.hpp"

namespace assay {

struct ScalePair {
  Wire a, b;
};

// What NaNs and infinities among these numbers decide, or else what `last` does: the name of two bits, an
// assay_pkg::outcome_e.
std::string wire_special(Sheet& sheet, const std::string& name, const std::vector<Wire>& numbers,
                         const std::string& last = "assay_pkg::OutcomeNone");

// `sum` unless `outcome` decides. Where `payloads`, a NaN is the first one of `numbers`, one or two lists of them.
Wire wire_acc(Sheet& sheet, const std::string& name, const std::string& outcome, const Wire& sum,
              const std::vector<Wire>& numbers, bool payloads);

// A number rounded, at no place of the plan.
Wire wire_round(Sheet& sheet, const std::string& name, const Wire& in, const ResultPlan& result);

// Products or a sum times their scales, at no place of the plan.
Wire wire_scale(Sheet& sheet, const std::string& name, const Wire& in, const ScalePair& scales, const Range& range);

// One flat sum from its numbers, a wire for each input, to a number. `place` names it: step[0].sum.
Wire wire_sum(Sheet& sheet, const std::string& place, const AdderPlan& adder, const std::vector<Wire>& numbers,
              const std::optional<ScalePair>& scales, bool payloads);

}  // namespace assay
