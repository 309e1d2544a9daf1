#include "model/fast/ieee_simd.hpp"

#include <cmath>
#include <cstring>
#include <limits>

#include "model/fast/tile.hpp"
#include "model/fast/vector_flags.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "model/fast/ieee_simd.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace assay {
namespace HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

template <class T>
using Tag = hn::CappedTag<T, panel_columns>;
template <class T>
using Vec = hn::Vec<Tag<T>>;
template <class T>
constexpr int lanes_of = static_cast<int>(hn::MaxLanes(Tag<T>()));

// Rounded once, which Highway's MulAdd is only where the machine has such an operation.
template <class T>
HWY_INLINE Vec<T> fused(Vec<T> a, Vec<T> b, Vec<T> c) {
#if HWY_NATIVE_FMA
  return hn::MulAdd(a, b, c);
#else
  constexpr Tag<T> tag;
  T x[lanes_of<T>], y[lanes_of<T>], sum[lanes_of<T>];
  hn::StoreU(a, tag, x);
  hn::StoreU(b, tag, y);
  hn::StoreU(c, tag, sum);
  for (int i = 0; i < lanes_of<T>; ++i) sum[i] = std::fma(x[i], y[i], sum[i]);
  return hn::LoadU(tag, sum);
#endif
}

// What the datapath makes of a rounded result, and a NaN in `doubt` where that takes more than the result.
template <class T, Flush flush>
HWY_INLINE Vec<T> flushed(Vec<T> x, Vec<T>& doubt) {
  if constexpr (flush == Flush::never) return x;
  constexpr Tag<T> tag;
  const Vec<T> least = hn::Set(tag, std::numeric_limits<T>::min()), size = hn::Abs(x);
  if constexpr (flush == Flush::tiny_unbounded) doubt = hn::IfThenElse(hn::Eq(size, least), hn::NaN(tag), doubt);
  return hn::IfThenElse(hn::Lt(size, least), hn::And(x, hn::SignBit(tag)), x);
}

// x + y as a float, whose last bit is odd where anything was lost: cut toward zero, and that bit set. NaN where the sum
// leaves the floats.
HWY_INLINE Vec<float> sum_to_odd(Vec<float> x, Vec<float> y) {
  constexpr Tag<float> tag;
  constexpr hn::RebindToSigned<Tag<float>> bits;
  const Vec<float> sum = hn::Add(x, y), of_y = hn::Sub(sum, x);
  const Vec<float> lost = hn::Add(hn::Sub(x, hn::Sub(sum, of_y)), hn::Sub(y, of_y));
  const auto is_lost = hn::VecFromMask(bits, hn::RebindMask(bits, hn::Ne(lost, hn::Zero(tag))));
  const auto goes_beyond = hn::ShiftRight<31>(hn::BitCast(bits, hn::Xor(sum, lost)));  // -1 where it does
  const auto cut = hn::Add(hn::BitCast(bits, sum), hn::And(goes_beyond, is_lost));
  const auto odd = hn::Or(cut, hn::And(is_lost, hn::Set(bits, 1)));
  return hn::IfThenElse(hn::IsNaN(lost), lost, hn::BitCast(tag, odd));
}

// The nearest of f16's numbers, ties to even. What is added and taken away again has its last bit where that of the
// number is to be, and is even there:
//
//   1.5 x 2^(e+13)   1.1000000000000 0000000000
//   x, 2^e           0.0000000000000 1xxxxxxxxxx|yyyyyyyyyyyyy
HWY_INLINE Vec<float> nearest_half(Vec<float> x) {
  constexpr Tag<float> tag;
  const Vec<float> size = hn::Abs(x), power = hn::And(size, hn::Inf(tag));
  const Vec<float> large = hn::Mul(hn::Max(power, hn::Set(tag, 0x1p-14F)), hn::Set(tag, 0x1.8p13F));
  const Vec<float> rounded = hn::Sub(hn::Add(size, large), large);
  return hn::CopySign(hn::IfThenElse(hn::Ge(rounded, hn::Set(tag, 0x1p16F)), hn::Inf(tag), rounded), x);
}

#if HWY_TARGET == HWY_AVX3
// Of the numbers on both sides of an exact result: that whose significand is odd, and of a zero +0, or -0 where both
// are.
HWY_INLINE Vec<float> odd_of(__m512 below, __m512 above) {
  const __mmask16 odd = _mm512_test_epi32_mask(_mm512_castps_si512(below), _mm512_set1_epi32(1));
  return Vec<float>{_mm512_mask_blend_ps(odd, above, below)};
}

