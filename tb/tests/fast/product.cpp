#include "tb/tests/fast/product.hpp"

#include <algorithm>

#include "tb/generate/generator.hpp"
#include "tb/tests/equality/corner_cases.hpp"

namespace assay {
namespace {

constexpr std::uint64_t seed = 5;
constexpr unsigned char guard = 0xa5;
constexpr std::size_t guard_bytes = 64;

std::size_t place(int row, int column, int columns) {
  return static_cast<std::size_t>(row) * static_cast<std::size_t>(columns) + static_cast<std::size_t>(column);
}

std::vector<Code> codes(int rows, int columns) { return std::vector<Code>(place(rows, 0, columns)); }

int bytes_of(const Format& format) { return element_bytes(format.stored_bits); }

// Two of the generator's cases, then one of the corners.
Case case_of(const Generator& generator, const Plan& plan, int i) {
  const auto number = static_cast<std::uint64_t>(i);
  return i % 3 == 2 ? corner_case(plan, number) : generator.make(number);
}

Matrices matrices(const Plan& plan, int m, int n, int instructions) {
  const int k = plan.k * instructions, blocks = plan.scales * instructions;
  Matrices x{m,
             n,
             k,
             codes(m, k),
             codes(k, n),
             codes(m, n),
             plan.scale ? codes(m, blocks) : std::vector<Code>{},
             plan.scale ? codes(blocks, n) : std::vector<Code>{},
             std::vector<std::vector<Code>>(plan.more.size(), codes(m, k))};
  const Generator generator(plan, seed);
  for (int s = 0; s < instructions; ++s) {
    for (int i = 0; i < std::max(m, n); ++i) {
      const Case one = case_of(generator, plan, i + s * std::max(m, n));
      for (int t = 0; t < plan.k; ++t) {
        const auto from = static_cast<std::size_t>(t);
        if (i < m) x.a[place(i, s * plan.k + t, k)] = one.a[from];
        if (i < m && plan.mask >= 0) x.more[0][place(i, s * plan.k + t, k)] = one.more[from];
        if (i < n) x.b[place(s * plan.k + t, i, n)] = one.b[from];
      }
      for (int t = 0; t < plan.scales; ++t) {
        const auto from = static_cast<std::size_t>(t);
        if (i < m) x.scale_a[place(i, s * plan.scales + t, blocks)] = one.scale_a[from];
        if (i < n) x.scale_b[place(s * plan.scales + t, i, n)] = one.scale_b[from];
      }
      if (s > 0) continue;
      for (int j = 0; i < m && j < n; ++j) x.c[place(i, (i + j) % n, n)] = case_of(generator, plan, i + 31 * j).c;
      if (i < std::min(m, n)) x.c[place(i, i, n)] = one.c;
    }
  }
  return x;
}

// `behind` it, so many bytes of guard: none where the matrix is only read, so that whoever reads beyond its end reads
// beyond the memory, which the address sanitizer sees.
std::vector<unsigned char> in_memory(const std::vector<Code>& codes, int rows, int columns, int bytes, bool transposed,
                                     int offset, std::size_t behind = 0) {
  std::vector<unsigned char> memory(
      static_cast<std::size_t>(offset) + codes.size() * static_cast<std::size_t>(bytes) + behind, guard);
  const MatrixOut view{memory.data() + offset, bytes, transposed ? 1 : columns, transposed ? rows : 1};
  for (int i = 0; i < rows; ++i) {
    for (int j = 0; j < columns; ++j) view.set(i, j, codes[place(i, j, columns)]);
  }
  return memory;
}

}  // namespace

MatrixProduct::MatrixProduct(const Plan& plan, int m, int n, int instructions, Layout layout)
    : plan_(plan), layout_(layout), x_(matrices(plan, m, n, instructions)), expected_(matmul(plan, x_)) {
  const int blocks = plan.scales * instructions;
  a_ = in_memory(x_.a, m, x_.k, bytes_of(plan.a), layout.transposed, layout.offset);
  b_ = in_memory(x_.b, x_.k, n, bytes_of(plan.b), layout.transposed, layout.offset);
  if (plan.mask >= 0) mask_ = in_memory(x_.more[0], m, x_.k, 1, layout.transposed, layout.offset);
  if (!plan.scale) return;
  scale_a_ = in_memory(x_.scale_a, m, blocks, bytes_of(*plan.scale), false, layout.offset);
  scale_b_ = in_memory(x_.scale_b, blocks, n, bytes_of(*plan.scale), false, layout.offset);
}

Gemm MatrixProduct::gemm() {
  const auto view = [&](std::vector<unsigned char>& memory, const Format& format, int rows, int columns, bool turned) {
    return Matrix{memory.data() + layout_.offset, bytes_of(format), turned ? 1 : columns, turned ? rows : 1};
  };
  Gemm g;
  g.m = x_.m, g.n = x_.n, g.k = x_.k;
  g.a = view(a_, plan_.a, g.m, g.k, layout_.transposed);
  g.b = view(b_, plan_.b, g.k, g.n, layout_.transposed);
  g.c = view(c_, plan_.c, g.m, g.n, false);
  g.d = {d_.data() + layout_.offset, bytes_of(plan_.d), g.n, 1};
  if (layout_.in_place) g.d = {c_.data() + layout_.offset, g.c.bytes, g.c.row, g.c.column};
  if (plan_.mask >= 0) g.more.push_back(view(mask_, plan_.more[0].format, g.m, g.k, layout_.transposed));
  if (plan_.scale) {
    const int blocks = g.k / plan_.k * plan_.scales;
    g.scale_a = view(scale_a_, *plan_.scale, g.m, blocks, false);
    g.scale_b = view(scale_b_, *plan_.scale, blocks, g.n, false);
  }
  return g;
}

std::vector<Code> MatrixProduct::run(const Kernel& kernel, int threads) {
  c_ = in_memory(x_.c, x_.m, x_.n, bytes_of(plan_.c), false, layout_.offset, guard_bytes);
  d_ = in_memory(codes(x_.m, x_.n), x_.m, x_.n, bytes_of(plan_.d), false, layout_.offset, guard_bytes);
  const Gemm g = gemm();
  kernel.gemm(g, threads);
  const Matrix d{g.d.data, g.d.bytes, g.d.row, g.d.column};
  std::vector<Code> result;
  for (int i = 0; i < g.m; ++i) {
    for (int j = 0; j < g.n; ++j) result.push_back(d.get(i, j));
  }
  return result;
}

bool MatrixProduct::wrote_beside_d() const {
  const auto spoilt = [&](const std::vector<unsigned char>& memory) {
    const auto untouched = [](unsigned char byte) { return byte == guard; };
    return !std::all_of(memory.begin(), memory.begin() + layout_.offset, untouched) ||
           !std::all_of(memory.end() - guard_bytes, memory.end(), untouched);
  };
  return spoilt(c_) || spoilt(d_);
}

}  // namespace assay
