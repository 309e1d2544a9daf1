// What was found of this machine's own units, in reports and in the headers of what they recorded.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "tb/devices/host/units.hpp"
#include "tb/vectors/header.hpp"

namespace assay {

nlohmann::ordered_json finding_json(const HostUnit& unit, const HostFinding& finding, const std::string& processor);

// Of "host:UNIT"; nullptr where a device is no unit of this machine's.
const HostUnit* host_unit_of(const std::string& device);

// The units among these devices, each as it was found here; an empty list where there is none.
nlohmann::ordered_json host_units_json(const std::vector<std::string>& devices);

// A member of a header's provenance, instead of one of that name that stands there.
void put_member(std::vector<HeaderMember>& provenance, const std::string& name, const std::string& value);

// Which part a recording is of, how its unit was found, and when.
void put_part(std::vector<HeaderMember>& provenance, const HostFinding& finding, const std::string& processor,
              const std::string& date);

}  // namespace assay
