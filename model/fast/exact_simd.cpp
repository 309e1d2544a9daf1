#include "model/fast/exact_simd.hpp"

#include <algorithm>

#include "model/fast/tile.hpp"
#include "model/fast/vector_flags.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "model/fast/exact_simd.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace assay {
namespace HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

using F64 = hn::CappedTag<double, panel_columns>;
using I64 = hn::Rebind<std::int64_t, F64>;
using U64 = hn::Rebind<std::uint64_t, F64>;
using F32 = hn::Rebind<float, F64>;
using Doubles = hn::Vec<F64>;
using Mask = hn::Mask<F64>;

constexpr F64 f64;
constexpr I64 i64;
constexpr U64 u64;
constexpr F32 f32;
constexpr int lanes = static_cast<int>(hn::MaxLanes(f64));

// An unrounded sum: the nearest double and what that leaves, which is a double too.
struct Sum {
  Doubles value, rest;
};

HWY_INLINE Sum exact_sum(Doubles x, Doubles y) {
  const Doubles value = hn::Add(x, y), of_y = hn::Sub(value, x), of_x = hn::Sub(value, of_y);
  return {value, hn::Add(hn::Sub(x, of_x), hn::Sub(y, of_y))};
}

// The sum, or where it is no double: the one of its two neighbours whose significand is odd.
HWY_INLINE Doubles sum_to_odd(Doubles x, Doubles y) {
#if HWY_TARGET == HWY_AVX3
  const __m512d below = _mm512_add_round_pd(x.raw, y.raw, _MM_FROUND_TO_NEG_INF | _MM_FROUND_NO_EXC);
  const __m512d above = _mm512_add_round_pd(x.raw, y.raw, _MM_FROUND_TO_POS_INF | _MM_FROUND_NO_EXC);
  const __mmask8 odd = _mm512_test_epi64_mask(_mm512_castpd_si512(below), _mm512_set1_epi64(1));
  return Doubles{_mm512_mask_blend_pd(odd, above, below)};
#else
  const Sum sum = exact_sum(x, y);
  const auto bits = hn::BitCast(i64, sum.value), one = hn::Set(i64, 1);
  const auto even = hn::Eq(hn::And(bits, one), hn::Zero(i64));
  const auto inexact = hn::RebindMask(i64, hn::Ne(sum.rest, hn::Zero(f64)));
  // Away from zero where the rest has the sum's sign, else toward it.
  const auto step = hn::Or(hn::BroadcastSignBit(hn::Xor(bits, hn::BitCast(i64, sum.rest))), one);
  return hn::BitCast(f64, hn::Add(bits, hn::IfThenElseZero(hn::And(even, inexact), step)));
#endif
}

// x + a x b. The product is a double too, but multiplying while adding spares the adders.
HWY_INLINE Sum exact_sum(Doubles x, Doubles a, Doubles b) {
  const Doubles value = hn::MulAdd(a, b, x), of_product = hn::Sub(value, x), of_x = hn::Sub(value, of_product);
  return {value, hn::Add(hn::Sub(x, of_x), hn::MulSub(a, b, of_product))};
}

// Where x is a multiple of the last bit of y.
HWY_INLINE Sum exact_sum_with_finer(Doubles x, Doubles y) {
  const Doubles value = hn::Add(x, y);
  return {value, hn::Sub(y, hn::Sub(value, x))};
}

template <bool a_is_panel>
HWY_INLINE Doubles a_at(const double* a, std::int64_t term) {
  return a_is_panel ? hn::LoadU(f64, a + term * panel_columns) : hn::Set(f64, a[term]);
}
HWY_INLINE Doubles b_at(const double* b, std::int64_t term) { return hn::LoadU(f64, b + term * panel_columns); }

template <bool a_is_panel>
HWY_INLINE Sum sum_of_products(const double* a, const double* b, std::int64_t first, const ExactRun& run) {
  const int terms = run.terms;
  Sum sum{hn::MulAdd(a_at<a_is_panel>(a, first), b_at(b, first), hn::Set(f64, run.no_sum)), hn::Zero(f64)};
  for (std::int64_t t = first + 1; t < first + terms; ++t) {
    const Sum next = exact_sum(sum.value, a_at<a_is_panel>(a, t), b_at(b, t));
    sum = {next.value, hn::Add(sum.rest, next.rest)};
  }
  if (terms <= 2) return sum;
  const Sum finer = exact_sum_with_finer(sum.value, sum.rest);
  return {hn::IfThenElse(hn::Eq(sum.rest, hn::Zero(f64)), sum.value, finer.value), finer.rest};  // -0 + 0 is +0
}

// A zero has the sign that the sum of both has to the nearest: +0, where the sum of products began with +0.
HWY_INLINE Doubles sum_with_acc(Doubles acc, const Sum& products) {
  const Sum both = exact_sum(acc, products.value);
  const Doubles rest = sum_to_odd(both.rest, products.rest);
  return hn::IfThenElse(hn::Eq(rest, hn::Zero(f64)), both.value, sum_to_odd(both.value, rest));
}

// Of the rows of a tile, in one vector of its columns.
template <bool a_is_panel>
struct Rows {
  static constexpr int count = a_is_panel ? 1 : tile_rows;
  HWY_INLINE Rows() {}  // NOLINT(modernize-use-equals-default)

  Doubles acc[count];
  Mask wrong[count];
};

