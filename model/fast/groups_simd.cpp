#include "model/fast/groups_simd.hpp"

#include "model/fast/tile.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "model/fast/groups_simd.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace assay {
namespace HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

using F32 = hn::CappedTag<float, panel_columns>;
using I32 = hn::Rebind<std::int32_t, F32>;
using U32 = hn::Rebind<std::uint32_t, F32>;
using F64 = hn::CappedTag<double, panel_columns>;  // so many of them as a vector holds: half as many, mostly
using I64 = hn::Rebind<std::int64_t, F64>;
using Floats = hn::Vec<F32>;
using Ints = hn::Vec<I32>;
using Words = hn::Vec<U32>;
using Doubles = hn::Vec<F64>;

constexpr F32 f32;
constexpr I32 i32;
constexpr U32 u32;
constexpr F64 f64;
constexpr I64 i64;
constexpr int lanes = static_cast<int>(hn::MaxLanes(f32));
constexpr int double_lanes = static_cast<int>(hn::MaxLanes(f64));
constexpr int halves = lanes / double_lanes;

// Half `h` of a vector of 32-bit lanes, and two halves as one.
#if HWY_TARGET == HWY_SCALAR
template <int h, class V>
HWY_INLINE V half(V v) {
  return v;
}
template <class V>
HWY_INLINE V whole(const V* of) {
  return of[0];
}
#else
template <int h, class V>
HWY_INLINE auto half(V v) {
  const hn::Half<hn::DFromV<V>> d;
  if constexpr (h == 0) {
    return hn::LowerHalf(d, v);
  } else {
    return hn::UpperHalf(d, v);
  }
}
template <class V>
HWY_INLINE auto whole(const V* of) {
  return hn::Combine(hn::Twice<hn::DFromV<V>>(), of[1], of[0]);
}
#endif

// One double a lane. Its constructor is written out, since what g++ makes by itself is not compiled for this
// instruction set, and NEON's vectors have one of their own.
struct Wide {
  HWY_INLINE Wide() {}  // NOLINT(modernize-use-equals-default)

  Doubles of[halves];
};

template <class Each>
HWY_INLINE Wide each_half(const Each& each) {
  Wide w;
  w.of[0] = each(std::integral_constant<int, 0>{});
  if constexpr (halves == 2) w.of[1] = each(std::integral_constant<int, 1>{});
  return w;
}

template <class V>
HWY_INLINE Wide doubles_of(V v) {
  return each_half([&](auto h) HWY_ATTR { return hn::PromoteTo(f64, half<h.value>(v)); });
}

HWY_INLINE Wide power_of_two(Ints exponent) {
  const Ints field = hn::Add(exponent, hn::Set(i32, 1023));
  return each_half(
      [&](auto h) HWY_ATTR { return hn::BitCast(f64, hn::ShiftLeft<52>(hn::PromoteTo(i64, half<h.value>(field)))); });
}

// In whichever direction the thread rounds.
HWY_INLINE Floats rounded_to_float(const Wide& w) {
  const hn::Rebind<float, F64> few;
  hn::Vec<hn::Rebind<float, F64>> floats[halves];
  for (int h = 0; h < halves; ++h) floats[h] = hn::DemoteTo(few, w.of[h]);
  return whole(floats);
}

// | a1 | a0 | x | b1 | b0 |  =  a1 x b1 + a0 x b0
HWY_INLINE Ints pair_products(Ints a, Ints b) {
#if HWY_TARGET == HWY_AVX3
  return Ints{_mm512_madd_epi16(a.raw, b.raw)};
#elif HWY_TARGET == HWY_AVX2
  return Ints{_mm256_madd_epi16(a.raw, b.raw)};
#else
  const auto low = [](Ints x) HWY_ATTR { return hn::ShiftRight<16>(hn::ShiftLeft<16>(x)); };
  return hn::Add(hn::Mul(hn::ShiftRight<16>(a), hn::ShiftRight<16>(b)), hn::Mul(low(a), low(b)));
#endif
}

