#include "model/fast/staged_simd.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "model/fast/staged_simd.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "model/fast/fused-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace assay {
namespace HWY_NAMESPACE {
namespace {

// The whole number below the product, or the product where it is one: -1 also where a negative one is below every
// float.
HWY_INLINE Ints floor_of_product(Floats value, Floats scale) {
#if HWY_TARGET == HWY_AVX3
  constexpr int down = _MM_FROUND_TO_NEG_INF | _MM_FROUND_NO_EXC;
  return Ints{_mm512_cvt_roundps_epi32(_mm512_mul_round_ps(value.raw, scale.raw, down), down)};
#else
  const Ints most = hn::Or(hn::BitCast(i32, value), hn::Set(i32, 0x7fffffff));  // -1 of what is negative
  return hn::Min(truncated(hn::Floor(hn::Mul(value, scale))), most);
#endif
}

// By 31 at most where the machine has no such shift of its own; more than that leaves the same.
HWY_INLINE Ints shifted_down(Ints value, Ints distance) {
#if HWY_TARGET == HWY_AVX3 || HWY_TARGET == HWY_AVX2
  return hn::Shr(value, distance);
#else
  return hn::Shr(value, hn::Min(distance, hn::Set(i32, 31)));
#endif
}

// The eight bits that a shift by 0 to 31 leaves below the point.
HWY_INLINE Ints below_point(Ints value, Ints distance) {
  const auto bits = hn::BitCast(u32, value);
#if HWY_TARGET == HWY_AVX3 || HWY_TARGET == HWY_AVX2
  const auto left = hn::Shl(bits, hn::BitCast(u32, hn::Sub(hn::Set(i32, 32), distance)));
#else  // no shift by 32
  const auto left = hn::ShiftLeft<1>(hn::Shl(bits, hn::BitCast(u32, hn::Sub(hn::Set(i32, 31), distance))));
#endif
  return hn::BitCast(i32, hn::ShiftRight<24>(left));
}

// The exponent field of a whole number from 0 on as a float, were it cut to 24 bits.
HWY_INLINE Ints field_of_leading_one(Ints value) {
#if HWY_TARGET == HWY_AVX3
  const Floats cut{_mm512_cvt_roundepi32_ps(value.raw, _MM_FROUND_TO_ZERO | _MM_FROUND_NO_EXC)};
#else  // with no second one behind the first it is not rounded up to a further one
  const Floats cut = hn::ConvertTo(f32, hn::AndNot(hn::ShiftRight<1>(value), value));
#endif
  return hn::ShiftRight<23>(hn::BitCast(i32, cut));
}

// `bits`, which are below 2^31, shifted down by as many zeros as stand before the leading one of a value from 0 on.
HWY_INLINE Ints shifted_to_leading_one(Ints bits, Ints value) {
  return shifted_down(bits, hn::Sub(hn::Set(i32, 127 + 31), field_of_leading_one(value)));
}

// What all steps of one row, or of one case in each lane, need.
struct Constants {
  Ints offset, up, down, below_bits, most_cut, lost_below;
  bool loses_acc;

