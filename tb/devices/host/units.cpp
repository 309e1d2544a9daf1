#include "tb/devices/host/units.hpp"

#if defined(__x86_64__)
#include <cpuid.h>
#endif
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstring>

#include "tb/devices/host/kernels.hpp"

namespace assay {
namespace {

// Whether a child process that executes the instruction on zeros survives. An instruction that the processor does not
// know ends it without a core file: that is an answer, not a crash.
bool runs(const HostInstruction& instruction) {
  const std::vector<std::uint64_t> zeros(static_cast<std::size_t>(instruction.k));
  const pid_t child = fork();
  if (child == 0) {
    std::signal(SIGILL, [](int) { _exit(1); });
    bool zero = false;
    try {
      zero = instruction.compute(zeros.data(), zeros.data(), 0) == 0;
    } catch (...) {
    }
    _exit(zero ? 0 : 1);
  }
  int status = 0;
  return child > 0 && waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

#if defined(__x86_64__)
// Twelve registers of four characters, padded with spaces and a zero.
std::string brand() {
  constexpr unsigned first = 0x80000002, last = 0x80000004;
  char text[49] = {};
  for (unsigned leaf = first; leaf <= last; ++leaf) {
    unsigned words[4] = {};
    if (__get_cpuid(leaf, &words[0], &words[1], &words[2], &words[3]) == 0) return {};
    std::memcpy(text + 16 * (leaf - first), words, sizeof words);
  }
  return text;
}

// Under virtual machines the brand says little; the numbers tell the generation.
std::string generation() {
  unsigned eax = 0, ebx = 0, ecx = 0, edx = 0;
  if (__get_cpuid(1, &eax, &ebx, &ecx, &edx) == 0) return {};
  // eax: .. | extended family 27:20 | extended model 19:16 | .. | family 11:8 | model 7:4 | stepping 3:0
  const unsigned family = eax >> 8 & 0xf, model = (eax >> 12 & 0xf0) | (eax >> 4 & 0xf);
  return " (family " + std::to_string(family == 0xf ? family + (eax >> 20 & 0xff) : family) + ", model " +
         std::to_string(model) + ", stepping " + std::to_string(eax & 0xf) + ")";
}
#else
std::string brand() { return {}; }
std::string generation() { return {}; }
#endif

}  // namespace

std::string processor_name() {
  const std::string name = brand();
  const std::size_t begin = name.find_first_not_of(' '), end = name.find_last_not_of(' ');
  return begin == std::string::npos ? "of another kind" : name.substr(begin, end + 1 - begin) + generation();
}

const std::vector<HostUnit>& host_units() {
  static const std::vector<HostUnit> table{
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
  return table;
}

const HostUnit* find_host_unit(std::string_view name) {
  const auto& all = host_units();
  const auto found = std::find_if(all.begin(), all.end(), [&](const HostUnit& unit) { return unit.name == name; });
  return found == all.end() ? nullptr : &*found;
}

std::string host_unit_names() {
  std::string names;
  for (const HostUnit& unit : host_units()) names += (names.empty() ? "" : ", ") + std::string(unit.name);
  return names;
}

HostFinding look_for(const HostUnit& unit) { return {unit.announced(), runs(unit.instructions.front())}; }

std::string finding_text(const HostFinding& finding) {
  if (finding.executes) return finding.announced ? "announced and executed" : "executed though not announced";
  return finding.announced ? "announced but not executed" : "neither announced nor executed";
}

std::string finding_sentence(const HostUnit& unit, const HostFinding& finding, const std::string& processor) {
  const std::string name(unit.name), what = "its processor, " + processor + ",";
  if (finding.executes) {
    return "This machine has the unit " + name + ": " + what +
           (finding.announced ? " announces and executes it."
                              : " executes it, though its feature flag " + name + " does not announce it.");
  }
  return "This machine has no unit " + name + ": " + what +
         (finding.announced
              ? " announces it but does not execute it (a virtual machine or the operating system may withhold it)"
              : " neither announces nor executes it") +
         "; " + std::string(unit.found_in) + " have it.";
}

std::optional<std::string> why_absent(const HostUnit& unit) {
  const HostFinding finding = look_for(unit);
  if (finding.executes) return std::nullopt;
  return finding_sentence(unit, finding, processor_name());
}

}  // namespace assay
