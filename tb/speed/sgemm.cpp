#include "tb/speed/sgemm.hpp"

#include <dlfcn.h>

#include <cstdlib>

namespace assay::speed {
namespace {

constexpr int row_major = 101, not_transposed = 111;  // CblasRowMajor, CblasNoTrans

}  // namespace

std::unique_ptr<Sgemm> Sgemm::open() {
  // While it is loaded it starts as many threads as this says, and sends itself SIGINT where the system allows none.
  setenv("OPENBLAS_NUM_THREADS", "1", 1);
  void* library = dlopen("libopenblas.so.0", RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) return nullptr;
  const auto set_threads = reinterpret_cast<void (*)(int)>(dlsym(library, "openblas_set_num_threads"));
  const auto sgemm = reinterpret_cast<Function>(dlsym(library, "cblas_sgemm"));
  if (set_threads == nullptr || sgemm == nullptr) return nullptr;
  set_threads(1);
  return std::unique_ptr<Sgemm>(new Sgemm(sgemm));
}

void Sgemm::run(int m, int n, int k) {
  const auto size = [](int rows, int columns) {
    return static_cast<std::size_t>(rows) * static_cast<std::size_t>(columns);
  };
  a_.resize(size(m, k), 1.5F);
  b_.resize(size(k, n), 0.5F);
  c_.resize(size(m, n));
  sgemm_(row_major, not_transposed, not_transposed, m, n, k, 1, a_.data(), k, b_.data(), n, 0, c_.data(), n);
}

}  // namespace assay::speed
