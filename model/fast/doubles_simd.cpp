#include "model/fast/doubles_simd.hpp"

#include <algorithm>
#include <cstring>

#include "model/fast/tile.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "model/fast/doubles_simd.cpp"
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
using Doubles = hn::Vec<F64>;
using Ints = hn::Vec<I64>;
using Mask = hn::Mask<F64>;

constexpr F64 f64;
constexpr I64 i64;
constexpr U64 u64;
constexpr int lanes = static_cast<int>(hn::MaxLanes(f64));

constexpr std::int64_t no_exponent = -(1 << 20);
constexpr std::int64_t least_window =
    -900;  // what a sum without any exponent is aligned at: it is zero wherever that is

// Four words for each lane.
//
//   lane   | e3 | e2 | e1 | e0 |   ->   | 0 | 0 | 0 | e |     the largest
#if HWY_TARGET == HWY_SCALAR
struct Words {
  std::uint16_t word[4];
};
HWY_INLINE Words no_words() { return {}; }
HWY_INLINE Words words_at(const std::uint16_t* from) { return {{from[0], from[1], from[2], from[3]}}; }
HWY_INLINE Words same_words(const std::uint16_t* from) { return words_at(from); }
HWY_INLINE Words larger_difference(Words so_far, Words a, Words b) {
  for (int i = 0; i < 4; ++i) {
    const int difference = a.word[i] - b.word[i];
    so_far.word[i] = static_cast<std::uint16_t>(difference > so_far.word[i] ? difference : so_far.word[i]);
  }
  return so_far;
}
HWY_INLINE Ints largest_word(Words words) {
  int largest = 0;
  for (const std::uint16_t word : words.word) largest = word > largest ? word : largest;
  return hn::Set(i64, largest);
}
#else
using U16 = hn::Repartition<std::uint16_t, F64>;
using Words = hn::Vec<U16>;
constexpr U16 u16;

HWY_INLINE Words no_words() { return hn::Zero(u16); }
HWY_INLINE Words words_at(const std::uint16_t* from) { return hn::LoadU(u16, from); }
HWY_INLINE Words same_words(const std::uint16_t* from) {
  std::uint64_t four;
  std::memcpy(&four, from, sizeof four);
  return hn::BitCast(u16, hn::Set(u64, four));
}
HWY_INLINE Words larger_difference(Words so_far, Words a, Words b) { return hn::Max(so_far, hn::SaturatedSub(a, b)); }
HWY_INLINE Ints largest_word(Words words) {
  const auto lane = hn::BitCast(u64, words);
  const auto two = hn::Max(words, hn::BitCast(u16, hn::ShiftRight<32>(lane)));
  const auto one = hn::Max(two, hn::BitCast(u16, hn::ShiftRight<16>(hn::BitCast(u64, two))));
  return hn::BitCast(i64, hn::And(hn::BitCast(u64, one), hn::Set(u64, 0xffff)));
}
#endif

HWY_INLINE Ints larger(Ints x, Ints y) { return hn::IfThenElse(hn::Gt(x, y), x, y); }
HWY_INLINE Ints larger(Ints x, std::int64_t y) { return larger(x, hn::Set(i64, y)); }

HWY_INLINE Doubles power_of_two(Ints exponent) {
  return hn::BitCast(f64, hn::ShiftLeft<52>(hn::Add(exponent, hn::Set(i64, 1023))));
}

HWY_INLINE Ints leading_exponent(Doubles value) {
  const auto field = hn::ShiftRight<52>(hn::BitCast(u64, hn::Abs(value)));
  return hn::Sub(hn::BitCast(i64, field), hn::Set(i64, 1023));
}

// By one of the four cuts that DoublesShape lets through.
HWY_INLINE Doubles cut_to_integer(Doubles value, Cut cut) {
  if (cut == Cut::toward_zero) return hn::Trunc(value);
  if (cut == Cut::down) return hn::Floor(value);
  return cut == Cut::up ? hn::Ceil(value) : hn::Round(value);
}

// A finite number in each lane: its value, and its nominal exponent, or no_exponent. Its constructors are written out,
// since those that g++ makes by itself are not compiled for this instruction set, and NEON's vectors have some of their
// own.
struct Numbers {
  HWY_INLINE Numbers() {}  // NOLINT(modernize-use-equals-default)
  HWY_INLINE Numbers(Doubles v, Ints e) : value(v), exponent(e) {}

  Doubles value;
  Ints exponent;
};

