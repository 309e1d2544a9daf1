#include "model/fast/ieee.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>

#include "model/core/plain_sums.hpp"
#include "model/core/result_words.hpp"
#include "model/fast/floats.hpp"
#include "model/fast/rounding.hpp"

namespace assay {
namespace {

template <class T>
bool is_format_of(const Format& f) {
  return sizeof(T) == sizeof(float) ? is_float(f) : is_double(f);
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
bool is_machines(const ResultPlan& result) {
  const Result& words = result.words;
  const bool nearest = words.cut == Cut::nearest_even;
  const bool overflows = words.overflow == Overflow::directed || (nearest && words.overflow == Overflow::infinity);
  return is_format_of<T>(result.format) && direction_of(words.cut) && overflows &&
         (words.subnormals == Subnormals::keep || (nearest && words.subnormals == Subnormals::signed_zero &&
                                                   words.tiny != Tiny::before && sizeof(T) == sizeof(float)));
}

// A sum below the least normal number loses nothing, so that it is the same before it is rounded and after.
bool is_float_to_odd(const ResultPlan& result) {
  const Result& words = result.words;
  return is_format_of<float>(result.format) && words.cut == Cut::to_odd && words.overflow == Overflow::infinity &&
         (words.subnormals == Subnormals::keep ||
          (words.subnormals == Subnormals::signed_zero && words.tiny != Tiny::after));
}

bool is_nearest_half(const ResultPlan& result) {
  const Result& words = result.words;
  return is_half(result.format) && words.cut == Cut::nearest_even && words.overflow == Overflow::infinity &&
         words.subnormals == Subnormals::keep;
}

// As many bits as T has, of any exponent.
template <class T>
bool has_bits_of(const ResultPlan& result) {
  const Result& words = result.words;
  return words.at == ResultAt::leading_one && words.keep == std::numeric_limits<T>::digits - 1 &&
         !words.least_exponent && words.cut == Cut::nearest_even;
}

template <class T>
std::optional<Rounds> rounds_of(const ResultPlan& result) {
  const Result& words = result.words;
  if (has_bits_of<T>(result)) return Rounds::by_machine;
  if (words.at != ResultAt::format || words.infinity != OfInfinity::keep || words.nan != OfNan::keep)
    return std::nullopt;
  if (is_machines<T>(result)) return Rounds::by_machine;
  if (sizeof(T) != sizeof(float)) return std::nullopt;
  if (is_float_to_odd(result)) return Rounds::to_odd;
  if (is_nearest_half(result)) return Rounds::to_half;
  return std::nullopt;
}

// Whether T has bits enough for every product: it holds those of operands whose exponents are within +-62.
template <class T>
bool holds_product_bits(const Format& a, const Format& b) {
  return a.mantissa_bits + b.mantissa_bits + 2 <= std::numeric_limits<T>::digits;
}

// Whether T holds every product, so that the machine's multiplication rounds none.
template <class T>
bool holds_products(const Format& a, const Format& b) {
  const int least = a.least_exponent() - a.mantissa_bits + b.least_exponent() - b.mantissa_bits;
  return holds_product_bits<T>(a, b) &&
         a.greatest_exponent() + b.greatest_exponent() + 2 <= std::numeric_limits<T>::max_exponent &&
         least >= std::numeric_limits<T>::min_exponent - std::numeric_limits<T>::digits;
}

// Whether the least normal T is no rounding of a smaller product.
template <class T>
bool shows_tiny_products(const Format& a, const Format& b) {
  return a.mantissa_bits + b.mantissa_bits + 2 < std::numeric_limits<T>::digits;
}

template <class T>
bool adds_by_ieee(const AdderPlan& adder) {
  if (adder.has_sticky() || adder.times_scales || adder.zero != ZeroSign::ieee || adder.results.size() != 1)
    return false;
  const auto exact = [](const InputPlan& i) { return i.words.loses_nothing() && !i.words.empty; };
  const auto is_product = [](const InputPlan& i) { return i.kind == ValueKind::term; };
  if (has_bits_of<T>(adder.results.front()) && !std::all_of(adder.inputs.begin(), adder.inputs.end(), is_product))
    return false;
  return std::all_of(adder.inputs.begin(), adder.inputs.end(), exact) && rounds_of<T>(adder.results.front());
}

// What one value alone leaves is that value; of a term, that has to be seen to.
bool sums_of_two(const CircuitBlock& block) {
  return block.sums.size() <= ieee_sums && std::all_of(block.sums.begin(), block.sums.end(), [&](const SumNode& node) {
           return node.items.size() == 2 ||
                  (node.items.size() == 1 && block.kind(node.items.front().value) != ValueKind::term);
         });
}

using Pairs = std::vector<std::array<int, 2>>;

// Whether these are the block's sums, each of two values in either order, and then at most what turns the last.
bool adds_pairs(const CircuitBlock& block, const Pairs& pairs) {
  if (block.sums.size() < pairs.size() || block.sums.size() > pairs.size() + 1) return false;
  const std::vector<SumItem>& last = block.sums.back().items;
  const int of_pairs = block.left_by(pairs.size() - 1);
  if (block.sums.size() > pairs.size() && (last.size() != 1 || last.front().value != of_pairs)) return false;
  return std::equal(pairs.begin(), pairs.end(), block.sums.begin(),
                    [](const std::array<int, 2>& pair, const SumNode& node) {
                      if (node.items.size() != 2) return false;
                      const int x = node.items[0].value, y = node.items[1].value;
                      return (x == pair[0] && y == pair[1]) || (x == pair[1] && y == pair[0]);
                    });
}

// Sums of steps that just follow each other, of 1, 2 and 4 products: neighbours added in a tree, and then the
// accumulator. Values are the products, acc, then what the sums left.
const std::vector<std::pair<int, Pairs>>& trees() {
  static const std::vector<std::pair<int, Pairs>> all{
      {1, {{0, 1}}}, {2, {{0, 1}, {2, 3}}}, {4, {{0, 1}, {2, 3}, {5, 6}, {4, 7}}}};
  return all;
}

// Nothing but a x b + acc.
bool is_fused(const Plan& plan) {
  return plan.step_terms == 1 && adds_pairs(plan.circuit.step, trees().front().second);
}

// Which of the trees; 0 for other steps.
int tree_of(const Plan& plan) {
  const CircuitBlock& block = plan.circuit.step;
  if (plan.lanes != 1 || !plan.finish.empty() || plan.datapath.start == Start::zero) return 0;
  for (const auto& [terms, pairs] : trees()) {
    if (plan.step_terms != terms || !adds_pairs(block, pairs)) continue;
    const bool is_turned_within =
        std::any_of(block.sums.begin(), block.sums.begin() + terms - 1, [&](const SumNode& n) {
          return std::any_of(n.items.begin(), n.items.end(), [&](const SumItem& item) {
            return item.negate && block.kind(item.value) != ValueKind::term;
          });
        });
    return is_turned_within ? 0 : terms;
  }
  return 0;
}

// Of one of the trees.
Turned turned_in(const CircuitBlock& block, int tree) {
  Turned turned;
  for (const SumItem& item : block.sums[static_cast<std::size_t>(tree - 1)].items) {
    const ValueKind kind = block.kind(item.value);
    if (kind == ValueKind::one) turned.acc = item.negate;
    if (kind == ValueKind::sum) turned.sum = item.negate;
  }
  turned.result = static_cast<int>(block.sums.size()) > tree && block.sums.back().items.front().negate;
  return turned;
}

// What leaves the multiplication: rounded as the datapath says, or so that nothing is lost.
template <class T>
bool multiplies_by_machine(const Plan& plan, const IeeeShape& shape) {
  const bool by_machine = shape.rounds == Rounds::by_machine, flushes = shape.flush != Flush::never;
  if (by_machine && (shape.chain || plan.product_round)) return true;
  const bool holds = shape.near_one ? holds_product_bits<T>(plan.a, plan.b) : holds_products<T>(plan.a, plan.b);
  if (!plan.product_round) return holds && (shape.chain || !flushes);
  return shape.rounds == Rounds::to_odd && (holds || (flushes && shows_tiny_products<T>(plan.a, plan.b)));
}

// Every other source of a number must itself be one of T.
template <class T>
std::optional<IeeeShape> ieee_shape(const Plan& plan) {
  const Datapath& words = plan.datapath;
  if (words.specials != Specials::operation || words.product.infinity_at || words.product.times_scales ||
      words.product.exponent != ProductExponent::raw)
    return std::nullopt;
  if (!is_held_by<T>(plan.a) || !is_held_by<T>(plan.b)) return std::nullopt;
  if (plan.lanes > ieee_lanes_of_plan || !sums_of_two(plan.circuit.step) || !sums_of_two(plan.circuit.finish))
    return std::nullopt;
  for (const auto* adders : {&plan.adders, &plan.finish}) {
    if (!std::all_of(adders->begin(), adders->end(), adds_by_ieee<T>)) return std::nullopt;
  }

  IeeeShape shape;
  const ResultPlan& first = plan.adders.front().results.front();
  const Result& one = first.words;
  shape.rounds = *rounds_of<T>(first);
  const auto is_of_sums = [&](const Format& f) {
    return shape.rounds == Rounds::to_half ? is_half(f) : is_format_of<T>(f);
  };
  if (!is_of_sums(plan.c) || !is_of_sums(plan.d)) return std::nullopt;
  shape.cut = one.cut;
  if (one.subnormals != Subnormals::keep)
    shape.flush = one.tiny == Tiny::after ? Flush::tiny_unbounded : Flush::tiny_result;
  const auto like_one = [&](const ResultPlan& result) {
    return rounds_of<T>(result) == shape.rounds && rounds_alike(result.words, one);
  };
  for (const auto* adders : {&plan.adders, &plan.finish}) {
    if (!std::all_of(adders->begin(), adders->end(), [&](const AdderPlan& a) { return like_one(a.results.front()); }))
      return std::nullopt;
  }
  if (plan.product_round && !like_one(*plan.product_round)) return std::nullopt;
  shape.chain = !plan.product_round && is_fused(plan);
  const auto has_bits = [](const AdderPlan& a) { return has_bits_of<T>(a.results.front()); };
  const bool any_exponent = std::any_of(plan.adders.begin(), plan.adders.end(), has_bits);
  if (has_bits(plan.last_adder()) || std::any_of(plan.finish.begin(), plan.finish.end(), has_bits)) return std::nullopt;
  if (any_exponent && (sizeof(T) != sizeof(float) || plan.product_round || shape.flush != Flush::never))
    return std::nullopt;
  shape.near_one = any_exponent || (sizeof(T) == sizeof(float) && !plan.product_round && !shape.chain &&
                                    !holds_products<T>(plan.a, plan.b));
  if (!multiplies_by_machine<T>(plan, shape)) return std::nullopt;

  const auto step = [&](ValueKind kind) { return turned_values(plan.circuit.step, kind); };
  const std::optional<bool> turned = step(ValueKind::term), turned_acc = step(ValueKind::one);
  if (!turned || turned_values(plan.circuit.finish, ValueKind::term) != false) return std::nullopt;
  shape.negate = *turned;
  shape.tree = tree_of(plan);
  if (shape.tree == 1 && !shape.chain) shape.tree = 0;
  if (shape.chain || shape.tree != 0) shape.turned = turned_in(plan.circuit.step, shape.chain ? 1 : shape.tree);
  if (words.start == Start::none) {
    if (!turned_acc || plan.lanes != 1 || !plan.finish.empty()) return std::nullopt;
    shape.nothing = (one.cut == Cut::down) == *turned_acc ? -0.0F : 0.0F;
  }
  // The next instruction along K reads what this one wrote: nothing that reading would change.
  if (words.subnormals_c != Subnormals::keep && shape.flush == Flush::never) return std::nullopt;
  // The sign of a zero decides no more than that of a later zero: of those before one that is never -0, nothing.
  const Result& last = plan.last_adder().results.front().words;
  if (last.minus_zero == MinusZero::keep && result_without_minus_zero(plan) != nullptr) return std::nullopt;
  shape.zero = zero_of(last);
  return shape;
}

template <class T>
Code code_of(T value, Rounds rounds) {
  if (rounds == Rounds::to_half) return half_of_float(static_cast<float>(value));
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
      a_(codes_of_a(plan)),
      b_(are_read_alike(codes_of_a(plan), codes_of_b(plan)) ? a_ : FloatReader<T>(codes_of_b(plan))),
      c_(OperandCodes{plan.c, plan.datapath.subnormals_c}) {}

template <class T>
Decoded<T, NoExponent> IeeeKernel<T>::taken(T x) const {
  constexpr T least = T{0x1p-62}, too_great = T{0x1p63};
  const bool is_far =
      shape_.near_one && x != 0 && std::isfinite(x) && (std::abs(x) < least || std::abs(x) >= too_great);
  return is_far ? Decoded<T, NoExponent>{0, {}, false} : Decoded<T, NoExponent>{x, {}, true};
}

template <class T>
std::size_t IeeeKernel<T>::line_bytes(int instructions) const {
  return Pack::line_bytes(plan_->order.size() * static_cast<std::size_t>(instructions));
}

template <class T>
typename IeeeKernel<T>::Pack IeeeKernel<T>::pack_rows(const Gemm& gemm, int first, int count) const {
  return a_.with([&](const auto& read) {
    return packed_rows(plan_->order, {gemm.a, first, count, plan_->k, gemm.k / plan_->k}, Decoded<T, NoExponent>{},
                       [&](Code code, int, int) { return taken(turned(read(code))); });
  });
}

template <class T>
typename IeeeKernel<T>::Pack IeeeKernel<T>::pack_panel(const Gemm& gemm, int first, int count) const {
  return b_.with([&](const auto& read) {
    return packed_panel(plan_->order, {transposed(gemm.b), first, count, plan_->k, gemm.k / plan_->k},
                        Decoded<T, NoExponent>{}, [&](Code code, int, int) { return taken(read(code)); });
  });
}

template <class T>
typename IeeeKernel<T>::Pack IeeeKernel<T>::pack_cases(const Gemm& gemm, int count) const {
  return a_.with([&](const auto& read) {
    return packed_panel(plan_->order, {gemm.a, 0, count, plan_->k, 1}, Decoded<T, NoExponent>{},
                        [&](Code code, int, int) { return taken(turned(read(code))); });
  });
}

template <class T>
void IeeeKernel<T>::tile(const Pack& a, int row, int rows, const Pack& b, Tile& tile) const {
  IeeeRun<T> r;
  r.a = a.values.get() + std::int64_t{row} * a.terms;
  r.a_stride = a.terms;
  r.b = b.values.get();
  r.instructions = a.terms / plan_->k;
  if (plan_->datapath.start == Start::none) {  // what the last instruction adds to nothing is all that there is
    const std::int64_t before = a.terms - plan_->k;
    r.a += before;
    r.b += before * panel_columns;
    r.instructions = 1;
  }
  run(r, false, rows, tile);
  redo_unfit(a.fits, row, rows, b.fits, tile);
}

template <class T>
void IeeeKernel<T>::lanes(const Pack& a, const Pack& b, Tile& tile) const {
  IeeeRun<T> r;
  r.a = a.values.get();
  r.b = b.values.get();
  r.instructions = 1;
  run(r, true, 1, tile);
  redo_unfit_cases(a.fits, b.fits, tile);
}

template <class T>
void IeeeKernel<T>::run(IeeeRun<T> run, bool a_is_panel, int rows, Tile& tile) const {
  alignas(64) std::array<T, tile_rows * panel_columns> acc{};
  alignas(64) std::array<T, tile_rows * panel_columns> redo{};
  run.acc = acc.data();
  run.redo = redo.data();
  const bool from_nothing = plan_->datapath.start == Start::none;
  for (std::size_t i = 0; i < static_cast<std::size_t>(rows); ++i) {
    for (std::size_t j = 0; j < panel_columns; ++j) {
      const Code c = tile.c[i][j];
      acc[i * panel_columns + j] = from_nothing ? static_cast<T>(shape_.nothing) : c_(c);
    }
  }
  {
    // One to the nearest is there already, and rounding to odd is made of what that loses.
    std::optional<Rounding> rounding;
    const auto direction = shape_.cut == Cut::nearest_even ? std::nullopt : direction_of(shape_.cut);
    if (direction) rounding.emplace(*direction);
    a_is_panel ? ieee_lanes(*plan_, shape_, run) : ieee_rows(*plan_, shape_, run);
  }
  for (std::size_t i = 0; i < static_cast<std::size_t>(rows); ++i) {
    for (std::size_t j = 0; j < panel_columns; ++j) {
      const std::size_t at = i * panel_columns + j;
      tile.d[i][j] = code_of(acc[at] + static_cast<T>(shape_.zero), shape_.rounds);
      tile.redo[i][j] = std::isnan(acc[at]) || std::isnan(redo[at]);
    }
  }
}

template class IeeeKernel<float>;
template class IeeeKernel<double>;

}  // namespace assay