HWY_INLINE Ints exponent_field(Floats value) {
  return hn::ShiftRight<23>(hn::And(hn::BitCast(i32, value), hn::Set(i32, 0x7f800000)));
}

// Zero has none, a subnormal that of the least normal number.
HWY_INLINE Ints exponent_of(Floats value, Ints field) {
  const Ints exponent = hn::Sub(hn::Max(field, hn::Set(i32, 1)), hn::Set(i32, 127));
  const auto zero = hn::RebindMask(i32, hn::Eq(value, hn::Zero(f32)));
  return hn::IfThenElse(zero, hn::Set(i32, groups_no_exponent), exponent);
}

// One line of A for all columns, or a line in each lane.
template <bool a_is_panel>
struct LineOfA {
  GroupsLines lines;

  HWY_INLINE Ints pair(std::int64_t at) const { return ints(lines.pairs, at); }
  HWY_INLINE Ints exponent(std::int64_t group) const { return ints(lines.exponents, group); }
  HWY_INLINE Words word(std::int64_t at) const {
    return a_is_panel ? hn::LoadU(u32, lines.words + at * panel_columns) : hn::Set(u32, lines.words[at]);
  }
  HWY_INLINE Doubles scale(std::int64_t group, int h) const {
    return a_is_panel ? hn::LoadU(f64, lines.scales + group * panel_columns + h * double_lanes)
                      : hn::Set(f64, lines.scales[group]);
  }

 private:
  static HWY_INLINE Ints ints(const std::int32_t* from, std::int64_t at) {
    return a_is_panel ? hn::LoadU(i32, from + at * panel_columns) : hn::Set(i32, from[at]);
  }
};

GroupsLines moved(const GroupsShape& shape, GroupsLines lines, std::int64_t groups, int columns) {
  lines.pairs += groups * shape.pairs + columns;
  lines.words += groups * shape.words + columns;
  lines.scales += groups + columns;
  lines.exponents += groups + columns;
  return lines;
}

