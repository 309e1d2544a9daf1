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
  std::string_view name;
  std::string_view found_in;  // "Xeons from Sapphire Rapids on"
  bool (*announced)();        // by CPUID and the operating system
  std::vector<HostInstruction> instructions;
};

const std::vector<HostUnit>& host_units();
const HostUnit* find_host_unit(std::string_view name);  // nullptr where there is none
std::string host_unit_names();                          // "amx_bf16, ...": for messages

// Why this machine cannot run the unit, as a sentence; nothing where it can. Tries it in a child process, since what
// CPUID announces a virtual machine may still not let through.
std::optional<std::string> why_absent(const HostUnit& unit);

std::string processor_name();  // as CPUID gives it: brand, family, model, stepping

}  // namespace assay
