#include "model/core/matmul.hpp"

#include <algorithm>
#include <limits>

namespace assay {
namespace {

constexpr int greatest_elements = std::numeric_limits<int>::max();

std::size_t size(int rows, int columns) { return static_cast<std::size_t>(rows) * static_cast<std::size_t>(columns); }

// Row `row` of a matrix, from column `from` on.
const Code* row_of(const std::vector<Code>& matrix, int row, int columns, int from) {
  return matrix.data() + size(row, columns) + from;
}

// Column `column` of a matrix, `count` entries from row `from` on.
void copy_column(const std::vector<Code>& matrix, int column, int columns, int from, std::vector<Code>& into) {
  for (std::size_t i = 0; i < into.size(); ++i) {
    into[i] = matrix[(static_cast<std::size_t>(from) + i) * static_cast<std::size_t>(columns) +
                     static_cast<std::size_t>(column)];
  }
}

bool has_more(const Plan& plan, const Matrices& x) {
  if (x.more.size() != plan.more.size()) return false;
  const auto fits = [&](const CaseOperand& operand, const std::vector<Code>& codes) {
    return codes.size() == matrix_size(owner_of(operand), x.m, x.n, x.k / plan.k * operand.count).size();
  };
  return std::equal(plan.more.begin(), plan.more.end(), x.more.begin(), fits);
}

}  // namespace

Owner owner_of(const CaseOperand& operand) {
  if (operand.kind == CaseOperandKind::random) return Owner::element;
  return operand.of == Side::a ? Owner::row : Owner::column;
}

MatrixSize matrix_size(Owner owner, int m, int n, int codes) {
  switch (owner) {
    case Owner::row: return {m, codes};
    case Owner::column: return {codes, n};
    case Owner::element: return {m * n, codes};
  }
  return {};
}

MatrixPlace matrix_place(Owner owner, const MatrixPlace& element, int n, int index) {
  switch (owner) {
    case Owner::row: return {element.row, index};
    case Owner::column: return {index, element.column};
    case Owner::element: return {element.row * n + element.column, index};
  }
  return {};
}

std::size_t code_place(Owner owner, const MatrixPlace& element, int n, int codes, int index) {
  const MatrixPlace at = matrix_place(owner, element, n, index);
  return size(at.row, matrix_size(owner, 1, n, codes).columns) + static_cast<std::size_t>(at.column);
}

std::vector<Code> more_of(const Plan& plan, const Matrices& x, const MatrixPlace& element, int step) {
  std::vector<Code> codes;
  codes.reserve(static_cast<std::size_t>(plan.more_codes()));
  for (std::size_t m = 0; m < plan.more.size(); ++m) {
    const CaseOperand& operand = plan.more[m];
    const int all = x.k / plan.k * operand.count;
    for (int i = 0; i < operand.count; ++i)
      codes.push_back(x.more[m][code_place(owner_of(operand), element, x.n, all, step * operand.count + i)]);
  }
  return codes;
}

std::string shape_problem(const Plan& plan, int m, int n, int k) {
  if (m < 1 || n < 1 || k < 1) return "A matrix product needs at least one row, one column and one term.";
  if (k % plan.k != 0) {
    return "K is " + std::to_string(k) + ", which is no multiple of the instruction's " + std::to_string(plan.k) + ".";
  }
  if (k > plan.k && !(plan.c == plan.d)) {
    return "Several instructions along K need c and d of one format; this one has " + plan.c.name + " and " +
           plan.d.name + ".";
  }
  if (plan.random.operand >= 0 && std::int64_t{m} * n > greatest_elements) {
    return "Each element of D has random words of its own, and " + std::to_string(m) + " x " + std::to_string(n) +
           " elements are more than the " + std::to_string(greatest_elements) + " that can have them.";
  }
  return "";
}

std::string matmul_problem(const Plan& plan, const Matrices& x) {
  if (const std::string problem = shape_problem(plan, x.m, x.n, x.k); !problem.empty()) return problem;
  const int blocks = plan.scale ? x.k / plan.k * plan.scales : 0;
  const bool fits = x.a.size() == size(x.m, x.k) && x.b.size() == size(x.k, x.n) && x.c.size() == size(x.m, x.n) &&
                    x.scale_a.size() == size(x.m, blocks) && x.scale_b.size() == size(blocks, x.n) && has_more(plan, x);
  return fits ? ""
              : "The matrices do not have the " + std::to_string(x.m) + " x " + std::to_string(x.n) + " x " +
                    std::to_string(x.k) + " entries that M, N and K say.";
}

std::vector<Code> matmul(const Plan& plan, const Matrices& x) {
  assert(matmul_problem(plan, x).empty());
  const int instructions = x.k / plan.k;
  const int blocks = instructions * plan.scales;
  Registers registers;
  std::vector<Code> column(static_cast<std::size_t>(plan.k)), scale_column(static_cast<std::size_t>(plan.scales));
  std::vector<Code> d = x.c;
  for (int j = 0; j < x.n; ++j) {
    for (int s = 0; s < instructions; ++s) {
      copy_column(x.b, j, x.n, s * plan.k, column);
      if (plan.scale) copy_column(x.scale_b, j, x.n, s * plan.scales, scale_column);
      for (int i = 0; i < x.m; ++i) {
        Code& acc = d[size(i, x.n) + static_cast<std::size_t>(j)];
        const Code* scale_row = plan.scale ? row_of(x.scale_a, i, blocks, s * plan.scales) : nullptr;
        const std::vector<Code> more = more_of(plan, x, {i, j}, s);
        acc = dot(plan,
                  {row_of(x.a, i, x.k, s * plan.k), column.data(), acc, scale_row, scale_column.data(), more.data()},
                  registers);
      }
    }
  }
  return d;
}

}  // namespace assay
