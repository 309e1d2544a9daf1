// D = A x B with the bits of a unit that this GPU has not: each element is a chain of the unit's dot products, d of
// each the c of the next. The GPU and the host compute it, and have to agree. docs/export.md, "In a kernel", says more.
//
//   assay export --instruction ampere:mma.m16n8k16.f32.f16.f16.f32 --to c --name unit -o unit.h
//   nvcc -O3 -arch=native -o gemm gemm.cu             on NVIDIA's GPUs
//   hipcc -O3 -o gemm -x hip gemm.cu                  on AMD's
//   c++ -O3 -pthread -o gemm -x c++ gemm.cu           on the host alone
//   ./gemm [ROWS COLUMNS DEPTH [FILE]]                FILE takes D: codes, row after row
//
//   -DUNIT_HEADER='"cdna3.h"'                         another file, exported with --name unit
//   -DSECOND_HEADER='"volta.h"'                       and one with --name second: which elements are others by it?
//   -DOWN_MMA='"m16n8k16.row.col.f32.f16.f16.f32"'    this GPU's own mma.sync, which is to give the same
//   -DOWN_WGMMA='"m64n8k32.f32.e4m3.e4m3"'            or its wgmma: nvcc -gencode arch=compute_90a,code=sm_90a
//   -DCODE_AND=0x8fff -DCODE_OR=0x3000                which bits A and B may have, and which they have
//
// Exit status: 0 all are the same; 1 some differ; 2 wrong use; 4 built for a GPU, and there is none.
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <thread>
#include <type_traits>
#include <vector>

#ifdef __HIPCC__
#include <hip/hip_runtime.h>
#define cudaDeviceSynchronize hipDeviceSynchronize
#define cudaError_t hipError_t
#define cudaFree hipFree
#define cudaGetDeviceCount hipGetDeviceCount
#define cudaGetErrorString hipGetErrorString
#define cudaGetLastError hipGetLastError
#define cudaMalloc hipMalloc
#define cudaMemcpy hipMemcpy
#define cudaMemcpyDefault hipMemcpyDefault
#define cudaSuccess hipSuccess
#endif
#if defined __CUDACC__ || defined __HIPCC__
#define HAS_GPU
#define EVERYWHERE __host__ __device__
#else
#define EVERYWHERE
#endif

#ifndef UNIT_HEADER
#define UNIT_HEADER "unit.h"
#endif
#include UNIT_HEADER
#ifdef SECOND_HEADER
#include SECOND_HEADER
#endif

// Uniform over a code's exponents but for the upper half, so that sums cut off as much as they keep.
#ifndef CODE_AND
#define CODE_AND (~(std::uint64_t{1} << (8 * sizeof(Code) - 2)))
#endif
#ifndef CODE_OR
#define CODE_OR 0
#endif

