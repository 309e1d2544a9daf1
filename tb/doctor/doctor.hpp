// What was found here of all that the commands can use, and what each missing part would give.
#pragma once

#include <chrono>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

namespace assay {

struct FoundPart {
  std::string name;  // "Verilator"
  bool found;
  std::string what;   // its version or place; where it is not found, why, as far as that is known
  std::string gives;  // "RTL as a device: rtl:DUT.yaml"
};

// Starts each program once, which has so long to say what it is, and tries each unit of the processor in a process of
// its own. Throws nothing: what cannot be looked at is a part that is not found.
std::vector<FoundPart> look_around(std::chrono::milliseconds patience = std::chrono::seconds(10));

std::string doctor_text(const std::vector<FoundPart>& parts);
nlohmann::ordered_json doctor_json(const std::vector<FoundPart>& parts);

}  // namespace assay
