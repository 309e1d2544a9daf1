#include "model/fast/integer_kernel.hpp"

#include <algorithm>

#include "model/core/plain_sums.hpp"

namespace assay {
namespace {

constexpr int word_bits = 32;

bool exact(const InputPlan& input) { return input.words.loses_nothing() && !input.words.empty; }

bool sums_of_integers(const Plan& plan) {
  const Datapath& words = plan.datapath;
  if (!plan.d.is_integer() || plan.d.stored_bits != word_bits || !(plan.c == plan.d) || !plan.d.has_sign) return false;
  if (plan.a.stored_bits >= word_bits || plan.b.stored_bits >= word_bits) return false;
  if (plan.a.has_point() || plan.b.has_point() || plan.d.has_point()) return false;
  if (words.product.round || words.product.infinity_at || words.product.times_scales) return false;
  if (plan.lanes != 1 || words.start == Start::zero || !plan.finish.empty() || plan.adders.size() != 1) return false;
  const AdderPlan& adder = plan.adders.front();
  if (!is_one_sum(plan.circuit.step) || adder.has_sticky() || adder.times_scales || adder.results.size() != 1)
    return false;
  const Result& result = adder.results.front().words;
  return std::all_of(adder.inputs.begin(), adder.inputs.end(), exact) &&
         adder.window.exponent == WindowExponent::fixed && result.at == ResultAt::format &&
         adder.results.front().format == plan.d;
}

Overflow overflow_of(const Plan& plan) { return plan.adders.front().results.front().words.overflow; }

// Whether the products of a step, each of at most so many bits, add up to less than 2^31.
bool step_fits(const Plan& plan) {
  const int product_bits = plan.a.stored_bits + plan.b.stored_bits;
  return product_bits < word_bits - 1 && plan.step_terms < 1 << (word_bits - 1 - product_bits);
}

// A code of the format, in two's complement, as one of 32 bits.
Decoded<std::int32_t, NoExponent> decoded(const Format& format, Code code, bool subtracts) {
  const Code used = format.used(code), sign = format.sign_bit();
  const auto value =
      static_cast<std::int32_t>(static_cast<std::int64_t>(used ^ sign) - static_cast<std::int64_t>(sign));
  return {subtracts ? -value : value, {}, true};
}

void run(IntegerRun run, bool from_nothing, void (*loop)(const IntegerRun&), int rows, Tile& tile) {
  alignas(64) std::array<std::int32_t, tile_rows * panel_columns> acc{};
  run.acc = acc.data();
  for (std::size_t i = 0; i < static_cast<std::size_t>(rows); ++i) {
    for (std::size_t j = 0; j < panel_columns && !from_nothing; ++j)
      acc[i * panel_columns + j] = static_cast<std::int32_t>(static_cast<std::uint32_t>(tile.c[i][j]));
  }
  loop(run);
  for (std::size_t i = 0; i < static_cast<std::size_t>(rows); ++i) {
    for (std::size_t j = 0; j < panel_columns; ++j)
      tile.d[i][j] = static_cast<std::uint32_t>(acc[i * panel_columns + j]);
  }
}

}  // namespace

std::optional<IntegerKernel> IntegerKernel::of(const Plan& plan) {
  if (!sums_of_integers(plan)) return std::nullopt;
  const std::optional<bool> subtracts = turned_values(plan.circuit.step, ValueKind::term);
  if (!subtracts || turned_values(plan.circuit.step, ValueKind::one) != false) return std::nullopt;
  const Overflow overflow = overflow_of(plan);
  if (overflow == Overflow::wrap) return IntegerKernel(plan, 0, *subtracts);
  if (overflow == Overflow::largest && step_fits(plan)) return IntegerKernel(plan, plan.step_terms, *subtracts);
  return std::nullopt;
}

std::size_t IntegerKernel::line_bytes(int instructions) const {
  return Pack::line_bytes(plan_->order.size() * static_cast<std::size_t>(instructions));
}

IntegerKernel::Pack IntegerKernel::pack_rows(const Gemm& gemm, int first, int count) const {
  return packed_rows(plan_->order, {gemm.a, first, count, plan_->k, gemm.k / plan_->k},
                     Decoded<std::int32_t, NoExponent>{},
                     [&](Code code, int, int) { return decoded(plan_->a, code, subtracts_); });
}

IntegerKernel::Pack IntegerKernel::pack_panel(const Gemm& gemm, int first, int count) const {
  return packed_panel(plan_->order, {transposed(gemm.b), first, count, plan_->k, gemm.k / plan_->k},
                      Decoded<std::int32_t, NoExponent>{},
                      [&](Code code, int, int) { return decoded(plan_->b, code, false); });
}

IntegerKernel::Pack IntegerKernel::pack_cases(const Gemm& gemm, int count) const {
  return packed_panel(plan_->order, {gemm.a, 0, count, plan_->k, 1}, Decoded<std::int32_t, NoExponent>{},
                      [&](Code code, int, int) { return decoded(plan_->a, code, subtracts_); });
}

void IntegerKernel::tile(const Pack& a, int row, int rows, const Pack& b, Tile& tile) const {
  // What the last instruction adds to nothing is all that there is.
  const bool from_nothing = plan_->datapath.start == Start::none;
  const std::int64_t before = from_nothing ? a.terms - plan_->k : 0;
  const std::int32_t* first_a = a.values.get() + std::int64_t{row} * a.terms + before;
  run({first_a, a.terms, b.values.get() + before * panel_columns, a.terms - before, step_, nullptr}, from_nothing,
      integer_rows, rows, tile);
}

void IntegerKernel::lanes(const Pack& a, const Pack& b, Tile& tile) const {
  run({a.values.get(), 0, b.values.get(), a.terms, step_, nullptr}, plan_->datapath.start == Start::none, integer_lanes,
      1, tile);
}

}  // namespace assay
