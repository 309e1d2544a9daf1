#include "model/fast/fused_simd.hpp"

#include "model/fast/floats.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "model/fast/fused_simd.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "model/fast/fused-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace assay {
namespace HWY_NAMESPACE {
namespace {

// To the nearest half, ties to even, whatever direction the thread rounds in; from 65520 on infinity.
HWY_INLINE Floats rounded_to_half(Floats value) {
#if HWY_TARGET == HWY_AVX3 || HWY_TARGET == HWY_AVX2
  const hn::Rebind<hwy::float16_t, F32> f16;
  return hn::PromoteTo(f32, hn::DemoteTo(f16, value));
#else
  float each[lanes];
  hn::StoreU(value, f32, each);
  for (float& one : each) {
    const float magnitude = std::fabs(one);
    const float quantum = std::fmax(float_of_bits(bits_of_float(magnitude) & 0x7f800000), 0x1p-14F) * 0x1p-10F;
    const float below = std::trunc(magnitude / quantum), rest = magnitude / quantum - below;
    const bool up = rest > 0.5F || (rest == 0.5F && std::fmod(below, 2.0F) != 0);
    const float nearest = (below + (up ? 1.0F : 0.0F)) * quantum;
    one = std::copysign(nearest > 65504 ? float_of_bits(0x7f800000) : nearest, one);
  }
  return hn::LoadU(f32, each);
#endif
}

// `rows` rows of A by one vector of columns of B, through all steps.
template <bool a_is_panel, bool half, int rows>
HWY_INLINE void run_steps(const FusedShape& shape, const FusedRun& run, int first_row, int column) {
  RowOfA<a_is_panel> a[rows];
  Floats acc[rows];
  Ints seen[rows], carried[rows];
  for (int r = 0; r < rows; ++r) {
    const std::int64_t at = (first_row + r) * run.a_stride;
    const int shift = a_is_panel ? column : 0;
    a[r] = {run.a + at + shift, run.a_exponents + at + 4 * shift};
    acc[r] = hn::LoadU(f32, run.acc + (first_row + r) * panel_columns + column);
    seen[r] = carried[r] = hn::Zero(i32);
  }
  const float* b = run.b + column;
  const std::uint8_t* b_exponents = run.b_exponents + 4 * column;
  const Ints offset = hn::Set(i32, shape.exponent_offset * (1 << 23));
  const Ints up = hn::BitCast(
      i32, hn::Set(u32, static_cast<std::uint32_t>(127 + shape.keep + 127) << 23));  // - e field = field of 2^(F - e)
  const Ints down = hn::Set(i32, (127 + 127) * (1 << 23));                           // - that = field of 2^(e - F)
  const Floats result_bits = hn::BitCast(f32, hn::Set(u32, shape.result_bits));
  const Floats alone_bits = hn::BitCast(f32, hn::Set(u32, shape.alone_bits));

  for (int step = 0; step < run.steps; ++step) {
    const std::int64_t first = std::int64_t{step} * shape.groups;
    Bytes largest[rows];
    for (int r = 0; r < rows; ++r) largest[r] = no_bytes();
    for (std::int64_t g = first; g < first + shape.groups; ++g) {
      const Bytes eb = bytes_at(b_exponents + g * 4 * panel_columns);
      for (int r = 0; r < rows; ++r) largest[r] = larger_difference(largest[r], a[r].exponent(g), eb);
    }

    Floats scale[rows];
    Ints sum[rows], byte[rows];
    for (int r = 0; r < rows; ++r) {
      byte[r] = largest_byte(largest[r]);
      Ints field = exponent_field(acc[r]);
      if (half) {  // zero has no exponent, a subnormal that of the least normal number
        const auto none = hn::Eq(field, hn::Zero(i32));
        field = hn::IfThenZeroElse(none, hn::Max(field, hn::Set(i32, shape.least_acc_field * (1 << 23))));
        field = hn::Max(field, hn::Set(i32, shape.floor_field * (1 << 23)));
      }
      field = hn::Max(field, hn::Add(byte[r], offset));
      seen[r] = hn::Max(seen[r], field);
      scale[r] = hn::BitCast(f32, hn::Sub(up, field));
      sum[r] = truncated(hn::Mul(acc[r], scale[r]));
    }

    const auto add_groups = [&](std::int64_t from, std::int64_t to, Ints* HWY_RESTRICT sums) HWY_ATTR {
      for (std::int64_t t = from * 4; t < to * 4; t += 4) {
        for (int i = 0; i < 4; ++i) {
          const Floats vb = hn::LoadU(f32, b + (t + i) * panel_columns);
          for (int r = 0; r < rows; ++r)
            sums[r] = hn::Add(sums[r], truncated(hn::Mul(hn::Mul(a[r].value(t + i), vb), scale[r])));
        }
      }
    };
    add_groups(first, first + shape.first_groups, sum);
    if (shape.first_groups < shape.groups) {
      Ints second[rows];
      for (int r = 0; r < rows; ++r) second[r] = hn::Zero(i32);
      add_groups(first + shape.first_groups, first + shape.groups, second);
      for (int r = 0; r < rows; ++r) {
        const Ints total = hn::Add(sum[r], second[r]);
        carried[r] = hn::Or(carried[r], hn::And(hn::Xor(sum[r], total), hn::Xor(second[r], total)));
        sum[r] = total;
      }
    }

    for (int r = 0; r < rows; ++r) {
      const Floats unit = hn::BitCast(f32, hn::Sub(down, hn::BitCast(i32, scale[r])));
      Floats cut = hn::ConvertTo(f32, sum[r]);
      // Where every product is zero; a sum of nothing is +0, as -0 + 0 is.
      const Floats alone = hn::Add(hn::And(acc[r], alone_bits), hn::Zero(f32));
      Floats result;
      if (half) {
        // What the cut to 24 bits took off must still break ties: as a one in the last bit.
        const auto lost = hn::RebindMask(f32, hn::Ne(truncated(cut), sum[r]));
        const Floats odd = hn::Or(cut, hn::BitCast(f32, hn::Set(i32, 1)));
        result = rounded_to_half(hn::Mul(hn::IfThenElse(lost, odd, cut), unit));
      } else {
        result = hn::Mul(cut, unit);
      }
      const auto empty = hn::RebindMask(f32, hn::Eq(byte[r], hn::Zero(i32)));
      acc[r] = hn::And(hn::IfThenElse(empty, alone, result), result_bits);
    }
  }

  for (int r = 0; r < rows; ++r) {
    const int at = (first_row + r) * panel_columns + column;
    // From 2^127 on an accumulator may have been, or become, infinite. A float result that is cut stops at the greatest
    // number.
    auto wrong = hn::Or(hn::Lt(carried[r], hn::Zero(i32)), hn::Gt(seen[r], hn::Set(i32, 253 * (1 << 23))));
    if (!half) wrong = hn::Or(wrong, hn::Gt(exponent_field(acc[r]), hn::Set(i32, 253 * (1 << 23))));
    hn::StoreU(acc[r], f32, run.acc + at);
    mark(wrong, run.redo + at);
  }
}

template <bool a_is_panel, bool half>
HWY_INLINE void run_tile(const FusedShape& shape, const FusedRun& run) {
  constexpr int rows = a_is_panel ? 1 : rows_at_once;
  for (int row = 0; row < (a_is_panel ? 1 : tile_rows); row += rows) {
    for (int column = 0; column < panel_columns; column += lanes)
      run_steps<a_is_panel, half, rows>(shape, run, row, column);
  }
}

// What is 2^127 or more may be an infinity or no number: sums of such are for core.
void LateSumsOf(const FusedShape& shape, const LateSums& late) {
  constexpr int elements = tile_rows * panel_columns;
  for (int at = 0; at < elements; at += lanes) {
    Floats acc = hn::LoadU(f32, late.acc + at);
    Ints seen = hn::Zero(i32);
    for (int i = 0; i < late.count; ++i) {
      const Floats sum = hn::LoadU(f32, late.sums + i * elements + at);
      seen = hn::Max(seen, hn::Max(exponent_field(acc), exponent_field(sum)));
      acc = hn::Add(hn::Add(sum, hn::Set(f32, shape.zero)), acc);
      if (shape.half_result) acc = rounded_to_half(acc);
    }
    hn::StoreU(acc, f32, late.acc + at);
    mark(hn::Gt(seen, hn::Set(i32, 253 * (1 << 23))), late.redo + at);
  }
}

void FusedRows(const FusedShape& shape, const FusedRun& run) {
  shape.half_result ? run_tile<false, true>(shape, run) : run_tile<false, false>(shape, run);
}

void FusedLanes(const FusedShape& shape, const FusedRun& run) {
  shape.half_result ? run_tile<true, true>(shape, run) : run_tile<true, false>(shape, run);
}

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace assay
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace assay {

HWY_EXPORT(FusedRows);
HWY_EXPORT(FusedLanes);
HWY_EXPORT(LateSumsOf);

void fused_rows(const FusedShape& shape, const FusedRun& run) { HWY_DYNAMIC_DISPATCH(FusedRows)(shape, run); }
void fused_lanes(const FusedShape& shape, const FusedRun& run) { HWY_DYNAMIC_DISPATCH(FusedLanes)(shape, run); }
void fused_late_sums(const FusedShape& shape, const LateSums& late) { HWY_DYNAMIC_DISPATCH(LateSumsOf)(shape, late); }

}  // namespace assay
#endif
