#include "model/fast/gated_rows.hpp"

#include <algorithm>

#include "model/core/decode.hpp"

namespace assay {
namespace {

// A mask's bit is 1 or 0.
Code gated(Code code, Code on) { return on == 0 ? 0 : code; }

}  // namespace

bool gates_as_zero(const Plan& plan) {
  const Number zero = decode(0, plan.a, Subnormals::keep, plan.datapath.specials);
  const bool is_plus_zero = zero.is_zero() && !zero.negative;
  // A sum that sees signs of zeros tells (+0) x (-1) from (+0) x (+0).
  return is_plus_zero && std::all_of(plan.adders.begin(), plan.adders.end(),
                                     [](const AdderPlan& a) { return a.zero == ZeroSign::positive; });
}

GatedRows::GatedRows(const Plan& plan, const Gemm& gemm, int first, int rows)
    : a_(gated_bytes(gemm, rows)), gemm_(gemm) {
  const MatrixOut to{a_.data(), gemm.a.bytes, gemm.k, 1};
  const Matrix& mask = gemm.more[static_cast<std::size_t>(plan.mask)];
  std::vector<Code> codes(static_cast<std::size_t>(gemm.k)), on(codes.size());
  for (int row = 0; row < rows; ++row) {
    gemm.a.get_row(first + row, 0, gemm.k, codes.data());
    mask.get_row(first + row, 0, gemm.k, on.data());
    std::transform(codes.begin(), codes.end(), on.begin(), codes.begin(), gated);
    to.set_row(row, 0, gemm.k, codes.data());
  }
  gemm_.m = rows;
  gemm_.a = {a_.data(), gemm.a.bytes, gemm.k, 1};
  if (gemm.scale_a.data != nullptr) gemm_.scale_a.data = gemm.scale_a.at(first, 0);
}

std::size_t gated_bytes(const Gemm& gemm, int rows) {
  return static_cast<std::size_t>(rows) * static_cast<std::size_t>(gemm.k) * static_cast<std::size_t>(gemm.a.bytes);
}

void append_a(std::vector<Code>& to, const Plan& plan, const Operand& operand) {
  to.insert(to.end(), operand.a, operand.a + plan.k);
  if (plan.mask < 0) return;
  const Code* on = operand.more + plan.more[static_cast<std::size_t>(plan.mask)].first;
  std::transform(to.end() - plan.k, to.end(), on, to.end() - plan.k, gated);
}

}  // namespace assay
