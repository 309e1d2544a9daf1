#include "model/fast/exact.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "model/fast/floats.hpp"

namespace assay {
namespace {

constexpr int double_bits = 53;
constexpr int farthest_exponent = 880;

//   p        | . . . . . . . . . . . . . . . . |                 from the greatest to the least bit of any product
//   sum    + | 5 3   b i t s |
//   rests            | + . . . . . . . . . . . . |               the same at the lower end: no more than 53 bits
bool sums_fit(const Range& product, int terms) {
  const int greatest = product.greatest_exponent + product.integer_bits, least = product.least_quantum();
  if (product.significand_bits() > double_bits || greatest > farthest_exponent || least < -farthest_exponent)
    return false;
  return terms <= 2 || greatest + 2 * ceil_log2(terms) - least <= 2 * double_bits;
}

bool adds_exactly(const AdderPlan& adder) {
  const auto exact = [](const InputPlan& i) { return i.words.loses_nothing(); };
  return !adder.has_sticky() && !adder.times_scales && std::all_of(adder.inputs.begin(), adder.inputs.end(), exact);
}

// A float's numbers, whether or not there is a -0.
bool has_numbers_of_float(const Format& f) {
  Format with_minus_zero = f;
  with_minus_zero.has_signed_zero = true;
  return is_float(with_minus_zero) && f.nan == NanCodes::ieee;
}

bool is_nearest_float(const ResultPlan& result) {
  const Result& words = result.words;
  return words.at == ResultAt::format && has_numbers_of_float(result.format) && words.cut == Cut::nearest_even &&
         words.subnormals == Subnormals::keep && words.overflow == Overflow::infinity;
}

bool rounds_to_float(const AdderPlan& adder) {
  return !adder.results.empty() && std::all_of(adder.results.begin(), adder.results.end(), is_nearest_float);
}

// Where any result is never -0, neither is the last; all sums heed the signs of zeros, or none does.
float zero_of(const AdderPlan& adder) {
  const auto has_none = [](const ResultPlan& r) {
    return !r.format.has_signed_zero || r.words.minus_zero == MinusZero::never;
  };
  return std::any_of(adder.results.begin(), adder.results.end(), has_none) ? 0.0F : -0.0F;
}

bool is_exact(const Plan& plan) {
  const Datapath& words = plan.datapath;
  if (plan.a.is_integer() || words.subnormals_c != Subnormals::keep) return false;
  if (words.specials != Specials::step && !(words.specials == Specials::operation && plan.steps == 1)) return false;
  if (words.product.round || words.product.infinity_at || words.product.times_scales) return false;
  if (plan.lanes != 1 || words.start != Start::c || !plan.finish.empty() || plan.adders.size() != 1) return false;
  if (!is_float(plan.d) || !(plan.c == plan.d || (is_half(plan.c) && plan.widen_c))) return false;
  const AdderPlan& adder = plan.adders.front();
  return is_one_sum(plan.circuit.step) && adds_exactly(adder) && rounds_to_float(adder) &&
         sums_fit(plan.product_range, plan.step_terms);
}

Decoded<double, NoExponent> decoded(double x) {
  return std::isfinite(x) ? Decoded<double, NoExponent>{x, {}, true} : Decoded<double, NoExponent>{0, {}, false};
}

}  // namespace

std::optional<ExactKernel> ExactKernel::of(const Plan& plan) {
  if (!is_exact(plan)) return std::nullopt;
  return ExactKernel(plan);
}

ExactKernel::ExactKernel(const Plan& plan)
    : plan_(&plan),
      zero_(zero_of(plan.adders.front())),
      a_(codes_of_a(plan)),
      b_(are_read_alike(codes_of_a(plan), codes_of_b(plan)) ? a_ : FloatReader<double>(codes_of_b(plan))),
      c_(OperandCodes{plan.c}) {}

std::size_t ExactKernel::line_bytes(int instructions) const {
  return Pack::line_bytes(plan_->order.size() * static_cast<std::size_t>(instructions));
}

ExactKernel::Pack ExactKernel::pack_rows(const Gemm& gemm, int first, int count) const {
  return a_.with([&](const auto& read) {
    return packed_rows(plan_->order, {gemm.a, first, count, plan_->k, gemm.k / plan_->k}, Decoded<double, NoExponent>{},
                       [&](Code code, int, int) { return decoded(read(code)); });
  });
}

ExactKernel::Pack ExactKernel::pack_panel(const Gemm& gemm, int first, int count) const {
  return b_.with([&](const auto& read) {
    return packed_panel(plan_->order, {transposed(gemm.b), first, count, plan_->k, gemm.k / plan_->k},
                        Decoded<double, NoExponent>{}, [&](Code code, int, int) { return decoded(read(code)); });
  });
}

ExactKernel::Pack ExactKernel::pack_cases(const Gemm& gemm, int count) const {
  return a_.with([&](const auto& read) {
    return packed_panel(plan_->order, {gemm.a, 0, count, plan_->k, 1}, Decoded<double, NoExponent>{},
                        [&](Code code, int, int) { return decoded(read(code)); });
  });
}

ExactRun ExactKernel::run_of(const Pack& a, const Pack& b) const {
  ExactRun r;
  r.a = a.values.get();
  r.b = b.values.get();
  r.no_sum = plan_->adders.front().zero == ZeroSign::ieee ? -0.0 : 0.0;
  r.terms = plan_->step_terms;
  r.steps = a.terms / r.terms;
  return r;
}

void ExactKernel::tile(const Pack& a, int row, int rows, const Pack& b, Tile& tile) const {
  ExactRun r = run_of(a, b);
  r.a += std::int64_t{row} * a.terms;
  r.a_stride = a.terms;
  run(r, rows, exact_rows, tile);
  redo_unfit(a.fits, row, rows, b.fits, tile);
}

void ExactKernel::lanes(const Pack& a, const Pack& b, Tile& tile) const {
  run(run_of(a, b), 1, exact_lanes, tile);
  redo_unfit_cases(a.fits, b.fits, tile);
}

void ExactKernel::run(ExactRun run, int rows, void (*loops)(const ExactRun&), Tile& tile) const {
  alignas(64) std::array<double, tile_rows * panel_columns> acc{};
  alignas(64) std::array<std::uint64_t, tile_rows * panel_columns> redo{};
  run.acc = acc.data();
  run.redo = redo.data();
  for (std::size_t i = 0; i < static_cast<std::size_t>(rows); ++i) {
    for (std::size_t j = 0; j < panel_columns; ++j) acc[i * panel_columns + j] = c_(tile.c[i][j]);
  }
  loops(run);
  for (std::size_t i = 0; i < static_cast<std::size_t>(rows); ++i) {
    for (std::size_t j = 0; j < panel_columns; ++j) {
      const std::size_t at = i * panel_columns + j;
      tile.redo[i][j] = redo[at] != 0;
      tile.d[i][j] = bits_of_float(static_cast<float>(acc[at]) + zero_);
    }
  }
}

}  // namespace assay