// `rows` rows of A by one vector of columns of B, through all steps.
template <bool a_is_panel, int rows>
HWY_INLINE void run_steps(const GroupsShape& shape, const GroupsRun& run, int first_row, int column) {
  LineOfA<a_is_panel> a[rows];
  Floats acc[rows];
  Ints seen[rows];
  for (int r = 0; r < rows; ++r) {
    a[r].lines = moved(shape, run.a, (run.first_row + first_row + r) * run.a_groups, a_is_panel ? column : 0);
    acc[r] = hn::LoadU(f32, run.acc + (first_row + r) * panel_columns + column);
    seen[r] = hn::Zero(i32);
  }
  const GroupsLines b = moved(shape, run.b, 0, column);
  const Ints none = hn::Set(i32, groups_no_exponent);

  for (int step = 0; step < run.steps; ++step) {
    const std::int64_t first = std::int64_t{step} * shape.groups;
    Ints window[rows];
    for (int r = 0; r < rows; ++r) {
      const Ints field = exponent_field(acc[r]);
      seen[r] = hn::Max(seen[r], field);
      window[r] = hn::Max(exponent_of(acc[r], field), hn::Set(i32, shape.floor));
    }
    for (std::int64_t g = first; g < first + shape.groups; ++g) {
      const Ints exponent = hn::Add(hn::LoadU(i32, b.exponents + g * panel_columns), hn::Set(i32, shape.exponent));
      Words products[rows];
      for (int r = 0; r < rows; ++r) products[r] = hn::Zero(u32);
      for (std::int64_t w = g * shape.words; w < (g + 1) * shape.words; ++w) {
        const Words word = hn::LoadU(u32, b.words + w * panel_columns);
        for (int r = 0; r < rows; ++r) products[r] = hn::Or(products[r], hn::And(a[r].word(w), word));
      }
      for (int r = 0; r < rows; ++r) {
        const auto zero = hn::Eq(hn::BitCast(i32, products[r]), hn::Zero(i32));
        window[r] = hn::Max(window[r], hn::IfThenElse(zero, none, hn::Add(a[r].exponent(g), exponent)));
      }
    }

    Wide up[rows], sum[rows];
    for (int r = 0; r < rows; ++r) {
      up[r] = power_of_two(hn::Sub(hn::Set(i32, shape.keep), window[r]));
      const Wide own = doubles_of(acc[r]);
      for (int h = 0; h < halves; ++h) sum[r].of[h] = hn::Trunc(hn::Mul(own.of[h], up[r].of[h]));
    }
    for (std::int64_t g = first; g < first + shape.groups; ++g) {
      Ints exact[rows];
      for (int r = 0; r < rows; ++r) exact[r] = hn::Zero(i32);
      for (std::int64_t p = g * shape.pairs; p < (g + 1) * shape.pairs; ++p) {
        const Ints pair = hn::LoadU(i32, b.pairs + p * panel_columns);
        for (int r = 0; r < rows; ++r) exact[r] = hn::Add(exact[r], pair_products(a[r].pair(p), pair));
      }
      for (int r = 0; r < rows; ++r) {
        const Wide group = doubles_of(exact[r]);
        for (int h = 0; h < halves; ++h) {
          const Doubles scale_b = hn::LoadU(f64, b.scales + g * panel_columns + h * double_lanes);
          const Doubles scale = hn::Mul(hn::Mul(a[r].scale(g, h), scale_b), up[r].of[h]);
          sum[r].of[h] = hn::Add(sum[r].of[h], hn::Trunc(hn::Mul(group.of[h], scale)));
        }
      }
    }

    for (int r = 0; r < rows; ++r) {
      const Wide down = power_of_two(hn::Sub(window[r], hn::Set(i32, shape.keep)));
      // -0 + 0 is +0
      for (int h = 0; h < halves; ++h) sum[r].of[h] = hn::Mul(hn::Add(sum[r].of[h], hn::Zero(f64)), down.of[h]);
      acc[r] = rounded_to_float(sum[r]);
    }
  }

  for (int r = 0; r < rows; ++r) {
    const int at = (first_row + r) * panel_columns + column;
    const auto wrong = hn::Gt(hn::Max(seen[r], exponent_field(acc[r])), hn::Set(i32, 253));
    hn::StoreU(acc[r], f32, run.acc + at);
    hn::StoreU(hn::BitCast(u32, hn::VecFromMask(i32, wrong)), u32, run.redo + at);
  }
}

template <bool a_is_panel>
HWY_INLINE void run_tile(const GroupsShape& shape, const GroupsRun& run) {
  constexpr int rows = a_is_panel ? 1 : lanes >= 16 ? tile_rows : 2;  // as many as the registers hold
  for (int row = 0; row < (a_is_panel ? 1 : tile_rows); row += rows) {
    for (int column = 0; column < panel_columns; column += lanes) run_steps<a_is_panel, rows>(shape, run, row, column);
  }
}

void GroupsRows(const GroupsShape& shape, const GroupsRun& run) { run_tile<false>(shape, run); }
void GroupsLanes(const GroupsShape& shape, const GroupsRun& run) { run_tile<true>(shape, run); }

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace assay
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace assay {

HWY_EXPORT(GroupsRows);
HWY_EXPORT(GroupsLanes);

void groups_rows(const GroupsShape& shape, const GroupsRun& run) { HWY_DYNAMIC_DISPATCH(GroupsRows)(shape, run); }
void groups_lanes(const GroupsShape& shape, const GroupsRun& run) { HWY_DYNAMIC_DISPATCH(GroupsLanes)(shape, run); }

}  // namespace assay
#endif