  HWY_INLINE explicit Constants(const StagedShape& shape)
      : offset(hn::Set(i32, shape.exponent_offset * (1 << 23))),
        // - e field = field of 2^(F - e)
        up(hn::BitCast(i32, hn::Set(u32, static_cast<std::uint32_t>(127 + shape.keep + 127) << 23))),
        down(hn::Set(i32, (127 + 127) * (1 << 23))),  // - that = field of 2^(e - F)
        below_bits(hn::BitCast(i32, hn::Set(u32, shape.below_bits))),
        most_cut(hn::BitCast(i32, hn::Set(u32, shape.most_cut))),
        lost_below(hn::Set(i32, shape.lost_below * (1 << 23))),
        loses_acc(shape.lost_below < staged_never_lost) {}
};

//   products   s s s s s s s s . s s s s s s s s s s s s s s s s s s s s s s s s          in units of 2^(e - F)
//                       w >= e
//                         |                  2^(w - F)
//   dot        s s s s s s s s s s s s s s s s | b b b b b b b b | x x x      high and below; x cut
//   acc                   a a a a a a a a a a  | 0 0 0 0 0 0 0 0
//
// Both in one float, which rounds them once: high in its leading 24 bits and the rest behind.
HWY_INLINE Floats sum_with_acc(const Constants& c, Ints dot, Ints exponent, Floats acc, Ints& seen) {
  const Ints field = exponent_field(acc);
  const Ints window = hn::Max(exponent, field);
  seen = hn::Max(seen, window);
  const Ints distance = hn::Min(hn::ShiftRight<23>(hn::Sub(window, exponent)), hn::Set(i32, 31));
  const Ints scale = hn::Sub(c.up, window);
  Ints aligned = floor_of_product(acc, hn::BitCast(f32, scale));
  if (c.loses_acc) {  // a subnormal has the exponent of the least normal number
    const auto lost = hn::Lt(hn::Max(field, hn::Set(i32, 1 << 23)), hn::Sub(window, c.lost_below));
    aligned = hn::IfThenZeroElse(lost, aligned);
  }
  const Ints high = hn::Add(hn::Shr(dot, distance), aligned);
  // Where the leading one stands in a negative sum's magnitude if bits follow; if none do, nothing is cut.
  const Ints magnitude = hn::Xor(high, hn::BroadcastSignBit(high));
  const Ints cut = shifted_to_leading_one(c.most_cut, magnitude);
  const Ints below = hn::AndNot(cut, hn::And(below_point(dot, distance), c.below_bits));
  const Ints low = hn::Or(hn::And(hn::ShiftLeft<8>(high), hn::Set(i32, 0xff00)), below);
  const Floats leading = hn::ConvertTo(f32, hn::And(high, hn::Set(i32, ~0xff)));
  const Floats sum = hn::MulAdd(hn::ConvertTo(f32, low), hn::Set(f32, 0x1p-8F), leading);
  return hn::Mul(sum, hn::BitCast(f32, hn::Sub(c.down, scale)));
}

// `rows` rows of A by one vector of columns of B, through all steps.
template <bool a_is_panel, int sums, int rows>
HWY_INLINE void run_steps(const StagedShape& shape, const FusedRun& run, int first_row, int column) {
  const Constants c(shape);
  RowOfA<a_is_panel> a[rows];
  Floats acc[rows];
  Ints seen[rows];
  for (int r = 0; r < rows; ++r) {
    const std::int64_t at = (first_row + r) * run.a_stride;
    const int shift = a_is_panel ? column : 0;
    a[r] = {run.a + at + shift, run.a_exponents + at + 4 * shift};
    acc[r] = hn::LoadU(f32, run.acc + (first_row + r) * panel_columns + column);
    acc[r] = hn::Add(acc[r], hn::Zero(f32));  // no step leaves a -0
    seen[r] = hn::Zero(i32);
  }
  const float* b = run.b + column;
  const std::uint8_t* b_exponents = run.b_exponents + 4 * column;

  std::int64_t group = 0;
  for (int step = 0; step < run.steps; ++step) {
    Ints dot[rows], exponent[rows], own_exponent[sums][rows];
    for (int s = 0; s < sums; ++s) {
      Bytes largest[rows];
      for (int r = 0; r < rows; ++r) largest[r] = no_bytes();
      for (std::int64_t g = group + s * shape.groups; g < group + (s + 1) * shape.groups; ++g) {
        const Bytes eb = bytes_at(b_exponents + g * 4 * panel_columns);
        for (int r = 0; r < rows; ++r) largest[r] = larger_difference(largest[r], a[r].exponent(g), eb);
      }
      for (int r = 0; r < rows; ++r) {
        own_exponent[s][r] = hn::Add(largest_byte(largest[r]), c.offset);
        exponent[r] = s == 0 ? own_exponent[s][r] : hn::Max(exponent[r], own_exponent[s][r]);
      }
    }

    for (int s = 0; s < sums; ++s, group += shape.groups) {
      Floats scale[rows];
      Ints sum[rows];
      for (int r = 0; r < rows; ++r) {
        scale[r] = hn::BitCast(f32, hn::Sub(c.up, own_exponent[s][r]));
        sum[r] = hn::Zero(i32);
      }
      for (std::int64_t t = group * 4; t < (group + shape.groups) * 4; t += 4) {
        for (int i = 0; i < 4; ++i) {
          const Floats vb = hn::LoadU(f32, b + (t + i) * panel_columns);
          for (int r = 0; r < rows; ++r)
            sum[r] = hn::Add(sum[r], truncated(hn::Mul(hn::Mul(a[r].value(t + i), vb), scale[r])));
        }
      }
      for (int r = 0; r < rows; ++r) {
        if (sums > 1) sum[r] = shifted_down(sum[r], hn::ShiftRight<23>(hn::Sub(exponent[r], own_exponent[s][r])));
        dot[r] = s == 0 ? sum[r] : hn::Add(dot[r], sum[r]);
      }
    }

    for (int r = 0; r < rows; ++r) {
      const auto empty = hn::RebindMask(f32, hn::Eq(exponent[r], c.offset));
      const Floats result = sum_with_acc(c, dot[r], exponent[r], acc[r], seen[r]);
      acc[r] = hn::IfThenElse(empty, acc[r], result);
    }
  }

  for (int r = 0; r < rows; ++r) {
    const int at = (first_row + r) * panel_columns + column;
    // From 2^127 on an accumulator may have been, or become, infinite.
    const auto wrong = hn::Gt(hn::Max(seen[r], exponent_field(acc[r])), hn::Set(i32, 253 * (1 << 23)));
    hn::StoreU(acc[r], f32, run.acc + at);
    mark(wrong, run.redo + at);
  }
}

template <bool a_is_panel, int sums>
HWY_INLINE void run_tile(const StagedShape& shape, const FusedRun& run) {
  constexpr int rows = a_is_panel ? 1 : rows_at_once;
  for (int row = 0; row < (a_is_panel ? 1 : tile_rows); row += rows) {
    for (int column = 0; column < panel_columns; column += lanes)
      run_steps<a_is_panel, sums, rows>(shape, run, row, column);
  }
}

void StagedRows(const StagedShape& shape, const FusedRun& run) {
  shape.sums == 1 ? run_tile<false, 1>(shape, run) : run_tile<false, 2>(shape, run);
}

void StagedLanes(const StagedShape& shape, const FusedRun& run) {
  shape.sums == 1 ? run_tile<true, 1>(shape, run) : run_tile<true, 2>(shape, run);
}

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace assay
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace assay {

HWY_EXPORT(StagedRows);
HWY_EXPORT(StagedLanes);

void staged_rows(const StagedShape& shape, const FusedRun& run) { HWY_DYNAMIC_DISPATCH(StagedRows)(shape, run); }
void staged_lanes(const StagedShape& shape, const FusedRun& run) { HWY_DYNAMIC_DISPATCH(StagedLanes)(shape, run); }

}  // namespace assay
#endif
