// What several wgmma give together. A product along K is a chain of what one instruction gives only where instructions
// that are issued together do what they do one by one. A GPU of compute capability 9.0 is asked:
//
//   - eight in one group, against one by one with a wait after each
//   - c left out (scale-d false), against c = +0
//   - A negated (imm-scale-a = -1), against A with its signs turned
//   - A from registers, against A from shared memory
//   - another A, whose d has to differ: a check of the check
//
//   nvcc -O2 -std=c++17 -gencode arch=compute_90a,code=sm_90a -o together scripts/capture/together.cu
//   ./together
//
//   -DFP8    e4m3 x e4m3 (m64n64k32) instead of f16 x f16 (m64n64k16)
//
// Exit status: 0 the first four do not differ, and the last does; 1 not so; 4 no such GPU. docs/capture.md says more.
#include <cstdint>
#include <cstdio>

using u64 = unsigned long long;

constexpr int launches = 200, blocks = 4096, threads = 128;             // a block is a warpgroup with its own tile
constexpr int rows = 64, columns = 64, own = rows * columns / threads;  // elements of d of a thread
constexpr int steps = 8, words = 512;  // of a chain; of one step's A or B: 64 rows of 32 bytes
constexpr int questions = 5;

#ifdef FP8
#define OPERATION "wgmma.mma_async.sync.aligned.m64n64k32.f32.e4m3.e4m3 "
#define TRANSPOSED_A ""
#define TRANSPOSED_B ""
constexpr unsigned signs = 0x80808080, close = 0x9f9f9f9f, closer = 0x8f8f8f8f, of_close = 0x20202020,
                   of_closer = 0x30303030;
#else
#define OPERATION "wgmma.mma_async.sync.aligned.m64n64k16.f32.f16.f16 "
#define TRANSPOSED_A ", 0"
#define TRANSPOSED_B ", 0"
constexpr unsigned signs = 0x80008000, close = 0x9fff9fff, closer = 0x8fff8fff, of_close = 0x20002000,
                   of_closer = 0x30003000;
#endif

// splitmix64's mixing.
__device__ u64 mixed(u64 x) {
  x += 0x9e3779b97f4a7c15;
  x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9;
  x = (x ^ x >> 27) * 0x94d049bb133111eb;
  return x ^ x >> 31;
}

// In shared memory pieces of 8 rows by 16 bytes lie one behind the other: two along k, then the next 8 rows.
__device__ u64 descriptor(const unsigned* s) {
  return (__cvta_generic_to_shared(s) & 0x3ffff) >> 4 | 128ull >> 4 << 16 | 256ull >> 4 << 32;
}

__device__ void fence() { asm volatile("wgmma.fence.sync.aligned;" ::: "memory"); }
__device__ void wait() {
  asm volatile("wgmma.commit_group.sync.aligned; wgmma.wait_group.sync.aligned 0;" ::: "memory");
}

#define D                                                                                                 \
  "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, " \
  "%22, %23, %24, %25, %26, %27, %28, %29, %30, %31}"
#define D4(i) "+r"(r[i]), "+r"(r[i + 1]), "+r"(r[i + 2]), "+r"(r[i + 3])
#define D_REGISTERS D4(0), D4(4), D4(8), D4(12), D4(16), D4(20), D4(24), D4(28)
#define IF_C(truth) "{ .reg .pred p; setp." truth ".u32 p, 0, 0; "

// d = c + A x B: `r` is c before and d after.
__device__ void wgmma(unsigned* r, u64 a, u64 b) {
  asm volatile(IF_C("eq") OPERATION D ", %32, %33, p, 1, 1" TRANSPOSED_A TRANSPOSED_B "; }"
               : D_REGISTERS
               : "l"(a), "l"(b)
               : "memory");
}
__device__ void wgmma_without_c(unsigned* r, u64 a, u64 b) {
  asm volatile(IF_C("ne") OPERATION D ", %32, %33, p, 1, 1" TRANSPOSED_A TRANSPOSED_B "; }"
               : D_REGISTERS
               : "l"(a), "l"(b)
               : "memory");
}
__device__ void wgmma_minus_a(unsigned* r, u64 a, u64 b) {
  asm volatile(IF_C("eq") OPERATION D ", %32, %33, p, -1, 1" TRANSPOSED_A TRANSPOSED_B "; }"
               : D_REGISTERS
               : "l"(a), "l"(b)
               : "memory");
}
__device__ void wgmma_a_from_registers(unsigned* r, const unsigned* a, u64 b) {
  asm volatile(IF_C("eq") OPERATION D ", {%32, %33, %34, %35}, %36, p, 1, 1" TRANSPOSED_B "; }"
               : D_REGISTERS
               : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "l"(b)
               : "memory");
}

