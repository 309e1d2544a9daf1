// The name of the processor this program runs on.
#include "tb/devices/host/units.hpp"

#if defined(__x86_64__)
#include <cpuid.h>
#else
#include <sys/auxv.h>
#endif

#include <cstring>

namespace assay {
namespace {

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

// As Linux names its kind to programs: "power10", "aarch64".
std::string brand() {
  const auto* platform = reinterpret_cast<const char*>(getauxval(AT_PLATFORM));
  return platform == nullptr ? "" : platform;
}

#if defined(__aarch64__)
// Of MIDR_EL1, which Linux reads for programs: implementer 31:24 | variant 23:20 | .. | part 15:4 | revision 3:0
std::string generation() {
  constexpr unsigned long cpuid_bit = 1 << 11;  // HWCAP_CPUID: that it does
  if ((getauxval(AT_HWCAP) & cpuid_bit) == 0) return {};
  unsigned long midr = 0;
  asm("mrs %0, midr_el1" : "=r"(midr));
  return " (implementer " + std::to_string(midr >> 24 & 0xff) + ", part " + std::to_string(midr >> 4 & 0xfff) +
         ", variant " + std::to_string(midr >> 20 & 0xf) + ", revision " + std::to_string(midr & 0xf) + ")";
}
#else
std::string generation() { return {}; }
#endif

#endif

}  // namespace

std::string processor_name() {
  const std::string name = brand();
  const std::size_t begin = name.find_first_not_of(' '), end = name.find_last_not_of(' ');
  return begin == std::string::npos ? "of another kind" : name.substr(begin, end + 1 - begin) + generation();
}

}  // namespace assay
