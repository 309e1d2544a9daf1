// Matrix products: in the caller's memory, by the fast path.
#include <limits>

#include "model/core/matmul.hpp"
#include "tb/capi/call.hpp"
#include "tb/capi/elements.hpp"
#include "tb/capi/handles.hpp"

namespace assay::capi {
namespace {

constexpr int most_threads = 256;

int dimension(const char* name, std::size_t value) {
  if (value == 0 || value > static_cast<std::size_t>(std::numeric_limits<int>::max())) {
    throw bad_argument(std::string(name) + " is " + std::to_string(value) + "; it must be 1 to 2147483647.");
  }
  return static_cast<int>(value);
}

struct Extents {
  int m, n, k;
  int blocks;  // of scales along k

  std::size_t elements() const { return static_cast<std::size_t>(m) * static_cast<std::size_t>(n); }
};

Extents extents_of(const Plan& plan, std::size_t m, std::size_t n, std::size_t k) {
  Extents e{dimension("m", m), dimension("n", n), dimension("k", k), 0};
  const std::string problem = shape_problem(plan, e.m, e.n, e.k);
  if (e.k % plan.k != 0) {
    throw bad_argument("k is " + std::to_string(k) + ", which is no multiple of the instruction's " +
                       std::to_string(plan.k) + ".");
  }
  if (!problem.empty()) throw bad_argument(problem);
  e.blocks = plan.scale ? e.k / plan.k * plan.scales : 0;
  return e;
}

MatrixSize size_of(const Plan& plan, const CaseOperand& more, const Extents& e) {
  return matrix_size(owner_of(more), e.m, e.n, e.k / plan.k * more.count);
}

// --- matrices in the caller's memory ---

template <class View>
View view_of(const assay_matrix& matrix, const Format& format) {
  View view;
  view.data = static_cast<decltype(view.data)>(matrix.data);
  view.bytes = static_cast<int>(bytes_of(format));
  view.row = matrix.row, view.column = matrix.column;
  return view;
}

// Elements of 4 and 6 bits lie in a byte of their own, whose upper bits are 0.
void check_bits(const char* name, const Matrix& matrix, const Format& format, int rows, int columns) {
  if (format.stored_bits == 8 * matrix.bytes) return;
  std::vector<Code> row(static_cast<std::size_t>(columns));
  for (int i = 0; i < rows; ++i) {
    matrix.get_row(i, 0, columns, row.data());
    for (int j = 0; j < columns; ++j) {
      if (format.fits(row[static_cast<std::size_t>(j)])) continue;
      throw CallEnd{ASSAY_BAD_BITS, std::string(name) + "[" + std::to_string(i) + ", " + std::to_string(j) +
                                        "] has bits above the " + std::to_string(format.stored_bits) + " of " +
                                        format.name + "."};
    }
  }
}

Matrix read_view(const char* name, const assay_matrix& matrix, const Format& format, int rows, int columns) {
  need(matrix.data, name);
  const auto view = view_of<Matrix>(matrix, format);
  check_bits(name, view, format, rows, columns);
  return view;
}

Matrix scale_view(const char* name, const assay_matrix& matrix, const Plan& plan, int rows, int columns) {
  if (plan.scale) return read_view(name, matrix, *plan.scale, rows, columns);
  if (matrix.data != nullptr) throw bad_argument("This unit has no scales; leave " + std::string(name) + " empty.");
  return {};
}

// Those of all rows; of several instructions along K one after the other.
void check_masks(const CaseOperand& operand, const Matrix& matrix, const MatrixSize& size) {
  if (!operand.pattern.has_pattern()) return;
  std::vector<Code> row(static_cast<std::size_t>(size.columns));
  for (int i = 0; i < size.rows; ++i) {
    matrix.get_row(i, 0, size.columns, row.data());
    const std::string problem =
        mask_problem(operand.name + "[" + std::to_string(i) + "]", operand.pattern, row.data(), size.columns);
    if (!problem.empty()) throw CallEnd{ASSAY_BAD_BITS, problem};
  }
}

Gemm gemm_of(const Plan& plan, const assay_product& from) {
  const Extents e = extents_of(plan, from.m, from.n, from.k);
  Gemm gemm;
  gemm.m = e.m, gemm.n = e.n, gemm.k = e.k;
  gemm.a = read_view("a", from.a, plan.a, e.m, e.k);
  gemm.b = read_view("b", from.b, plan.b, e.k, e.n);
  gemm.c = read_view("c", from.c, plan.c, e.m, e.n);
  gemm.scale_a = scale_view("scale_a", from.scale_a, plan, e.m, e.blocks);
  gemm.scale_b = scale_view("scale_b", from.scale_b, plan, e.blocks, e.n);
  for (std::size_t i = 0; i < plan.more.size(); ++i) {
    need(from.more, "more");
    const CaseOperand& more = plan.more[i];
    const MatrixSize size = size_of(plan, more, e);
    gemm.more.push_back(read_view(more.name.c_str(), from.more[i], more.format, size.rows, size.columns));
    check_masks(more, gemm.more.back(), size);
  }
  need(from.d.data, "d");
  gemm.d = view_of<MatrixOut>(from.d, plan.d);
  return gemm;
}

// --- matrices in buffers, row after row ---

Matrix loaded(const BufferShape& shape, const Format& format, const assay_in& from) {
  load(shape, format, from);  // for what it refuses
  return {static_cast<const unsigned char*>(from.data), static_cast<int>(bytes_of(format)),
          static_cast<std::ptrdiff_t>(shape.columns), 1};
}

Matrix loaded_scales(const BufferShape& shape, const Plan& plan, const assay_in& from) {
  if (plan.scale) return loaded(shape, *plan.scale, from);
  load_scales(shape, plan, from);
  return {};
}

Gemm gemm_of(const Plan& plan, const Extents& e, const assay_operands& from) {
  const auto m = static_cast<std::size_t>(e.m), n = static_cast<std::size_t>(e.n), k = static_cast<std::size_t>(e.k),
             blocks = static_cast<std::size_t>(e.blocks);
  Gemm gemm;
  gemm.m = e.m, gemm.n = e.n, gemm.k = e.k;
  gemm.a = loaded({"a", m, k}, plan.a, from.a);
  gemm.b = loaded({"b", k, n}, plan.b, from.b);
  gemm.c = loaded({"c", m, n}, plan.c, from.c);
  gemm.scale_a = loaded_scales({"scale_a", m, blocks}, plan, from.scale_a);
  gemm.scale_b = loaded_scales({"scale_b", blocks, n}, plan, from.scale_b);
  for (std::size_t i = 0; i < plan.more.size(); ++i) {
    need(from.more, "more");
    const CaseOperand& more = plan.more[i];
    const MatrixSize size = size_of(plan, more, e);
    const auto rows = static_cast<std::size_t>(size.rows), columns = static_cast<std::size_t>(size.columns);
    gemm.more.push_back(loaded({more.name.c_str(), rows, columns}, more.format, from.more[i]));
    check_masks(more, gemm.more.back(), size);
  }
  return gemm;
}

}  // namespace
}  // namespace assay::capi

namespace capi = assay::capi;

assay_status assay_gemm(const assay_unit* unit, const assay_product* product, int threads, assay_message* message) {
  return capi::guarded(message, [&] {
    capi::need(unit, "unit");
    capi::need(product, "product");
    if (threads < 1 || threads > capi::most_threads)
      throw capi::bad_argument("threads is " + std::to_string(threads) + "; it must be 1 to 256.");
    unit->kernel.gemm(capi::gemm_of(unit->subject.plan, *product), threads);
  });
}

assay_status assay_matmul(const assay_unit* unit, size_t m, size_t n, size_t k, const assay_operands* operands,
                          assay_out d, assay_message* message) {
  return capi::guarded(message, [&] {
    capi::need(unit, "unit");
    capi::need(operands, "operands");
    const assay::Plan& plan = unit->subject.plan;
    capi::check({"d", m, n}, plan.d, d);
    const capi::Extents e = capi::extents_of(plan, m, n, k);
    assay::Gemm gemm = capi::gemm_of(plan, e, *operands);
    std::vector<assay::Code> result(e.elements());  // d stays as it is where memory runs out
    gemm.d = assay::row_major(result.data(), e.n);
    unit->kernel.gemm(gemm);
    capi::store(result, plan.d, d.data);
  });
}
