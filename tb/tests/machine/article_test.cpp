// The three programs of AMD's article on its matrix cores, as they stand there: thread (x, y) of a block of 16 x 4 is
// lane x + 16 y, and what each thread loads, passes on and stores is written down from the kernels.
#include <gtest/gtest.h>

#include <cstring>

#include "model/machine/wavefront.hpp"
#include "tb/machine/wave_instruction.hpp"

namespace assay::machine {
namespace {

template <class Real>
std::vector<Real> counted_up(std::size_t count, Real from) {
  std::vector<Real> all(count);
  for (std::size_t i = 0; i < count; ++i) all[i] = from + static_cast<Real>(i % 13);
  return all;
}

std::uint32_t bits_of(float value) {
  std::uint32_t bits = 0;
  std::memcpy(&bits, &value, sizeof bits);
  return bits;
}

float float_of(std::uint32_t bits) {
  float value = 0;
  std::memcpy(&value, &bits, sizeof value);
  return value;
}

// One wavefront of cdna2 and one instruction: A from v0, B from v2, D to a0.
struct Kernel64 {
  const Catalogue catalogue = shipped_catalogue();
  const WaveUnit unit;
  Wavefront wave;

  explicit Kernel64(const char* name)
      : unit(wave_instruction(catalogue, catalogue.instruction("cdna2", name))),
        wave(*catalogue.architecture("cdna2").wave) {}

  void mfma() { wave.execute({&unit, {Bank::accumulation, 0}, {Bank::vector, 0}, {Bank::vector, 2}, {}, {}, {}, {}}); }
};

// D = A x B of rows of small integers, which are exact: plain sums.
template <class Real>
Real element(const Real* a, const Real* b, int i, int j, int n, int k) {
  Real sum = 0;
  for (int t = 0; t < k; ++t) sum += a[i * k + t] * b[t * n + j];
  return sum;
}

TEST(Article, SgemmOf16x16x4) {
  constexpr int M = 16, N = 16, K = 4;
  const auto A = counted_up<float>(M * K, 1), B = counted_up<float>(K * N, -3);
  std::vector<float> D(M * N);
  Kernel64 kernel("v_mfma_f32_16x16x4f32");
  for (int y = 0; y < 4; ++y) {
    for (int x = 0; x < 16; ++x) {
      const int mk = y + K * x, kn = x + N * y;
      kernel.wave.at(Bank::vector, 0, x + 16 * y) = bits_of(A[static_cast<std::size_t>(mk)]);
      kernel.wave.at(Bank::vector, 2, x + 16 * y) = bits_of(B[static_cast<std::size_t>(kn)]);
    }
  }
  kernel.mfma();
  for (int y = 0; y < 4; ++y) {
    for (int x = 0; x < 16; ++x) {
      for (int i = 0; i < 4; ++i) {
        const int idx = x + i * N + y * 4 * N;
        D[static_cast<std::size_t>(idx)] = float_of(kernel.wave.at(Bank::accumulation, i, x + 16 * y));
      }
    }
  }
  for (int i = 0; i < M; ++i) {
    for (int j = 0; j < N; ++j)
      EXPECT_EQ(D[static_cast<std::size_t>(i * N + j)], element(A.data(), B.data(), i, j, N, K)) << i << "," << j;
  }
  EXPECT_EQ(kernel.wave.busy_cycles(), 32U);
}

TEST(Article, FourProductsOf16x16x1) {
  constexpr int M = 16, N = 16, K = 1;
  const auto A = counted_up<float>(4 * M * K, 1), B = counted_up<float>(4 * K * N, -3);
  std::vector<float> D(4 * M * N);
  Kernel64 kernel("v_mfma_f32_16x16x1f32");
  for (int y = 0; y < 4; ++y) {
    for (int x = 0; x < 16; ++x) {
      const int mkl = K * x + M * K * y, knl = x + N * K * y;
      kernel.wave.at(Bank::vector, 0, x + 16 * y) = bits_of(A[static_cast<std::size_t>(mkl)]);
      kernel.wave.at(Bank::vector, 2, x + 16 * y) = bits_of(B[static_cast<std::size_t>(knl)]);
    }
  }
  kernel.mfma();
  // The article's kernel stores dmnl[i] for every l, which would give all four products the first one's values; its
  // text says that each has its own. Block l stands in registers 4 l to 4 l + 3.
  for (int y = 0; y < 4; ++y) {
    for (int x = 0; x < 16; ++x) {
      for (int l = 0; l < 4; ++l) {
        for (int i = 0; i < 4; ++i) {
          const int idx = x + i * N + y * 4 * N + l * M * N;
          D[static_cast<std::size_t>(idx)] = float_of(kernel.wave.at(Bank::accumulation, 4 * l + i, x + 16 * y));
        }
      }
    }
  }
  for (int l = 0; l < 4; ++l) {
    for (int i = 0; i < M; ++i) {
      for (int j = 0; j < N; ++j)
        EXPECT_EQ(D[static_cast<std::size_t>(l * M * N + i * N + j)],
                  element(A.data() + l * M * K, B.data() + l * K * N, i, j, N, K))
            << l << ":" << i << "," << j;
    }
  }
  EXPECT_EQ(kernel.wave.busy_cycles(), 32U);
}

// "D and C lie as B does": lane 16 k + 4 block + column of B, lane 16 k + 4 block + row of A.
TEST(Article, FourProductsOf4x4x4InDoublePrecision) {
  constexpr int M = 4, N = 4, K = 4;
  const auto W = counted_up<double>(4 * M * K, 1), X = counted_up<double>(4 * K * N, -3);
  Kernel64 kernel("v_mfma_f64_4x4x4f64");
  const auto put = [&](int first, int lane, double value) {
    std::uint64_t bits = 0;
    std::memcpy(&bits, &value, sizeof bits);
    kernel.wave.at(Bank::vector, first, lane) = static_cast<std::uint32_t>(bits);
    kernel.wave.at(Bank::vector, first + 1, lane) = static_cast<std::uint32_t>(bits >> 32);
  };
  for (int block = 0; block < 4; ++block) {
    for (int k = 0; k < K; ++k) {
      for (int i = 0; i < 4; ++i) {
        put(0, 16 * k + 4 * block + i, W[static_cast<std::size_t>(block * M * K + i * K + k)]);
        put(2, 16 * k + 4 * block + i, X[static_cast<std::size_t>(block * K * N + k * N + i)]);
      }
    }
  }
  kernel.mfma();
  for (int block = 0; block < 4; ++block) {
    for (int i = 0; i < M; ++i) {
      for (int j = 0; j < N; ++j) {
        const int lane = 16 * i + 4 * block + j;
        const std::uint64_t bits = kernel.wave.at(Bank::accumulation, 0, lane) |
                                   static_cast<std::uint64_t>(kernel.wave.at(Bank::accumulation, 1, lane)) << 32;
        double value = 0;
        std::memcpy(&value, &bits, sizeof value);
        EXPECT_EQ(value, element(W.data() + block * M * K, X.data() + block * K * N, i, j, N, K))
            << block << ":" << i << "," << j;
      }
    }
  }
  EXPECT_EQ(kernel.wave.busy_cycles(), 16U);
}

}  // namespace
}  // namespace assay::machine