// Operands of four kinds, a block's own: any codes twice, exponents that are close, and closer.
__device__ void make_operands(u64 seed, unsigned (*a)[words], unsigned (*b)[words], unsigned* minus_a) {
  const u64 kind = seed & 3;
  const unsigned keep = kind == 0 ? 0xffffffff : kind == 1 ? close : closer;
  const unsigned set = kind == 0 ? 0 : kind == 1 ? of_close : of_closer;
  for (int step = 0; step < steps; ++step) {
    for (int i = threadIdx.x; i < words; i += threads) {
      a[step][i] = static_cast<unsigned>(mixed(seed + step * words + i)) & keep | set;
      b[step][i] = static_cast<unsigned>(mixed(seed + 8192 + step * words + i)) & keep | set;
    }
  }
  for (int i = threadIdx.x; i < words; i += threads) minus_a[i] = a[0][i] ^ signs;
  asm volatile("fence.proxy.async;" ::: "memory");  // wgmma reads shared memory by another way than threads write it
  __syncthreads();
}

__device__ void make_c(u64 seed, unsigned* c) {
  for (int i = 0; i < own; ++i)
    c[i] = static_cast<unsigned>(mixed(seed + 99991 + threadIdx.x * own + i)) & 0x8fffffff | 0x30000000;
}

// The A of step 0 as registers have it: thread 4 r + l of warp w has words l and l + 4 of rows 16 w + r and + 8.
__device__ void take_a(const unsigned* a, unsigned* registers) {
  const int word = threadIdx.x % 4, row = threadIdx.x / 32 * 16 + threadIdx.x / 4 % 8;
  for (int i = 0; i < 4; ++i) {
    const int r = row + i % 2 * 8, w = word + i / 2 * 4;
    registers[i] = a[r / 8 * 64 + w / 4 * 32 + r % 8 * 4 + w % 4];
  }
}

__global__ void ask(u64 launch, u64* differing) {
  __shared__ __align__(128) unsigned a[steps][words], b[steps][words], minus_a[words];
  const u64 seed = mixed(launch * 1000003 + blockIdx.x);
  make_operands(seed, a, b, minus_a);
  const u64 first_a = descriptor(a[0]), first_b = descriptor(b[0]);
  unsigned x[own], y[own];
  u64 found[questions] = {};
  const auto count = [&](int question) {
    for (int i = 0; i < own; ++i) found[question] += x[i] != y[i];
  };

  make_c(seed, x);
  fence();
  for (int step = 0; step < steps; ++step) wgmma(x, descriptor(a[step]), descriptor(b[step]));
  wait();
  make_c(seed, y);
  for (int step = 0; step < steps; ++step) {
    fence();
    wgmma(y, descriptor(a[step]), descriptor(b[step]));
    wait();
  }
  count(0);

  make_c(seed, x);
  fence();
  wgmma_without_c(x, first_a, first_b);
  wait();
  for (int i = 0; i < own; ++i) y[i] = 0;
  fence();
  wgmma(y, first_a, first_b);
  wait();
  count(1);

  make_c(seed, x);
  fence();
  wgmma_minus_a(x, first_a, first_b);
  wait();
  make_c(seed, y);
  fence();
  wgmma(y, descriptor(minus_a), first_b);
  wait();
  count(2);

  unsigned registers[4];
  take_a(a[0], registers);
  make_c(seed, x);
  fence();
  wgmma_a_from_registers(x, registers, first_b);
  wait();
  make_c(seed, y);
  fence();
  wgmma(y, first_a, first_b);
  wait();
  count(3);

  make_c(seed, x);  // y still is what the A of step 0 gave
  fence();
  wgmma(x, descriptor(a[1]), first_b);
  wait();
  count(4);
  for (int i = 0; i < questions; ++i) atomicAdd(differing + i, found[i]);
}

int main() {
  cudaDeviceProp gpu{};
  if (cudaGetDeviceProperties(&gpu, 0) != cudaSuccess || gpu.major != 9) {
    std::fprintf(stderr, "together: there is no GPU of compute capability 9.0 here, which alone has wgmma.\n");
    return 4;
  }
  u64 *differing = nullptr, found[questions] = {};
  cudaMalloc(&differing, sizeof found);
  cudaMemset(differing, 0, sizeof found);
  for (int launch = 0; launch < launches; ++launch) ask<<<blocks, threads>>>(launch, differing);
  const cudaError_t ended = cudaDeviceSynchronize();
  if (ended != cudaSuccess) {
    std::fprintf(stderr, "together: the GPU failed: %s.\n", cudaGetErrorString(ended));
    return 1;
  }
  cudaMemcpy(found, differing, sizeof found, cudaMemcpyDefault);

  const char* const asked[questions] = {"eight in one group, against one by one", "c left out, against c = +0",
                                        "A negated, against its signs turned",
                                        "A from registers, against shared memory", "another A, which has to differ"};
  std::printf("%s: %s %llu elements each; of these differ\n", gpu.name, OPERATION,
              u64{launches} * blocks * rows * columns);
  bool passed = found[questions - 1] > 0;
  for (int i = 0; i < questions; ++i) {
    std::printf("%14llu  %s\n", found[i], asked[i]);
    passed = passed && (i == questions - 1 || found[i] == 0);
  }
  return passed ? 0 : 1;
}