constexpr int to_below = _MM_FROUND_TO_NEG_INF | _MM_FROUND_NO_EXC,
              to_above = _MM_FROUND_TO_POS_INF | _MM_FROUND_NO_EXC;

HWY_INLINE Vec<float> nearest_half_by_machine(Vec<float> x) {
  return Vec<float>{_mm512_cvtph_ps(_mm512_cvtps_ph(x.raw, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC))};
}

// Of numbers of f16, and their products, no sum leaves the floats.
HWY_INLINE Vec<float> half_sum(Vec<float> x, Vec<float> y) {
  return nearest_half_by_machine(
      odd_of(_mm512_add_round_ps(x.raw, y.raw, to_below), _mm512_add_round_ps(x.raw, y.raw, to_above)));
}
HWY_INLINE Vec<float> half_sum(Vec<float> a, Vec<float> b, Vec<float> c) {
  return nearest_half_by_machine(odd_of(_mm512_fmadd_round_ps(a.raw, b.raw, c.raw, to_below),
                                        _mm512_fmadd_round_ps(a.raw, b.raw, c.raw, to_above)));
}
#else
HWY_INLINE Vec<float> half_sum(Vec<float> x, Vec<float> y) { return nearest_half(sum_to_odd(x, y)); }
HWY_INLINE Vec<float> half_sum(Vec<float> a, Vec<float> b, Vec<float> c) { return half_sum(hn::Mul(a, b), c); }
#endif

template <class T, Rounds rounds, Flush flush>
HWY_INLINE Vec<T> sum_of(Vec<T> x, Vec<T> y, Vec<T>& doubt) {
  if constexpr (rounds == Rounds::to_half) return half_sum(x, y);
  if constexpr (rounds == Rounds::to_odd) return flushed<T, flush>(sum_to_odd(x, y), doubt);
  if constexpr (rounds == Rounds::by_machine) return flushed<T, flush>(hn::Add(x, y), doubt);
}

template <class T, Rounds rounds, Flush flush>
HWY_INLINE Vec<T> fused_sum(Vec<T> a, Vec<T> b, Vec<T> c, Vec<T>& doubt) {
  if constexpr (rounds == Rounds::by_machine) return flushed<T, flush>(fused<T>(a, b, c), doubt);
  if constexpr (rounds == Rounds::to_half) return half_sum(a, b, c);
  if constexpr (rounds == Rounds::to_odd) return sum_of<T, rounds, flush>(hn::Mul(a, b), c, doubt);
}

template <class T, bool a_is_panel>
HWY_INLINE Vec<T> a_at(const T* a, std::int64_t term) {
  constexpr Tag<T> tag;
  return a_is_panel ? hn::LoadU(tag, a + term * panel_columns) : hn::Set(tag, a[term]);
}

// A product, or the sum of two halves; both unrolled by the compiler.
template <class T, bool a_is_panel, Rounds rounds, Flush flush, int terms>
HWY_INLINE Vec<T> tree_of_products(const T* a, const T* b, std::int64_t term, Vec<T>& doubt) {
  if constexpr (terms == 1) {
    const Vec<T> vb = hn::LoadU(Tag<T>(), b + term * panel_columns);
    return flushed<T, flush>(hn::Mul(a_at<T, a_is_panel>(a, term), vb), doubt);
  } else {
    const Vec<T> left = tree_of_products<T, a_is_panel, rounds, flush, terms / 2>(a, b, term, doubt);
    const Vec<T> right = tree_of_products<T, a_is_panel, rounds, flush, terms / 2>(a, b, term + terms / 2, doubt);
    return sum_of<T, rounds, flush>(left, right, doubt);
  }
}

// What turns a sign, or leaves it.
template <class T>
HWY_INLINE Vec<T> sign_of(bool is_turned) {
  return hn::Set(Tag<T>(), is_turned ? T{-0.0} : T{0});
}

template <class T, bool turns>
HWY_INLINE Vec<T> turned_by(Vec<T> x, Vec<T> sign) {
  if constexpr (turns) return hn::Xor(x, sign);
  return x;
}

// How many vectors of columns a chain takes at a time: as many as keep the multipliers busy with four rows.
template <class T, Flush flush>
constexpr int vectors_of = flush == Flush::never&& lanes_of<T> < panel_columns ? 2 : 1;