HWY_INLINE Numbers zeros() { return {hn::Zero(f64), hn::Set(i64, no_exponent)}; }

// As an operand or an encoded result has it: never below the format's least, and none in a zero.
HWY_INLINE Numbers with_own_exponent(Doubles value, int least) {
  const Ints exponent = larger(leading_exponent(value), least);
  const auto zero = hn::RebindMask(i64, hn::Eq(value, hn::Zero(f64)));
  return {value, hn::IfThenElse(zero, hn::Set(i64, no_exponent), exponent)};
}

// At 2^quantum. What becomes zero keeps its sign, which Highway's scalar rounding forgets.
HWY_INLINE Doubles cut_at(Doubles value, Ints quantum, Cut cut) {
  const Doubles units = hn::Mul(value, power_of_two(hn::Neg(quantum)));
  return hn::Mul(hn::CopySign(cut_to_integer(units, cut), value), power_of_two(quantum));
}

HWY_INLINE Numbers at_leading_one(Numbers n, int keep, Cut cut, int least) {
  const Ints exponent = larger(leading_exponent(n.value), least);
  const Doubles value = cut_at(n.value, hn::Sub(exponent, hn::Set(i64, keep)), cut);
  const auto zero = hn::RebindMask(i64, hn::Eq(n.value, hn::Zero(f64)));  // left as it is
  return {value, hn::IfThenElse(zero, n.exponent, larger(leading_exponent(value), least))};
}

HWY_INLINE Doubles greatest_of(const Format& format) {
  const int mantissa_bits = format.mantissa_bits;
  const Code mantissa = format.greatest_finite() & ((Code{1} << mantissa_bits) - 1);
  const Code field = static_cast<Code>(format.greatest_exponent() + 1023);
  return hn::BitCast(f64, hn::Set(u64, field << 52 | mantissa << (52 - mantissa_bits)));
}

HWY_INLINE Numbers to_format(Numbers n, const ResultPlan& result) {
  const Format& format = result.format;
  const int least = format.least_exponent();
  Doubles value = at_leading_one(n, format.mantissa_bits, result.words.cut, least).value;
  const Doubles greatest = greatest_of(format);
  const bool infinity = result.words.overflow == Overflow::infinity;
  const Doubles beyond = infinity ? hn::Inf(f64) : greatest;
  value = hn::IfThenElse(hn::Gt(hn::Abs(value), greatest), hn::CopySign(beyond, value), value);
  const bool plus_zero = !format.has_signed_zero || result.words.minus_zero == MinusZero::never;
  if (plus_zero) value = hn::Add(value, hn::Zero(f64));
  return with_own_exponent(value, least);
}

HWY_INLINE Numbers rounded(Numbers n, const ResultPlan& result) {
  const Result& words = result.words;
  switch (words.at) {
    case ResultAt::window: {
      const auto zero = hn::Eq(n.value, hn::Zero(f64));
      const Ints window = hn::IfThenElse(hn::RebindMask(i64, zero), hn::Zero(i64), n.exponent);
      return {cut_at(n.value, hn::Sub(window, hn::Set(i64, words.keep)), words.cut), n.exponent};
    }
    case ResultAt::leading_one: return at_leading_one(n, words.keep, words.cut, words.least_exponent.value_or(-900));
    case ResultAt::format: return to_format(n, result);
  }
  return n;
}

// Rows of A, or a case in each lane, through all their instructions. The rows take turns at every sum: each sum hangs
// on the one before, and only other rows keep the machine busy meanwhile.
template <bool a_is_panel>
class Rows {
  static constexpr int rows = a_is_panel ? 1 : tile_rows;

 public:
  HWY_INLINE Rows(const Plan& plan, const DoublesShape& shape, const DoublesRun& run, int column)
      : plan_(plan), shape_(shape), run_(run) {
    const int shift = a_is_panel ? column : 0;
    a_ = run.a + shift;
    a_exponents_ = run.a_exponents + 4 * shift;
    b_ = run.b + column;
    b_exponents_ = run.b_exponents + 4 * column;
    if (plan.scale) {
      a_scales_ = run.a_scales + shift;
      a_scale_exponents_ = run.a_scale_exponents + shift;
      b_scales_ = run.b_scales + column;
      b_scale_exponents_ = run.b_scale_exponents + column;
    }
    for (Mask& wrong : wrong_) wrong = hn::Ne(hn::Zero(f64), hn::Zero(f64));
  }

