#include "model/fast/doubles.hpp"

#include <algorithm>
#include <cfloat>
#include <climits>
#include <cmath>
#include <cstring>

#include "model/core/encode.hpp"
#include "model/core/plain_sums.hpp"
#include "model/core/result_words.hpp"
#include "model/core/slice.hpp"
#include "model/fast/floats.hpp"

namespace assay {
namespace {

constexpr int table_bits = 16;
constexpr int double_bits = 53;
constexpr int most_fraction_bits = 120;  // of a window that most sums do not fill
constexpr int trace_bits = 2;            // below a number: a quarter of its last bit
constexpr int farthest_exponent = 880;

std::size_t count_of(int rows, int columns) {
  return static_cast<std::size_t>(rows) * static_cast<std::size_t>(columns);
}

// --- which plans ---

bool within_doubles(const Range& r) {
  return r.least_quantum() >= -farthest_exponent && r.greatest_exponent + r.integer_bits <= farthest_exponent;
}

// Of each other overflow and of formats without a sign something else is made than a number, an infinity or a NaN.
bool good_overflow(const Result& words) {
  return words.overflow != Overflow::wrap && words.overflow != Overflow::symmetric;
}

bool good_result(const ResultPlan& result) {
  const Result& words = result.words;
  if (is_stochastic(words.cut) || words.bits || !within_doubles(result.range)) return false;
  const Format& f = result.format;
  return words.at != ResultAt::format || (!f.is_integer() && !f.rounds_to_list() && !is_unsigned_float(f) &&
                                          good_overflow(words) && f.mantissa_bits + 1 < double_bits);
}

bool is_of_terms(const InputPlan& input) { return input.kind == ValueKind::term; }

bool takes_products(const AdderPlan& adder) {
  return std::any_of(adder.inputs.begin(), adder.inputs.end(), is_of_terms);
}

// In a row: one adder takes them all, group by group, each cut once at most, and filled up with zeros, which a sum that
// rounds down would see.
bool adds_rows_of_products(const AdderPlan& adder) {
  const bool cuts = std::all_of(adder.inputs.begin(), adder.inputs.end(),
                                [](const InputPlan& input) { return !is_of_terms(input) || input.words.only_cuts(); });
  const bool sees_zeros = adder.zero == ZeroSign::ieee && adder.rounds_down();
  return adder.shape == Shape::flat && cuts && !sees_zeros;
}

// The adders of a step, whose terms are products, or of the finish, whose terms are what the lanes left.
struct Adders {
  const std::vector<AdderPlan>& list;
  const CircuitBlock& block;
  bool of_rows;    // of products
  int first_term;  // the slot of the block's first one

