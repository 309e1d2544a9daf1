#include "model/fast/ieee.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>

#include "model/core/result_words.hpp"
#include "model/fast/floats.hpp"
#include "model/fast/rounding.hpp"

namespace assay {
namespace {

template <class T>
bool is_format_of(const Format& f) {
  const bool is_float = sizeof(T) == 4;
  return !f.is_integer() && f.exponent_bits == (is_float ? 8 : 11) && f.mantissa_bits == (is_float ? 23 : 52) &&
         f.bias == (is_float ? 127 : 1023) && f.has_infinity && f.has_signed_zero;
}

// Whether every number of the format is one of T.
template <class T>
bool is_held_by(const Format& f) {
  return !f.is_integer() && f.mantissa_bits < std::numeric_limits<T>::digits &&
         f.greatest_exponent() < std::numeric_limits<T>::max_exponent &&
         f.least_exponent() - f.mantissa_bits >= std::numeric_limits<T>::min_exponent - std::numeric_limits<T>::digits;
}

bool rounds_alike(const Result& x, const Result& y) {
  return x.subnormals == y.subnormals && x.tiny == y.tiny && x.cut == y.cut;
}

// What the machine calls it; none where it has no such rounding.
std::optional<int> direction_of(Cut cut) {
  static const std::map<Cut, int> directions{{Cut::nearest_even, FE_TONEAREST},
                                             {Cut::toward_zero, FE_TOWARDZERO},
                                             {Cut::down, FE_DOWNWARD},
                                             {Cut::up, FE_UPWARD}};
  const auto found = directions.find(cut);
  return found == directions.end() ? std::nullopt : std::optional(found->second);
}

// Rounded to a T, however small, and beyond all of them as IEEE has it.
template <class T>
bool is_ieee(const ResultPlan& result) {
  const Result& words = result.words;
  const bool nearest = words.cut == Cut::nearest_even;
  const bool overflows = words.overflow == Overflow::directed || (nearest && words.overflow == Overflow::infinity);
  const bool goes_on = words.infinity == OfInfinity::keep && words.nan == OfNan::keep;
  return words.at == ResultAt::format && is_format_of<T>(result.format) && direction_of(words.cut) && overflows &&
         goes_on &&
         (words.subnormals == Subnormals::keep || (nearest && words.subnormals == Subnormals::signed_zero &&
                                                   words.tiny != Tiny::before && sizeof(T) == sizeof(float)));
}

template <class T>
bool adds_by_ieee(const AdderPlan& adder) {
  if (adder.has_sticky() || adder.times_scales || adder.zero != ZeroSign::ieee || adder.results.size() != 1)
    return false;
  const auto exact = [](const InputPlan& i) { return i.words.loses_nothing() && !i.words.empty; };
  return std::all_of(adder.inputs.begin(), adder.inputs.end(), exact) && is_ieee<T>(adder.results.front());
}

bool sums_of_two(const CircuitBlock& block) {
  return block.sums.size() <= ieee_sums &&
         std::all_of(block.sums.begin(), block.sums.end(), [](const SumNode& node) { return node.items.size() == 2; });
}

// Of the terms of the block: all, none, or some, or others as well, of which nothing is known here.
std::optional<bool> turned_terms(const CircuitBlock& block) {
  int turned = 0, terms = 0;
  for (const SumNode& node : block.sums) {
    for (const SumItem& item : node.items) {
      const bool is_term = block.kind(item.value) == ValueKind::term;
      if (item.negate && !is_term) return std::nullopt;
      terms += is_term ? 1 : 0;
      turned += item.negate ? 1 : 0;
    }
  }
  if (turned != 0 && turned != terms) return std::nullopt;
  return turned != 0;
}

// Whether these are the block's sums, each of two values in either order.
bool adds_pairs(const CircuitBlock& block, const std::vector<std::array<int, 2>>& pairs) {
  return std::equal(block.sums.begin(), block.sums.end(), pairs.begin(), pairs.end(),
                    [](const SumNode& node, const std::array<int, 2>& pair) {
                      const int x = node.items[0].value, y = node.items[1].value;
                      return (x == pair[0] && y == pair[1]) || (x == pair[1] && y == pair[0]);
                    });
}

// Nothing but a x b + acc.
bool is_fused(const Plan& plan) { return plan.step_terms == 1 && adds_pairs(plan.circuit.step, {{0, 1}}); }

// How many products of a step, neighbours added in a tree, and then the accumulator: 2 or 4; 0 for other steps. Values
// are the products, acc, then what the sums left.
int tree_of_products(const Plan& plan) {
  const CircuitBlock& block = plan.circuit.step;
  if (plan.step_terms == 2 && adds_pairs(block, {{0, 1}, {2, 3}})) return 2;
  if (plan.step_terms == 4 && adds_pairs(block, {{0, 1}, {2, 3}, {5, 6}, {4, 7}})) return 4;
  return 0;
}

int tree_of(const Plan& plan, bool chain) {
  if (plan.lanes != 1 || !plan.finish.empty() || plan.datapath.start != Start::c) return 0;
  return chain ? 1 : tree_of_products(plan);
}

// Every other source of a number must itself be one of T.
template <class T>
std::optional<IeeeShape> ieee_shape(const Plan& plan) {
  const Datapath& words = plan.datapath;
  if (words.specials != Specials::operation || words.product.infinity_at || words.product.times_scales ||
      words.product.exponent != ProductExponent::raw)
    return std::nullopt;
  if (!is_held_by<T>(plan.a) || !is_held_by<T>(plan.b) || !is_format_of<T>(plan.c) || !is_format_of<T>(plan.d))
    return std::nullopt;
  if (plan.lanes > ieee_lanes_of_plan || !sums_of_two(plan.circuit.step) || !sums_of_two(plan.circuit.finish))
    return std::nullopt;
  for (const auto* adders : {&plan.adders, &plan.finish}) {
    if (!std::all_of(adders->begin(), adders->end(), adds_by_ieee<T>)) return std::nullopt;
  }

  IeeeShape shape;
  if (plan.product_round) {
    if (!is_ieee<T>(*plan.product_round)) return std::nullopt;
  } else {
    shape.chain = is_fused(plan);
    if (!shape.chain) return std::nullopt;
  }
  const std::optional<bool> turned = turned_terms(plan.circuit.step), turned_lanes = turned_terms(plan.circuit.finish);
  if (!turned || turned_lanes != false || words.start == Start::none) return std::nullopt;
  shape.negate = *turned;
  shape.tree = tree_of(plan, shape.chain);
  const Result& one = plan.adders.front().results.front().words;
  const auto like_one = [&](const AdderPlan& adder) { return rounds_alike(adder.results.front().words, one); };
  for (const auto* adders : {&plan.adders, &plan.finish}) {
    if (!std::all_of(adders->begin(), adders->end(), like_one)) return std::nullopt;
  }
  if (plan.product_round && !rounds_alike(plan.product_round->words, one)) return std::nullopt;
  shape.cut = one.cut;
  if (one.subnormals != Subnormals::keep)
    shape.flush = one.tiny == Tiny::after ? Flush::tiny_unbounded : Flush::tiny_result;
  // The next instruction along K reads what this one wrote: nothing that reading would change.
  if (words.subnormals_c != Subnormals::keep && shape.flush == Flush::never) return std::nullopt;
  // The sign of a zero decides no more than that of a later zero: of those before one that is never -0, nothing.
  const Result& last = plan.last_adder().results.front().words;
  if (last.minus_zero == MinusZero::keep && result_without_minus_zero(plan) != nullptr) return std::nullopt;
  shape.zero = zero_of(last);
  return shape;
}

template <class T>
T value_of(Code code) {
  if constexpr (sizeof(T) == 4) {
    return float_of_bits(static_cast<std::uint32_t>(code));
  } else {
    double value;
    std::memcpy(&value, &code, sizeof value);
    return value;
  }
}

template <class T>
Code code_of(T value) {
  Code code = 0;
  std::memcpy(&code, &value, sizeof value);
  return code;
}

}  // namespace

template <class T>
std::optional<IeeeKernel<T>> IeeeKernel<T>::of(const Plan& plan) {
  const std::optional<IeeeShape> shape = ieee_shape<T>(plan);
  if (!shape) return std::nullopt;
  return IeeeKernel(plan, *shape);
}

template <class T>
IeeeKernel<T>::IeeeKernel(const Plan& plan, const IeeeShape& shape)
    : plan_(&plan),
      shape_(shape),
      a_is_t_(is_format_of<T>(plan.a) && plan.datapath.subnormals_a == Subnormals::keep),
      b_is_t_(is_format_of<T>(plan.b) && plan.datapath.subnormals_b == Subnormals::keep),
      a_(std::make_shared<DoubleDecoder>(codes_of_a(plan))),
      b_(std::make_shared<DoubleDecoder>(codes_of_b(plan))),
      c_(std::make_shared<DoubleDecoder>(OperandCodes{plan.c, plan.datapath.subnormals_c})) {}

template <class T>
Decoded<T, NoExponent> IeeeKernel<T>::operand(const DoubleDecoder& decoder, bool is_t, Code code) {
  return {is_t ? value_of<T>(code) : static_cast<T>(decoder(code).value), {}, true};
}

template <class T>
std::size_t IeeeKernel<T>::line_bytes(int instructions) const {
  return Pack::line_bytes(plan_->order.size() * static_cast<std::size_t>(instructions));
}

template <class T>
typename IeeeKernel<T>::Pack IeeeKernel<T>::pack_rows(const Gemm& gemm, int first, int count) const {
  return packed_rows(plan_->order, {gemm.a, first, count, plan_->k, gemm.k / plan_->k}, Decoded<T, NoExponent>{},
                     [&](Code code, int, int) { return a(code); });
}

template <class T>
typename IeeeKernel<T>::Pack IeeeKernel<T>::pack_panel(const Gemm& gemm, int first, int count) const {
  return packed_panel(plan_->order, {transposed(gemm.b), first, count, plan_->k, gemm.k / plan_->k},
                      Decoded<T, NoExponent>{}, [&](Code code, int, int) { return b(code); });
}

template <class T>
typename IeeeKernel<T>::Pack IeeeKernel<T>::pack_cases(const Gemm& gemm, int count) const {
  return packed_panel(plan_->order, {gemm.a, 0, count, plan_->k, 1}, Decoded<T, NoExponent>{},
                      [&](Code code, int, int) { return a(code); });
}

template <class T>
void IeeeKernel<T>::tile(const Pack& a, int row, int rows, const Pack& b, Tile& tile) const {
  IeeeRun<T> r;
  r.a = a.values.get() + std::int64_t{row} * a.terms;
  r.a_stride = a.terms;
  r.b = b.values.get();
  r.instructions = a.terms / plan_->k;
  run(r, false, rows, tile);
}

template <class T>
void IeeeKernel<T>::lanes(const Pack& a, const Pack& b, Tile& tile) const {
  IeeeRun<T> r;
  r.a = a.values.get();
  r.b = b.values.get();
  r.instructions = 1;
  run(r, true, 1, tile);
}

template <class T>
void IeeeKernel<T>::run(IeeeRun<T> run, bool a_is_panel, int rows, Tile& tile) const {
  alignas(64) std::array<T, tile_rows * panel_columns> acc{};
  alignas(64) std::array<T, tile_rows * panel_columns> redo{};
  run.acc = acc.data();
  run.redo = redo.data();
  const bool flush_c = plan_->datapath.subnormals_c != Subnormals::keep;
  for (std::size_t i = 0; i < static_cast<std::size_t>(rows); ++i) {
    for (std::size_t j = 0; j < panel_columns; ++j) {
      const Code c = tile.c[i][j];
      acc[i * panel_columns + j] = flush_c ? static_cast<T>((*c_)(c).value) : value_of<T>(c);
    }
  }
  {
    std::optional<Rounding> rounding;  // there is one to the nearest already
    if (shape_.cut != Cut::nearest_even) rounding.emplace(*direction_of(shape_.cut));
    a_is_panel ? ieee_lanes(*plan_, shape_, run) : ieee_rows(*plan_, shape_, run);
  }
  for (std::size_t i = 0; i < static_cast<std::size_t>(rows); ++i) {
    for (std::size_t j = 0; j < panel_columns; ++j) {
      const std::size_t at = i * panel_columns + j;
      tile.d[i][j] = code_of(acc[at] + static_cast<T>(shape_.zero));
      tile.redo[i][j] = std::isnan(acc[at]) || std::isnan(redo[at]);
    }
  }
}

template class IeeeKernel<float>;
template class IeeeKernel<double>;

}  // namespace assay
