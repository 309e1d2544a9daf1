// D = A x B with the bits of a unit that this GPU has not: each element is a chain of the unit's dot products. unit.h
// is
//
//   assay export --instruction hopper:wgmma.m64nNk16.f32.f16.f16 --to c --name unit -o unit.h
//
//   nvcc -o gemm gemm.cu         on the GPU, held to the host's own bits
//   g++ -x c++ -o gemm gemm.cu   on the host alone
//
// Prints D as codes, a row a line. Ends with 1 where the GPU's bits are others than the host's.
#ifdef __CUDACC__
#define ASSAY_FN static __host__ __device__ inline
#define KERNEL __global__
#define EVERYWHERE __host__ __device__
#else
#define KERNEL
#define EVERYWHERE
#endif
#include "unit.h"

#include <cstdio>
#include <vector>

namespace {

constexpr int rows = 8, columns = 8, depth = 64, k = 16;

// Codes that are the same everywhere: any will do, and some are subnormal, infinite or NaN.
uint16_t code(int index) {
  uint32_t x = static_cast<uint32_t>(index) * 2654435761u + 12345u;
  x ^= x >> 15;
  return static_cast<uint16_t>((x * 2246822519u) >> 16 & 0xbfff);
}

// B is given with its columns one after the other.
EVERYWHERE uint32_t element(const uint16_t* a, const uint16_t* b, int row, int column) {
  uint32_t d = 0;  // +0
  for (int i = 0; i < depth; i += k) d = unit::dot(a + row * depth + i, b + column * depth + i, d, nullptr);
  return d;
}

KERNEL void gemm(const uint16_t* a, const uint16_t* b, uint32_t* d, int first) {
#ifdef __CUDACC__
  const int index = first + static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (index < rows * columns) d[index] = element(a, b, index / columns, index % columns);
#else
  for (int index = first; index < rows * columns; ++index) d[index] = element(a, b, index / columns, index % columns);
#endif
}

#ifdef __CUDACC__
// False where there is no GPU, or its bits are not the host's.
bool is_same_on_gpu(const std::vector<uint16_t>& a, const std::vector<uint16_t>& b, const std::vector<uint32_t>& d) {
  uint16_t *on_a = nullptr, *on_b = nullptr;
  uint32_t* on_d = nullptr;
  std::vector<uint32_t> found(d.size());
  cudaMalloc(&on_a, a.size() * sizeof a[0]);
  cudaMalloc(&on_b, b.size() * sizeof b[0]);
  cudaMalloc(&on_d, d.size() * sizeof d[0]);
  cudaMemcpy(on_a, a.data(), a.size() * sizeof a[0], cudaMemcpyHostToDevice);
  cudaMemcpy(on_b, b.data(), b.size() * sizeof b[0], cudaMemcpyHostToDevice);
  gemm<<<1, rows * columns>>>(on_a, on_b, on_d, 0);
  const bool ran = cudaMemcpy(found.data(), on_d, d.size() * sizeof d[0], cudaMemcpyDeviceToHost) == cudaSuccess;
  std::fprintf(stderr, ran ? "The GPU ran it.\n" : "There is no GPU that could run it.\n");
  return ran && found == d;
}
#endif

}  // namespace

int main() {
  std::vector<uint16_t> a, b;
  for (int i = 0; i < rows * depth; ++i) a.push_back(code(i));
  for (int i = 0; i < columns * depth; ++i) b.push_back(code(i + rows * depth));
  std::vector<uint32_t> d(rows * columns);
  for (int i = 0; i < rows * columns; ++i)
    d[static_cast<std::size_t>(i)] = element(a.data(), b.data(), i / columns, i % columns);
  for (int i = 0; i < rows * columns; ++i)
    std::printf("%08x%c", static_cast<unsigned>(d[static_cast<std::size_t>(i)]),
                i % columns == columns - 1 ? '\n' : ' ');
#ifdef __CUDACC__
  return is_same_on_gpu(a, b, d) ? 0 : 1;
#else
  std::vector<uint32_t> again(d.size());
  gemm(a.data(), b.data(), again.data(), 0);
  return again == d ? 0 : 1;
#endif
}
