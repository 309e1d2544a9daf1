// One dot product on each unit, in every position of its tile or vector at once.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>

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

// What all `count` positions agree on.
inline Bits agreed(const std::uint32_t* d, int count) {
  for (int i = 1; i < count; ++i) {
    if (d[i] != d[0]) {
      throw std::runtime_error("The same dot product gave another d at position " + std::to_string(i) +
                               " of the unit than at position 0.");
    }
  }
  return d[0];
}

}  // namespace assay::host
