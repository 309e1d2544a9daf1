// What the vector unit of x86 remembers of every operation since it was told to forget, but for those that are told not
// to say so. Emulators do not set all of it (QEMU 7.2 says nothing of tiny operands), so who asks first tries whether
// it is set.
#pragma once

#if defined(__x86_64__)
#include <xmmintrin.h>

namespace assay {

// The compiler does not know that arithmetic sets flags: what begins and ends in memory stays between the two.
inline void forget_flags(unsigned flags) {
  _mm_setcsr(_mm_getcsr() & ~flags);
  asm volatile("" ::: "memory");
}

// Whether any of them is set.
inline bool has_flags(unsigned flags) {
  asm volatile("" ::: "memory");
  return (_mm_getcsr() & flags) != 0;
}

}  // namespace assay
#endif
