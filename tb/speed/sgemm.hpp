// Single-precision matrix products by OpenBLAS on one thread: what a core can do without emulating anything.
#pragma once

#include <memory>
#include <vector>

namespace assay::speed {

class Sgemm {
 public:
  // Opens the library where this machine has it; it is not linked, since it starts threads as soon as it is loaded.
  static std::unique_ptr<Sgemm> open();

  // One product of m x k and k x n.
  void run(int m, int n, int k);

 private:
  using Function = void (*)(int, int, int, int, int, int, float, const float*, int, const float*, int, float, float*,
                            int);
  explicit Sgemm(Function sgemm) : sgemm_(sgemm) {}

  Function sgemm_;
  std::vector<float> a_, b_, c_;
};

}  // namespace assay::speed
