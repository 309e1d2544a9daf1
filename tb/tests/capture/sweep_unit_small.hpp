// Stands for a unit that `assay export --to c --name unit` wrote: a sum of small integers, of a sparse A where SPARSE
// is defined.
#pragma once

#include <cstdint>

namespace unit {

struct places_t {};

#ifdef SPARSE
inline std::uint32_t dot(const std::uint8_t a[32], const std::uint8_t b[32], std::uint32_t c,
                         const std::uint8_t operand_mask[32], places_t* /*places*/) {
#else
inline std::uint32_t dot(const std::uint8_t a[16], const std::uint8_t b[16], std::uint32_t c, places_t* /*places*/) {
#endif
  std::uint32_t sum = c;
#ifdef SPARSE
  for (int i = 0; i < 32; ++i) sum += operand_mask[i] != 0 ? std::uint32_t{a[i]} * b[i] : 0u;
#else
  for (int i = 0; i < 16; ++i) sum += std::uint32_t{a[i]} * b[i];
#endif
  return sum;
}

}  // namespace unit