namespace {

// What a unit takes and gives, as the declaration of its dot says, and how many products it adds.
template <class>
struct Declared;
template <class ACode, class BCode, class CCode, class DCode, class Places>
struct Declared<DCode(const ACode*, const BCode*, CCode, Places*)> {
  static_assert(std::is_same<CCode, DCode>::value, "d of one dot product has to be c of the next");
  using A = ACode;
  using B = BCode;
  using D = DCode;
};
#define TAKE(Name, space)                                                                         \
  struct Name : Declared<decltype(space::dot)> {                                                  \
    static constexpr int k = sizeof(space::places_t::decode.a) / sizeof(space::number_t);         \
    static EVERYWHERE D dot(const A* a, const B* b, D c) { return space::dot(a, b, c, nullptr); } \
  };
TAKE(Unit, unit)
#ifdef SECOND_HEADER
TAKE(Second, second)  // of the same codes
#else
using Second = Unit;
#endif

struct Size {
  int rows, columns, depth;
  int elements() const { return rows * columns; }
};

// B is given with its columns one after the other.
template <class U>
EVERYWHERE typename U::D element(const typename U::A* a, const typename U::B* b, Size size, int index) {
  a += static_cast<std::ptrdiff_t>(index / size.columns) * size.depth;
  b += static_cast<std::ptrdiff_t>(index % size.columns) * size.depth;
  typename U::D d = 0;  // +0
  for (int i = 0; i < size.depth; i += U::k) d = U::dot(a + i, b + i, d);
  return d;
}

template <class Code>
struct Result {
  std::vector<Code> d;
  double seconds;
};

template <class Compute>
double seconds_of(const Compute& compute) {
  const auto start = std::chrono::steady_clock::now();
  compute();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

template <class U>
Result<typename U::D> on_host(const std::vector<typename U::A>& a, const std::vector<typename U::B>& b, Size size) {
  Result<typename U::D> result{std::vector<typename U::D>(static_cast<std::size_t>(size.elements())), 0};
  const int count = static_cast<int>(std::thread::hardware_concurrency()) + 1;
  result.seconds = seconds_of([&] {
    std::vector<std::thread> threads;
    for (int first = 0; first < count; ++first)
      threads.emplace_back([&, first] {
        for (int i = first; i < size.elements(); i += count)
          result.d[static_cast<std::size_t>(i)] = element<U>(a.data(), b.data(), size, i);
      });
    for (std::thread& thread : threads) thread.join();
  });
  return result;
}

#ifdef HAS_GPU
template <class U>
__global__ void unit_kernel(const typename U::A* a, const typename U::B* b, typename U::D* d, Size size) {
  const int index = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (index < size.rows * size.columns) d[index] = element<U>(a, b, size, index);
}

void need(cudaError_t status) {
  if (status == cudaSuccess) return;
  std::fprintf(stderr, "gemm: the GPU's driver says: %s.\n", cudaGetErrorString(status));
  std::exit(4);
}

// Memory of the GPU with what a vector holds.
template <class T>
class OnGpu {
 public:
  explicit OnGpu(const std::vector<T>& from) : count_(from.size()) {
    need(cudaMalloc(reinterpret_cast<void**>(&at_), count_ * sizeof(T)));
    need(cudaMemcpy(at_, from.data(), count_ * sizeof(T), cudaMemcpyDefault));
  }
  OnGpu(const OnGpu&) = delete;
  OnGpu& operator=(const OnGpu&) = delete;
  ~OnGpu() { static_cast<void>(cudaFree(at_)); }

  T* at() const { return at_; }
  std::vector<T> values() const {
    std::vector<T> all(count_);
    need(cudaMemcpy(all.data(), at_, count_ * sizeof(T), cudaMemcpyDefault));
    return all;
  }

 private:
  std::size_t count_;
  T* at_ = nullptr;
};

// launch(a, b, d) starts a kernel: once to load it, and once by the clock.
template <class U, class Launch>
Result<typename U::D> on_gpu(const std::vector<typename U::A>& a, const std::vector<typename U::B>& b, Size size,
                             const Launch& launch) {
  const OnGpu<typename U::A> gpu_a(a);
  const OnGpu<typename U::B> gpu_b(b);
  const OnGpu<typename U::D> gpu_d(std::vector<typename U::D>(static_cast<std::size_t>(size.elements())));
  double seconds = 0;
  for (int run = 0; run < 2; ++run)
    seconds = seconds_of([&] {
      launch(gpu_a.at(), gpu_b.at(), gpu_d.at());
      need(cudaGetLastError());
      need(cudaDeviceSynchronize());
    });
  return {gpu_d.values(), seconds};
}

template <class U>
Result<typename U::D> unit_on_gpu(const std::vector<typename U::A>& a, const std::vector<typename U::B>& b, Size size) {
  return on_gpu<U>(a, b, size, [size](const typename U::A* gpu_a, const typename U::B* gpu_b, typename U::D* gpu_d) {
    const int threads = 128;
    unit_kernel<U><<<(size.elements() + threads - 1) / threads, threads>>>(gpu_a, gpu_b, gpu_d, size);
  });
}
#endif

// The same codes everywhere. One in 8,192 is any code, be it infinite or NaN.
template <class Code>
std::vector<Code> codes(int count, std::uint64_t seed) {
  std::vector<Code> all;
  for (int i = 0; i < count; ++i) {
    std::uint64_t x = seed += 0x9e3779b97f4a7c15;  // splitmix64
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9;
    x = (x ^ x >> 27) * 0x94d049bb133111eb;
    x ^= x >> 31;
    all.push_back(static_cast<Code>(x >> 51 == 0 ? x : (x & CODE_AND) | CODE_OR));
  }
  return all;
}

// FNV-1a over the codes, low byte first.
template <class Code>
unsigned long long digest(const std::vector<Code>& codes) {
  std::uint64_t hash = 0xcbf29ce484222325;
  for (const Code code : codes)
    for (std::size_t byte = 0; byte < sizeof code; ++byte)
      hash = (hash ^ (static_cast<std::uint64_t>(code) >> 8 * byte & 0xff)) * 0x100000001b3;
  return hash;
}

template <class Code>
bool write(const char* name, const std::vector<Code>& codes) {
  std::FILE* file = std::fopen(name, "wb");
  if (file == nullptr) return false;
  const bool is_whole = std::fwrite(codes.data(), sizeof(Code), codes.size(), file) == codes.size();
  return std::fclose(file) == 0 && is_whole;
}

// A line about a result; whether it is the one that is expected.
template <class Code>
bool say(const char* who, const Result<Code>& result, const Result<Code>& expected, Size size, int k) {
  std::size_t differ = 0, first = 0;
  for (std::size_t i = result.d.size(); i-- > 0;)
    if (result.d[i] != expected.d[i]) ++differ, first = i;
  const double dots = 1.0 * size.elements() * (size.depth / k);
  std::printf("%-16s digest %016llx, %.3g dot products a second", who, digest(result.d), dots / result.seconds);
  if (differ != 0)
    std::printf(", %zu of %d elements differ, the first [%d,%d]: %0*llx, by the unit on the host %0*llx", differ,
                size.elements(), static_cast<int>(first) / size.columns, static_cast<int>(first) % size.columns,
                static_cast<int>(2 * sizeof(Code)), static_cast<unsigned long long>(result.d[first]),
                static_cast<int>(2 * sizeof(Code)), static_cast<unsigned long long>(expected.d[first]));
  std::printf("\n");
  std::fflush(stdout);
  return differ == 0;
}

}  // namespace

#if defined OWN_MMA || defined OWN_WGMMA
#include "own.cuh"
#endif

int main(int count, char** arguments) {
  Size size{256, 256, 512};
  if (count > 3) size = {std::atoi(arguments[1]), std::atoi(arguments[2]), std::atoi(arguments[3])};
  int multiple = Unit::k;
  while (multiple % Second::k != 0) multiple += Unit::k;
  if (count == 2 || count == 3 || count > 5 || size.rows < 1 || size.columns < 1 || size.depth < 1 ||
      size.depth % multiple != 0) {
    std::fprintf(stderr, "gemm: give no sizes, or ROWS COLUMNS DEPTH [FILE], DEPTH a multiple of %d.\n", multiple);
    return 2;
  }
  const std::vector<Unit::A> a = codes<Unit::A>(size.rows * size.depth, 1);
  const std::vector<Unit::B> b = codes<Unit::B>(size.columns * size.depth, 2);

  const Result<Unit::D> host = on_host<Unit>(a, b, size);
  bool same = say("unit, host:", host, host, size, Unit::k);
  if (count == 5 && !write(arguments[4], host.d)) {
    std::fprintf(stderr, "gemm: %s cannot be written.\n", arguments[4]);
    return 2;
  }
#ifndef HAS_GPU
#ifdef SECOND_HEADER
  same = say("second, host:", on_host<Second>(a, b, size), host, size, Second::k) && same;
#endif
#else
  int gpus = 0;
  if (cudaGetDeviceCount(&gpus) != cudaSuccess || gpus == 0) {
    std::fprintf(stderr, "gemm: there is no GPU on this machine.\n");
    return 4;
  }
  same = say("unit, GPU:", unit_on_gpu<Unit>(a, b, size), host, size, Unit::k) && same;
#ifdef SECOND_HEADER
  same = say("second, GPU:", unit_on_gpu<Second>(a, b, size), host, size, Second::k) && same;
#endif
#if defined OWN_MMA || defined OWN_WGMMA
  same = say("GPU's own:", own_on_gpu(a, b, size), host, size, Unit::k) && same;
#endif
#endif
  std::printf(same ? "All are the same.\n" : "Not all are the same.\n");
  return same ? 0 : 1;
}