  // `c` becomes d.
  HWY_INLINE void run(Doubles* c) {
    const int least_c = plan_.widen_c ? plan_.d.least_exponent() : plan_.c.least_exponent();
    for (int instruction = 0; instruction < run_.instructions; ++instruction) {
      for (int r = 0; r < rows; ++r) c_[r] = with_own_exponent(c[r], least_c);
      for (int lane = 0; lane < plan_.lanes; ++lane) run_lane(instruction, lane);
      const Numbers* d = lane_left(0);
      if (!plan_.finish.empty()) {
        for (int lane = 0; lane < plan_.lanes; ++lane) look_at(lane_left(lane));
        look_at(c_);
        d = run_sums(shape_.finish, c_, 0, 0);
      }
      for (int r = 0; r < rows; ++r) c[r] = d[r].value;
    }
  }

  HWY_INLINE Mask wrong(int r) const { return wrong_[r]; }

 private:
  // Core carries on where there is an infinity or a NaN.
  HWY_INLINE void look_at(const Numbers* n) {
    for (int r = 0; r < rows; ++r) wrong_[r] = hn::Or(wrong_[r], hn::Not(hn::Lt(hn::Abs(n[r].value), hn::Inf(f64))));
  }

  HWY_INLINE Numbers* lane_left(int lane) { return values_[doubles_lanes_of_plan - plan_.lanes + lane]; }

  HWY_INLINE void run_lane(int instruction, int lane) {
    Numbers acc[rows];
    for (int r = 0; r < rows; ++r) acc[r] = plan_.datapath.start == Start::c ? c_[r] : zeros();
    for (int step = 0; step < plan_.steps; ++step) {
      look_at(acc);
      const std::int64_t steps_before = (std::int64_t{instruction} * plan_.lanes + lane) * plan_.steps + step;
      const Numbers* left =
          run_sums(shape_.step, acc, steps_before * run_.product_groups, first_block(instruction, lane, step));
      for (int r = 0; r < rows; ++r) acc[r] = left[r];
    }
    for (int r = 0; r < rows; ++r) lane_left(lane)[r] = acc[r];
  }

  // The place of a step's first term among all blocks of scales is only asked where groups are scaled.
  HWY_INLINE int first_block(int instruction, int lane, int step) const {
    step_order_ = plan_.step_order(lane, step);
    return instruction * plan_.scales;
  }

  // What the last sum of a block leaves.
  HWY_INLINE const Numbers* run_sums(const std::vector<DoublesSum>& sums, const Numbers* one, std::int64_t first_group,
                                     int first_block) {
    Numbers* left = values_[doubles_one];
    for (int r = 0; r < rows; ++r) left[r] = one[r];
    for (const DoublesSum& sum : sums) {
      left += rows;
      for (row_ = 0; row_ < rows; ++row_) left[row_] = run_sum(sum, first_group + sum.group, first_block);
    }
    return left;
  }

  // From here on everything is about row_.
  HWY_INLINE const Numbers& value(const DoublesItem& item) const { return values_[item.slot][row_]; }

  // The largest exponent, and no_exponent where there is none.
  HWY_INLINE Ints window_of(const DoublesSum& sum, std::int64_t group) const {
    Ints window = hn::Set(i64, no_exponent);
    if (sum.products != nullptr) window = larger(window, product_exponent(group));
    for (const DoublesItem& item : sum.others) {
      Ints exponent = value(item).exponent;
      if (item.words->empty) {
        const auto none = hn::Eq(exponent, hn::Set(i64, no_exponent));
        exponent = hn::IfThenElse(none, hn::Set(i64, *item.words->empty), exponent);
      }
      window = larger(window, exponent);
    }
    return window;
  }

  HWY_INLINE Ints product_exponent(std::int64_t group) const {
    Words largest = no_words();
    for (std::int64_t t = group * run_.group_terms; t < (group + 1) * run_.group_terms; t += 4) {
      const Words a =
          a_is_panel ? words_at(a_exponents_ + t * panel_columns) : same_words(a_exponents_ + row_ * run_.a_stride + t);
      largest = larger_difference(largest, a, words_at(b_exponents_ + t * panel_columns));
    }
    const Ints word = largest_word(largest);
    const Ints exponent = hn::Add(word, hn::Set(i64, run_.exponent_offset));
    return hn::IfThenElse(hn::Eq(word, hn::Zero(i64)), hn::Set(i64, no_exponent), exponent);
  }

