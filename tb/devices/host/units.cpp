#include "tb/devices/host/units.hpp"

#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>

#include "tb/devices/host/arm.hpp"
#include "tb/devices/host/kernels.hpp"
#include "tb/devices/host/power.hpp"
#include "tb/devices/host/riscv.hpp"

namespace assay {
namespace {

std::vector<HostUnit> x86_units() {
  return {
      {"amx_bf16", "Xeons from Sapphire Rapids on", host::has_amx_bf16, {{"x86:tdpbf16ps", 32, host::tdpbf16ps}}},
      {"amx_fp16", "Xeons from Granite Rapids on", host::has_amx_fp16, {{"x86:tdpfp16ps", 32, host::tdpfp16ps}}},
      {"amx_int8",
       "Xeons from Sapphire Rapids on",
       host::has_amx_int8,
       {{"x86:tdpbssd", 64, host::tdpbssd},
        {"x86:tdpbsud", 64, host::tdpbsud},
        {"x86:tdpbusd", 64, host::tdpbusd},
        {"x86:tdpbuud", 64, host::tdpbuud}}},
      {"avx512_bf16",
       "Xeons from Cooper Lake on and EPYCs from Genoa on",
       host::has_avx512_bf16,
       {{"x86:vdpbf16ps", 2, host::vdpbf16ps}}},
  };
}

std::vector<HostUnit> all_units() {
  std::vector<HostUnit> all;
  for (auto* units : {x86_units, host::power_units, host::arm_units, host::riscv_units}) {
    for (HostUnit& unit : units()) all.push_back(std::move(unit));
  }
  return all;
}

}  // namespace

const std::vector<HostUnit>& host_units() {
  static const std::vector<HostUnit> table = all_units();
  return table;
}

const HostUnit* find_host_unit(std::string_view name) {
  const auto& all = host_units();
  const auto found = std::find_if(all.begin(), all.end(), [&](const HostUnit& unit) { return unit.name == name; });
  return found == all.end() ? nullptr : &*found;
}

namespace {

// The one whose name this is, or begins it; the longest.
const HostInstruction* base_of(const HostUnit& unit, const std::string& name) {
  const HostInstruction* found = nullptr;
  for (const HostInstruction& one : unit.instructions) {
    const bool begins = name == one.name || name.rfind(one.name + ".", 0) == 0;
    if (begins && (found == nullptr || found->name.size() < one.name.size())) found = &one;
  }
  return found;
}

}  // namespace

std::string modes_in(const HostUnit& unit, const std::string& name) {
  const HostInstruction* base = base_of(unit, name);
  return base == nullptr || base->name == name ? "" : name.substr(base->name.size() + 1);
}

std::optional<HostInstruction> find_host_instruction(const HostUnit& unit, const std::string& name) {
  const HostInstruction* base = base_of(unit, name);
  if (base == nullptr || base->name == name) return base == nullptr ? std::nullopt : std::optional(*base);
  if (!base->in_modes) return std::nullopt;
  HostInstruction found = base->in_modes(modes_in(unit, name));
  found.name = name;
  return found.compute ? std::optional(std::move(found)) : std::nullopt;
}

const HostUnit* host_unit_with(const std::string& instruction) {
  for (const HostUnit& unit : host_units()) {
    if (find_host_instruction(unit, instruction)) return &unit;
  }
  return nullptr;
}

std::string host_unit_names() {
  std::string names;
  for (const HostUnit& unit : host_units()) names += (names.empty() ? "" : ", ") + unit.name;
  return names;
}

// An instruction that the processor does not know ends the child without a core file: that is an answer, not a crash.
bool executes(const HostInstruction& instruction) {
  const std::vector<std::uint64_t> zeros(static_cast<std::size_t>(instruction.k));
  const pid_t child = fork();
  if (child == 0) {
    std::signal(SIGILL, [](int) { _exit(1); });
    bool zero = false;  // of either sign
    try {
      const int above_sign = 64 - 4 * instruction.d_digits + 1;
      zero = instruction.compute(zeros.data(), zeros.data(), 0) << above_sign == 0;
    } catch (...) {
    }
    _exit(zero ? 0 : 1);
  }
  int status = 0;
  return child > 0 && waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

HostFinding look_for(const HostUnit& unit) { return {unit.announced(), executes(unit.instructions.front())}; }

std::string finding_text(const HostFinding& finding) {
  if (finding.executes) return finding.announced ? "announced and executed" : "executed though not announced";
  return finding.announced ? "announced but not executed" : "neither announced nor executed";
}

FindingPlace this_machine(const HostUnit& unit, const std::string& processor) {
  return {"This machine", "its processor, " + processor + ",", unit.found_in + " have it."};
}

std::string finding_sentence(const HostUnit& unit, const HostFinding& finding, const FindingPlace& place) {
  if (finding.executes) {
    return place.machine + " has the unit " + unit.name + ": " + place.processor +
           (finding.announced ? " announces and executes it."
                              : " executes it, though its feature flag " + unit.name + " does not announce it.");
  }
  return place.machine + " has no unit " + unit.name + ": " + place.processor +
         (finding.announced
              ? " announces it but does not execute it (a virtual machine or the operating system may withhold it)"
              : " neither announces nor executes it") +
         "; " + place.elsewhere;
}

std::string finding_sentence(const HostUnit& unit, const HostFinding& finding, const std::string& processor) {
  return finding_sentence(unit, finding, this_machine(unit, processor));
}

std::string lacking_sentence(const HostUnit& unit, const HostInstruction& instruction, const FindingPlace& place) {
  return place.machine + " has the unit " + unit.name + ", but " + place.processor + " does not execute " +
         instruction.name + "; " + place.elsewhere;
}

std::optional<std::string> why_absent(const HostUnit& unit) {
  const HostFinding finding = look_for(unit);
  if (finding.executes) return std::nullopt;
  return finding_sentence(unit, finding, processor_name());
}

}  // namespace assay
