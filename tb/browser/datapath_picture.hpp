// A datapath as a drawing: a box for each stage, from the operands down to d, with what it does and its bits.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

#include "model/core/plan.hpp"

namespace assay::browser {

// How often something happened at each stage: by the name of a place without its indices, "step.sum.align", "encode".
using StageCounts = std::map<std::string, std::uint64_t>;

// "lane[1].step[3].sum.align[5]" -> "step.sum.align"
std::string stage_of_place(const std::string& place);

// SVG that stands by itself.
std::string datapath_picture(const Plan& plan, const std::string& name);

// For a page whose style sheet has `drawing_style`: beside each stage a bar as long as its count.
std::string datapath_drawing(const Plan& plan, const std::string& name, const StageCounts& counts);
extern const std::string_view drawing_style;

// The same as a page.
std::string datapath_page(const Plan& plan, const std::string& name);

}  // namespace assay::browser