  HWY_INLINE Doubles a_at(std::int64_t term) const {
    return a_is_panel ? hn::LoadU(f64, a_ + term * panel_columns) : hn::Set(f64, a_[row_ * run_.a_stride + term]);
  }
  HWY_INLINE Doubles b_at(std::int64_t term) const { return hn::LoadU(f64, b_ + term * panel_columns); }

  HWY_INLINE Doubles exact_products(std::int64_t group) const {
    Doubles sum[4] = {hn::Zero(f64), hn::Zero(f64), hn::Zero(f64), hn::Zero(f64)};
    for (std::int64_t t = group * run_.group_terms; t < (group + 1) * run_.group_terms; t += 4) {
      for (int i = 0; i < 4; ++i) sum[i] = hn::MulAdd(a_at(t + i), b_at(t + i), sum[i]);
    }
    return hn::Add(hn::Add(sum[0], sum[1]), hn::Add(sum[2], sum[3]));
  }

  template <class CutOne>
  HWY_INLINE Doubles cut_products(std::int64_t group, Doubles scale, const CutOne& cut) const {
    Doubles sum[2] = {hn::Zero(f64), hn::Zero(f64)};
    for (std::int64_t t = group * run_.group_terms; t < (group + 1) * run_.group_terms; t += 4) {
      for (int i = 0; i < 4; ++i)
        sum[i % 2] = hn::Add(sum[i % 2], cut(hn::Mul(hn::Mul(a_at(t + i), b_at(t + i)), scale)));
    }
    return hn::Add(sum[0], sum[1]);
  }

  HWY_INLINE Doubles products(const Input& words, std::int64_t group, Doubles scale) const {
    if (!words.keep) return hn::Mul(exact_products(group), scale);
    if (words.cut == Cut::down) return cut_products(group, scale, [](Doubles x) HWY_ATTR { return hn::Floor(x); });
    return cut_products(group, scale, [](Doubles x) HWY_ATTR { return hn::Trunc(x); });
  }

  // Everything in units of the sum's grid, window - fraction_bits.
  HWY_INLINE Doubles aligned(const Numbers& n, const Input& words, const SumPlan& sum, Ints window) const {
    const int keep = words.keep.value_or(sum.fraction_bits);
    Doubles value = hn::Mul(n.value, power_of_two(hn::Sub(hn::Set(i64, keep), window)));
    if (words.keep) value = cut_to_integer(value, words.cut);
    if (keep != sum.fraction_bits) value = hn::Mul(value, power_of_two(hn::Set(i64, sum.fraction_bits - keep)));
    if (!words.lost_below) return value;
    const auto lost = hn::Lt(n.exponent, hn::Sub(window, hn::Set(i64, *words.lost_below)));
    return hn::IfThenZeroElse(hn::RebindMask(f64, lost), value);
  }

  Numbers run_sum(const DoublesSum& sum, std::int64_t group, int first_block) {
    const AdderPlan& adder = *sum.adder;
    Numbers n = adder.sum.fixed_quantum ? standing_sum(sum, group) : aligned_sum(sum, group);
    if (sum.scaled_by >= 0) n = scaled(n, sum.scaled_by, first_block);
    for (const ResultPlan& result : adder.results) n = rounded(n, result);
    return n;
  }

  HWY_INLINE Numbers aligned_sum(const DoublesSum& one, std::int64_t group) {
    const AdderPlan& adder = *one.adder;
    Ints exponent = window_of(one, group);
    if (adder.window.floor) exponent = larger(exponent, *adder.window.floor);
    const Ints window = larger(exponent, least_window);
    Doubles sum = hn::Zero(f64);
    if (one.products != nullptr) {
      const int keep = one.products->keep.value_or(adder.sum.fraction_bits);
      const Doubles scale = power_of_two(hn::Sub(hn::Set(i64, keep), window));
      const Doubles units = products(*one.products, group, scale);
      sum = hn::MulAdd(units, power_of_two(hn::Set(i64, adder.sum.fraction_bits - keep)), sum);
    }
    for (const DoublesItem& item : one.others) sum = hn::Add(sum, aligned(value(item), *item.words, adder.sum, window));
    const Ints grid = hn::Sub(window, hn::Set(i64, adder.sum.fraction_bits));
    const Doubles value = hn::Mul(sum, power_of_two(grid));
    return {hn::Add(value, hn::Zero(f64)), exponent};  // -0 + 0 is +0
  }

