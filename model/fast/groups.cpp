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

std::size_t index(int i) { return static_cast<std::size_t>(i); }

bool near(int exponent) { return std::abs(exponent) <= farthest_exponent; }

// --- which plans ---

// Of the format's greatest number in units of its least one; 16 for any that has more.
int bits_of_integers(const Format& f) {
  return std::min(f.greatest_exponent() - f.least_exponent() + f.significand_bits(), integer_bits + 1);
}

bool small_integers(const Format& f) { return bits_of_integers(f) <= integer_bits; }

// Of a sum of so many products.
int bits_of_sum(const Plan& plan, int terms) {
  int bits = bits_of_integers(plan.a) + bits_of_integers(plan.b);
  for (int reach = 1; reach < terms; reach *= 2) ++bits;
  return bits;
}

bool exact_scaled_groups(const Plan& plan, const AdderPlan& adder) {
  const bool products = adder.inputs.size() == 1 && adder.inputs[0].source == Source::product;
  if (!products || adder.inputs[0].words.keep || adder.inputs[0].words.lost_below) return false;
  if (adder.shape != Shape::flat || adder.sticky || !adder.times_scales || !adder.scaled || !adder.results.empty())
    return false;
  if (adder.window.exponent != WindowExponent::fixed || adder.zero != ZeroSign::positive) return false;
  const int bits = bits_of_sum(plan, adder.terms);
  const Range& scaled = *adder.scaled;
  return bits <= sum_bits && bits + 2 * plan.scale->significand_bits() <= double_bits && near(adder.window.at) &&
         near(scaled.least_exponent) && near(scaled.greatest_exponent + scaled.integer_bits) &&
         near(scaled.least_quantum());
}

bool cut_alike(const InputPlan& x, const InputPlan& y) {
  const auto cut = [](const Input& i) { return i.keep && i.cut == Cut::toward_zero && !i.empty && !i.lost_below; };
  return cut(x.words) && cut(y.words) && x.words.keep == y.words.keep;
}

bool sum_with_acc(const AdderPlan& adder) {
  if (adder.inputs.size() != 2 || adder.groups != 1 || adder.shape != Shape::flat || adder.sticky) return false;
  if (adder.inputs[0].source != Source::adder || adder.inputs[1].source != Source::acc) return false;
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

Matrix from_line(Matrix matrix, int line) {
  matrix.data = matrix.at(line, 0);
  return matrix;
}

// Of line l and group g its x-th of so many.
std::size_t place(const GroupsKernel::Pack& pack, bool panel, int line, int group, int x, int of) {
  if (panel) return index(group * of + x) * panel_columns + index(line);
  return (index(line) * index(pack.groups) + index(group)) * index(of) + index(x);
}

}  // namespace

std::optional<GroupsKernel> GroupsKernel::of(const Plan& plan) {
  if (!is_of_groups(plan)) return std::nullopt;
  return GroupsKernel(plan, shape_of(plan));
}

GroupsKernel::GroupsKernel(const Plan& plan, const GroupsShape& shape)
    : shape_(shape), c_is_half_(is_half(plan.c)), k_(plan.k), scales_(plan.scales) {
  const AdderPlan& adder = plan.adders[0];
  direction_ = plan.adders[1].results[0].words.cut == Cut::toward_zero ? FE_TOWARDZERO : FE_TONEAREST;
  a_ = std::make_shared<Integers>(integers_of(plan.a, plan.datapath.subnormals_a));
  b_ = std::make_shared<Integers>(integers_of(plan.b, plan.datapath.subnormals_b));
  scale_ = std::make_shared<DoubleDecoder>(*plan.scale, Subnormals::keep);
  for (int step = 0; step < plan.steps; ++step) {
    const int* order = plan.step_order(0, step);
    for (int g = 0; g < adder.groups; ++g) {
      const auto first = adder.members.begin() + g * adder.terms;
      Group group;
      group.block = order[*first] / plan.scale_block;
      for (auto t = first; t != first + adder.terms; ++t) group.terms.push_back(order[*t]);
      group.terms.resize(index(shape.pairs) * 2, -1);
      groups_.push_back(std::move(group));
    }
  }
}

