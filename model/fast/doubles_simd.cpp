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
constexpr int greatest_power = 1000, least_power = -1000;  // of two that are doubles; no number is as large or as small
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
HWY_INLINE Words some_words(Words words, int first, int count) {
  for (int i = 0; i < 4; ++i) {
    if (i < first || i >= first + count) words.word[i] = 0;
  }
  return words;
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
HWY_INLINE Words some_words(Words words, int first, int count) {
  const std::uint64_t mask = ((std::uint64_t{1} << 16 * count) - 1) << 16 * first;
  return hn::And(words, hn::BitCast(u16, hn::Set(u64, mask)));
}
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

// One more where the rest is half of one or more.
HWY_INLINE Doubles up_from_half(Doubles whole, Doubles value, Doubles one) {
  const auto half = hn::Ge(hn::Abs(hn::Sub(value, whole)), hn::Set(f64, 0.5));
  return hn::Add(whole, hn::IfThenElseZero(half, one));
}

HWY_INLINE Doubles odd_where_cut(Doubles whole, Doubles value) {
  const auto even = hn::Eq(hn::Mul(hn::Trunc(hn::Mul(whole, hn::Set(f64, 0.5))), hn::Set(f64, 2)), whole);
  const auto odd = hn::And(even, hn::Ne(whole, value));
  return hn::Add(whole, hn::IfThenElseZero(odd, hn::CopySign(hn::Set(f64, 1), value)));
}

// By one of the cuts that take no random bits.
template <Cut cut>
HWY_INLINE Doubles cut_by(Doubles value) {
  if constexpr (cut == Cut::toward_zero) return hn::Trunc(value);
  if constexpr (cut == Cut::down) return hn::Floor(value);
  if constexpr (cut == Cut::up) return hn::Ceil(value);
  if constexpr (cut == Cut::nearest_away)
    return up_from_half(hn::Trunc(value), value, hn::CopySign(hn::Set(f64, 1), value));
  if constexpr (cut == Cut::nearest_up) return up_from_half(hn::Floor(value), value, hn::Set(f64, 1));
  if constexpr (cut == Cut::to_odd) return odd_where_cut(hn::Trunc(value), value);
  return hn::Round(value);
}

HWY_INLINE Doubles cut_to_integer(Doubles value, Cut cut) {
  switch (cut) {
    case Cut::toward_zero: return cut_by<Cut::toward_zero>(value);
    case Cut::down: return cut_by<Cut::down>(value);
    case Cut::up: return cut_by<Cut::up>(value);
    case Cut::nearest_away: return cut_by<Cut::nearest_away>(value);
    case Cut::nearest_up: return cut_by<Cut::nearest_up>(value);
    case Cut::to_odd: return cut_by<Cut::to_odd>(value);
    case Cut::nearest_even:
    case Cut::stochastic_a:
    case Cut::stochastic_b:
    case Cut::stochastic_c: break;
  }
  return cut_by<Cut::nearest_even>(value);
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

// `value` is +0, or the -0 that changes no sum.
HWY_INLINE Numbers zeros(double value) { return {hn::Set(f64, value), hn::Set(i64, no_exponent)}; }

HWY_INLINE auto has_no_exponent(Ints exponent) { return hn::Eq(exponent, hn::Set(i64, no_exponent)); }

// As an operand or an encoded result has it: never below the format's least, and none in a zero.
HWY_INLINE Numbers with_own_exponent(Doubles value, int least) {
  const Ints exponent = larger(leading_exponent(value), least);
  const auto zero = hn::RebindMask(i64, hn::Eq(value, hn::Zero(f64)));
  return {value, hn::IfThenElse(zero, hn::Set(i64, no_exponent), exponent)};
}

// How a number is cut, and whether ones below all of its bits were lost before, which the cut looks at: of some lanes,
// or of none.
struct Cutting {
  Cut cut;
  const Mask* lost = nullptr;
};

//   units   i i i . 0 0 0    i i i . 1 0 0     with ones below    i i i . 0 1 0    i i i . 1 1 0
//
// All other fractions say already that there is something below their first bit.
HWY_INLINE Doubles with_trace(Doubles units, Mask lost) {
  const Doubles fraction = hn::Abs(hn::Sub(units, hn::Trunc(units)));
  const auto stands = hn::Or(hn::Eq(fraction, hn::Zero(f64)), hn::Eq(fraction, hn::Set(f64, 0.5)));
  const auto seen = hn::And(hn::And(lost, stands), hn::Ne(units, hn::Zero(f64)));
  return hn::Add(units, hn::IfThenElseZero(seen, hn::CopySign(hn::Set(f64, 0.25), units)));
}

// At 2^quantum. What becomes zero keeps its sign, which Highway's scalar rounding forgets.
HWY_INLINE Doubles cut_at(Doubles value, Ints quantum, Cutting how) {
  Doubles units = hn::Mul(value, power_of_two(hn::Neg(quantum)));
  if (how.lost != nullptr) units = with_trace(units, *how.lost);
  return hn::Mul(hn::CopySign(cut_to_integer(units, how.cut), value), power_of_two(quantum));
}

HWY_INLINE Numbers at_leading_one(Numbers n, int keep, Cutting how, int least) {
  const Ints exponent = larger(leading_exponent(n.value), least);
  const Doubles value = cut_at(n.value, hn::Sub(exponent, hn::Set(i64, keep)), how);
  const auto zero = hn::RebindMask(i64, hn::Eq(n.value, hn::Zero(f64)));  // left as it is
  return {value, hn::IfThenElse(zero, n.exponent, larger(leading_exponent(value), least))};
}

HWY_INLINE Doubles greatest_of(const Format& format) {
  const int mantissa_bits = format.mantissa_bits;
  const Code mantissa = format.greatest_finite() & ((Code{1} << mantissa_bits) - 1);
  const Code field = static_cast<Code>(format.greatest_exponent() + 1023);
  return hn::BitCast(f64, hn::Set(u64, field << 52 | mantissa << (52 - mantissa_bits)));
}

HWY_INLINE Doubles below(int exponent) { return power_of_two(hn::Set(i64, exponent)); }

HWY_INLINE Mask is_subnormal(Doubles value, const Format& format) {
  return hn::And(hn::Lt(hn::Abs(value), below(format.least_exponent())), hn::Ne(value, hn::Zero(f64)));
}

// Whether a number other than zero is to become one, having been rounded to `value`.
HWY_INLINE Mask is_tiny(Numbers n, Doubles value, const ResultPlan& result, Cutting how) {
  const Format& format = result.format;
  const Result& words = result.words;
  if (words.tiny == Tiny::before) value = n.value;
  if (words.tiny == Tiny::after) value = at_leading_one(n, format.mantissa_bits, how, least_window).value;
  const auto small = hn::Lt(hn::Abs(value), below(format.least_exponent()));
  return hn::And(small, hn::Ne(n.value, hn::Zero(f64)));
}

HWY_INLINE Doubles flushed(Doubles value, Mask tiny, Subnormals subnormals) {
  const Doubles sign = hn::And(value, hn::SignBit(f64));
  return subnormals == Subnormals::signed_zero ? hn::IfThenElse(tiny, sign, value) : hn::IfThenZeroElse(tiny, value);
}

// What a number beyond the greatest on the side of `value` becomes.
HWY_INLINE Doubles beyond(Doubles value, Doubles greatest, const ResultPlan& result) {
  const Overflow overflow = result.words.overflow;
  const Cut cut = result.words.cut;
  const Doubles infinity = hn::Inf(f64);
  if (overflow == Overflow::infinity) return infinity;
  if (overflow == Overflow::nan) return hn::NaN(f64);
  if (overflow == Overflow::top) return below(result.format.greatest_exponent());
  if (overflow != Overflow::directed || cut == Cut::toward_zero) return greatest;
  const auto negative = hn::Lt(value, hn::Zero(f64));
  if (cut == Cut::down) return hn::IfThenElse(negative, infinity, greatest);
  if (cut == Cut::up) return hn::IfThenElse(negative, greatest, infinity);
  return cut == Cut::to_odd && result.format.greatest_finite() % 2 != 0 ? greatest : infinity;
}

HWY_INLINE Numbers to_format(Numbers n, const ResultPlan& result, Cutting how) {
  const Format& format = result.format;
  const int least = format.least_exponent();
  Doubles value = at_leading_one(n, format.mantissa_bits, how, least).value;
  const Doubles greatest = greatest_of(format), size = hn::Abs(value);
  const auto too_large =
      result.words.overflow == Overflow::top ? hn::Ge(size, below(format.greatest_exponent())) : hn::Gt(size, greatest);
  if (result.words.subnormals != Subnormals::keep)
    value = flushed(value, is_tiny(n, value, result, how), result.words.subnormals);
  value = hn::IfThenElse(too_large, hn::CopySign(beyond(value, greatest, result), value), value);
  const bool plus_zero = !format.has_signed_zero || result.words.minus_zero == MinusZero::never;
  if (plus_zero) value = hn::Add(value, hn::Zero(f64));
  return with_own_exponent(value, least);
}

// `lost`: of which lanes ones below the number were lost.
HWY_INLINE Numbers rounded(Numbers n, const ResultPlan& result, const Mask* lost = nullptr) {
  const Result& words = result.words;
  const Cutting how{words.cut, lost};
  switch (words.at) {
    case ResultAt::window: {
      const auto zero = hn::Eq(n.value, hn::Zero(f64));
      const Ints window = hn::IfThenElse(hn::RebindMask(i64, zero), hn::Zero(i64), n.exponent);
      return {cut_at(n.value, hn::Sub(window, hn::Set(i64, words.keep)), how), n.exponent};
    }
    case ResultAt::leading_one: return at_leading_one(n, words.keep, how, words.least_exponent.value_or(-900));
    case ResultAt::format: return to_format(n, result, how);
  }
  return n;
}

// What x + y has beside `sum`, to which it is rounded to the nearest: exactly.
HWY_INLINE Doubles lost_by_sum(Doubles x, Doubles y, Doubles sum) {
  const Doubles of_y = hn::Sub(sum, x);
  return hn::Add(hn::Sub(x, hn::Sub(sum, of_y)), hn::Sub(y, of_y));
}

// The sum of two numbers to 53 bits, the last of which is odd where others are lost. It shows by how much a sum to the
// nearest is off; that one's neighbour on the other side of the true sum has the odd bit.
HWY_INLINE Doubles odd_sum(Doubles x, Doubles y) {
  const Doubles sum = hn::Add(x, y), off = lost_by_sum(x, y, sum);
  const auto bits = hn::BitCast(i64, sum), one = hn::Set(i64, 1);
  const auto is_even = hn::Eq(hn::And(bits, one), hn::Zero(i64));
  const auto turn = hn::And(hn::RebindMask(f64, is_even), hn::Ne(off, hn::Zero(f64)));
  const auto larger = hn::RebindMask(i64, hn::Lt(hn::Mul(hn::CopySign(hn::Set(f64, 1), sum), off), hn::Zero(f64)));
  const auto odd = hn::IfThenElse(larger, hn::Sub(bits, one), hn::Add(bits, one));
  return hn::IfThenElse(turn, hn::BitCast(f64, odd), sum);
}

// Rows of A, or a case in each lane, through all their instructions. The rows take turns at each part of a sum: each
// part hangs on the one before, and only other rows keep the machine busy meanwhile.
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
    for (int instruction = 0; instruction < run_.instructions; ++instruction) {
      for (int r = 0; r < rows; ++r) c_[r] = read_c(c[r]);
      for (int lane = 0; lane < plan_.lanes; ++lane) run_lane(instruction, lane);
      const Numbers* d = lane_left(0);
      if (!plan_.finish.empty()) {
        for (int lane = 0; lane < plan_.lanes; ++lane) look_at(lane_left(lane));
        look_at(c_);
        d = run_sums(shape_.finish, c_, {});
      }
      for (int r = 0; r < rows; ++r) c[r] = d[r].value;
    }
  }

  HWY_INLINE Mask wrong(int r) const { return wrong_[r]; }

 private:
  // A step: how many there were before, of all lanes and instructions, and which one it is of its instruction.
  struct Instance {
    std::int64_t before = 0;
    int first_block = 0;  // of scales
    const int* order = nullptr;
  };

  HWY_INLINE Numbers read_c(Doubles c) const {
    const Format& format = plan_.c;
    const Subnormals subnormals = plan_.datapath.subnormals_c;
    if (subnormals != Subnormals::keep) c = flushed(c, is_subnormal(c, format), subnormals);
    return with_own_exponent(c, plan_.widen_c ? plan_.d.least_exponent() : format.least_exponent());
  }

  // Core carries on where there is an infinity or a NaN.
  HWY_INLINE void look_at(const Numbers* n) {
    for (int r = 0; r < rows; ++r) look_at(n[r], r);
  }
  HWY_INLINE void look_at(const Numbers& n, int r) {
    wrong_[r] = hn::Or(wrong_[r], hn::Not(hn::Lt(hn::Abs(n.value), hn::Inf(f64))));
  }

  HWY_INLINE Numbers* lane_left(int lane) { return values_[lane]; }

  HWY_INLINE Numbers start_of(int r) const {
    const Start start = plan_.datapath.start;
    return start == Start::c ? c_[r] : zeros(start == Start::none ? -0.0 : 0.0);
  }

  HWY_INLINE void run_lane(int instruction, int lane) {
    Numbers acc[rows];
    for (int r = 0; r < rows; ++r) acc[r] = start_of(r);
    for (int step = 0; step < plan_.steps; ++step) {
      look_at(acc);
      const Instance at = instance_of(instruction, lane, step);
      if (shape_.products > 0) take_products(at);
      const Numbers* left = run_sums(shape_.step, acc, at);
      for (int r = 0; r < rows; ++r) acc[r] = left[r];
      if (step + 1 < plan_.steps && plan_.datapath.subnormals_acc != Subnormals::keep) read_again(acc);
    }
    for (int r = 0; r < rows; ++r) lane_left(lane)[r] = acc[r];
  }

  // What the next step reads of what one left: zero where it is subnormal and the datapath says so.
  HWY_NOINLINE void read_again(Numbers* acc) const {
    const Format& format = plan_.adders.back().results.back().format;
    for (int r = 0; r < rows; ++r) {
      const Mask tiny = is_subnormal(acc[r].value, format);
      acc[r].value = flushed(acc[r].value, tiny, plan_.datapath.subnormals_acc);
      acc[r].exponent = hn::IfThenElse(hn::RebindMask(i64, tiny), hn::Set(i64, no_exponent), acc[r].exponent);
    }
  }

  // Products that are numbers by themselves.
  HWY_NOINLINE void take_products(const Instance& at) {
    const bool normalised = plan_.datapath.product.exponent == ProductExponent::normalised;
    for (int i = 0; i < shape_.products; ++i) {
      const std::int64_t term = at.before * shape_.products + i;
      Numbers* of_term = values_[doubles_first_term + i];
      for (int r = 0; r < rows; ++r) {
        const Doubles value = product(term, r);
        Ints exponent = exponent_of_product(term, plan_.lowered(at.order[i] % plan_.pieces), r);
        const auto zero = hn::RebindMask(i64, hn::Eq(value, hn::Zero(f64)));
        if (normalised) exponent = hn::IfThenElse(zero, exponent, leading_exponent(value));
        of_term[r] = {value, exponent};
        if (plan_.product_round) of_term[r] = rounded(of_term[r], *plan_.product_round);
      }
      if (!plan_.product_round) continue;
      look_at(of_term);
      leave_infinite(of_term);
    }
  }

  // What was small enough, and is rounded up to what counts as an infinity.
  HWY_INLINE void leave_infinite(const Numbers* products) {
    const std::optional<int>& infinity_at = plan_.datapath.product.infinity_at;
    if (!infinity_at || *infinity_at > greatest_power) return;
    const Doubles least_infinite = below(std::max(*infinity_at, least_power));
    for (int r = 0; r < rows; ++r)
      wrong_[r] = hn::Or(wrong_[r], hn::Not(hn::Lt(hn::Abs(products[r].value), least_infinite)));
  }

  HWY_INLINE Ints exponent_of_largest_product(std::int64_t first, int r) const {
    Doubles largest = hn::Zero(f64);
    for (std::int64_t t = first; t < first + run_.group_terms; ++t) largest = hn::Max(largest, hn::Abs(product(t, r)));
    const auto zero = hn::RebindMask(i64, hn::Eq(largest, hn::Zero(f64)));
    return hn::IfThenElse(zero, hn::Set(i64, no_exponent), leading_exponent(largest));
  }

  HWY_INLINE Ints exponent_of_product(std::int64_t term, int lowered, int r) const {
    const std::int64_t in_four = term % 4, four = term - in_four;
    const Words one = some_words(exponents_of_products(no_words(), four, r), static_cast<int>(in_four), 1);
    return exponent_of_word(largest_word(one), lowered);
  }

  // The larger of what was found so far and of the exponents of four products, as words.
  HWY_INLINE Words exponents_of_products(Words so_far, std::int64_t four, int r) const {
    const Words a = a_is_panel ? words_at(a_exponents_ + four * panel_columns)
                               : same_words(a_exponents_ + r * run_.a_stride + four);
    return larger_difference(so_far, a, words_at(b_exponents_ + four * panel_columns));
  }

  // Of zeros, too, where these have one: below all others.
  HWY_INLINE Ints exponent_of_word(Ints word, int lowered) const {
    const Ints exponent = hn::IfThenElse(hn::Eq(word, hn::Zero(i64)), hn::Set(i64, no_exponent),
                                         hn::Add(word, hn::Set(i64, run_.exponent_offset)));
    const std::optional<int>& empty = plan_.datapath.product.empty;
    return empty ? larger(exponent, *empty - lowered) : exponent;
  }

  HWY_INLINE Instance instance_of(int instruction, int lane, int step) const {
    const std::int64_t before = (std::int64_t{instruction} * plan_.lanes + lane) * plan_.steps + step;
    return {before, instruction * plan_.scales, plan_.step_order(lane, step)};
  }

  // What the last sum of a block leaves. An infinity that goes on from another one is core's.
  HWY_INLINE const Numbers* run_sums(const std::vector<DoublesSum>& sums, const Numbers* one, const Instance& at) {
    Numbers* left = values_[doubles_one];
    for (int r = 0; r < rows; ++r) left[r] = one[r];
    for (const DoublesSum& sum : sums) {
      left += rows;
      run_sum(sum, at, left);
      if (&sum != &sums.back()) look_at(left);
    }
    return left;
  }

  HWY_INLINE Numbers value(const DoublesItem& item, int r) const {
    const Numbers& n = values_[item.slot][r];
    return item.negate ? Numbers(hn::Neg(n.value), n.exponent) : n;
  }

  // The first term of the sum's products, in the pack.
  HWY_INLINE std::int64_t first_term(const DoublesSum& sum, const Instance& at) const {
    return (at.before * run_.product_groups + sum.group) * run_.group_terms;
  }

  // The largest exponent, and no_exponent where there is none.
  HWY_INLINE Ints largest_exponent(const DoublesSum& sum, const Instance& at, int r) const {
    Ints largest = hn::Set(i64, no_exponent);
    if (sum.products != nullptr) largest = product_exponent(sum, at, r);
    for (const DoublesItem& item : sum.others) {
      Ints exponent = value(item, r).exponent;
      if (item.words->empty)
        exponent = hn::IfThenElse(has_no_exponent(exponent), hn::Set(i64, *item.words->empty), exponent);
      largest = larger(largest, exponent);
    }
    return largest;
  }

  HWY_INLINE Ints product_exponent(const DoublesSum& sum, const Instance& at, int r) const {
    const std::int64_t first = first_term(sum, at), in_four = first % 4;
    if (plan_.datapath.product.exponent == ProductExponent::normalised) return exponent_of_largest_product(first, r);
    Words largest = no_words();
    for (std::int64_t t = first - in_four; t < first + run_.group_terms; t += 4)
      largest = exponents_of_products(largest, t, r);
    if (run_.group_terms < 4) largest = some_words(largest, static_cast<int>(in_four), run_.group_terms);
    return exponent_of_word(largest_word(largest), plan_.lowered(at.order[sum.first_term] % plan_.pieces));
  }

  // Where the sum's window stands, and the exponent that goes on with it, which it has not where there is nothing.
  struct WindowAt {
    HWY_INLINE WindowAt() {}  // NOLINT(modernize-use-equals-default): see Numbers
    HWY_INLINE WindowAt(Ints w, Ints e) : window(w), exponent(e) {}

    Ints window, exponent;
  };
  HWY_INLINE WindowAt window_of(const DoublesSum& sum, const Instance& at, int r) const {
    const Window& words = sum.adder->window;
    const Ints largest = largest_exponent(sum, at, r);
    Ints window = hn::Set(i64, words.at);
    auto none = has_no_exponent(largest);
    if (words.exponent == WindowExponent::largest) {
      window = words.raise == 0 ? largest : hn::Add(largest, hn::Set(i64, words.raise));
      if (words.floor) window = larger(window, *words.floor);
      if (words.step != 1) window = stepped(window, words);
    }
    if (words.lost_at) none = hn::Or(none, hn::Gt(hn::Set(i64, *words.lost_at + 1), window));
    return {larger(window, least_window), hn::IfThenElse(none, hn::Set(i64, no_exponent), window)};
  }

  // The least multiple that is not below.
  HWY_INLINE static Ints stepped(Ints window, const Window& words) {
    const Doubles above = hn::ConvertTo(f64, hn::Sub(window, hn::Set(i64, words.step_from)));
    const Doubles steps = hn::Ceil(hn::Div(above, hn::Set(f64, words.step)));
    return hn::Add(hn::ConvertTo(i64, hn::Mul(steps, hn::Set(f64, words.step))), hn::Set(i64, words.step_from));
  }

  HWY_INLINE Doubles a_at(std::int64_t term, int r) const {
    return a_is_panel ? hn::LoadU(f64, a_ + term * panel_columns) : hn::Set(f64, a_[r * run_.a_stride + term]);
  }
  HWY_INLINE Doubles b_at(std::int64_t term) const { return hn::LoadU(f64, b_ + term * panel_columns); }

  HWY_INLINE Doubles product(std::int64_t term, int r) const { return hn::Mul(a_at(term, r), b_at(term)); }

  // -0 where each product is that.
  HWY_INLINE Doubles exact_products(std::int64_t first, int r) const {
    const Doubles none = hn::Set(f64, -0.0);
    if (run_.group_terms == 1) return hn::Add(product(first, r), none);
    if (run_.group_terms == 2) return hn::Add(product(first, r), product(first + 1, r));
    Doubles sum[4] = {none, none, none, none};
    for (std::int64_t t = first; t < first + run_.group_terms; t += 4) {
      for (int i = 0; i < 4; ++i) sum[i] = hn::MulAdd(a_at(t + i, r), b_at(t + i), sum[i]);
    }
    return hn::Add(hn::Add(sum[0], sum[1]), hn::Add(sum[2], sum[3]));
  }

  // Addends on their way: their sum so far, in units of the grid, and where the adder asks for it, which lanes lost
  // ones of any, and in which bits any is not -0, or, of a sum that rounds down, not +0.
  struct Gathered {
    bool notes_lost = false, notes_signs = false, rounds_down = false, watched = false;
    Doubles sum = hn::Zero(f64);
    Doubles largest = hn::Zero(f64);  // of those that are watched, in units of the grid
    Mask lost = hn::Ne(hn::Zero(f64), hn::Zero(f64));
    Doubles unlike = hn::Zero(f64);

    HWY_INLINE Gathered() {}  // NOLINT(modernize-use-equals-default): see Numbers
    HWY_INLINE void watch(const DoublesSum& one) {
      const AdderPlan& adder = *one.adder;
      watched = one.watched;
      notes_lost = adder.has_sticky();
      notes_signs = adder.zero == ZeroSign::ieee;
      rounds_down = adder.rounds_down();
    }
    HWY_INLINE void watch_size(Doubles units) {
      if (watched) largest = hn::Max(largest, hn::Abs(units));
    }
    HWY_INLINE void note(Doubles exact, Doubles kept) {
      if (notes_lost) lost = hn::Or(lost, hn::Ne(exact, kept));
    }
    // Of a product in a row, whose sum does not round down.
    HWY_INLINE void note_sign_in_row(Doubles addend) {
      if (notes_signs) unlike = hn::Or(unlike, hn::Xor(addend, hn::Set(f64, -0.0)));
    }
    HWY_INLINE void note_sign(Doubles addend) {
      if (!rounds_down) return note_sign_in_row(addend);
      unlike = hn::Or(unlike, addend);
    }
    // The sign that IEEE has for a sum of zero: of nothing but -0 it is -0, and rounding down of anything but +0.
    HWY_INLINE Doubles with_sign(Doubles value) const {
      if (!notes_signs) return value;
      const auto alike = hn::RebindMask(f64, hn::Eq(hn::BitCast(i64, unlike), hn::Zero(i64)));
      const auto zero = hn::Eq(value, hn::Zero(f64));
      const auto minus = rounds_down ? hn::AndNot(alike, zero) : hn::And(alike, zero);
      return hn::IfThenElse(minus, hn::Set(f64, -0.0), value);
    }
  };

  // Scaled to units that `cut` leaves whole.
  template <Cut cut>
  HWY_INLINE void add_cut_products(std::int64_t first, const Doubles* scale, Gathered* all) const {
    Doubles sum[rows][2];
    for (int r = 0; r < rows; ++r) sum[r][0] = sum[r][1] = hn::Zero(f64);
    const auto add = [&](std::int64_t t, int i) HWY_ATTR {
      for (int r = 0; r < rows; ++r) {
        const Doubles exact = hn::Mul(product(t, r), scale[r]), kept = cut_by<cut>(exact);
        all[r].note(exact, kept);
        all[r].note_sign_in_row(exact);
        all[r].watch_size(kept);
        sum[r][i % 2] = hn::Add(sum[r][i % 2], kept);
      }
    };
    if (run_.group_terms < 4) {
      for (int i = 0; i < run_.group_terms; ++i) add(first + i, 0);
    } else {
      for (std::int64_t t = first; t < first + run_.group_terms; t += 4) {
        for (int i = 0; i < 4; ++i) add(t + i, i);
      }
    }
    for (int r = 0; r < rows; ++r) all[r].sum = hn::Add(sum[r][0], sum[r][1]);
  }

  HWY_INLINE void add_cut_products(Cut cut, std::int64_t first, const Doubles* scale, Gathered* all) const {
    switch (cut) {
      case Cut::toward_zero: return add_cut_products<Cut::toward_zero>(first, scale, all);
      case Cut::down: return add_cut_products<Cut::down>(first, scale, all);
      case Cut::up: return add_cut_products<Cut::up>(first, scale, all);
      case Cut::nearest_away: return add_cut_products<Cut::nearest_away>(first, scale, all);
      case Cut::nearest_up: return add_cut_products<Cut::nearest_up>(first, scale, all);
      case Cut::to_odd: return add_cut_products<Cut::to_odd>(first, scale, all);
      case Cut::nearest_even:
      case Cut::stochastic_a:
      case Cut::stochastic_b:
      case Cut::stochastic_c: return add_cut_products<Cut::nearest_even>(first, scale, all);
    }
  }

  HWY_INLINE void add_products(const DoublesSum& one, std::int64_t first, const WindowAt* found, Gathered* all) const {
    const Input& words = *one.products;
    const int fraction_bits = one.adder->sum.fraction_bits, keep = words.keep.value_or(fraction_bits);
    Doubles scale[rows];
    for (int r = 0; r < rows; ++r) scale[r] = power_of_two(hn::Sub(hn::Set(i64, keep), found[r].window));
    if (words.keep) add_cut_products(words.cut, first, scale, all);
    for (int r = 0; r < rows; ++r) {
      if (!words.keep) {
        all[r].sum = hn::Mul(exact_products(first, r), scale[r]);
        all[r].note_sign_in_row(all[r].sum);
      }
      const Doubles units = power_of_two(hn::Set(i64, fraction_bits - keep));
      all[r].sum = hn::Mul(all[r].sum, units);
      if (one.watched) all[r].largest = hn::Mul(all[r].largest, units);
    }
  }

  HWY_INLINE void add_other(const DoublesItem& item, const Numbers& n, const SumPlan& sum, Ints window,
                            Gathered& all) const {
    const Input& words = *item.words;
    all.note_sign(n.value);
    int keep = words.keep.value_or(sum.fraction_bits);
    Doubles units = hn::Mul(n.value, power_of_two(hn::Sub(hn::Set(i64, keep), window)));
    const auto cut = [&](Cut how) HWY_ATTR {
      const Doubles exact = units;
      units = cut_to_integer(units, how);
      all.note(exact, units);
    };
    if (words.keep) cut(words.cut);
    for (const Recut& again : words.again) {
      if (again.keep >= keep) continue;
      units = hn::Mul(units, power_of_two(hn::Set(i64, again.keep - keep)));
      keep = again.keep;
      cut(again.cut);
    }
    units = hn::Mul(units, power_of_two(hn::Set(i64, sum.fraction_bits - keep)));
    if (words.lost_below) {
      const auto low = hn::Lt(n.exponent, hn::Sub(window, hn::Set(i64, *words.lost_below)));
      const auto gone = hn::And(hn::RebindMask(f64, low), hn::Ne(n.value, hn::Zero(f64)));
      all.lost = hn::Or(all.lost, gone);
      units = hn::IfThenZeroElse(gone, units);
    }
    all.watch_size(units);
    all.sum = hn::Add(all.sum, units);
  }

  void run_sum(const DoublesSum& sum, const Instance& at, Numbers* left) {
    const AdderPlan& adder = *sum.adder;
    adder.sum.fixed_quantum ? standing_sum(sum, at, left) : aligned_sum(sum, at, left);
    if (adder.cancelled == Cancelled::none) {
      for (int r = 0; r < rows; ++r) {
        const auto zero = hn::RebindMask(i64, hn::Eq(left[r].value, hn::Zero(f64)));
        left[r].exponent = hn::IfThenElse(zero, hn::Set(i64, no_exponent), left[r].exponent);
      }
    }
    if (sum.scaled_by >= 0) {
      for (int r = 0; r < rows; ++r) left[r] = scaled(left[r], sum.scaled_by, at, r);
    }
    for (const ResultPlan& result : adder.results) {
      const bool first = &result == &adder.results.front();
      if (!first) look_at(left);
      if (first && adder.sticky == Sticky::at_result && !adder.sum.fixed_quantum) {
        round_with_trace(left, result);
      } else {
        for (int r = 0; r < rows; ++r) left[r] = rounded(left[r], result);
      }
    }
  }

  HWY_NOINLINE void round_with_trace(Numbers* left, const ResultPlan& result) const {
    for (int r = 0; r < rows; ++r) left[r] = rounded(left[r], result, &lost_[r]);
  }

  //   sum       s s s s . s s s s
  //   sticky                     t     half a unit of the grid, away from zero
  HWY_INLINE void aligned_sum(const DoublesSum& one, const Instance& at, Numbers* left) {
    const AdderPlan& adder = *one.adder;
    WindowAt found[rows];
    Gathered all[rows];
    for (int r = 0; r < rows; ++r) found[r] = window_of(one, at, r), all[r].watch(one);
    if (one.products != nullptr) add_products(one, first_term(one, at), found, all);
    for (const DoublesItem& item : one.others) {
      for (int r = 0; r < rows; ++r) add_other(item, value(item, r), adder.sum, found[r].window, all[r]);
    }
    for (int r = 0; r < rows; ++r) {
      left[r] = {sum_left(adder, found[r], all[r]), found[r].exponent};
      if (adder.sticky == Sticky::at_result) lost_[r] = all[r].lost;
      if (adder.errata.minus_one) leave_minus_one(adder, found[r].window, left[r].value, r);
      if (one.watched) leave_larger(adder.sum, all[r].largest, r);
    }
  }

  // Addends that all of them together may have more bits than a double.
  HWY_INLINE void leave_larger(const SumPlan& sum, Doubles largest, int r) {
    const Doubles least_too_large = below(53 - ceil_log2(sum.items));
    wrong_[r] = hn::Or(wrong_[r], hn::Not(hn::Lt(largest, least_too_large)));
  }

  HWY_INLINE Doubles sum_left(const AdderPlan& adder, const WindowAt& found, const Gathered& all) const {
    Doubles units = hn::Add(all.sum, hn::Zero(f64));  // -0 + 0 is +0
    if (adder.sticky == Sticky::below_sum) {
      const Doubles half = hn::IfThenElseZero(all.lost, hn::Set(f64, 0.5));
      units = hn::CopySign(hn::Add(hn::Abs(units), half), units);
    }
    const Ints grid = hn::Sub(found.window, hn::Set(i64, adder.sum.fraction_bits));
    return all.with_sign(left_by_window(adder, found.exponent, hn::Mul(units, power_of_two(grid))));
  }

  // A window that is lost leaves nothing of its sum but the sign of a zero.
  HWY_INLINE Doubles left_by_window(const AdderPlan& adder, Ints exponent, Doubles sum) const {
    if (!adder.window.lost_at) return sum;
    const auto none = hn::RebindMask(f64, has_no_exponent(exponent));
    return hn::IfThenZeroElse(hn::And(none, hn::Ne(sum, hn::Zero(f64))), sum);
  }

  HWY_INLINE void leave_minus_one(const AdderPlan& adder, Ints window, Doubles value, int r) {
    const Ints unit = hn::Sub(window, hn::Set(i64, *adder.inputs.front().words.keep));
    wrong_[r] = hn::Or(wrong_[r], hn::Eq(value, hn::Neg(power_of_two(unit))));
  }

  // Exact sums, whose grid stands still: signs of zeros are those that IEEE has, rounding to the nearest.
  HWY_INLINE void standing_sum(const DoublesSum& one, const Instance& at, Numbers* left) {
    const AdderPlan& adder = *one.adder;
    for (int r = 0; r < rows; ++r) {
      const Ints exponent = window_of(one, at, r).exponent;
      Doubles sum = one.watched ? watched_sum(one, r) : one.to_odd ? sum_to_odd(one, at, r) : exact_sum(one, at, r);
      if (adder.zero == ZeroSign::positive) sum = hn::Add(sum, hn::Zero(f64));
      sum = left_by_window(adder, exponent, sum);
      left[r] = {adder.rounds_down() ? rounding_down(one, r).with_sign(sum) : sum, exponent};
    }
  }

  // Of a sum of other items than products in a row.
  HWY_INLINE Gathered rounding_down(const DoublesSum& one, int r) const {
    Gathered all;
    all.watch(one);
    for (const DoublesItem& item : one.others) all.note_sign(value(item, r).value);
    return all;
  }

  HWY_INLINE Doubles exact_sum(const DoublesSum& one, const Instance& at, int r) const {
    Doubles sum = hn::Set(f64, -0.0);
    if (one.products != nullptr) sum = exact_products(first_term(one, at), r);
    for (const DoublesItem& item : one.others) sum = hn::Add(sum, value(item, r).value);
    return sum;
  }

  // Of items that are no row.
  HWY_INLINE Doubles watched_sum(const DoublesSum& one, int r) {
    Doubles sum = hn::Set(f64, -0.0);
    for (const DoublesItem& item : one.others) {
      const Doubles before = sum, addend = value(item, r).value;
      sum = hn::Add(before, addend);
      wrong_[r] = hn::Or(wrong_[r], hn::Ne(lost_by_sum(before, addend, sum), hn::Zero(f64)));
    }
    return sum;
  }

  HWY_INLINE Doubles sum_to_odd(const DoublesSum& one, const Instance& at, int r) const {
    const std::int64_t first = first_term(one, at);
    if (one.others.empty()) return odd_sum(product(first, r), product(first + 1, r));
    const Doubles last = value(one.others.back(), r).value;
    return odd_sum(one.terms == 0 ? value(one.others.front(), r).value : exact_products(first, r), last);
  }

  // By the two scales of the block in which this term of the step lies. A scale of zero leaves no exponent.
  HWY_INLINE Numbers scaled(const Numbers& n, int term, const Instance& step, int r) const {
    const std::int64_t block = step.first_block + plan_.element_of(step.order[term]) / plan_.scale_block;
    const std::int64_t at = block * panel_columns, a_at = a_is_panel ? at : r * run_.a_scale_stride + block;
    const Doubles a = a_is_panel ? hn::LoadU(f64, a_scales_ + a_at) : hn::Set(f64, a_scales_[a_at]);
    const Ints ea = a_is_panel ? hn::LoadU(i64, a_scale_exponents_ + a_at) : hn::Set(i64, a_scale_exponents_[a_at]);
    const Doubles scale = hn::Mul(a, hn::LoadU(f64, b_scales_ + at));
    const Ints by = hn::Add(ea, hn::LoadU(i64, b_scale_exponents_ + at));
    const auto none = hn::Or(has_no_exponent(n.exponent), hn::RebindMask(i64, hn::Eq(scale, hn::Zero(f64))));
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
  Numbers c_[rows], values_[doubles_one + 1 + doubles_sums][rows];
  Mask wrong_[rows], lost_[rows];
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
