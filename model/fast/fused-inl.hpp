// Vectors of 32-bit lanes, and operands of products as floats with exponents as bytes: what the loops of fused steps
// and of staged ones share. Included once for each instruction set.
#if defined(ASSAY_FAST_FUSED_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef ASSAY_FAST_FUSED_INL
#undef ASSAY_FAST_FUSED_INL
#else
#define ASSAY_FAST_FUSED_INL
#endif

#include <hwy/highway.h>

#include <cstdint>
#include <cstring>

#include "model/fast/tile.hpp"

HWY_BEFORE_NAMESPACE();
namespace assay {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

using F32 = hn::CappedTag<float, panel_columns>;
using I32 = hn::Rebind<std::int32_t, F32>;
using U32 = hn::Rebind<std::uint32_t, F32>;
using Floats = hn::Vec<F32>;
using Ints = hn::Vec<I32>;

constexpr F32 f32;
constexpr I32 i32;
constexpr U32 u32;
constexpr int lanes = static_cast<int>(hn::MaxLanes(f32));
constexpr int rows_at_once = lanes >= 16 ? tile_rows : 2;  // as many as the registers hold

// Toward zero. What does not fit an int32 gives anything: the step that has it is redone. Highway's own conversion
// makes the nearest int32 of it, which takes three more instructions.
HWY_INLINE Ints truncated(Floats value) {
#if HWY_TARGET == HWY_AVX3
  return Ints{_mm512_cvttps_epi32(value.raw)};
#elif HWY_TARGET == HWY_AVX2
  return Ints{_mm256_cvttps_epi32(value.raw)};
#else
  return hn::ConvertTo(i32, value);
#endif
}

HWY_INLINE Ints exponent_field(Floats value) { return hn::And(hn::BitCast(i32, value), hn::Set(i32, 0x7f800000)); }

// Four bytes for each lane.
//
//   lane   | e3 | e2 | e1 | e0 |   ->   | 0 eeeeeeee 000.. |     the largest, moved to where a float has its exponent
#if HWY_TARGET == HWY_SCALAR
struct Bytes {
  std::uint8_t byte[4];
};
HWY_INLINE Bytes no_bytes() { return {}; }
HWY_INLINE Bytes bytes_at(const std::uint8_t* from) { return {{from[0], from[1], from[2], from[3]}}; }
HWY_INLINE Bytes same_bytes(const std::uint8_t* from) { return bytes_at(from); }
HWY_INLINE Bytes larger_difference(Bytes so_far, Bytes a, Bytes b) {
  for (int i = 0; i < 4; ++i) {
    const int difference = a.byte[i] - b.byte[i];
    so_far.byte[i] = static_cast<std::uint8_t>(difference > so_far.byte[i] ? difference : so_far.byte[i]);
  }
  return so_far;
}
HWY_INLINE Ints largest_byte(Bytes bytes) {
  int largest = 0;
  for (const std::uint8_t byte : bytes.byte) largest = byte > largest ? byte : largest;
  return hn::Set(i32, largest * (1 << 23));
}
#else
using U8 = hn::Repartition<std::uint8_t, F32>;
using Bytes = hn::Vec<U8>;
constexpr U8 u8;

HWY_INLINE Bytes no_bytes() { return hn::Zero(u8); }
HWY_INLINE Bytes bytes_at(const std::uint8_t* from) { return hn::LoadU(u8, from); }
HWY_INLINE Bytes same_bytes(const std::uint8_t* from) {
  std::uint32_t four;
  std::memcpy(&four, from, sizeof four);
  return hn::BitCast(u8, hn::Set(u32, four));
}
HWY_INLINE Bytes larger_difference(Bytes so_far, Bytes a, Bytes b) { return hn::Max(so_far, hn::SaturatedSub(a, b)); }
HWY_INLINE Ints largest_byte(Bytes bytes) {
  const auto lane = hn::BitCast(u32, bytes);
  const auto two = hn::BitCast(u32, hn::Max(bytes, hn::BitCast(u8, hn::ShiftRight<16>(lane))));
  const auto one = hn::Max(hn::BitCast(u8, two), hn::BitCast(u8, hn::ShiftRight<8>(two)));
  return hn::BitCast(i32, hn::ShiftRight<1>(hn::ShiftLeft<24>(hn::BitCast(u32, one))));
}
#endif

// One row or, in lanes, one case each.
template <bool a_is_panel>
struct RowOfA {
  const float* values;
  const std::uint8_t* exponents;

  HWY_INLINE Floats value(std::int64_t term) const {
    return a_is_panel ? hn::LoadU(f32, values + term * panel_columns) : hn::Set(f32, values[term]);
  }
  HWY_INLINE Bytes exponent(std::int64_t group) const {
    return a_is_panel ? bytes_at(exponents + group * 4 * panel_columns) : same_bytes(exponents + group * 4);
  }
};

template <class Mask>
HWY_INLINE void mark(Mask wrong, std::uint32_t* redo) {
  hn::StoreU(hn::Or(hn::LoadU(u32, redo), hn::BitCast(u32, hn::VecFromMask(i32, wrong))), u32, redo);
}

}  // namespace HWY_NAMESPACE
}  // namespace assay
HWY_AFTER_NAMESPACE();

#endif
