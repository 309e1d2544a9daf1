// Vector dot products of AVX-512.
#include "tb/devices/host/kernels.hpp"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace assay::host {

#if defined(__x86_64__)

bool has_avx512_bf16() { return __builtin_cpu_supports("avx512bf16") != 0; }

__attribute__((target("avx512f,avx512bf16"))) Bits vdpbf16ps(const Bits* a, const Bits* b, Bits c) {
  // A lane of 32 bits holds two elements, the first in its lower half.
  const auto pair = [](const Bits* x) { return static_cast<int>(static_cast<std::uint32_t>(x[1] << 16 | x[0])); };
  const __m512 sum = _mm512_dpbf16_ps(_mm512_castsi512_ps(_mm512_set1_epi32(static_cast<int>(c))),
                                      reinterpret_cast<__m512bh>(_mm512_set1_epi32(pair(a))),
                                      reinterpret_cast<__m512bh>(_mm512_set1_epi32(pair(b))));
  alignas(64) std::uint32_t d[16];
  _mm512_store_si512(d, _mm512_castps_si512(sum));
  return agreed(d, 16);
}

#else

bool has_avx512_bf16() { return false; }
Bits vdpbf16ps(const Bits*, const Bits*, Bits) { of_another_processor(); }

#endif

}  // namespace assay::host
