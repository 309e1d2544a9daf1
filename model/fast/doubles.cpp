#include "model/fast/doubles.hpp"

#include <algorithm>
#include <climits>
#include <cmath>

#include "model/core/encode.hpp"
#include "model/fast/floats.hpp"

namespace assay {
namespace {

constexpr int table_bits = 16;
constexpr int double_bits = 53;
constexpr int farthest_exponent = 880;

std::size_t count_of(int rows, int columns) {
  return static_cast<std::size_t>(rows) * static_cast<std::size_t>(columns);
}

// --- which plans ---

bool within_doubles(const Range& r) {
  return r.least_quantum() >= -farthest_exponent && r.greatest_exponent + r.integer_bits <= farthest_exponent;
}

bool cut_by_hardware(Cut cut) {
  return cut == Cut::toward_zero || cut == Cut::down || cut == Cut::up || cut == Cut::nearest_even;
}

bool good_result(const ResultPlan& result) {
  const Result& words = result.words;
  if (!cut_by_hardware(words.cut) || !within_doubles(result.range)) return false;
  return words.at != ResultAt::format ||
         (!result.format.is_integer() && !result.format.rounds_to_list() && words.subnormals == Subnormals::keep &&
          result.format.mantissa_bits + 1 < double_bits);
}

// The adders of a step, whose terms are products, or of the finish, whose terms are what the lanes left.
struct Adders {
  const std::vector<AdderPlan>& list;
  const CircuitBlock& block;
  bool of_products;

