// One dot product on each unit, in every position of its tile or vector at once.
#pragma once

#include <cstdint>
#include <cstring>
#include <stdexcept>
#include <string>
#include <vector>

namespace assay::host {

using Bits = std::uint64_t;

// By the feature flags alone: what is announced need not execute, nor the other way round.
bool has_avx512_bf16();
bool has_amx_bf16();
bool has_amx_fp16();
bool has_amx_int8();

Bits vdpbf16ps(const Bits* a, const Bits* b, Bits c);
Bits tdpbf16ps(const Bits* a, const Bits* b, Bits c);
Bits tdpfp16ps(const Bits* a, const Bits* b, Bits c);
Bits tdpbssd(const Bits* a, const Bits* b, Bits c);
Bits tdpbsud(const Bits* a, const Bits* b, Bits c);
Bits tdpbusd(const Bits* a, const Bits* b, Bits c);
Bits tdpbuud(const Bits* a, const Bits* b, Bits c);

// Of an instruction in a program for another processor: units.hpp lists them all.
[[noreturn]] inline void of_another_processor() { throw std::logic_error("This unit is of another processor."); }

// What all `count` positions agree on.
template <class Element>
Bits agreed(const Element* d, int count) {
  for (int i = 1; i < count; ++i) {
    if (d[i] != d[0]) {
      throw std::runtime_error("The same dot product gave another d at position " + std::to_string(i) +
                               " of the unit than at position 0.");
    }
  }
  return d[0];
}

// The same of elements as they lie in memory.
template <class Element>
Bits agreed_in(const void* memory, std::size_t bytes) {
  std::vector<Element> d(bytes / sizeof(Element));
  std::memcpy(d.data(), memory, bytes);
  return agreed(d.data(), static_cast<int>(d.size()));
}

}  // namespace assay::host
