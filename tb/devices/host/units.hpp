// The matrix and vector units of the processor this program runs on, as (a, b, c) -> d.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace assay {

struct HostInstruction {
  std::string_view name;  // as the catalogue has it, with its architecture
  int k;
  // Every position of the unit's tile or vector is given the same dot product. Throws std::runtime_error, a sentence,
  // where they do not agree.
  std::uint64_t (*compute)(const std::uint64_t* a, const std::uint64_t* b, std::uint64_t c);
};

struct HostUnit {
  std::string_view name;      // also its feature flag's, as Linux lists it
  std::string_view found_in;  // "Xeons from Sapphire Rapids on"
  bool (*announced)();        // by that flag
  std::vector<HostInstruction> instructions;
};

const std::vector<HostUnit>& host_units();
const HostUnit* find_host_unit(std::string_view name);  // nullptr where there is none
std::string host_unit_names();                          // "amx_bf16, ...": for messages

// What was found of a unit on this machine. Neither follows from the other: a virtual machine may withhold what is
// announced, and some processors execute what they do not announce.
struct HostFinding {
  bool announced = false, executes = false;
};
HostFinding look_for(const HostUnit& unit);  // tries it in a child process, which may die of it

// "announced and executed"
std::string finding_text(const HostFinding& finding);
// The finding on a processor of this name, as a sentence: that the unit is there, and how it was found, or why it is
// not.
std::string finding_sentence(const HostUnit& unit, const HostFinding& finding, const std::string& processor);

// Why this machine cannot run the unit, as a sentence; nothing where it can.
std::optional<std::string> why_absent(const HostUnit& unit);

std::string processor_name();  // as CPUID gives it: brand, family, model, stepping

}  // namespace assay
