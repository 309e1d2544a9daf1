// What the blocks of rtl_ref can express.
#pragma once

#include <optional>
#include <string>

#include "model/base/error.hpp"
#include "model/core/fields.hpp"
#include "tb/devices/rtl/sheet.hpp"

namespace assay {

// Throws Error where the plan asks for more: a sentence that begins with the key.
void check_exportable(const Plan& plan);

// That sentence; nothing where the blocks can do it.
std::optional<std::string> why_not_exportable(const Plan& plan);

// Throws Error where the places of a plan and what was wired for them, one after the other, differ in their bits.
void check_places(const Plan& plan, const std::vector<Sheet::Probe>& probes);

}  // namespace assay
