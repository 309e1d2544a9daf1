#include "model/fast/kernel.hpp"

#include <algorithm>
#include <vector>

#include "model/core/matmul.hpp"
#include "model/fast/parallel.hpp"

namespace assay {
namespace {

constexpr std::size_t batch_task = 256;  // dot products: enough to be worth a thread's turn

std::vector<CorePath> core_paths(const Plan& plan, int threads) {
  return std::vector<CorePath>(static_cast<std::size_t>(std::max(threads, 1)), CorePath(plan));
}

}  // namespace

Kernel::Kernel(const Plan& plan) : plan_(plan) {}

std::string_view Kernel::path() const { return "core"; }

std::string Kernel::problem(const Gemm& gemm) const { return shape_problem(plan_, gemm.m, gemm.n, gemm.k); }

void Kernel::gemm(const Gemm& gemm, int threads) const {
  assert(problem(gemm).empty());
  std::vector<CorePath> core = core_paths(plan_, threads);
  parallel(gemm.m, threads, [&](int i, int worker) {
    for (int j = 0; j < gemm.n; ++j) gemm.d.set(i, j, core[static_cast<std::size_t>(worker)].element(gemm, i, j));
  });
}

void Kernel::batch(const Operand* operands, std::size_t count, Code* d, int threads) const {
  std::vector<CorePath> core = core_paths(plan_, threads);
  const auto tasks = static_cast<int>((count + batch_task - 1) / batch_task);
  parallel(tasks, threads, [&](int task, int worker) {
    const std::size_t first = static_cast<std::size_t>(task) * batch_task;
    for (std::size_t i = first; i < std::min(count, first + batch_task); ++i)
      d[i] = core[static_cast<std::size_t>(worker)].dot(operands[i]);
  });
}

}  // namespace assay
