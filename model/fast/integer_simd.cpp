#include "model/fast/integer_simd.hpp"

#include "model/fast/tile.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "model/fast/integer_simd.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace assay {
namespace HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

using U32 = hn::CappedTag<std::uint32_t, panel_columns>;  // what wraps, wraps as in two's complement
using I32 = hn::Rebind<std::int32_t, U32>;
using Ints = hn::Vec<U32>;

constexpr U32 u32;
constexpr I32 i32;
constexpr int lanes = static_cast<int>(hn::MaxLanes(u32));

HWY_INLINE Ints load(const std::int32_t* from) { return hn::BitCast(u32, hn::LoadU(i32, from)); }

// x + y, stopped at the ends. Where it has neither's sign it went beyond; which end, x's sign says.
HWY_INLINE Ints stopped(Ints x, Ints y) {
  const Ints sum = hn::Add(x, y);
  const auto beyond = hn::And(hn::Xor(x, sum), hn::Xor(y, sum));
  const Ints end = hn::Xor(hn::BitCast(u32, hn::ShiftRight<31>(hn::BitCast(i32, x))), hn::Set(u32, 0x7fffffff));
  return hn::BitCast(u32,
                     hn::IfNegativeThenElse(hn::BitCast(i32, beyond), hn::BitCast(i32, end), hn::BitCast(i32, sum)));
}

template <bool a_is_panel, bool stops>
HWY_INLINE void run_tile(const IntegerRun& run) {
  constexpr int rows = a_is_panel ? 1 : tile_rows;
  const std::int64_t step = stops ? run.step : run.terms;
  for (int column = 0; column < panel_columns; column += lanes) {
    Ints acc[rows];
    for (int r = 0; r < rows; ++r) acc[r] = load(run.acc + r * panel_columns + column);
    for (std::int64_t first = 0; first < run.terms; first += step) {
      Ints sum[rows];
      for (int r = 0; r < rows; ++r) sum[r] = stops ? hn::Zero(u32) : acc[r];
      for (std::int64_t t = first; t < first + step; ++t) {
        const Ints b = load(run.b + t * panel_columns + column);
        for (int r = 0; r < rows; ++r) {
          const Ints a = a_is_panel ? load(run.a + t * panel_columns + column)
                                    : hn::BitCast(u32, hn::Set(i32, run.a[r * run.a_stride + t]));
          sum[r] = hn::Add(sum[r], hn::Mul(a, b));
        }
      }
      for (int r = 0; r < rows; ++r) acc[r] = stops ? stopped(acc[r], sum[r]) : sum[r];
    }
    for (int r = 0; r < rows; ++r) hn::StoreU(hn::BitCast(i32, acc[r]), i32, run.acc + r * panel_columns + column);
  }
}

template <bool a_is_panel>
HWY_INLINE void run_either(const IntegerRun& run) {
  if (run.step == 0) return run_tile<a_is_panel, false>(run);
  run_tile<a_is_panel, true>(run);
}

void IntegerRows(const IntegerRun& run) { run_either<false>(run); }
void IntegerLanes(const IntegerRun& run) { run_either<true>(run); }

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace assay
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace assay {

HWY_EXPORT(IntegerRows);
HWY_EXPORT(IntegerLanes);

void integer_rows(const IntegerRun& run) { HWY_DYNAMIC_DISPATCH(IntegerRows)(run); }
void integer_lanes(const IntegerRun& run) { HWY_DYNAMIC_DISPATCH(IntegerLanes)(run); }

}  // namespace assay
#endif