// Several rows of A by some vectors of columns of B, from c on.
//
//   tree 1     acc = fma(a, b, acc)
//   tree 4     acc = acc + ((p0 + p1) + (p2 + p3))      p = a x b
template <class T, bool a_is_panel, Rounds rounds, Flush flush, bool turns, int rows, int tree>
HWY_INLINE void run_chain(const Plan& plan, const Turned& turned, const IeeeRun<T>& run, int column) {
  constexpr Tag<T> tag;
  const Vec<T> of_acc = sign_of<T>(turned.acc), of_sum = sign_of<T>(turned.sum), of_result = sign_of<T>(turned.result);
  constexpr int vectors = vectors_of<T, flush>;
  const T* b = run.b + column;
  const T* a[rows];
  Vec<T> acc[rows][vectors], doubt[rows][vectors];
  for (int r = 0; r < rows; ++r) {
    a[r] = run.a + r * run.a_stride + (a_is_panel ? column : 0);
    for (int v = 0; v < vectors; ++v) {
      acc[r][v] = hn::LoadU(tag, run.acc + r * panel_columns + column + v * lanes_of<T>);
      doubt[r][v] = hn::Zero(tag);
    }
  }
  const std::int64_t terms = std::int64_t{run.instructions} * plan.k;
  for (std::int64_t t = 0; t < terms; t += tree) {
    for (int r = 0; r < rows; ++r) {
      for (int v = 0; v < vectors; ++v) {
        const T* av = a[r] + (a_is_panel ? v * lanes_of<T> : 0);
        const T* bv = b + v * lanes_of<T>;
        if constexpr (tree == 1) {
          const Vec<T> va = a_at<T, a_is_panel>(av, t), vb = hn::LoadU(tag, bv + t * panel_columns);
          acc[r][v] = fused_sum<T, rounds, flush>(va, vb, turned_by<T, turns>(acc[r][v], of_acc), doubt[r][v]);
        } else {
          const Vec<T> sum = tree_of_products<T, a_is_panel, rounds, flush, tree>(av, bv, t, doubt[r][v]);
          acc[r][v] = sum_of<T, rounds, flush>(turned_by<T, turns>(acc[r][v], of_acc), turned_by<T, turns>(sum, of_sum),
                                               doubt[r][v]);
        }
        acc[r][v] = turned_by<T, turns>(acc[r][v], of_result);
      }
    }
  }
  for (int r = 0; r < rows; ++r) {
    for (int v = 0; v < vectors; ++v) {
      const int at = r * panel_columns + column + v * lanes_of<T>;
      hn::StoreU(acc[r][v], tag, run.acc + at);
      hn::StoreU(doubt[r][v], tag, run.redo + at);
    }
  }
}

// One row by one vector of columns, through any circuit of two-input sums.
template <class T, bool a_is_panel, Rounds rounds, Flush flush>
class IeeeRow {
 public:
  HWY_INLINE IeeeRow(const Plan& plan, const IeeeShape& shape, const T* a, const T* b)
      : plan_(plan), shape_(shape), a_(a), b_(b), doubt_(hn::Zero(Tag<T>())) {}

  HWY_INLINE Vec<T> run(Vec<T> c, int instructions) {
    std::int64_t term = 0;
    for (int instruction = 0; instruction < instructions; ++instruction) {
      for (int lane = 0; lane < plan_.lanes; ++lane) {
        Vec<T> acc = plan_.datapath.start == Start::zero ? hn::Zero(Tag<T>()) : c;
        for (int step = 0; step < plan_.steps; ++step, term += plan_.step_terms)
          acc = shape_.chain ? fuse(term, acc) : run_step(term, acc);
        lanes_[lane] = acc;
      }
      c = plan_.finish.empty() ? lanes_[0] : run_finish(c);
    }
    return c;
  }

  HWY_INLINE Vec<T> doubt() const { return doubt_; }

 private:
  HWY_INLINE Vec<T> b_at(std::int64_t term) const { return hn::LoadU(Tag<T>(), b_ + term * panel_columns); }

  HWY_INLINE Vec<T> fuse(std::int64_t term, Vec<T> acc) {
    const Vec<T> c = shape_.turned.acc ? hn::Neg(acc) : acc;
    const Vec<T> sum = fused_sum<T, rounds, flush>(a_at<T, a_is_panel>(a_, term), b_at(term), c, doubt_);
    return shape_.turned.result ? hn::Neg(sum) : sum;
  }

  HWY_INLINE Vec<T> product(std::int64_t term) {
    return flushed<T, flush>(hn::Mul(a_at<T, a_is_panel>(a_, term), b_at(term)), doubt_);
  }

  HWY_INLINE Vec<T> run_step(std::int64_t first, Vec<T> acc) {
    return run_sums(plan_.circuit.step, acc, [&](int term) HWY_ATTR { return product(first + term); });
  }

