// What an x86 processor says of its units: leaf 7 of CPUID.
#pragma once

#include <cpuid.h>

namespace assay::host {

struct Leaf7 {
  unsigned eax = 0, ebx = 0, ecx = 0, edx = 0;
};

inline Leaf7 leaf7(unsigned subleaf) {
  Leaf7 l;
  return __get_cpuid_count(7, subleaf, &l.eax, &l.ebx, &l.ecx, &l.edx) != 0 ? l : Leaf7{};
}

inline bool is_set(unsigned word, unsigned bit) { return (word >> bit & 1) != 0; }

}  // namespace assay::host
