#include "model/fast/groups.hpp"

#include <algorithm>
#include <cfenv>
#include <cmath>

#include "model/fast/floats.hpp"
#include "model/fast/rounding.hpp"

namespace assay {
namespace {

constexpr int integer_bits = 15;  // beside the sign
constexpr int sum_bits = 31;
constexpr int double_bits = 53;
constexpr int farthest_exponent = 440;
constexpr int word_bits = 32;
constexpr int table_bits = 16;  // what codes stand for is looked up

std::size_t index(int i) { return static_cast<std::size_t>(i); }

bool near(int exponent) { return std::abs(exponent) <= farthest_exponent; }

// --- which plans ---

// Of the format's greatest number in units of its least one; 16 for any that has more.
int bits_of_integers(const Format& f) {
  return std::min(f.greatest_exponent() - f.least_exponent() + f.significand_bits(), integer_bits + 1);
}

bool small_integers(const Format& f) { return f.stored_bits <= table_bits && bits_of_integers(f) <= integer_bits; }

// Of a sum of so many products.
int bits_of_sum(const Plan& plan, int terms) {
  int bits = bits_of_integers(plan.a) + bits_of_integers(plan.b);
  for (int reach = 1; reach < terms; reach *= 2) ++bits;
  return bits;
}

bool exact_scaled_groups(const Plan& plan, const AdderPlan& adder) {
  const bool products = adder.inputs.size() == 1 && adder.inputs[0].kind == ValueKind::term;
  if (!products || !adder.inputs[0].words.loses_nothing() || adder.inputs[0].words.empty) return false;
  if (adder.shape != Shape::flat || adder.has_sticky() || !adder.times_scales || !adder.scaled ||
      !adder.results.empty())
    return false;
  if (adder.window.exponent != WindowExponent::fixed || adder.zero != ZeroSign::positive) return false;
  const int bits = bits_of_sum(plan, adder.terms);
  const Range& scaled = *adder.scaled;
  return bits <= sum_bits && bits + 2 * plan.scale->significand_bits() <= double_bits && near(adder.window.at) &&
         near(scaled.least_exponent) && near(scaled.greatest_exponent + scaled.integer_bits) &&
         near(scaled.least_quantum());
}

bool cut_alike(const InputPlan& x, const InputPlan& y) {
  const auto cut = [](const Input& i) { return i.keep && i.cut == Cut::toward_zero && i.only_cuts(); };
  return cut(x.words) && cut(y.words) && x.words.keep == y.words.keep;
}

bool sum_with_acc(const AdderPlan& adder) {
  if (adder.inputs.size() != 2 || adder.groups != 1 || adder.shape != Shape::flat || adder.has_sticky()) return false;
  if (adder.inputs[0].kind != ValueKind::sum || adder.inputs[1].kind != ValueKind::one) return false;
  return !adder.times_scales && adder.zero == ZeroSign::positive && cut_alike(adder.inputs[0], adder.inputs[1]) &&
         adder.window.exponent == WindowExponent::largest && adder.window.step == 1 &&
         near(adder.window.floor.value_or(0)) && adder.sum.sum_width <= double_bits + 1;
}

bool rounded_to_float(const AdderPlan& adder) {
  if (adder.results.size() != 1) return false;
  const Result& words = adder.results[0].words;
  return words.at == ResultAt::format && is_float(adder.results[0].format) &&
         (words.cut == Cut::toward_zero || words.cut == Cut::nearest_even) && words.subnormals == Subnormals::keep &&
         words.overflow == Overflow::infinity;
}

bool is_of_groups(const Plan& plan) {
  const Datapath& words = plan.datapath;
  if (words.specials != Specials::step || words.subnormals_c != Subnormals::keep) return false;
  if (words.product.round || words.product.infinity_at || words.product.times_scales) return false;
  if (plan.lanes != 1 || words.start != Start::c || !plan.finish.empty() || plan.adders.size() != 2) return false;
  if (!small_integers(plan.a) || !small_integers(plan.b) || !is_float(plan.d)) return false;
  if (!(plan.c == plan.d) && !(is_half(plan.c) && plan.widen_c)) return false;
  return exact_scaled_groups(plan, plan.adders[0]) && sum_with_acc(plan.adders[1]) &&
         plan.adders[1].terms == plan.adders[0].groups && rounded_to_float(plan.adders[1]);
}

GroupsShape shape_of(const Plan& plan) {
  const AdderPlan &groups = plan.adders[0], &sum = plan.adders[1];
  GroupsShape s;
  s.keep = *sum.inputs[0].words.keep;
  s.groups = groups.groups;
  s.pairs = (groups.terms + 1) / 2;
  s.words = (groups.terms + word_bits - 1) / word_bits;
  s.exponent = groups.window.at;
  s.floor = sum.window.floor.value_or(-farthest_exponent);
  return s;
}

// --- packing ---

}  // namespace

std::optional<GroupsKernel> GroupsKernel::of(const Plan& plan) {
  if (!is_of_groups(plan)) return std::nullopt;
  return GroupsKernel(plan, shape_of(plan));
}

GroupsKernel::GroupsKernel(const Plan& plan, const GroupsShape& shape)
    : shape_(shape), c_is_half_(is_half(plan.c)), k_(plan.k), scales_(plan.scales) {
  zero_ = zero_of(plan.adders[1].results[0].words);
  direction_ = plan.adders[1].results[0].words.cut == Cut::toward_zero ? FE_TOWARDZERO : FE_TONEAREST;
  a_ = std::make_shared<Integers>(integers_of(codes_of_a(plan)));
  b_ = std::make_shared<Integers>(integers_of(codes_of_b(plan)));
  scale_ = std::make_shared<DoubleDecoder>(OperandCodes{*plan.scale});
  for (int step = 0; step < plan.steps; ++step) {
    const int* order = plan.step_order(0, step);
    for (const SumNode& node : plan.circuit.step.sums) {
      if (node.adder != 0) continue;
      Group group;
      group.block = order[node.scaled_by] / plan.scale_block;
      for (const SumItem& item : node.items) group.terms.push_back(order[item.value]);
      group.terms.resize(index(shape.pairs) * 2, -1);
      groups_.push_back(std::move(group));
    }
  }
}

GroupsKernel::Integers GroupsKernel::integers_of(const OperandCodes& codes) {
  const DoubleDecoder decoder(codes);
  const Format& format = codes.format;
  Integers integers;
  integers.unit = std::ldexp(1.0, format.least_exponent() - format.mantissa_bits);
  for (Code code = 0; code < Code{1} << format.stored_bits; ++code) {
    const DoubleDecoder::Number n = decoder(code);
    const double value = n.finite ? n.value / integers.unit : 0;
    integers.table.push_back({static_cast<std::int16_t>(value), n.finite});
  }
  return integers;
}

std::size_t GroupsKernel::line_bytes(int instructions) const {
  const std::size_t group = index(shape_.pairs) * sizeof(std::int32_t) + index(shape_.words) * sizeof(std::uint32_t) +
                            sizeof(double) + sizeof(std::int32_t);
  return groups_.size() * index(instructions) * group;
}

GroupsKernel::Place GroupsKernel::place(const Pack& pack, const Some& some, int group, int x, int of) {
  if (some.panel) return {index(group * of + x) * panel_columns, 1, some.count};
  const std::size_t line = index(pack.groups) * index(of);
  return {index(some.first) * line + index(group) * index(of) + index(x), line, some.count};
}

GroupsKernel::Pack GroupsKernel::packed(const Lines& from, bool panel, int instructions) const {
  const int lines = panel ? panel_columns : (from.count + tile_rows - 1) / tile_rows * tile_rows;
  Pack pack;
  pack.groups = instructions * static_cast<int>(groups_.size());
  const std::size_t all = index(lines) * index(pack.groups);
  pack.pairs = hwy::AllocateAligned<std::int32_t>(all * index(shape_.pairs));
  pack.words = hwy::AllocateAligned<std::uint32_t>(all * index(shape_.words));
  pack.scales = hwy::AllocateAligned<double>(all);
  pack.exponents = hwy::AllocateAligned<std::int32_t>(all);
  pack.fits.assign(index(lines), 1);
  for (int first = 0; first < lines; first += panel_columns) {
    const Some some{panel, first, std::min(panel_columns, lines - first)};
    for (int group = 0; group < pack.groups; ++group) {
      pack_terms(pack, from, some, group);
      pack_scales(pack, from, some, group);
    }
  }
  return pack;
}

void GroupsKernel::pack_terms(Pack& pack, const Lines& from, const Some& some, int group) const {
  const auto in_instruction = static_cast<int>(groups_.size());
  const Sources& terms = groups_[index(group % in_instruction)].terms;
  const auto count = static_cast<int>(terms.size());
  const int there = some.in(from);
  std::array<Code, panel_columns> codes{};
  std::array<std::uint32_t, panel_columns> pairs{}, words{};
  std::array<bool, panel_columns> fits{};
  fits.fill(true);
  const Integers::Integer* integers = from.integers.table.data();
  const Code all_codes = from.integers.table.size() - 1;
  for (int t = 0; t < count; ++t) {
    const int source = terms[index(t)];
    if (source >= 0)
      from.terms.get_row(group / in_instruction * k_ + source, from.first + some.first, there, codes.data());
    for (int l = 0; l < there; ++l) {
      const Integers::Integer x = source >= 0 ? integers[codes[index(l)] & all_codes] : Integers::Integer{};
      fits[index(l)] = fits[index(l)] && x.fits;
      pairs[index(l)] = pairs[index(l)] >> 16 | std::uint32_t{static_cast<std::uint16_t>(x.value)} << 16;
      words[index(l)] |= (x.value != 0 ? 1U : 0U) << t % word_bits;
    }
    if (t % 2 != 0) put(pack.pairs.get(), place(pack, some, group, t / 2, shape_.pairs), pairs);
    if (t % word_bits == word_bits - 1 || t == count - 1) {
      put(pack.words.get(), place(pack, some, group, t / word_bits, shape_.words), words);
      words.fill(0);
    }
  }
  for (int l = 0; l < there; ++l) {
    char& all = pack.fits[index(some.first + l)];
    all = static_cast<char>(all & static_cast<char>(fits[index(l)]));
  }
}

void GroupsKernel::pack_scales(Pack& pack, const Lines& from, const Some& some, int group) const {
  const auto in_instruction = static_cast<int>(groups_.size());
  const int block = group / in_instruction * scales_ + groups_[index(group % in_instruction)].block;
  std::array<double, panel_columns> scales{};
  std::array<std::int32_t, panel_columns> exponents{};
  exponents.fill(groups_no_exponent);
  std::array<Code, panel_columns> codes{};
  const int there = some.in(from);
  from.scales.get_row(block, from.first + some.first, there, codes.data());
  for (int l = 0; l < there; ++l) {
    const DoubleDecoder::Number s = (*scale_)(codes[index(l)]);
    pack.fits[index(some.first + l)] &= static_cast<char>(s.finite);
    if (!s.finite || s.value == 0) continue;
    scales[index(l)] = s.value * from.integers.unit;
    exponents[index(l)] = s.exponent;
  }
  put(pack.scales.get(), place(pack, some, group, 0, 1), scales);
  put(pack.exponents.get(), place(pack, some, group, 0, 1), exponents);
}

GroupsKernel::Pack GroupsKernel::pack_rows(const Gemm& gemm, int first, int count) const {
  return packed({*a_, transposed(gemm.a), transposed(gemm.scale_a), first, count}, false, gemm.k / k_);
}

GroupsKernel::Pack GroupsKernel::pack_panel(const Gemm& gemm, int first, int count) const {
  return packed({*b_, gemm.b, gemm.scale_b, first, count}, true, gemm.k / k_);
}

GroupsKernel::Pack GroupsKernel::pack_cases(const Gemm& gemm, int count) const {
  return packed({*a_, transposed(gemm.a), transposed(gemm.scale_a), 0, count}, true, 1);
}

// --- tiles ---

void GroupsKernel::tile(const Pack& a, int row, int rows, const Pack& b, Tile& tile) const {
  GroupsRun r;
  r.a = a.lines(), r.b = b.lines();
  r.a_groups = a.groups;
  r.first_row = row;
  r.steps = a.groups / shape_.groups;
  run(r, false, rows, tile);
  redo_unfit(a.fits, row, rows, b.fits, tile);
}

void GroupsKernel::lanes(const Pack& a, const Pack& b, Tile& tile) const {
  GroupsRun r;
  r.a = a.lines(), r.b = b.lines();
  r.steps = a.groups / shape_.groups;
  run(r, true, 1, tile);
  redo_unfit_cases(a.fits, b.fits, tile);
}

void GroupsKernel::run(GroupsRun run, bool a_is_panel, int rows, Tile& tile) const {
  alignas(64) std::array<float, tile_rows * panel_columns> acc{};
  alignas(64) std::array<std::uint32_t, tile_rows * panel_columns> redo{};
  run.acc = acc.data();
  run.redo = redo.data();
  for (std::size_t i = 0; i < index(rows); ++i) {
    for (std::size_t j = 0; j < panel_columns; ++j) {
      const auto code = static_cast<std::uint32_t>(tile.c[i][j]);
      acc[i * panel_columns + j] = c_is_half_ ? float_of_half(code) : float_of_bits(code);
    }
  }
  {
    const Rounding rounding(direction_);
    a_is_panel ? groups_lanes(shape_, run) : groups_rows(shape_, run);
  }
  for (std::size_t i = 0; i < index(rows); ++i) {
    for (std::size_t j = 0; j < panel_columns; ++j) {
      tile.d[i][j] = bits_of_float(acc[i * panel_columns + j] + zero_);
      tile.redo[i][j] = redo[i * panel_columns + j] != 0;
    }
  }
}

}  // namespace assay