  HWY_INLINE Vec<T> run_finish(Vec<T> c) {
    return run_sums(plan_.circuit.finish, c, [&](int lane) HWY_ATTR { return lanes_[lane]; });
  }

  // Terms are made where they are added, with the sign that they have in all sums; the other values of the block are
  // kept. One value alone is left as it is.
  template <class Term>
  HWY_INLINE Vec<T> run_sums(const CircuitBlock& block, Vec<T> one, const Term& term) {
    const auto value = [&](const SumItem& item) HWY_ATTR {
      if (item.value < block.terms) return term(item.value);
      const Vec<T> kept = values_[item.value - block.terms];
      return item.negate ? hn::Neg(kept) : kept;
    };
    values_[0] = one;
    int next = 1;
    for (const SumNode& node : block.sums) {
      const Vec<T> x = value(node.items[0]);
      values_[next++] = node.items.size() == 1 ? x : sum_of<T, rounds, flush>(x, value(node.items[1]), doubt_);
    }
    return values_[next - 1];
  }

  const Plan& plan_;
  const IeeeShape& shape_;
  const T* a_;
  const T* b_;
  Vec<T> doubt_;
  Vec<T> lanes_[ieee_lanes_of_plan];
  Vec<T> values_[1 + ieee_sums];
};

template <class T, bool a_is_panel, Rounds rounds, Flush flush, bool turns>
HWY_INLINE void run_chains(const Plan& plan, const IeeeShape& shape, const IeeeRun<T>& run) {
  constexpr int rows = a_is_panel ? 1 : tile_rows;
  for (int column = 0; column < panel_columns; column += vectors_of<T, flush> * lanes_of<T>) {
    switch (shape.tree) {
      case 1: run_chain<T, a_is_panel, rounds, flush, turns, rows, 1>(plan, shape.turned, run, column); break;
      case 2: run_chain<T, a_is_panel, rounds, flush, turns, rows, 2>(plan, shape.turned, run, column); break;
      case 4: run_chain<T, a_is_panel, rounds, flush, turns, rows, 4>(plan, shape.turned, run, column); break;
    }
  }
}

template <class T, bool a_is_panel, Rounds rounds, Flush flush>
HWY_INLINE void run_flushed(const Plan& plan, const IeeeShape& shape, const IeeeRun<T>& run) {
  constexpr Tag<T> tag;
  constexpr int rows = a_is_panel ? 1 : tile_rows;
  if (shape.tree != 0) {
    return shape.turned.any() ? run_chains<T, a_is_panel, rounds, flush, true>(plan, shape, run)
                              : run_chains<T, a_is_panel, rounds, flush, false>(plan, shape, run);
  }
  for (int column = 0; column < panel_columns; column += lanes_of<T>) {
    for (int r = 0; r < rows; ++r) {
      IeeeRow<T, a_is_panel, rounds, flush> row(plan, shape, run.a + r * run.a_stride + (a_is_panel ? column : 0),
                                                run.b + column);
      T* acc = run.acc + r * panel_columns + column;
      hn::StoreU(row.run(hn::LoadU(tag, acc), run.instructions), tag, acc);
      hn::StoreU(row.doubt(), tag, run.redo + r * panel_columns + column);
    }
  }
}

#if HWY_ARCH_X86_64 && HWY_NATIVE_FMA
// That a result was below the least normal number and rounded, or an operand below it.
constexpr unsigned tiny_flags = _MM_EXCEPT_UNDERFLOW | _MM_EXCEPT_DENORM;

// Whether both are set: twice the least number is exact; half of what lies next to the least normal number is not.
template <class T>
HWY_INLINE bool tells_of_tiny() {
  volatile T least = std::numeric_limits<T>::denorm_min(), result = 0;
  volatile T normal = std::numeric_limits<T>::min() + std::numeric_limits<T>::denorm_min();
  forget_flags(tiny_flags);
  result = least * 2;
  if (!has_flags(tiny_flags)) return false;
  forget_flags(tiny_flags);
  result = normal / 2;
  return has_flags(tiny_flags);
}

// Of the last results, which are no operands any more.
template <class T>
HWY_INLINE bool are_tiny(const T* results) {
  constexpr Tag<T> tag;
  auto any = hn::Lt(hn::Zero(tag), hn::Zero(tag));
  for (int i = 0; i < tile_rows * panel_columns; i += lanes_of<T>) {
    const Vec<T> size = hn::Abs(hn::LoadU(tag, results + i));
    const auto below = hn::Lt(size, hn::Set(tag, std::numeric_limits<T>::min()));
    any = hn::Or(any, hn::And(below, hn::Gt(size, hn::Zero(tag))));
  }
  return !hn::AllFalse(tag, any);
}

