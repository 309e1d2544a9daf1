// The operands of one case as JSON, both ways: {"a": ["3c00", ..], "b": [..], "c": "..", "scale_a": [..], NAME: [..]}.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "tb/devices/device.hpp"

namespace assay::browser {

// Lists may be short: the rest is zero. A list that is missing is zero; of scales and masks it is what leaves products
// as they are. Throws Error.
Case read_operands(const Plan& plan, const nlohmann::ordered_json& operands);

// The same back, each a list, without what read_operands puts at its end.
nlohmann::ordered_json short_operands(const Plan& plan, const Case& one);

// Name, format, codes, values and the code of zero of each list, for whoever draws them.
nlohmann::ordered_json operands_facts(const Plan& plan, const Case& one);

// Name, bits and the fields of a code, the first uppermost.
nlohmann::ordered_json format_facts(const Format& format);

// Of "a", "scale_b", or the name of a further operand.
Format operand_format(const Plan& plan, const std::string& name);

}  // namespace assay::browser