  bool is_row(const InputPlan& input) const { return of_rows && is_of_terms(input); }
};

// Two numbers of the format that their sum is rounded to, to the nearest.
bool sum_of_two_alike(const Adders& adders, const AdderPlan& adder) {
  if (adder.sum.items != 2 || adder.results.size() != 1 || adder.times_scales) return false;
  const ResultPlan& result = adder.results.front();
  if (result.words.at != ResultAt::format || result.words.cut != Cut::nearest_even) return false;
  const Format& f = result.format;
  const auto alike = [&](const InputPlan& input) {
    return !adders.is_row(input) && !input.range.fixed_quantum && input.range.fraction_bits <= f.mantissa_bits &&
           input.range.integer_bits == 1 && input.range.least_exponent >= f.least_exponent() &&
           input.range.greatest_exponent <= f.greatest_exponent();
  };
  return 2 * f.significand_bits() + 2 <= double_bits && std::all_of(adder.inputs.begin(), adder.inputs.end(), alike);
}

// Whether so many of them add up to no more than a double holds.
bool add_up_exactly(const Range& range, int count) {
  int bits = range.greatest_exponent + range.integer_bits - range.least_quantum();
  for (int most = 1; most < count; most *= 2) ++bits;
  return bits <= double_bits;
}

// Numbers that have to be added in order: all, but for products that add up exactly.
int addends(const Adders& adders, const AdderPlan& adder) {
  if (adder.shape != Shape::flat) return adder.sum.items;
  int count = 0;
  for (const InputPlan& input : adder.inputs)
    count += adders.is_row(input) && add_up_exactly(input.range, input.count) ? 1 : input.count;
  return count;
}

// Two addends of which nothing is lost before their sum is rounded to so few bits that 53, the last of which is odd
// where others were lost, say all that there is to know.
bool sum_of_two_to_odd(const Adders& adders, const AdderPlan& adder) {
  if (addends(adders, adder) != 2 || !adder.sum.fixed_quantum || adder.results.empty() || adder.is_scaled())
    return false;
  const ResultPlan& result = adder.results.front();
  const int bits = result.words.at == ResultAt::format ? result.format.mantissa_bits + 1 : result.words.keep + 1;
  return result.words.at != ResultAt::window && bits + 2 <= double_bits;
}

// By how many bits a sum grows that two scales multiply.
int bits_of_scales(const Plan& plan, const AdderPlan& adder) {
  const int bits = adder.times_scales ? plan.scale->significand_bits() : 1;
  return bits == 1 ? 0 : 2 * bits;
}

bool fits_register(const Plan& plan, const AdderPlan& adder) {
  const int further = bits_of_scales(plan, adder) + (adder.sticky == Sticky::below_sum ? 1 : 0);
  return adder.sum.sum_width + further <= double_bits + 1;
}

// Whether numbers on the way need no more bits than a double has, most times: of a window that stands still, which most
// sums do not fill, and of sums that lose nothing, whose addends are of like size. One that does is left to core.
bool mostly_fits_register(const AdderPlan& adder) {
  const bool stands = adder.sum.fixed_quantum || adder.window.exponent == WindowExponent::fixed;
  return stands && !adder.is_scaled() && !adder.has_sticky() && adder.sum.fraction_bits <= most_fraction_bits;
}

bool is_watched(const Plan& plan, const Adders& adders, const AdderPlan& adder) {
  return !fits_register(plan, adder) && !sum_of_two_alike(adders, adder) && !sum_of_two_to_odd(adders, adder);
}

// A row whose sum is watched is watched product by product.
bool is_watched_as_row(const AdderPlan& adder) {
  return !adder.sum.fixed_quantum && std::all_of(adder.inputs.begin(), adder.inputs.end(), [](const InputPlan& input) {
    return !is_of_terms(input) || input.words.keep;
  });
}

// Whether each product is a number by itself before a sum takes it. In a row none but the largest has its exponent
// normalised, which says nothing of zeros that have one.
bool are_by_themselves(const Plan& plan) {
  const bool normalised = plan.datapath.product.exponent == ProductExponent::normalised;
  if (plan.product_round || (normalised && (plan.datapath.product.empty || plan.in_pieces()))) return true;
  if (std::count_if(plan.adders.begin(), plan.adders.end(), takes_products) != 1) return true;
  const AdderPlan& adder = *std::find_if(plan.adders.begin(), plan.adders.end(), takes_products);
  const Adders as_row{plan.adders, plan.circuit.step, true, 0};
  return !adds_rows_of_products(adder) || (is_watched(plan, as_row, adder) && !is_watched_as_row(adder));
}

Adders steps_of(const Plan& plan) {
  return {plan.adders, plan.circuit.step, !are_by_themselves(plan), doubles_first_term};
}
Adders finish_of(const Plan& plan) { return {plan.finish, plan.circuit.finish, false, 0}; }

// What is remembered beside a sum stands below what its first result cuts, and nothing comes between.
bool good_trace(const AdderPlan& adder) {
  if (adder.sticky != Sticky::at_result || adder.sum.fixed_quantum) return true;
  if (adder.results.empty() || adder.is_scaled() || adder.sum.sum_width + trace_bits > double_bits + 1) return false;
  const Range& left = adder.results.front().range;
  return left.integer_bits + left.fraction_bits + trace_bits <= double_bits;
}

bool good_inputs(const AdderPlan& adder) {
  return std::all_of(adder.inputs.begin(), adder.inputs.end(), [&](const InputPlan& input) {
    const Input& words = input.words;
    if (adder.sum.fixed_quantum && (!words.loses_nothing() || !words.again.empty())) return false;
    if (std::any_of(words.again.begin(), words.again.end(), [](const Recut& r) { return is_stochastic(r.cut); }))
      return false;
    return !is_stochastic(words.cut) && std::abs(words.empty.value_or(0)) < farthest_exponent;
  });
}

bool good_window(const Window& w) {
  const auto is_near = [](int exponent) { return std::abs(exponent) < farthest_exponent; };
  return is_near(w.at) && is_near(w.floor.value_or(0)) && is_near(w.raise) && is_near(w.step) && is_near(w.step_from);
}

bool can_be_added(const Plan& plan, const Adders& adders, const AdderPlan& adder) {
  return !is_watched(plan, adders, adder) || mostly_fits_register(adder);
}

bool good_adder(const Plan& plan, const Adders& adders, const AdderPlan& adder) {
  if (!adder.scales.empty() || !good_trace(adder)) return false;
  if (!good_inputs(adder) || !good_window(adder.window) || !can_be_added(plan, adders, adder)) return false;
  if (adder.scaled && !within_doubles(*adder.scaled)) return false;
  return within_doubles(adder.sum.range) && within_doubles(adder.range) &&
         std::all_of(adder.results.begin(), adder.results.end(), good_result);
}

bool good_adders(const Plan& plan, const Adders& adders) {
  return adders.block.sums.size() <= doubles_sums &&
         std::all_of(adders.list.begin(), adders.list.end(),
                     [&](const AdderPlan& adder) { return good_adder(plan, adders, adder); });
}

// Zeros stand below all else: where a sum has one, its window is at least there, and every other product's as well.
bool good_zeros(const Plan& plan) {
  if (plan.counts_zeros()) return false;
  if (!plan.datapath.product.empty) return true;
  const int least = plan.factor_a.range.least_exponent + plan.factor_b.range.least_exponent;
  return *plan.datapath.product.empty <= least && plan.run() != SliceRun::together &&
         !plan.datapath.product.times_scales;
}

// An accumulator that is not there counts for nothing, which zero with an exponent does, so does -0 that is turned, and
// so does any where sums round down.
bool good_start(const Plan& plan) {
  const auto counts = [](const AdderPlan& adder) {
    return std::any_of(adder.inputs.begin(), adder.inputs.end(), [&](const InputPlan& input) {
      return input.kind == ValueKind::one && (input.words.empty || input.words.negate || adder.rounds_down());
    });
  };
  return plan.datapath.start != Start::none || std::none_of(plan.adders.begin(), plan.adders.end(), counts);
}

// Read again from what an instruction before has left, c of another format would be read otherwise.
bool good_c(const Plan& plan) {
  const bool flushed = plan.datapath.subnormals_c != Subnormals::keep;
  return plan.c == plan.d ? !flushed || !plan.c.is_list() : plan.widen_c && !flushed;
}

bool fits_doubles(const Plan& plan) {
  const Datapath& words = plan.datapath;
  if (plan.a.is_integer() || mixes_kinds(plan) || magnitude_in(plan) != nullptr) return false;
  if (plan.rows || !good_zeros(plan) || !good_start(plan) || !good_c(plan)) return false;
  if (plan.product_round && !good_result(*plan.product_round)) return false;
  if (are_by_themselves(plan) && plan.step_terms > doubles_terms) return false;
  if (!at_most_rounds(plan.factor_a) || !at_most_rounds(plan.factor_b)) return false;
  if (plan.lanes > doubles_lanes_of_plan) return false;
  int bits = plan.a.significand_bits() + plan.b.significand_bits();
  if (plan.scale && words.product.times_scales) bits += 2 * plan.scale->significand_bits();
  if (bits > double_bits || !within_doubles(plan.term_range) || !within_doubles(plan.c_range)) return false;
  return good_adders(plan, steps_of(plan)) && good_adders(plan, finish_of(plan));
}

int slot_of(const Adders& adders, int value) {
  const CircuitBlock& block = adders.block;
  if (block.kind(value) == ValueKind::term) return adders.first_term + value;
  return doubles_one + value - block.one();
}

DoublesSum sum_of(const Plan& plan, const Adders& adders, const SumNode& node) {
  DoublesSum sum;
  sum.adder = &adders.list[static_cast<std::size_t>(node.adder)];
  sum.group = node.group;
  sum.scaled_by = node.scaled_by;
  for (const SumItem& item : node.items) {
    const InputPlan& input = sum.adder->inputs[static_cast<std::size_t>(item.input)];
    if (adders.is_row(input)) {
      if (sum.products == nullptr) sum.first_term = item.value;
      sum.products = &input.words;
      ++sum.terms;
    } else {
      sum.others.push_back({slot_of(adders, item.value), &input.words, item.negate});
    }
  }
  sum.watched = is_watched(plan, adders, *sum.adder);
  sum.to_odd = !sum.watched && !fits_register(plan, *sum.adder) && !sum_of_two_alike(adders, *sum.adder);
  return sum;
}

std::vector<DoublesSum> sums_of(const Plan& plan, const Adders& adders) {
  std::vector<DoublesSum> sums;
  for (const SumNode& node : adders.block.sums) sums.push_back(sum_of(plan, adders, node));
  return sums;
}

// --- codes ---

// 2^e as a normal double. ldexp takes ten times as long, which a table of every code notices.
double power_of_two(int e) {
  const std::uint64_t bits = static_cast<std::uint64_t>(e - (DBL_MIN_EXP - 1) + 1) << (DBL_MANT_DIG - 1);
  double power = 0;
  std::memcpy(&power, &bits, sizeof power);
  return power;
}

double value_of(const Number& n) {
  const bool normal = n.quantum >= DBL_MIN_EXP - 1 && n.quantum < DBL_MAX_EXP;
  const auto integer = static_cast<double>(static_cast<std::uint64_t>(n.magnitude));
  const double magnitude = normal ? integer * power_of_two(n.quantum) : std::ldexp(integer, n.quantum);
  return n.negative ? -magnitude : magnitude;
}

// Of a number the format holds, or an infinity it has.
Code code_of(double value, const Format& format) {
  Number n = Number::zero(std::signbit(value));
  if (std::isinf(value)) return encode(Number::infinity(n.negative), format, {});
  if (value != 0) {
    n.exponent = std::max(std::ilogb(value), format.least_exponent());
    n.quantum = n.exponent - format.mantissa_bits;
    n.magnitude = static_cast<std::uint64_t>(std::ldexp(std::fabs(value), -n.quantum));
  }
  return encode(n, format, {});
}

}  // namespace

bool is_ieee_within_doubles(const Format& f) {
  return is_ieee(f) && f.mantissa_bits < DBL_MANT_DIG - 1 && 1 - f.bias - f.mantissa_bits >= DBL_MIN_EXP - 1 &&
         f.greatest_exponent() < DBL_MAX_EXP;
}

DoubleDecoder::DoubleDecoder(OperandCodes codes, std::optional<Slice> slice) : codes_(std::move(codes)), slice_(slice) {
  const bool as_it_is = !slice_ && !codes_.round && codes_.nans == Nans::keep;
  is_ieee_ = as_it_is && is_ieee_within_doubles(codes_.format);
  const Format& f = codes_.format;
  mantissa_bits_ = f.mantissa_bits;
  bias_ = f.bias;
  mantissa_mask_ = (Code{1} << f.mantissa_bits) - 1;
  top_field_ = (Code{1} << f.exponent_bits) - 1;
  sign_bit_ = f.sign_bit();
  if (is_ieee_ || codes_.format.used_bits() > table_bits) return;
  table_.resize(std::size_t{1} << codes_.format.used_bits());
  of_each_code(codes_, [this](Code used, const assay::Number& n) { table_[used] = decoded(n); });
}

DoubleDecoder::Number DoubleDecoder::decoded(const assay::Number& n) const {
  if (n.cls == Class::nan) return {std::nan(""), none, false};
  if (!n.is_finite()) return {n.negative ? -HUGE_VAL : HUGE_VAL, none, false};
  if (n.is_zero()) return {value_of(n), none, true};
  if (!slice_) return {value_of(n), static_cast<std::int16_t>(n.exponent), true};
  const assay::Number part = sliced(n, slice_->before_point, slice_->from, slice_->bits);
  return {value_of(part), static_cast<std::int16_t>(n.exponent - slice_->lowered), true};
}

DoubleDecoder::Number DoubleDecoder::of_other(Code used) const {
  return table_.empty() ? decoded(codes_(used)) : table_[used];
}

DoubleDecoder::Number DoubleDecoder::of_edge(Code used) const {
  const Code mantissa = used & mantissa_mask_;
  const bool is_top = (used >> mantissa_bits_ & top_field_) != 0;
  const bool flushed = !is_top && mantissa != 0 && codes_.subnormals != Subnormals::keep;
  const bool negative = (used & sign_bit_) != 0 && !(flushed && codes_.subnormals == Subnormals::zero);
  if (flushed) return {negative ? -0.0 : 0.0, none, true};
  if (is_top && mantissa != 0) return {std::nan(""), none, false};
  if (is_top) return {negative ? -HUGE_VAL : HUGE_VAL, none, false};
  const double magnitude = static_cast<double>(mantissa) * power_of_two(1 - bias_ - mantissa_bits_);
  return {negative ? -magnitude : magnitude, mantissa == 0 ? none : static_cast<std::int16_t>(1 - bias_), true};
}

std::optional<DoublesKernel> DoublesKernel::of(const Plan& plan) {
  if (!fits_doubles(plan)) return std::nullopt;
  return DoublesKernel(plan);
}

namespace {

std::shared_ptr<const DoubleDecoder> decoder_of(OperandCodes codes) {
  return std::make_shared<const DoubleDecoder>(std::move(codes));
}

using SliceList = std::vector<DoubleDecoder::Slice>;

// Of one side of each pair; none where operands are multiplied whole.
SliceList slices_of(const Plan& plan, Side side) {
  const bool lowers = plan.datapath.slices.exponent == SliceExponent::slice;
  const FactorPlan& factor = side == Side::a ? plan.factor_a : plan.factor_b;
  SliceList slices;
  for (const SlicePair& pair : plan.datapath.slices.pairs) {
    const int from = side == Side::a ? pair.a_from : pair.b_from;
    slices.push_back({factor.range.integer_bits, from, side == Side::a ? pair.a_bits : pair.b_bits, lowers ? from : 0});
  }
  return slices;
}

std::vector<std::shared_ptr<const DoubleDecoder>> decoders_of(const OperandCodes& codes, const SliceList& slices) {
  if (slices.empty()) return {decoder_of(codes)};
  std::vector<std::shared_ptr<const DoubleDecoder>> decoders;
  for (std::size_t i = 0; i < slices.size(); ++i) {
    const auto same = static_cast<std::size_t>(std::find(slices.begin(), slices.end(), slices[i]) - slices.begin());
    decoders.push_back(same < i ? decoders[same] : std::make_shared<const DoubleDecoder>(codes, slices[i]));
  }
  return decoders;
}

int most_lowered(const SliceList& slices) {
  int most = 0;
  for (const DoubleDecoder::Slice& slice : slices) most = std::max(most, slice.lowered);
  return most;
}

int half_rounded_down(int n) { return (n - (n & 1)) / 2; }

}  // namespace

DoublesKernel::DoublesKernel(const Plan& plan)
    : plan_(&plan),
      shape_{sums_of(plan, steps_of(plan)), sums_of(plan, finish_of(plan)),
             are_by_themselves(plan) ? plan.step_terms : 0} {
  const Datapath& words = plan.datapath;
  const SliceList slices_a = slices_of(plan, assay::Side::a), slices_b = slices_of(plan, assay::Side::b);
  a_.decoders = decoders_of(codes_of_a(plan), slices_a);
  const bool alike = are_read_alike(codes_of_a(plan), codes_of_b(plan)) && slices_a == slices_b;
  b_.decoders = alike ? a_.decoders : decoders_of(codes_of_b(plan), slices_b);
  c_ = decoder_of(OperandCodes{plan.c, Subnormals::keep, std::nullopt, nans_of(plan, plan.c, words.nans_c)});
  const bool has_specials = words.specials != Specials::numbers;
  c_is_float_ = has_specials && is_float(plan.c);
  d_is_float_ = has_specials && is_float(plan.d);
  if (plan.scale) scale_ = decoder_of(OperandCodes{*plan.scale});

  scaled_products_ = words.product.times_scales;
  const int least_scale = scaled_products_ ? plan.scale_range.least_exponent : 0;
  const int greatest_scale = scaled_products_ ? plan.scale_range.greatest_exponent : 0;
  const int least_a = plan.factor_a.range.least_exponent + least_scale - most_lowered(slices_a),
            least_b = plan.factor_b.range.least_exponent + least_scale - most_lowered(slices_b);
  const int greatest_b = plan.factor_b.range.greatest_exponent + greatest_scale;
  //   a: base + ea    b: base - eb    difference: (ea - least a) + (eb - least b) + 1
  b_.base = greatest_b;
  b_.descending = true;
  a_.base = greatest_b - least_b + 1 - least_a;
  exponent_offset_ = least_a + least_b - 1;
  // |a x b| < 2^(ea + eb + bits)
  const int bits = plan.factor_a.range.integer_bits + plan.factor_b.range.integer_bits +
                   (scaled_products_ ? 2 * plan.scale_range.integer_bits : 0);
  if (words.product.infinity_at) greatest_exponent_ = half_rounded_down(*words.product.infinity_at - bits);

  scaled_groups_ =
      std::any_of(plan.adders.begin(), plan.adders.end(), [](const AdderPlan& a) { return a.times_scales; });
  if (shape_.products > 0)
    sources_ = sources_of_steps(plan);
  else
    take_rows();
}

void DoublesKernel::take_rows() {
  const AdderPlan& adder = *std::find_if(plan_->adders.begin(), plan_->adders.end(), takes_products);
  const InputPlan& products = *std::find_if(adder.inputs.begin(), adder.inputs.end(), is_of_terms);
  a_.negate = products.words.negate;
  product_groups_ = adder.groups;
  const int filled_to = products.count <= 2 ? products.count : 4;
  group_terms_ = (products.count + filled_to - 1) / filled_to * filled_to;
  sources_ = sources_of_sums(*plan_, filled_to);
}

Decoded<double, std::uint16_t> DoublesKernel::operand(const Side& side, Code code, int product, const Matrix& scales,
                                                      int line) const {
  const std::size_t piece = side.decoders.size() == 1 ? 0 : static_cast<std::size_t>(product % plan_->pieces);
  DoubleDecoder::Number n = (*side.decoders[piece])(code);
  if (scaled_products_) n = scaled(n, scales, line, product);
  if (!n.finite || n.exponent > greatest_exponent_) return side.unfit();
  return n.exponent == DoubleDecoder::none ? side.zero(n.value) : side.number(n.value, n.exponent);
}

int DoublesKernel::blocks(int instructions) const { return scaled_groups_ ? plan_->scales * instructions : 0; }

void DoublesKernel::pack_scales(Pack& pack, const Matrix& scales, bool panel, int first, int count,
                                int instructions) const {
  pack.blocks = blocks(instructions);
  const auto lines = static_cast<int>(pack.terms.fits.size());
  pack.scales = hwy::AllocateAligned<double>(count_of(lines, pack.blocks));
  pack.scale_exponents = hwy::AllocateAligned<std::int64_t>(count_of(lines, pack.blocks));
  for (int line = 0; line < lines; ++line) {
    for (int block = 0; block < pack.blocks; ++block) {
      const std::size_t at = panel ? count_of(block, panel_columns) + static_cast<std::size_t>(line)
                                   : count_of(line, pack.blocks) + static_cast<std::size_t>(block);
      const bool there = line < count;
      const DoubleDecoder::Number s = there ? (*scale_)(scales.get(first + line, block)) : DoubleDecoder::Number{};
      pack.scales[at] = s.finite ? s.value : 0;
      pack.scale_exponents[at] = s.value == 0 || !s.finite ? 0 : s.exponent;
      pack.terms.fits[static_cast<std::size_t>(line)] &= static_cast<char>(s.finite);
    }
  }
}

// `scales` has a line a line of the operand.
DoubleDecoder::Number DoublesKernel::scaled(const DoubleDecoder::Number& n, const Matrix& scales, int line,
                                            int product) const {
  constexpr std::int16_t none = DoubleDecoder::none;
  const int element = plan_->element_of(product);
  const int block = element / plan_->k * plan_->scales + element % plan_->k / plan_->scale_block;
  const DoubleDecoder::Number scale = (*scale_)(scales.get(line, block));
  const bool is_zero = n.exponent == none || scale.exponent == none;
  const auto exponent = is_zero ? none : static_cast<std::int16_t>(n.exponent + scale.exponent);
  return {n.value * scale.value, exponent, n.finite && scale.finite};
}

std::size_t DoublesKernel::line_bytes(int instructions) const {
  const std::size_t terms =
      assay::Pack<double, std::uint16_t>::line_bytes(count_of(static_cast<int>(sources_.size()), instructions));
  return terms + static_cast<std::size_t>(blocks(instructions)) * (sizeof(double) + sizeof(std::int64_t));
}

DoublesKernel::Pack DoublesKernel::pack_rows(const Gemm& gemm, int first, int count) const {
  const int instructions = gemm.k / plan_->k;
  const auto decode = [&](Code code, int row, int product) {
    return operand(a_, code, product, gemm.scale_a, first + row);
  };
  const OperandLines from{gemm.a, first, count, plan_->k, instructions, plan_->pieces};
  Pack pack{packed_rows(sources_, from, a_.fill(), decode), {}, {}, 0};
  if (scaled_groups_) pack_scales(pack, gemm.scale_a, false, first, count, instructions);
  return pack;
}

DoublesKernel::Pack DoublesKernel::pack_panel(const Gemm& gemm, int first, int count) const {
  const int instructions = gemm.k / plan_->k;
  const Matrix scales = transposed(gemm.scale_b);
  const auto decode = [&](Code code, int column, int product) {
    return operand(b_, code, product, scales, first + column);
  };
  const OperandLines from{transposed(gemm.b), first, count, plan_->k, instructions, plan_->pieces};
  Pack pack{packed_panel(sources_, from, b_.fill(), decode), {}, {}, 0};
  if (scaled_groups_) pack_scales(pack, scales, true, first, count, instructions);
  return pack;
}

DoublesKernel::Pack DoublesKernel::pack_cases(const Gemm& gemm, int count) const {
  const auto decode = [&](Code code, int row, int product) { return operand(a_, code, product, gemm.scale_a, row); };
  const OperandLines from{gemm.a, 0, count, plan_->k, 1, plan_->pieces};
  Pack pack{packed_panel(sources_, from, a_.fill(), decode), {}, {}, 0};
  if (scaled_groups_) pack_scales(pack, gemm.scale_a, true, 0, count, 1);
  return pack;
}

DoublesRun DoublesKernel::run_of(const Pack& a, const Pack& b) const {
  DoublesRun r;
  r.a = a.terms.values.get();
  r.a_exponents = a.terms.exponents.get();
  r.a_scales = a.scales.get();
  r.a_scale_exponents = a.scale_exponents.get();
  r.b = b.terms.values.get();
  r.b_exponents = b.terms.exponents.get();
  r.b_scales = b.scales.get();
  r.b_scale_exponents = b.scale_exponents.get();
  r.instructions = a.terms.terms / static_cast<int>(sources_.size());
  r.group_terms = group_terms_;
  r.product_groups = product_groups_;
  r.exponent_offset = exponent_offset_;
  return r;
}

void DoublesKernel::tile(const Pack& a, int row, int rows, const Pack& b, Tile& tile) const {
  DoublesRun r = run_of(a, b);
  r.a += count_of(row, a.terms.terms);
  r.a_exponents += count_of(row, a.terms.terms);
  r.a_stride = a.terms.terms;
  r.a_scale_stride = a.blocks;
  if (scaled_groups_) {
    r.a_scales += count_of(row, a.blocks);
    r.a_scale_exponents += count_of(row, a.blocks);
  }
  run(r, rows, doubles_rows, tile);
  redo_unfit(a.terms.fits, row, rows, b.terms.fits, tile);
}

void DoublesKernel::lanes(const Pack& a, const Pack& b, Tile& tile) const {
  run(run_of(a, b), 1, doubles_lanes, tile);
  redo_unfit_cases(a.terms.fits, b.terms.fits, tile);
}

void DoublesKernel::run(DoublesRun run, int rows, DoublesLoop loop, Tile& tile) const {
  alignas(64) std::array<double, tile_rows * panel_columns> acc{};
  alignas(64) std::array<std::uint64_t, tile_rows * panel_columns> redo{};
  run.acc = acc.data();
  run.redo = redo.data();
  for (std::size_t i = 0; i < static_cast<std::size_t>(rows); ++i) {
    for (std::size_t j = 0; j < panel_columns; ++j) acc[i * panel_columns + j] = c_value(tile.c[i][j]);
  }
  loop(*plan_, shape_, run);
  for (std::size_t i = 0; i < static_cast<std::size_t>(rows); ++i) {
    for (std::size_t j = 0; j < panel_columns; ++j) {
      const std::size_t at = i * panel_columns + j;
      tile.redo[i][j] = redo[at] != 0 || std::isnan(acc[at]);
      tile.d[i][j] = tile.redo[i][j] ? 0 : d_code(acc[at]);
    }
  }
}

// A float is decoded without a table. What becomes of subnormal ones is the loops' work, which meet later ones, too.
double DoublesKernel::c_value(Code code) const {
  if (!c_is_float_) return (*c_)(code).value;
  const float c = float_of_bits(static_cast<std::uint32_t>(code));
  return std::isnan(c) && plan_->datapath.nans_c == Nans::zero ? 0.0 : c;
}

Code DoublesKernel::d_code(double value) const {
  return d_is_float_ ? bits_of_float(static_cast<float>(value)) : code_of(value, plan_->d);
}

}  // namespace assay