  bool is_product(const InputPlan& input) const { return of_products && input.kind == ValueKind::term; }
};
Adders steps_of(const Plan& plan) { return {plan.adders, plan.circuit.step, true}; }
Adders finish_of(const Plan& plan) { return {plan.finish, plan.circuit.finish, false}; }

// Two numbers of the format that their sum is rounded to.
bool sum_of_two_alike(const Adders& adders, const AdderPlan& adder) {
  if (adder.items() != 2 || adder.results.size() != 1 || adder.times_scales) return false;
  const ResultPlan& result = adder.results.front();
  if (result.words.at != ResultAt::format || result.words.cut != Cut::nearest_even) return false;
  const Format& f = result.format;
  const auto alike = [&](const InputPlan& input) {
    return !adders.is_product(input) && !input.range.fixed_quantum && input.range.fraction_bits <= f.mantissa_bits &&
           input.range.integer_bits == 1 && input.range.least_exponent >= f.least_exponent() &&
           input.range.greatest_exponent <= f.greatest_exponent();
  };
  return 2 * f.significand_bits() + 2 <= double_bits && std::all_of(adder.inputs.begin(), adder.inputs.end(), alike);
}

bool good_inputs(const Adders& adders, const AdderPlan& adder) {
  return std::all_of(adder.inputs.begin(), adder.inputs.end(), [&](const InputPlan& input) {
    if (adder.sum.fixed_quantum && !input.words.loses_nothing()) return false;
    const bool product = adders.is_product(input);
    if (product && (&input != adder.inputs.data() || !input.words.only_cuts())) return false;
    const Cut cut = input.words.cut;
    if (input.words.keep && product && cut != Cut::toward_zero && cut != Cut::down) return false;
    return cut_by_hardware(cut) && std::abs(input.words.empty.value_or(0)) < farthest_exponent;
  });
}

bool good_adder(const Adders& adders, const AdderPlan& adder) {
  if (adder.shape != Shape::flat || adder.has_sticky() || adder.window.step != 1) return false;
  if (!good_inputs(adders, adder)) return false;
  if (adder.zero == ZeroSign::ieee && !sum_of_two_alike(adders, adder)) return false;
  if (adder.sum.sum_width > double_bits + 1 && !sum_of_two_alike(adders, adder)) return false;
  // Cut sums whose window stands still have no use for one.
  if (!adder.sum.fixed_quantum && adder.window.exponent == WindowExponent::fixed) return false;
  if (std::abs(adder.window.floor.value_or(0)) >= farthest_exponent || std::abs(adder.window.at) >= farthest_exponent)
    return false;
  if (adder.scaled && !within_doubles(*adder.scaled)) return false;
  return within_doubles(adder.sum.range) && within_doubles(adder.range) &&
         std::all_of(adder.results.begin(), adder.results.end(), good_result);
}

bool good_adders(const Adders& adders) {
  return adders.block.sums.size() <= doubles_sums &&
         std::all_of(adders.list.begin(), adders.list.end(),
                     [&](const AdderPlan& adder) { return good_adder(adders, adder); });
}

bool takes_products(const AdderPlan& adder) {
  return std::any_of(adder.inputs.begin(), adder.inputs.end(),
                     [](const InputPlan& i) { return i.kind == ValueKind::term; });
}

bool fits_doubles(const Plan& plan) {
  const Datapath& words = plan.datapath;
  if (plan.a.is_integer() || words.specials != Specials::step || words.subnormals_c != Subnormals::keep) return false;
  if (words.product.round || words.product.exponent != ProductExponent::raw) return false;
  if (plan.lanes > doubles_lanes_of_plan) return false;
  int bits = plan.a.significand_bits() + plan.b.significand_bits();
  if (plan.scale && words.product.times_scales) bits += 2 * plan.scale->significand_bits();
  if (bits > double_bits || !within_doubles(plan.term_range) || !within_doubles(plan.c_range)) return false;
  // One adder takes the products, group by group.
  if (std::count_if(plan.adders.begin(), plan.adders.end(), takes_products) != 1) return false;
  return good_adders(steps_of(plan)) && good_adders(finish_of(plan)) && (plan.c == plan.d || plan.widen_c);
}

DoublesSum sum_of(const Adders& adders, const SumNode& node) {
  DoublesSum sum;
  sum.adder = &adders.list[static_cast<std::size_t>(node.adder)];
  sum.group = node.group;
  sum.scaled_by = node.scaled_by;
  for (const SumItem& item : node.items) {
    const InputPlan& input = sum.adder->inputs[static_cast<std::size_t>(item.input)];
    if (adders.is_product(input)) {
      sum.products = &input.words;
    } else {
      sum.others.push_back({doubles_one + item.value - adders.block.one(), &input.words});
    }
  }
  return sum;
}

std::vector<DoublesSum> sums_of(const Adders& adders) {
  std::vector<DoublesSum> sums;
  for (const SumNode& node : adders.block.sums) sums.push_back(sum_of(adders, node));
  return sums;
}

// --- codes ---

double value_of(const Number& n) {
  const double magnitude = std::ldexp(static_cast<double>(static_cast<std::uint64_t>(n.magnitude)), n.quantum);
  return n.negative ? -magnitude : magnitude;
}

// Of a number the format holds, or an infinity it has.
Code code_of(double value, const Format& format) {
  if (is_float(format)) return bits_of_float(static_cast<float>(value));
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

DoubleDecoder::DoubleDecoder(OperandCodes codes) : codes_(std::move(codes)) {
  if (codes_.format.used_bits() > table_bits) return;
  std::vector<Number> table;
  for (Code used = 0; used < Code{1} << codes_.format.used_bits(); ++used) table.push_back(decoded(used));
  table_ = std::move(table);
}

DoubleDecoder::Number DoubleDecoder::decoded(Code used) const {
  const assay::Number n = codes_(used);
  if (n.cls == Class::nan) return {std::nan(""), none, false};
  if (!n.is_finite()) return {n.negative ? -HUGE_VAL : HUGE_VAL, none, false};
  return {value_of(n), n.is_zero() ? none : static_cast<std::int16_t>(n.exponent), true};
}

std::optional<DoublesKernel> DoublesKernel::of(const Plan& plan) {
  if (!fits_doubles(plan)) return std::nullopt;
  return DoublesKernel(plan);
}

DoublesKernel::DoublesKernel(const Plan& plan)
    : plan_(&plan), shape_{sums_of(steps_of(plan)), sums_of(finish_of(plan))} {
  const Datapath& words = plan.datapath;
  a_.decoder = std::make_shared<DoubleDecoder>(codes_of_a(plan));
  b_.decoder = std::make_shared<DoubleDecoder>(codes_of_b(plan));
  c_ = std::make_shared<DoubleDecoder>(OperandCodes{plan.c, words.subnormals_c});
  c_is_float_ = is_float(plan.c);
  if (plan.scale) scale_ = std::make_shared<DoubleDecoder>(OperandCodes{*plan.scale});

  const bool scaled = words.product.times_scales;
  const int least_scale = scaled ? plan.scale_range.least_exponent : 0;
  const int greatest_scale = scaled ? plan.scale_range.greatest_exponent : 0;
  const int least_a = plan.factor_a.range.least_exponent + least_scale,
            least_b = plan.factor_b.range.least_exponent + least_scale;
  const int greatest_b = plan.factor_b.range.greatest_exponent + greatest_scale;
  //   a: base + ea    b: base - eb    difference: (ea - least a) + (eb - least b) + 1
  b_.base = greatest_b;
  b_.descending = true;
  a_.base = greatest_b - least_b + 1 - least_a;
  exponent_offset_ = least_a + least_b - 1;
  // |a x b| < 2^(ea + eb + 2)
  greatest_exponent_ = words.product.infinity_at ? (*words.product.infinity_at - 2) / 2 : INT_MAX;

  const AdderPlan& adder = *std::find_if(plan.adders.begin(), plan.adders.end(), takes_products);
  product_groups_ = adder.groups;
  group_terms_ = (adder.terms + 3) / 4 * 4;
  scaled_groups_ =
      std::any_of(plan.adders.begin(), plan.adders.end(), [](const AdderPlan& a) { return a.times_scales; });
  sources_ = sources_of_sums(plan);
}

Decoded<double, std::uint16_t> DoublesKernel::Side::zero() const {
  return {0, static_cast<std::uint16_t>(descending ? UINT16_MAX : 0), true};
}

Decoded<double, std::uint16_t> DoublesKernel::operand(const Side& side, Code code, std::optional<Code> scale) const {
  DoubleDecoder::Number n = (*side.decoder)(code);
  Decoded<double, std::uint16_t> x = side.zero();
  x.fits = n.finite;
  int exponent = n.exponent;
  if (scale) {
    const DoubleDecoder::Number s = (*scale_)(*scale);
    x.fits = x.fits && s.finite;
    n.value *= s.value;
    exponent += s.exponent;
  }
  if (!x.fits || n.value == 0) return x;
  x.fits = exponent <= greatest_exponent_;
  if (!x.fits) return x;
  x.value = n.value;
  x.exponent = static_cast<std::uint16_t>(side.descending ? side.base - exponent : side.base + exponent);
  return x;
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
std::optional<Code> DoublesKernel::scale_of_product(const Matrix& scales, int line, int t) const {
  if (!plan_->datapath.product.times_scales) return std::nullopt;
  return scales.get(line, t / plan_->k * plan_->scales + t % plan_->k / plan_->scale_block);
}

std::size_t DoublesKernel::line_bytes(int instructions) const {
  const std::size_t terms =
      assay::Pack<double, std::uint16_t>::line_bytes(count_of(static_cast<int>(sources_.size()), instructions));
  return terms + static_cast<std::size_t>(blocks(instructions)) * (sizeof(double) + sizeof(std::int64_t));
}

DoublesKernel::Pack DoublesKernel::pack_rows(const Gemm& gemm, int first, int count) const {
  const int instructions = gemm.k / plan_->k;
  const auto decode = [&](Code code, int row, int t) {
    return operand(a_, code, scale_of_product(gemm.scale_a, first + row, t));
  };
  Pack pack{packed_rows(sources_, {gemm.a, first, count, plan_->k, instructions}, a_.zero(), decode), {}, {}, 0};
  if (scaled_groups_) pack_scales(pack, gemm.scale_a, false, first, count, instructions);
  return pack;
}

DoublesKernel::Pack DoublesKernel::pack_panel(const Gemm& gemm, int first, int count) const {
  const int instructions = gemm.k / plan_->k;
  const Matrix scales = transposed(gemm.scale_b);
  const auto decode = [&](Code code, int column, int t) {
    return operand(b_, code, scale_of_product(scales, first + column, t));
  };
  const OperandLines from{transposed(gemm.b), first, count, plan_->k, instructions};
  Pack pack{packed_panel(sources_, from, b_.zero(), decode), {}, {}, 0};
  if (scaled_groups_) pack_scales(pack, scales, true, first, count, instructions);
  return pack;
}

DoublesKernel::Pack DoublesKernel::pack_cases(const Gemm& gemm, int count) const {
  const auto decode = [&](Code code, int row, int t) {
    return operand(a_, code, scale_of_product(gemm.scale_a, row, t));
  };
  Pack pack{packed_panel(sources_, {gemm.a, 0, count, plan_->k, 1}, a_.zero(), decode), {}, {}, 0};
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
  for (std::size_t i = 0; i < static_cast<std::size_t>(rows); ++i) {
    const char a_fits = a.terms.fits[static_cast<std::size_t>(row) + i];
    for (std::size_t j = 0; j < panel_columns; ++j)
      tile.redo[i][j] = tile.redo[i][j] || a_fits == 0 || b.terms.fits[j] == 0;
  }
}

void DoublesKernel::lanes(const Pack& a, const Pack& b, Tile& tile) const {
  run(run_of(a, b), 1, doubles_lanes, tile);
  for (std::size_t j = 0; j < panel_columns; ++j)
    tile.redo[0][j] = tile.redo[0][j] || a.terms.fits[j] == 0 || b.terms.fits[j] == 0;
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
      tile.d[i][j] = tile.redo[i][j] ? 0 : code_of(acc[at], plan_->d);
    }
  }
}

// A float is decoded without a table. Its subnormals are kept: every datapath that comes here keeps them.
double DoublesKernel::c_value(Code code) const {
  if (c_is_float_) return float_of_bits(static_cast<std::uint32_t>(code));
  return (*c_)(code).value;
}

}  // namespace assay