// The tile where nothing has to become zero; false where something might have: acc is as it was.
template <class T, Rounds rounds>
HWY_INLINE bool ran_without_tiny(const Plan& plan, const IeeeShape& shape, const IeeeRun<T>& run) {
  constexpr std::size_t bytes = sizeof(T) * tile_rows * panel_columns;
  if (!tells_of_tiny<T>()) return false;
  T before[tile_rows * panel_columns];
  std::memcpy(before, run.acc, bytes);
  forget_flags(tiny_flags);
  run_flushed<T, false, rounds, Flush::never>(plan, shape, run);
  if (!has_flags(tiny_flags) && !are_tiny(run.acc)) return true;
  std::memcpy(run.acc, before, bytes);
  return false;
}
#else
template <class T, Rounds rounds>
HWY_INLINE bool ran_without_tiny(const Plan&, const IeeeShape&, const IeeeRun<T>&) {
  return false;
}
#endif

// Cases side by side are of all families, in which tiny numbers are many.
template <class T, bool a_is_panel, Rounds rounds, Flush flush>
HWY_INLINE void run_tile(const Plan& plan, const IeeeShape& shape, const IeeeRun<T>& run) {
  if constexpr (flush != Flush::never && !a_is_panel) {
    if (ran_without_tiny<T, rounds>(plan, shape, run)) return;
  }
  run_flushed<T, a_is_panel, rounds, flush>(plan, shape, run);
}

template <bool a_is_panel, Rounds rounds>
HWY_INLINE void run_floats_rounded(const Plan& plan, const IeeeShape& shape, const IeeeRun<float>& run) {
  if constexpr (rounds == Rounds::by_machine) {
    if (shape.flush == Flush::tiny_unbounded)
      return run_tile<float, a_is_panel, rounds, Flush::tiny_unbounded>(plan, shape, run);
  }
  if constexpr (rounds != Rounds::to_half) {
    if (shape.flush == Flush::tiny_result)
      return run_tile<float, a_is_panel, rounds, Flush::tiny_result>(plan, shape, run);
  }
  run_tile<float, a_is_panel, rounds, Flush::never>(plan, shape, run);
}

template <bool a_is_panel>
HWY_INLINE void run_floats(const Plan& plan, const IeeeShape& shape, const IeeeRun<float>& run) {
  switch (shape.rounds) {
    case Rounds::by_machine: return run_floats_rounded<a_is_panel, Rounds::by_machine>(plan, shape, run);
    case Rounds::to_odd: return run_floats_rounded<a_is_panel, Rounds::to_odd>(plan, shape, run);
    case Rounds::to_half: return run_floats_rounded<a_is_panel, Rounds::to_half>(plan, shape, run);
  }
}

void FloatRows(const Plan& plan, const IeeeShape& shape, const IeeeRun<float>& run) {
  run_floats<false>(plan, shape, run);
}
void FloatLanes(const Plan& plan, const IeeeShape& shape, const IeeeRun<float>& run) {
  run_floats<true>(plan, shape, run);
}
void DoubleRows(const Plan& plan, const IeeeShape& shape, const IeeeRun<double>& run) {
  run_tile<double, false, Rounds::by_machine, Flush::never>(plan, shape, run);
}
void DoubleLanes(const Plan& plan, const IeeeShape& shape, const IeeeRun<double>& run) {
  run_tile<double, true, Rounds::by_machine, Flush::never>(plan, shape, run);
}

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace assay
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace assay {

HWY_EXPORT(FloatRows);
HWY_EXPORT(DoubleRows);
HWY_EXPORT(FloatLanes);
HWY_EXPORT(DoubleLanes);

void ieee_rows(const Plan& plan, const IeeeShape& shape, const IeeeRun<float>& run) {
  HWY_DYNAMIC_DISPATCH(FloatRows)(plan, shape, run);
}
void ieee_rows(const Plan& plan, const IeeeShape& shape, const IeeeRun<double>& run) {
  HWY_DYNAMIC_DISPATCH(DoubleRows)(plan, shape, run);
}
void ieee_lanes(const Plan& plan, const IeeeShape& shape, const IeeeRun<float>& run) {
  HWY_DYNAMIC_DISPATCH(FloatLanes)(plan, shape, run);
}
void ieee_lanes(const Plan& plan, const IeeeShape& shape, const IeeeRun<double>& run) {
  HWY_DYNAMIC_DISPATCH(DoubleLanes)(plan, shape, run);
}

}  // namespace assay
#endif
