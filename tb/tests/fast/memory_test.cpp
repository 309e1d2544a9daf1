// What the fast path allocates: no more than it says, and no more than twice the matrices.
#include <gtest/gtest.h>
#include <malloc.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <set>

#include "model/fast/kernel.hpp"
#include "tb/tests/emulated.hpp"
#include "tb/tests/fast/plans.hpp"

namespace assay {
namespace {

struct Size {
  int m, n, k;
};

std::size_t bytes_of(int rows, int columns, const Format& format) {
  return static_cast<std::size_t>(rows) * static_cast<std::size_t>(columns) *
         static_cast<std::size_t>(element_bytes(format.stored_bits));
}

// A product of zeros.
struct Product {
  Product(const Plan& plan, const Size& size)
      : a(bytes_of(size.m, size.k, plan.a)),
        b(bytes_of(size.k, size.n, plan.b)),
        c(bytes_of(size.m, size.n, plan.c)),
        d(bytes_of(size.m, size.n, plan.d)) {
    gemm.m = size.m, gemm.n = size.n, gemm.k = size.k;
    gemm.a = {a.data(), element_bytes(plan.a.stored_bits), size.k, 1};
    gemm.b = {b.data(), element_bytes(plan.b.stored_bits), size.n, 1};
    gemm.c = {c.data(), element_bytes(plan.c.stored_bits), size.n, 1};
    gemm.d = {d.data(), element_bytes(plan.d.stored_bits), size.n, 1};
    if (plan.mask >= 0) {
      mask.resize(static_cast<std::size_t>(size.m) * static_cast<std::size_t>(size.k));
      gemm.more.push_back({mask.data(), 1, size.k, 1});
    }
    if (!plan.scale) return;
    const int blocks = size.k / plan.k * plan.scales;
    scale_a.resize(bytes_of(size.m, blocks, *plan.scale));
    scale_b.resize(bytes_of(blocks, size.n, *plan.scale));
    gemm.scale_a = {scale_a.data(), element_bytes(plan.scale->stored_bits), blocks, 1};
    gemm.scale_b = {scale_b.data(), element_bytes(plan.scale->stored_bits), size.n, 1};
  }

  std::vector<unsigned char> a, b, c, d, scale_a, scale_b, mask;
  Gemm gemm;
};

int multiple_of(int k, const Plan& plan) { return plan.c == plan.d ? (k + plan.k - 1) / plan.k * plan.k : plan.k; }

TEST(FastMemory, IsAtMostTwiceTheMatrices) {
  for (const Plan& plan : shipped_plans()) {
    const Kernel kernel(plan);
    for (const Size& size : {Size{256, 256, 1024}, Size{2048, 128, 256}, Size{64, 2048, 512}}) {
      const Product x(plan, {size.m, size.n, multiple_of(size.k, plan)});
      for (const int threads : {1, 2})
        EXPECT_LE(kernel.workspace(x.gemm, threads), 2 * matrix_bytes(x.gemm)) << plan_text(plan);
    }
  }
}

TEST(FastMemory, IsEnoughForAPanelAndABlockOfRowsOfEachThread) {
  for (const Plan& plan : shipped_plans()) {
    const Kernel kernel(plan);
    if (kernel.path() == "core") continue;
    const int k = multiple_of(1024, plan);
    const Product one(plan, {1, 1, k}), many(plan, {128, 1, k});
    EXPECT_GT(kernel.workspace(one.gemm, 1), 2 * matrix_bytes(one.gemm));
    EXPECT_EQ(kernel.workspace(one.gemm, 7), kernel.workspace(one.gemm, 1));
    if (plan.mask >= 0) continue;  // those copy rows of A besides
    // A panel of 16 columns and a block of 4 rows at least, of 32 at most.
    const std::size_t line = kernel.workspace(one.gemm, 1) / 20, allowed = 2 * matrix_bytes(many.gemm);
    for (const int threads : {1, 3, 4, 7}) {
      const auto with_blocks_of = [&](int rows) {
        return static_cast<std::size_t>(16 + rows * std::min(threads, 128 / rows)) * line;
      };
      const std::size_t taken = kernel.workspace(many.gemm, threads);
      EXPECT_LE(taken, std::max(allowed, with_blocks_of(4))) << plan_text(plan);
      EXPECT_GE(taken, with_blocks_of(4)) << plan_text(plan);
      if (with_blocks_of(32) <= allowed) {
        EXPECT_EQ(taken, with_blocks_of(32)) << plan_text(plan);
      }
    }
  }
}

// Sanitizers keep memory of their own, and freed memory for a while.
#ifdef NDEBUG

std::size_t resident_bytes() {
  std::FILE* file = std::fopen("/proc/self/statm", "r");
  long all = 0, resident = 0;
  const bool read = file != nullptr && std::fscanf(file, "%ld %ld", &all, &resident) == 2;
  if (file != nullptr) std::fclose(file);
  return read ? static_cast<std::size_t>(resident) * static_cast<std::size_t>(sysconf(_SC_PAGESIZE)) : 0;
}

// By how much the resident memory of a process of its own grows at its peak.
std::size_t growth(const Kernel& kernel, const Gemm& gemm) {
  int pipe_ends[2];
  if (pipe(pipe_ends) != 0) return 0;
  const pid_t child = fork();
  if (child == 0) {
    malloc_trim(0);
    const std::size_t before = resident_bytes();
    kernel.gemm(gemm, 1);
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    const std::size_t grown = static_cast<std::size_t>(usage.ru_maxrss) * 1024 - before;
    _exit(write(pipe_ends[1], &grown, sizeof grown) == sizeof grown ? 0 : 1);
  }
  std::size_t grown = 0;
  close(pipe_ends[1]);
  const bool told = read(pipe_ends[0], &grown, sizeof grown) == sizeof grown;
  close(pipe_ends[0]);
  int status = 0;
  waitpid(child, &status, 0);
  return told && status == 0 ? grown : 0;
}

constexpr std::size_t huge_pages = 4 << 20;  // two, begun where the heap grows

// One plan of each path and size of operands: 8 MiB of B where an element has one byte.
TEST(FastMemory, IsWhatTheKernelSays) {
  if (is_emulated()) GTEST_SKIP() << "Under qemu-user what is resident is the emulator's, too.";
  std::set<std::pair<std::string_view, int>> seen;
  for (const Plan& plan : shipped_plans()) {
    const Kernel kernel(plan);
    const int bytes = element_bytes(plan.a.stored_bits);
    if (kernel.path() == "core" || !(plan.c == plan.d) || !seen.insert({kernel.path(), bytes}).second) continue;
    const Product x(plan, {8, 4096, 2048});
    const std::size_t said = kernel.workspace(x.gemm, 1), grown = growth(kernel, x.gemm);
    EXPECT_LE(grown, said + said / 4 + huge_pages) << plan_text(plan) << " by " << kernel.path();
    EXPECT_GE(grown, said / 2) << plan_text(plan) << " by " << kernel.path();
  }
  EXPECT_GE(seen.size(), 6U);
}

#endif

}  // namespace
}  // namespace assay
