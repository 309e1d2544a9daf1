// Vector dot products of AVX-512, which GCC knows from 10 on.
#include "tb/devices/host/kernels.hpp"

#if defined(__x86_64__) && __has_include(<avx512bf16intrin.h>)
#include <immintrin.h>

#include "tb/devices/host/leaf7.hpp"
#endif

namespace assay::host {

#if defined(__x86_64__) && __has_include(<avx512bf16intrin.h>)

namespace {

// Which registers the operating system keeps for a process: bits 1, 2 are those of SSE and AVX, 5 to 7 those of
// AVX-512.
bool keeps_vectors_of_512() {
  constexpr unsigned os_says_so = 27;  // OSXSAVE, in ECX of leaf 1: without it the next instruction is none
  constexpr unsigned wanted = 0xe6;
  unsigned eax = 0, ebx = 0, ecx = 0, edx = 0;
  if (__get_cpuid(1, &eax, &ebx, &ecx, &edx) == 0 || !is_set(ecx, os_says_so)) return false;
  asm("xgetbv" : "=a"(eax), "=d"(edx) : "c"(0));
  return (eax & wanted) == wanted;
}

}  // namespace

// By CPUID itself: a compiler's own library may be without what __builtin_cpu_supports asks for.
bool has_avx512_bf16() {
  constexpr unsigned bf16_bit = 5;  // in EAX of leaf 7, subleaf 1
  return is_set(leaf7(1).eax, bf16_bit) && keeps_vectors_of_512();
}

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