  // Exact sums, whose grid stands still. Two numbers of d's format add up as IEEE has it, sign of zero and all; more
  // only where every bit fits.
  HWY_INLINE Numbers standing_sum(const DoublesSum& one, std::int64_t group) {
    const AdderPlan& adder = *one.adder;
    Doubles sum = hn::Set(f64, -0.0);
    if (one.products != nullptr) sum = hn::Add(sum, exact_products(group));
    for (const DoublesItem& item : one.others) sum = hn::Add(sum, value(item).value);
    Ints exponent = window_of(one, group);
    if (adder.window.exponent == WindowExponent::fixed) {
      const auto none = hn::Eq(exponent, hn::Set(i64, no_exponent));
      exponent = hn::IfThenElse(none, exponent, hn::Set(i64, adder.window.at));
    } else if (adder.window.floor) {
      exponent = larger(exponent, *adder.window.floor);
    }
    if (adder.zero == ZeroSign::positive) sum = hn::Add(sum, hn::Zero(f64));
    return {sum, exponent};
  }

  // By the two scales of the block in which this term of the step lies. A scale of zero leaves no exponent.
  HWY_INLINE Numbers scaled(const Numbers& n, int term, int first_block) const {
    const std::int64_t block = first_block + step_order_[term] / plan_.scale_block, at = block * panel_columns;
    const std::int64_t a_at = a_is_panel ? at : row_ * run_.a_scale_stride + block;
    const Doubles a = a_is_panel ? hn::LoadU(f64, a_scales_ + a_at) : hn::Set(f64, a_scales_[a_at]);
    const Ints ea = a_is_panel ? hn::LoadU(i64, a_scale_exponents_ + a_at) : hn::Set(i64, a_scale_exponents_[a_at]);
    const Doubles scale = hn::Mul(a, hn::LoadU(f64, b_scales_ + at));
    const Ints by = hn::Add(ea, hn::LoadU(i64, b_scale_exponents_ + at));
    const auto none =
        hn::Or(hn::Eq(n.exponent, hn::Set(i64, no_exponent)), hn::RebindMask(i64, hn::Eq(scale, hn::Zero(f64))));
    return {hn::Mul(n.value, scale), hn::IfThenElse(none, hn::Set(i64, no_exponent), hn::Add(n.exponent, by))};
  }

  const Plan& plan_;
  const DoublesShape& shape_;
  const DoublesRun& run_;
  const double* a_;
  const std::uint16_t* a_exponents_;
  const double* b_;
  const std::uint16_t* b_exponents_;
  const double* a_scales_ = nullptr;
  const std::int64_t* a_scale_exponents_ = nullptr;
  const double* b_scales_ = nullptr;
  const std::int64_t* b_scale_exponents_ = nullptr;
  mutable const int* step_order_ = nullptr;
  int row_ = 0;
  Numbers c_[rows], values_[doubles_one + 1 + doubles_sums][rows];
  Mask wrong_[rows];
};

template <bool a_is_panel>
HWY_INLINE void run_tile(const Plan& plan, const DoublesShape& shape, const DoublesRun& run) {
  constexpr int rows = a_is_panel ? 1 : tile_rows;
  for (int column = 0; column < panel_columns; column += lanes) {
    Doubles acc[rows];
    for (int r = 0; r < rows; ++r) acc[r] = hn::LoadU(f64, run.acc + r * panel_columns + column);
    Rows<a_is_panel> all(plan, shape, run, column);
    all.run(acc);
    for (int r = 0; r < rows; ++r) {
      const int at = r * panel_columns + column;
      hn::StoreU(acc[r], f64, run.acc + at);
      hn::StoreU(hn::BitCast(u64, hn::VecFromMask(f64, all.wrong(r))), u64, run.redo + at);
    }
  }
}

void DoublesRows(const Plan& plan, const DoublesShape& shape, const DoublesRun& run) {
  run_tile<false>(plan, shape, run);
}
void DoublesLanes(const Plan& plan, const DoublesShape& shape, const DoublesRun& run) {
  run_tile<true>(plan, shape, run);
}

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace assay
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace assay {

HWY_EXPORT(DoublesRows);
HWY_EXPORT(DoublesLanes);

void doubles_rows(const Plan& plan, const DoublesShape& shape, const DoublesRun& run) {
  HWY_DYNAMIC_DISPATCH(DoublesRows)(plan, shape, run);
}
void doubles_lanes(const Plan& plan, const DoublesShape& shape, const DoublesRun& run) {
  HWY_DYNAMIC_DISPATCH(DoublesLanes)(plan, shape, run);
}

}  // namespace assay
#endif
