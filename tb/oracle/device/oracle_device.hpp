// The exact oracle as a device.
#pragma once

#include <memory>
#include <string>

#include "tb/devices/device.hpp"

namespace assay {

// For one row of the oracle's own table (`table`: the path of tb/oracle/instructions.csv). `plan` says how many codes a
// case has and which format d has; nothing else of it is used. Throws Error where the table has no such row.
std::unique_ptr<Device> oracle_device(const Plan& plan, const std::string& architecture, const std::string& instruction,
                                      const std::string& table);

}  // namespace assay