// Where the run stands: its first column, and some of its steps.
struct Part {
  int column = 0, first_step = 0, steps = 0;
};

template <bool a_is_panel>
HWY_INLINE const double* a_of(const ExactRun& run, const Part& part, int row) {
  return run.a + (a_is_panel ? part.column : 0) + row * run.a_stride;
}

template <bool a_is_panel>
HWY_INLINE void add_steps(const ExactRun& run, const Part& part, Rows<a_is_panel>& rows) {
  const double* b = run.b + part.column;
  for (int step = part.first_step; step < part.first_step + part.steps; ++step) {
    for (int r = 0; r < rows.count; ++r) {
      const Sum products =
          sum_of_products<a_is_panel>(a_of<a_is_panel>(run, part, r), b, std::int64_t{step} * run.terms, run);
      const Doubles sum = sum_with_acc(rows.acc[r], products);
      rows.wrong[r] = hn::Or(rows.wrong[r], hn::Not(hn::Lt(hn::Abs(sum), hn::Set(f64, 0x1p127))));
      rows.acc[r] = hn::PromoteTo(f64, hn::DemoteTo(f32, sum));
    }
  }
}

#if HWY_TARGET == HWY_AVX3
HWY_INLINE bool tells_of_inexact() {
  volatile double one = 1, little = 0x1p-60, sum = 0;
  forget_flags(_MM_EXCEPT_INEXACT);
  sum = one + little;
  return has_flags(_MM_EXCEPT_INEXACT);
}

// What is computed of x stays behind what comes before, and what makes it before what comes behind.
HWY_INLINE void stay_here(Doubles& x) { asm volatile("" : "+v"(x.raw)); }

HWY_INLINE Doubles rounded_silently(Doubles x) {
  return Doubles{_mm512_cvtps_pd(_mm512_cvt_roundpd_ps(x.raw, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC))};
}

// The same where every sum on the way is a double, as those of operands of like size are: then nothing has to be kept
// beside it. False where one was not: the rows are as they were.
template <bool a_is_panel>
HWY_INLINE bool add_plainly(const ExactRun& run, const Part& part, Rows<a_is_panel>& rows) {
  const double* b = run.b + part.column;
  Rows<a_is_panel> added = rows;
  forget_flags(_MM_EXCEPT_INEXACT);
  for (int r = 0; r < rows.count; ++r) stay_here(added.acc[r]);
  for (int step = part.first_step; step < part.first_step + part.steps; ++step) {
    Doubles sum[rows.count];
    for (int r = 0; r < rows.count; ++r) sum[r] = hn::Set(f64, run.no_sum);
    for (int t = step * run.terms; t < (step + 1) * run.terms; ++t) {
      const Doubles of_b = b_at(b, t);
      for (int r = 0; r < rows.count; ++r)
        sum[r] = hn::MulAdd(a_at<a_is_panel>(a_of<a_is_panel>(run, part, r), t), of_b, sum[r]);
    }
    for (int r = 0; r < rows.count; ++r) added.acc[r] = rounded_silently(hn::Add(added.acc[r], sum[r]));
  }
  for (int r = 0; r < rows.count; ++r) stay_here(added.acc[r]);
  if (has_flags(_MM_EXCEPT_INEXACT)) return false;
  rows = added;
  return true;
}
#else
HWY_INLINE bool tells_of_inexact() { return false; }

template <bool a_is_panel>
HWY_INLINE bool add_plainly(const ExactRun&, const Part&, Rows<a_is_panel>&) {
  return false;
}
#endif

template <bool a_is_panel>
HWY_INLINE void run_tile(const ExactRun& run) {
  constexpr int steps_at_a_time = 32;
  const bool tells = tells_of_inexact();
  for (int column = 0; column < panel_columns; column += lanes) {
    Rows<a_is_panel> rows;
    for (int r = 0; r < rows.count; ++r) {
      rows.acc[r] = hn::LoadU(f64, run.acc + r * panel_columns + column);
      rows.wrong[r] = hn::Lt(hn::Zero(f64), hn::Zero(f64));
    }
    bool plain = tells;  // until it is not: the rest is like that, most times
    for (int step = 0; step < run.steps; step += steps_at_a_time) {
      const Part part{column, step, std::min(steps_at_a_time, run.steps - step)};
      plain = plain && add_plainly<a_is_panel>(run, part, rows);
      if (!plain) add_steps<a_is_panel>(run, part, rows);
    }
    for (int r = 0; r < rows.count; ++r) {
      const int at = r * panel_columns + column;
      const Mask wrong = hn::Or(rows.wrong[r], hn::Not(hn::Lt(hn::Abs(rows.acc[r]), hn::Set(f64, 0x1p127))));
      hn::StoreU(rows.acc[r], f64, run.acc + at);
      hn::StoreU(hn::BitCast(u64, hn::VecFromMask(f64, wrong)), u64, run.redo + at);
    }
  }
}

void ExactRows(const ExactRun& run) { run_tile<false>(run); }
void ExactLanes(const ExactRun& run) { run_tile<true>(run); }

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace assay
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace assay {

HWY_EXPORT(ExactRows);
HWY_EXPORT(ExactLanes);

void exact_rows(const ExactRun& run) { HWY_DYNAMIC_DISPATCH(ExactRows)(run); }
void exact_lanes(const ExactRun& run) { HWY_DYNAMIC_DISPATCH(ExactLanes)(run); }

}  // namespace assay
#endif
