#include "model/fast/fused.hpp"

#include <algorithm>
#include <climits>
#include <map>

#include "model/fast/floats.hpp"
#include "model/fast/rounding.hpp"

namespace assay {
namespace {

constexpr int table_bits = 16;         // formats of no more bits are decoded by table
constexpr int least_exponent = -50;    // of an operand: 2^(e - F) stays a normal float for the product of two
constexpr int greatest_exponent = 63;  // and the product finite
constexpr int greatest_keep = 26;
constexpr int float_bits = 24;
constexpr int tile_elements = tile_rows * panel_columns;
constexpr int sums_at_once = 16;  // of instructions that start from zero, before c is added

bool cut_toward_zero(const Input& input, int keep) {
  return input.keep == keep && input.cut == Cut::toward_zero && input.only_cuts();
}

bool to_format(const Result& result, Cut cut) {
  return result.at == ResultAt::format && result.cut == cut && result.subnormals == Subnormals::keep &&
         result.overflow == Overflow::infinity;
}

// The bits of a float that the results leave: nothing where they are not {cut to d toward zero}, with or without a cut
// at the leading one before it.
std::optional<std::uint32_t> result_bits(const AdderPlan& adder) {
  if (!to_format(adder.results.back().words, Cut::toward_zero)) return std::nullopt;
  if (adder.results.size() == 1) return ~0U;
  const Result& first = adder.results.front().words;
  const bool cut = adder.results.size() == 2 && first.at == ResultAt::leading_one && first.cut == Cut::toward_zero &&
                   first.keep <= 23 && first.least_exponent == -126;
  if (!cut) return std::nullopt;
  return ~0U << (23 - first.keep);
}

bool plain_products(const Plan& plan) {
  const Product& p = plan.datapath.product;
  const bool shifted = !p.times_scales || plan.scale->mantissa_bits == 0;  // scales are powers of two
  const bool finite = !p.infinity_at || *p.infinity_at >= 2 * (greatest_exponent + 1);
  return !p.round && finite && shifted && p.exponent == ProductExponent::raw;
}

bool plain_sum(const AdderPlan& adder) {
  return adder.shape == Shape::flat && !adder.has_sticky() && !adder.times_scales && adder.zero == ZeroSign::positive &&
         adder.window.exponent == WindowExponent::largest && adder.window.step == 1;
}

// Steps from c on; or from zero, and c added last, as IEEE has it.
bool is_late_c(const Plan& plan) { return plan.datapath.start == Start::zero; }

// Whether the last sum of a block is that of these two values.
bool adds_both(const CircuitBlock& block, int x, int y) {
  const std::vector<SumItem>& items = block.sums.back().items;
  return items.size() == 2 && std::min(items[0].value, items[1].value) == std::min(x, y) &&
         std::max(items[0].value, items[1].value) == std::max(x, y);
}

bool takes_c(const Plan& plan) {
  if (!is_late_c(plan)) return plan.finish.empty();
  if (plan.finish.size() != 1) return false;
  const AdderPlan& adder = plan.finish.front();
  const auto exact = [](const InputPlan& i) { return i.words.loses_nothing() && !i.words.empty; };
  const bool sum = !adder.has_sticky() && !adder.times_scales && adder.zero == ZeroSign::ieee;
  const bool of_both = sum && adds_both(plan.circuit.finish, 0, plan.circuit.finish.one()) &&
                       std::all_of(adder.inputs.begin(), adder.inputs.end(), exact);
  return of_both && adder.results.size() == 1 && to_format(adder.results[0].words, Cut::nearest_even) &&
         adder.results[0].format == plan.d;
}

bool plain_steps(const Plan& plan) {
  const Datapath& words = plan.datapath;
  return !plan.a.is_integer() && words.specials == Specials::step && words.subnormals_c == Subnormals::keep &&
         plan.lanes == 1 && takes_c(plan);
}

// One sum over all products of the step and the accumulator.
bool one_flat_sum(const Plan& plan) {
  if (!plain_steps(plan) || plan.adders.size() != 1) return false;
  const AdderPlan& adder = plan.adders.front();
  const bool to_d = !adder.results.empty() && adder.results.back().format == plan.d;
  return to_d && plain_sum(adder) && is_one_sum(plan.circuit.step);
}

// The exponents of factors that fit the kernel's bytes.
FusedDecoder::Exponents exponents_of(const Range& factor, const Range& scale) {
  FusedDecoder::Exponents e;
  e.least = std::max(factor.least_exponent + scale.least_exponent, least_exponent);
  e.greatest = std::min(factor.greatest_exponent + scale.greatest_exponent, greatest_exponent);
  return e;
}

int range(const FusedDecoder::Exponents& e) { return e.greatest - e.least + 1; }

// Bytes whose saturated difference is 0 where either operand is zero, and from 1 on the sum of their exponents:
//
//   a   zero: 0      else range of b + (e - least a)        b   zero: 255    else greatest b - e
//   difference = (ea - least a) + (eb - least b) + 1        no more than 254 bytes in all
struct Bytes {
  FusedDecoder::Exponents a, b;
};

Bytes bytes_of(const Plan& plan) {
  const Range scale = plan.datapath.product.times_scales ? plan.scale_range : Range{};
  Bytes x{exponents_of(plan.factor_a.range, scale), exponents_of(plan.factor_b.range, scale)};
  x.a.base = range(x.b) - x.a.least;
  x.a.zero = 0;
  x.b.base = x.b.greatest;
  x.b.descending = true;
  x.b.zero = 255;
  return x;
}

// In units of 2^(e - keep): the greatest product of two significands is (2 - 2^-ma)(2 - 2^-mb).
std::int64_t greatest_term(const Plan& plan, int keep) {
  const std::int64_t a = (std::int64_t{2} << plan.a.mantissa_bits) - 1,
                     b = (std::int64_t{2} << plan.b.mantissa_bits) - 1;
  return (a * b << keep) >> (plan.a.mantissa_bits + plan.b.mantissa_bits);
}

// How many products of a step's places `from` to `to` may be more than zero: of each group of a mask that takes some of
// them, no more than those.
int products_between(const Plan& plan, int from, int to) {
  if (plan.mask < 0) return to - from;
  const Mask& pattern = plan.more[static_cast<std::size_t>(plan.mask)].pattern;
  if (!pattern.has_pattern()) return to - from;
  int most = 0;
  for (int instance = 0; instance < plan.lanes * plan.steps; ++instance) {
    std::map<int, int> of_group;
    for (int place = from; place < to; ++place) ++of_group[plan.order_of(instance)[place] / *pattern.among];
    int count = 0;
    for (const auto& [group, members] : of_group) count += std::min(members, *pattern.take);
    most = std::max(most, count);
  }
  return most;
}

// Whether the products of those places and an accumulator, which is less than 2 x 2^keep, add up to less than 2^31.
bool sum_fits(const Plan& plan, int from, int to, int keep) {
  const std::int64_t products = products_between(plan, from, to) * greatest_term(plan, keep);
  return products + (std::int64_t{2} << keep) < std::int64_t{1} << 31;
}

bool products_fit(const Plan& plan, const Bytes& bytes) {
  return plan.a.significand_bits() + plan.b.significand_bits() <= float_bits && range(bytes.a) >= 1 &&
         range(bytes.b) >= 1 && range(bytes.a) + range(bytes.b) <= 255;
}

// What byte 0 stands for, in which no product is: one below the least exponent of a product.
int exponent_of_none(const Bytes& bytes) { return bytes.a.least + bytes.b.least - 1; }

// The accumulator is one of d from the first step on.
bool acc_is_d(const Plan& plan) { return plan.c == plan.d || (is_half(plan.c) && plan.widen_c); }

std::optional<FusedShape> fused_shape(const Plan& plan) {
  if (!one_flat_sum(plan) || !plain_products(plan)) return std::nullopt;
  const AdderPlan& adder = plan.adders.front();
  FusedShape s;
  s.keep = adder.inputs[0].words.keep.value_or(greatest_keep + 1);
  if (s.keep > greatest_keep || s.keep < 1) return std::nullopt;
  for (const InputPlan& input : adder.inputs) {
    if (!cut_toward_zero(input.words, s.keep)) return std::nullopt;
  }

  // The accumulator: a float or a half from the first step on.
  s.half_result = is_half(plan.d);
  if (!s.half_result && !is_float(plan.d)) return std::nullopt;
  if (!acc_is_d(plan)) return std::nullopt;
  const int floor = adder.window.floor.value_or(INT_MIN);
  if (s.half_result) {
    if (adder.results.size() != 1 || !to_format(adder.results[0].words, Cut::nearest_even)) return std::nullopt;
    // A half with no product beside it is left as it is: its bits reach F, and no floor hides them.
    if (floor > plan.d.least_exponent() || s.keep < plan.d.mantissa_bits) return std::nullopt;
    s.floor_field = std::max(floor + 127, 0);
    s.least_acc_field = plan.d.least_exponent() + 127;
  } else {
    const auto bits = result_bits(adder);
    // With no product beside it an accumulator loses what the window cuts and what the result cuts: the same.
    if (!bits || floor > plan.d.least_exponent()) return std::nullopt;
    if (s.keep < plan.d.mantissa_bits && *bits != ~0U << (plan.d.mantissa_bits - s.keep)) return std::nullopt;
    s.result_bits = *bits;
    // What the window cuts to nothing is +0, what only the result cuts keeps its sign.
    if (s.keep < plan.d.mantissa_bits) s.alone_bits = *bits;
  }
  s.zero = zero_of(adder.results.back().words);

  const Bytes bytes = bytes_of(plan);
  if (!products_fit(plan, bytes)) return std::nullopt;
  s.exponent_offset = exponent_of_none(bytes) + 127;

  s.groups = (plan.step_terms + 3) / 4;
  s.first_groups = s.groups;
  if (!sum_fits(plan, 0, plan.step_terms, s.keep)) s.first_groups = (s.groups + 1) / 2;
  const int second = std::min(s.first_groups * 4, plan.step_terms);
  if (!sum_fits(plan, 0, second, s.keep) || !sum_fits(plan, second, plan.step_terms, s.keep)) return std::nullopt;
  return s;
}

// --- staged steps ---

// What the last sum of a staged step adds.
struct StagedInputs {
  const Input *dot = nullptr, *acc = nullptr;
};

std::optional<StagedInputs> staged_inputs(const Plan& plan) {
  const CircuitBlock& block = plan.circuit.step;
  if (block.sums.size() < 2 || !adds_both(block, block.one(), block.result() - 1)) return std::nullopt;
  StagedInputs found;
  for (const SumItem& item : block.sums.back().items) {
    const Input& words = plan.adders.back().inputs[static_cast<std::size_t>(item.input)].words;
    (item.value == block.one() ? found.acc : found.dot) = &words;
  }
  return found;
}

bool cut_down(const Input& input, int keep) { return input.keep == keep && input.cut == Cut::down; }

// The products in one sum or in two, which are then cut down into one; none rounded, no window held up.
bool staged_products(const Plan& plan, int keep) {
  const std::vector<AdderPlan>& adders = plan.adders;
  const auto plain = [&](const AdderPlan& adder) {
    return plain_sum(adder) && adder.window.floor.value_or(INT_MIN) <= plan.d.least_exponent();
  };
  if (!std::all_of(adders.begin(), adders.end(), plain)) return false;
  for (std::size_t i = 0; i + 1 < adders.size(); ++i) {
    if (adders[i].inputs.size() != 1 || !adders[i].results.empty()) return false;
  }
  const AdderPlan& first = adders.front();
  if (first.inputs[0].kind != ValueKind::term || !cut_toward_zero(first.inputs[0].words, keep)) return false;
  if (adders.size() == 2) return first.groups == 1;
  const AdderPlan& both = adders[1];
  const Input& words = both.inputs[0].words;
  return first.groups == 2 && both.groups == 1 && both.inputs[0].kind == ValueKind::sum && cut_down(words, keep) &&
         words.only_cuts();
}

// A mask of those of the eight bits below 2^-keep that the cut at the leading one takes when that one is in bit 31: the
// lowest 8 + 31 - its own keep. Nothing where the results are neither {cut down at the leading one, to the nearest
// float} nor the latter alone.
std::optional<std::uint32_t> most_cut(const AdderPlan& adder, int least_quantum) {
  if (!to_format(adder.results.back().words, Cut::nearest_even)) return std::nullopt;
  if (adder.results.size() == 1) return 0;
  const Result& first = adder.results.front().words;
  const bool cut = adder.results.size() == 2 && first.at == ResultAt::leading_one && first.cut == Cut::down &&
                   first.keep >= 30 && first.least_exponent.value_or(INT_MIN / 2) - first.keep <= least_quantum;
  if (!cut) return std::nullopt;
  return (std::uint32_t{1} << std::max(8 + 31 - first.keep, 0)) - 1;
}

std::optional<StagedShape> staged_shape(const Plan& plan) {
  if (!plain_steps(plan) || is_late_c(plan) || !plain_products(plan) || !is_float(plan.d) || !acc_is_d(plan))
    return std::nullopt;
  if (plan.adders.size() != 2 && plan.adders.size() != 3) return std::nullopt;
  const std::optional<StagedInputs> inputs = staged_inputs(plan);
  if (!inputs) return std::nullopt;
  StagedShape s;
  s.keep = inputs->acc->keep.value_or(0);
  if (s.keep < float_bits || s.keep > greatest_keep) return std::nullopt;
  if (!staged_products(plan, s.keep) || !cut_down(*inputs->acc, s.keep)) return std::nullopt;

  const int below = inputs->dot->keep.value_or(INT_MAX / 2) - s.keep;
  if (inputs->dot->cut != Cut::down || below < 0 || below > 8) return std::nullopt;
  if (!inputs->dot->only_cuts()) return std::nullopt;
  s.below_bits = 0x100 - (0x100U >> below);
  s.lost_below = std::min(inputs->acc->lost_below.value_or(staged_never_lost), staged_never_lost);

  const Bytes bytes = bytes_of(plan);
  if (!products_fit(plan, bytes)) return std::nullopt;
  // A zero accumulator never holds the window up.
  if (inputs->acc->empty.value_or(INT_MIN) > exponent_of_none(bytes)) return std::nullopt;
  const auto cut = most_cut(plan.adders.back(), exponent_of_none(bytes) + 1 - s.keep - below);
  if (!cut) return std::nullopt;
  s.most_cut = *cut;
  if (plan.step_terms * greatest_term(plan, s.keep) > std::int64_t{1} << 30) return std::nullopt;
  s.exponent_offset = exponent_of_none(bytes) + 127;
  s.sums = plan.adders.front().groups;
  s.groups = (plan.adders.front().terms + 3) / 4;
  return s;
}

std::size_t count_of(int rows, int terms) { return static_cast<std::size_t>(rows) * static_cast<std::size_t>(terms); }

}  // namespace

FusedDecoder::FusedDecoder(OperandCodes codes, Exponents exponents) : codes_(std::move(codes)), exponents_(exponents) {
  const Format& format = codes_.format;
  const bool as_coded = codes_.subnormals == Subnormals::keep && !codes_.round;
  if (is_half(format) && as_coded) {
    is_half_ = true;
  } else if (format.used_bits() <= table_bits) {
    table_.resize(std::size_t{1} << format.used_bits());
    of_each_code(codes_, [this](Code used, const Number& n) { table_[used] = decoded(n); });
  } else if (is_leading_part_of_float(format) && as_coded) {
    bits_below_ = 23 - format.mantissa_bits;
  }
}

FusedOperand FusedDecoder::decoded(Code used) const {
  if (bits_below_) return leading_part_of_float(static_cast<std::uint32_t>(used) << *bits_below_);
  return decoded(codes_(used));
}

FusedOperand FusedDecoder::decoded(const Number& n) const {
  if (n.is_zero()) return zero();
  if (!n.is_finite() || !in_range(n.exponent)) return unfit();
  return {float_of_number(n), byte_of(n.exponent), true};
}

// No subnormal float is in range, nor is what has the exponent of an infinity.
FusedOperand FusedDecoder::leading_part_of_float(std::uint32_t bits) const {
  const int exponent = static_cast<int>(bits >> 23 & 0xff) - 127;
  if (bits << 1 == 0) return zero();
  if (!in_range(exponent)) return unfit();
  return {float_of_bits(bits), byte_of(exponent), true};
}

FusedOperand FusedDecoder::scaled(FusedOperand operand, int exponent) const {
  if (!operand.fits || operand.value == 0) return operand;
  const int own = exponents_.descending ? exponents_.base - operand.exponent : operand.exponent - exponents_.base;
  const int sum = own + exponent;
  if (!in_range(sum)) return unfit();
  // Both exponents are in range, and so their difference is one that a float has.
  const float power = float_of_bits(static_cast<std::uint32_t>(exponent + 127) << 23);
  return {operand.value * power, byte_of(sum), true};
}

std::optional<Fused> Fused::of(const Plan& plan) {
  if (const auto shape = fused_shape(plan)) return Fused(plan, *shape);
  if (const auto shape = staged_shape(plan)) return Fused(plan, *shape);
  return std::nullopt;
}

Fused::Fused(const Plan& plan, const Shape& shape)
    : shape_(shape),
      c_is_half_(is_half(plan.c)),
      d_is_half_(is_half(plan.d)),
      c_is_late_(is_late_c(plan)),
      zero_(zero_of(plan.last_adder().results.back().words)),
      k_(plan.k),
      steps_(plan.steps) {
  const Bytes bytes = bytes_of(plan);
  a_ = std::make_shared<FusedDecoder>(codes_of_a(plan), bytes.a);
  b_ = std::make_shared<FusedDecoder>(codes_of_b(plan), bytes.b);
  if (plan.datapath.product.times_scales) {
    scales_ = plan.scales;
    scale_block_ = plan.scale_block;
    scale_ = std::make_shared<DoubleDecoder>(OperandCodes{*plan.scale});
  }
  sources_ = sources_of_sums(plan);
}

Fused::BlockExponents Fused::block_exponents(const OperandLines& from, const Matrix& scales) const {
  BlockExponents e;
  e.blocks = from.instructions * scales_;
  for (int line = 0; line < from.count; ++line) {
    for (int block = 0; block < e.blocks; ++block) {
      const DoubleDecoder::Number s = (*scale_)(scales.get(from.first + line, block));
      e.exponents.push_back(s.finite ? std::optional<int>(s.exponent) : std::nullopt);
    }
  }
  for (int t = 0; t < from.instructions * k_; ++t) e.block_of_term.push_back(t / k_ * scales_ + t % k_ / scale_block_);
  return e;
}

// `packed` packs by a function that decodes; `scales` has a line a line of the operand, whatever the operand's order.
template <class Packed>
Fused::Pack Fused::pack(const FusedDecoder& decoder, const OperandLines& from, const Matrix& scales,
                        const Packed& packed) const {
  if (scales_ == 0) return packed([&](Code code, int, int) { return decoder(code); });
  const BlockExponents exponents = block_exponents(from, scales);
  return packed([&](Code code, int line, int t) {
    const std::optional<int> exponent = exponents.of(line, t);
    return exponent ? decoder.scaled(decoder(code), *exponent) : decoder.unfit();
  });
}

std::size_t Fused::line_bytes(int instructions) const {
  return Pack::line_bytes(sources_.size() * static_cast<std::size_t>(instructions));
}

Fused::Pack Fused::pack_rows(const Gemm& gemm, int first, int count) const {
  const OperandLines from{gemm.a, first, count, k_, gemm.k / k_};
  return pack(*a_, from, gemm.scale_a,
              [&](const auto& decode) { return packed_rows(sources_, from, a_->zero(), decode); });
}

Fused::Pack Fused::pack_panel(const Gemm& gemm, int first, int count) const {
  const OperandLines from{transposed(gemm.b), first, count, k_, gemm.k / k_};
  return pack(*b_, from, transposed(gemm.scale_b),
              [&](const auto& decode) { return packed_panel(sources_, from, b_->zero(), decode); });
}

Fused::Pack Fused::pack_cases(const Gemm& gemm, int count) const {
  const OperandLines from{gemm.a, 0, count, k_, 1};
  return pack(*a_, from, gemm.scale_a,
              [&](const auto& decode) { return packed_panel(sources_, from, a_->zero(), decode); });
}

int Fused::steps_of(const Pack& a) const { return a.terms / static_cast<int>(sources_.size()) * steps_; }

void Fused::tile(const Pack& a, int row, int rows, const Pack& b, Tile& tile) const {
  FusedRun r;
  r.a = a.values.get() + count_of(row, a.terms);
  r.a_exponents = a.exponents.get() + count_of(row, a.terms);
  r.a_stride = a.terms;
  r.b = b.values.get();
  r.b_exponents = b.exponents.get();
  r.steps = steps_of(a);
  run(r, false, a.fits, row, rows, b.fits, tile);
}

void Fused::lanes(const Pack& a, const Pack& b, Tile& tile) const {
  FusedRun r;
  r.a = a.values.get();
  r.a_exponents = a.exponents.get();
  r.b = b.values.get();
  r.b_exponents = b.exponents.get();
  r.steps = steps_of(a);
  run(r, true, a.fits, 0, 1, b.fits, tile);
}

void Fused::run(FusedRun run, bool a_is_panel, const std::vector<char>& a_fits, int row, int rows,
                const std::vector<char>& b_fits, Tile& tile) const {
  alignas(64) std::array<float, tile_elements> acc{};
  alignas(64) std::array<std::uint32_t, tile_elements> redo{};
  run.acc = acc.data();
  run.redo = redo.data();
  for (int i = 0; i < rows; ++i) {
    for (int j = 0; j < panel_columns; ++j) {
      const auto code = static_cast<std::uint32_t>(tile.c[static_cast<std::size_t>(i)][static_cast<std::size_t>(j)]);
      acc[count_of(i, panel_columns) + static_cast<std::size_t>(j)] =
          c_is_half_ ? float_of_half(code) : float_of_bits(code);
    }
  }
  c_is_late_ ? run_from_zero(run, a_is_panel) : run_from_c(run, a_is_panel);
  for (int i = 0; i < rows; ++i) {
    for (int j = 0; j < panel_columns; ++j) {
      const auto ti = static_cast<std::size_t>(i), tj = static_cast<std::size_t>(j);
      const std::size_t at = ti * panel_columns + tj;
      const float d = acc[at] + zero_;
      tile.d[ti][tj] = d_is_half_ ? half_of_float(d) : bits_of_float(d);
      const char a_fit = a_fits[a_is_panel ? tj : static_cast<std::size_t>(row) + ti];
      tile.redo[ti][tj] = redo[at] != 0 || a_fit == 0 || b_fits[tj] == 0;
    }
  }
}

void Fused::run_from_c(const FusedRun& run, bool a_is_panel) const {
  if (const auto* staged = std::get_if<StagedShape>(&shape_)) {
    const Rounding nearest(FE_TONEAREST);
    a_is_panel ? staged_lanes(*staged, run) : staged_rows(*staged, run);
  } else {
    const Rounding toward_zero(FE_TOWARDZERO);
    a_is_panel ? fused_lanes(fused(), run) : fused_rows(fused(), run);
  }
}

void Fused::run_from_zero(const FusedRun& run, bool a_is_panel) const {
  const int instructions = run.steps / steps_;
  for (int first = 0; first < instructions; first += sums_at_once) {
    const int some = std::min(sums_at_once, instructions - first);
    alignas(64) std::array<float, sums_at_once * tile_elements> sums{};
    sums_from_zero(run, a_is_panel, first, some, sums.data());
    fused_late_sums(fused(), {sums.data(), some, run.acc, run.redo});
  }
}

void Fused::sums_from_zero(FusedRun run, bool a_is_panel, int first, int some, float* sums) const {
  const Rounding toward_zero(FE_TOWARDZERO);
  const std::size_t terms = sources_.size(), in_panel = terms * panel_columns;
  const std::size_t in_a = a_is_panel ? in_panel : terms, before = static_cast<std::size_t>(first);
  run.a += before * in_a, run.a_exponents += before * in_a;
  run.b += before * in_panel, run.b_exponents += before * in_panel;
  run.steps = steps_;
  run.acc = sums;
  for (int i = 0; i < some; ++i) {
    a_is_panel ? fused_lanes(fused(), run) : fused_rows(fused(), run);
    run.a += in_a, run.a_exponents += in_a;
    run.b += in_panel, run.b_exponents += in_panel;
    run.acc += tile_elements;
  }
}

}  // namespace assay
