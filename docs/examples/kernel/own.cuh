// For gemm.cu: the same product by an instruction of this GPU, OWN_MMA or OWN_WGMMA, so that a unit's C is held to
// silicon. The instruction takes 32 bytes of a row and of a column at once: k16 of f16 or bf16, k32 of eight bits. A
// block of 128 threads computes 64 rows by 8 columns; of them thread 32 w + 4 r + l has
//
//                     columns 2 l and 2 l + 1
//   row 16 w + r              0       1
//   row 16 w + r + 8          2       3
#pragma once

namespace {

constexpr int own_rows = 64, own_columns = 8, own_words = 8;

// A thread's part of d, row after row. Elements of 16 bits are two to a register.
template <class D>
struct Part {
  std::uint32_t word[sizeof(D)] = {};
  __device__ D at(int i) const { return static_cast<D>(word[i * sizeof(D) / 4] >> 8 * sizeof(D) * i % 32); }
};

#ifdef OWN_MMA
// Each warp has 16 of the rows; its thread 4 r + l words l and l + 4 of row r, of row r + 8 and of column r.
//   words   from a row to the next
template <class D>
__device__ void own_step(Part<D>& d, const std::uint32_t* a, const std::uint32_t* b, int words) {
  const int word = static_cast<int>(threadIdx.x % 4), row = static_cast<int>(threadIdx.x / 4 % 8);
  const std::uint32_t* upper = a + (static_cast<int>(threadIdx.x / 32) * 16 + row) * words + word;
  const std::uint32_t* lower = upper + 8 * words;
  b += row * words + word;
  if constexpr (sizeof(D) == 4)
    asm volatile("mma.sync.aligned." OWN_MMA " {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
                 : "+r"(d.word[0]), "+r"(d.word[1]), "+r"(d.word[2]), "+r"(d.word[3])
                 : "r"(upper[0]), "r"(lower[0]), "r"(upper[4]), "r"(lower[4]), "r"(b[0]), "r"(b[4]));
  else
    asm volatile("mma.sync.aligned." OWN_MMA " {%0, %1}, {%2, %3, %4, %5}, {%6, %7}, {%0, %1};"
                 : "+r"(d.word[0]), "+r"(d.word[1])
                 : "r"(upper[0]), "r"(lower[0]), "r"(upper[4]), "r"(lower[4]), "r"(b[0]), "r"(b[4]));
}
#else
// Where word `word` of row `row` lies in shared memory: pieces of 8 rows by 16 bytes, two for the whole depth.
__device__ int own_place(int row, int word) { return row / 8 * 64 + word / 4 * 32 + row % 8 * 4 + word % 4; }

// | .. | 45 from 8 rows to the next / 16 32 | .. | 29 from piece to piece / 16 16 | .. | 13 address / 16 0 |
__device__ std::uint64_t own_descriptor(const std::uint32_t* shared) {
  return (__cvta_generic_to_shared(shared) & 0x3ffff) >> 4 | 128ull >> 4 << 16 | 256ull >> 4 << 32;
}

template <class D>
__device__ void own_step(Part<D>& d, const std::uint32_t* a, const std::uint32_t* b, int words) {
  __shared__ __align__(128) std::uint32_t shared_a[own_rows * own_words], shared_b[own_columns * own_words];
  const int thread = static_cast<int>(threadIdx.x);
  for (int i = thread; i < own_rows * own_words; i += 128)
    shared_a[own_place(i / own_words, i % own_words)] = a[i / own_words * words + i % own_words];
  if (thread < own_columns * own_words)
    shared_b[own_place(thread / own_words, thread % own_words)] = b[thread / own_words * words + thread % own_words];
  asm volatile("fence.proxy.async;" ::: "memory");
  __syncthreads();
  // Behind the descriptors: add to d, negate nothing and, of 16 bits, transpose nothing.
#define OWN_BEGIN \
  "{ .reg .pred all; setp.eq.u32 all, 0, 0; wgmma.fence.sync.aligned; wgmma.mma_async.sync.aligned." OWN_WGMMA
#define OWN_END " wgmma.commit_group.sync.aligned; wgmma.wait_group.sync.aligned 0; }"
  const std::uint64_t at_a = own_descriptor(shared_a), at_b = own_descriptor(shared_b);
  if constexpr (sizeof(D) == 4 && sizeof(Unit::A) == 2)
    asm volatile(OWN_BEGIN " {%0, %1, %2, %3}, %4, %5, all, 1, 1, 0, 0;" OWN_END
                 : "+r"(d.word[0]), "+r"(d.word[1]), "+r"(d.word[2]), "+r"(d.word[3])
                 : "l"(at_a), "l"(at_b)
                 : "memory");
  else if constexpr (sizeof(D) == 4)
    asm volatile(OWN_BEGIN " {%0, %1, %2, %3}, %4, %5, all, 1, 1;" OWN_END
                 : "+r"(d.word[0]), "+r"(d.word[1]), "+r"(d.word[2]), "+r"(d.word[3])
                 : "l"(at_a), "l"(at_b)
                 : "memory");
  else if constexpr (sizeof(Unit::A) == 2)
    asm volatile(OWN_BEGIN " {%0, %1}, %2, %3, all, 1, 1, 0, 0;" OWN_END
                 : "+r"(d.word[0]), "+r"(d.word[1])
                 : "l"(at_a), "l"(at_b)
                 : "memory");
  else
    asm volatile(OWN_BEGIN " {%0, %1}, %2, %3, all, 1, 1;" OWN_END
                 : "+r"(d.word[0]), "+r"(d.word[1])
                 : "l"(at_a), "l"(at_b)
                 : "memory");
  __syncthreads();
}
#endif

template <class D>
__global__ void own_kernel(const std::uint32_t* a, const std::uint32_t* b, D* d, int columns, int words) {
  const int row = static_cast<int>(blockIdx.x) * own_rows, column = static_cast<int>(blockIdx.y) * own_columns;
  Part<D> part;
  for (int word = 0; word < words; word += own_words)
    own_step(part, a + row * words + word, b + column * words + word, words);
  const int thread = static_cast<int>(threadIdx.x);
  d += (row + thread / 32 * 16 + thread / 4 % 8) * columns + column + thread % 4 * 2;
  for (int i = 0; i < 4; ++i) d[i / 2 * 8 * columns + i % 2] = part.at(i);
}

Result<Unit::D> own_on_gpu(const std::vector<Unit::A>& a, const std::vector<Unit::B>& b, Size size) {
  const int words = size.depth * static_cast<int>(sizeof(Unit::A)) / 4;
  if (size.rows % own_rows != 0 || size.columns % own_columns != 0 || words % own_words != 0) {
    std::fprintf(stderr, "gemm: this GPU's own instruction takes rows by 64, columns by 8 and depth by 32 bytes.\n");
    std::exit(2);
  }
  const dim3 blocks(static_cast<unsigned>(size.rows / own_rows), static_cast<unsigned>(size.columns / own_columns));
  return on_gpu<Unit>(a, b, size, [=](const Unit::A* gpu_a, const Unit::B* gpu_b, Unit::D* gpu_d) {
    own_kernel<<<blocks, 128>>>(reinterpret_cast<const std::uint32_t*>(gpu_a),
                                reinterpret_cast<const std::uint32_t*>(gpu_b), gpu_d, size.columns, words);
  });
}

}  // namespace