GroupsKernel::Integers GroupsKernel::integers_of(const Format& format, Subnormals subnormals) {
  const DoubleDecoder decoder(format, subnormals);
  Integers integers;
  integers.format = format;
  integers.unit = std::ldexp(1.0, format.least_exponent() - format.mantissa_bits);
  for (Code used = 0; used < Code{1} << format.used_bits(); ++used) {
    const DoubleDecoder::Number n = decoder(format.stored(used));
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
  for (int line = 0; line < lines; ++line) {
    for (int group = 0; group < pack.groups; ++group) {
      pack_terms(pack, from, panel, line, group);
      pack_scale(pack, from, panel, line, group);
    }
  }
  return pack;
}

void GroupsKernel::pack_terms(Pack& pack, const Lines& from, bool panel, int line, int group) const {
  const auto in_instruction = static_cast<int>(groups_.size());
  const Sources& terms = groups_[index(group % in_instruction)].terms;
  const int before = group / in_instruction * k_;
  std::uint32_t word = 0;
  std::uint32_t pair = 0;
  const auto count = static_cast<int>(terms.size());
  for (int t = 0; t < count; ++t) {
    Integers::Integer x;
    if (terms[index(t)] >= 0 && line < from.count) x = from.integers(from.codes.get(line, before + terms[index(t)]));
    pack.fits[index(line)] &= static_cast<char>(x.fits);
    const std::uint32_t bits = static_cast<std::uint16_t>(x.value);
    pair = pair >> 16 | bits << 16;
    word |= (x.value != 0 ? 1U : 0U) << t % word_bits;
    if (t % 2 != 0) pack.pairs[place(pack, panel, line, group, t / 2, shape_.pairs)] = static_cast<std::int32_t>(pair);
    if (t % word_bits == word_bits - 1 || t == count - 1) {
      pack.words[place(pack, panel, line, group, t / word_bits, shape_.words)] = word;
      word = 0;
    }
  }
}

void GroupsKernel::pack_scale(Pack& pack, const Lines& from, bool panel, int line, int group) const {
  const auto in_instruction = static_cast<int>(groups_.size());
  const int block = group / in_instruction * scales_ + groups_[index(group % in_instruction)].block;
  DoubleDecoder::Number s;
  if (line < from.count) s = (*scale_)(from.scales.get(line, block));
  const bool usable = s.finite && s.value != 0;
  const std::size_t at = place(pack, panel, line, group, 0, 1);
  pack.scales[at] = usable ? s.value * from.integers.unit : 0;
  pack.exponents[at] = usable ? s.exponent : groups_no_exponent;
  pack.fits[index(line)] &= static_cast<char>(s.finite);
}

GroupsKernel::Pack GroupsKernel::pack_rows(const Gemm& gemm, int first, int count) const {
  return packed({*a_, from_line(gemm.a, first), from_line(gemm.scale_a, first), count}, false, gemm.k / k_);
}

GroupsKernel::Pack GroupsKernel::pack_panel(const Gemm& gemm, int first, int count) const {
  const Matrix codes = transposed(gemm.b), scales = transposed(gemm.scale_b);
  return packed({*b_, from_line(codes, first), from_line(scales, first), count}, true, gemm.k / k_);
}

GroupsKernel::Pack GroupsKernel::pack_cases(const Gemm& gemm, int count) const {
  return packed({*a_, gemm.a, gemm.scale_a, count}, true, 1);
}

// --- tiles ---

void GroupsKernel::tile(const Pack& a, int row, int rows, const Pack& b, Tile& tile) const {
  GroupsRun r;
  r.a = a.lines(), r.b = b.lines();
  r.a_groups = a.groups;
  r.first_row = row;
  r.steps = a.groups / shape_.groups;
  run(r, false, rows, tile);
  for (int i = 0; i < rows; ++i) {
    for (std::size_t j = 0; j < panel_columns; ++j)
      tile.redo[index(i)][j] |= a.fits[index(row + i)] == 0 || b.fits[j] == 0;
  }
}

void GroupsKernel::lanes(const Pack& a, const Pack& b, Tile& tile) const {
  GroupsRun r;
  r.a = a.lines(), r.b = b.lines();
  r.steps = a.groups / shape_.groups;
  run(r, true, 1, tile);
  for (std::size_t j = 0; j < panel_columns; ++j) tile.redo[0][j] |= a.fits[j] == 0 || b.fits[j] == 0;
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
      tile.d[i][j] = bits_of_float(acc[i * panel_columns + j]);
      tile.redo[i][j] = redo[i * panel_columns + j] != 0;
    }
  }
}

}  // namespace assay
