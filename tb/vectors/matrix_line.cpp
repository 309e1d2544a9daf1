#include "tb/vectors/matrix_line.hpp"

#include <algorithm>

namespace assay {
namespace {

std::size_t size(int rows, int columns) { return static_cast<std::size_t>(rows) * static_cast<std::size_t>(columns); }

// A matrix as a line gives it.
struct Rows {
  std::vector<Code> codes;
  int rows = 0, columns = 0;
};

struct Found {
  std::optional<Rows> a, b, c, d, scale_a, scale_b;
  std::vector<std::optional<Rows>> more;  // of each of the shape
  std::string extra;
};

Rows read_rows(Scanner& scanner, int bits) {
  Rows matrix;
  matrix.rows = scanner.hex_rows(bits, matrix.codes);
  matrix.columns = matrix.rows == 0 ? 0 : static_cast<int>(matrix.codes.size()) / matrix.rows;
  return matrix;
}

void read_member(Scanner& scanner, std::string_view name, const CaseShape& shape, Found& found) {
  if (name == "A") {
    found.a = read_rows(scanner, shape.a_bits);
  } else if (name == "B") {
    found.b = read_rows(scanner, shape.b_bits);
  } else if (name == "C") {
    found.c = read_rows(scanner, shape.c_bits);
  } else if (name == "D") {
    found.d = read_rows(scanner, shape.d_bits);
  } else if (shape.scales > 0 && name == "scale_A") {
    found.scale_a = read_rows(scanner, shape.scale_bits);
  } else if (shape.scales > 0 && name == "scale_B") {
    found.scale_b = read_rows(scanner, shape.scale_bits);
  } else if (const std::size_t i = index_of(shape.more, name); i < shape.more.size()) {
    found.more[i] = read_rows(scanner, shape.more[i].bits);
  } else if (name == "scale_A" || name == "scale_B") {
    throw ScanError{std::string(name) + " is given, but this instruction takes no scales; leave it out."};
  } else if (is_further_operand(name)) {
    throw ScanError{std::string(name) + " is given, but this instruction takes none; leave it out."};
  } else if (is_vector_member(name)) {
    throw ScanError{"member " + std::string(name) +
                    " is one of a single dot product, but others make this a whole-matrix case (A, B, C, D); write "
                    "one or the other."};
  } else {
    keep_member(name, scanner.value(), found.extra);
  }
}

constexpr const char* extents = "A is M x K, B is K x N, C and D are M x N.";

void check_size(const char* name, const std::optional<Rows>& matrix, int rows, int columns, const char* why = extents) {
  if (!matrix) throw ScanError{std::string(name) + " is missing; the case needs it."};
  if (matrix->rows == rows && matrix->columns == columns) return;
  const auto text = [](int x, int y) { return std::to_string(x) + " x " + std::to_string(y); };
  throw ScanError{std::string(name) + " is " + text(matrix->rows, matrix->columns) + " where " + text(rows, columns) +
                  " fits: " + why};
}

// Of a mask, each row is that of a row of A.
void check_masks(const CaseShape::More& mask, const Rows& matrix) {
  for (int row = 0; row < matrix.rows; ++row) {
    const std::string name = mask.name + "[" + std::to_string(row) + "]";
    const std::string problem =
        mask_problem(name, mask.pattern, matrix.codes.data() + size(row, matrix.columns), matrix.columns);
    if (!problem.empty()) throw ScanError{problem};
  }
}

const char* why_so_large(Owner owner) {
  switch (owner) {
    case Owner::row: return "it has a row for each row of A.";
    case Owner::column: return "it has a column for each column of B.";
    case Owner::element: return "it has a row for each element of D, row by row.";
  }
  return "";
}

constexpr std::size_t most_codes = std::size_t{1} << 26;  // of a matrix filled up: 512 MiB

void check_filled(const char* name, int rows, int columns) {
  if (size(rows, columns) <= most_codes) return;
  throw ScanError{std::string(name) + ", filled up with zeros to whole instructions, would be " + std::to_string(rows) +
                  " x " + std::to_string(columns) + "; a matrix of at most " + std::to_string(most_codes) +
                  " elements is read."};
}

// Terms along K after filling up: whole instructions.
int whole_k(int k, const CaseShape& shape) {
  const int instructions = (k + shape.k - 1) / shape.k;
  if (k % shape.k != 0 && !shape.pad) {
    throw ScanError{"A has " + std::to_string(k) + " columns, which is no multiple of the instruction's " +
                    std::to_string(shape.k) + " terms."};
  }
  if (instructions > 1 && !shape.chains) {
    throw ScanError{"A has " + std::to_string(k) + " columns, but this instruction takes " + std::to_string(shape.k) +
                    " terms, and its d cannot be the next one's c: their formats differ."};
  }
  return instructions * shape.k;
}

void check(const Found& found, const CaseShape& shape) {
  if (!found.a || !found.b) throw ScanError{std::string(found.a ? "B" : "A") + " is missing; the case needs it."};
  const int m = found.a->rows, k = found.a->columns, n = found.b->columns;
  if (found.a->codes.empty()) throw ScanError{"A is empty; a matrix has at least one row and one column."};
  const int instructions = whole_k(k, shape) / shape.k;
  check_size("B", found.b, k, std::max(n, 1));
  check_filled("A", m, instructions * shape.k);
  check_filled("B", instructions * shape.k, n);
  check_size("C", found.c, m, n);
  if (found.d) check_size("D", found.d, m, n);
  if (shape.scales > 0) {
    check_size("scale_A", found.scale_a, m, instructions * shape.scales);
    check_size("scale_B", found.scale_b, instructions * shape.scales, n);
  }
  for (std::size_t i = 0; i < shape.more.size(); ++i) {
    const CaseShape::More& more = shape.more[i];
    const MatrixSize size = matrix_size(more.owner, m, n, instructions * more.count);
    check_size(more.name.c_str(), found.more[i], size.rows, size.columns, why_so_large(more.owner));
    check_masks(more, *found.more[i]);
  }
}

// Columns of zeros after those there are.
std::vector<Code> widened(const Rows& matrix, int columns, Code zero) {
  std::vector<Code> codes(size(matrix.rows, columns), zero);
  for (int i = 0; i < matrix.rows; ++i) {
    std::copy_n(matrix.codes.begin() + static_cast<std::ptrdiff_t>(size(i, matrix.columns)), matrix.columns,
                codes.begin() + static_cast<std::ptrdiff_t>(size(i, columns)));
  }
  return codes;
}

void take_row(const std::vector<Code>& matrix, int row, int columns, std::vector<Code>& into) {
  const auto first = matrix.begin() + static_cast<std::ptrdiff_t>(size(row, columns));
  into.assign(first, first + columns);
}

void take_column(const std::vector<Code>& matrix, int column, int columns, std::vector<Code>& into) {
  into.clear();
  for (auto i = static_cast<std::size_t>(column); i < matrix.size(); i += static_cast<std::size_t>(columns))
    into.push_back(matrix[i]);
}

void put_column(const std::vector<Code>& codes, int column, int columns, std::vector<Code>& into) {
  into.resize(codes.size() * static_cast<std::size_t>(columns));
  for (std::size_t i = 0; i < codes.size(); ++i)
    into[i * static_cast<std::size_t>(columns) + static_cast<std::size_t>(column)] = codes[i];
}

void append(const std::vector<Code>& codes, std::vector<Code>& to) { to.insert(to.end(), codes.begin(), codes.end()); }

// Each element brings all of its row's, its column's and its own.
void put_more(const Case& element, const CaseShape& shape, Matrices& into) {
  const Element& at = *element.element;
  auto next = element.more.begin();
  for (std::size_t i = 0; i < shape.more.size(); ++i) {
    const Owner owner = shape.more[i].owner;
    const int codes = into.k / shape.k * shape.more[i].count;
    into.more[i].resize(matrix_size(owner, into.m, into.n, codes).size());
    for (int t = 0; t < codes; ++t) into.more[i][code_place(owner, {at.row, at.column}, into.n, codes, t)] = *next++;
  }
}

// ,"A":[["3c00","0000"],["3c00","0000"]]
void append_rows(std::string& out, const char* name, const std::vector<Code>& codes, int rows, int bits) {
  out.append(",\"").append(name).append("\":[");
  const int columns = static_cast<int>(codes.size()) / rows;
  std::vector<Code> row;
  for (int i = 0; i < rows; ++i) {
    take_row(codes, i, columns, row);
    if (i > 0) out += ',';
    append_hex_list(out, row, (bits + 3) / 4);
  }
  out += ']';
}

}  // namespace

MatrixCase read_matrix_case(std::string_view line, const CaseShape& shape) {
  Found found;
  found.more.resize(shape.more.size());
  Scanner scanner(line);
  scanner.line([&](std::string_view name) { read_member(scanner, name, shape, found); });
  check(found, shape);
  MatrixCase matrix;
  Matrices& x = matrix.operands;
  x.m = found.a->rows;
  x.n = found.b->columns;
  x.k = whole_k(found.a->columns, shape);
  if (x.k != found.a->columns) {
    check_fills_up("A", shape.zero_a);
    check_fills_up("B", shape.zero_b);
  }
  x.a = widened(*found.a, x.k, shape.zero_a.value_or(0));
  x.b = std::move(found.b->codes);
  x.b.resize(size(x.k, x.n), shape.zero_b.value_or(0));
  x.c = std::move(found.c->codes);
  if (found.scale_a) x.scale_a = std::move(found.scale_a->codes);
  if (found.scale_b) x.scale_b = std::move(found.scale_b->codes);
  for (std::optional<Rows>& more : found.more) x.more.push_back(std::move(more->codes));
  if (found.d) matrix.d = std::move(found.d->codes);
  matrix.extra = std::move(found.extra);
  return matrix;
}

void append_matrix_case(std::string& out, const MatrixCase& matrix, const CaseShape& shape) {
  const Matrices& x = matrix.operands;
  const std::size_t start = out.size();
  append_rows(out, "A", x.a, x.m, shape.a_bits);
  append_rows(out, "B", x.b, x.k, shape.b_bits);
  append_rows(out, "C", x.c, x.m, shape.c_bits);
  if (shape.scales > 0) {
    append_rows(out, "scale_A", x.scale_a, x.m, shape.scale_bits);
    append_rows(out, "scale_B", x.scale_b, x.k / shape.k * shape.scales, shape.scale_bits);
  }
  for (std::size_t i = 0; i < shape.more.size(); ++i) {
    const CaseShape::More& more = shape.more[i];
    const int rows = matrix_size(more.owner, x.m, x.n, x.k / shape.k * more.count).rows;
    append_rows(out, more.name.c_str(), x.more[i], rows, more.bits);
  }
  if (matrix.d) append_rows(out, "D", *matrix.d, x.m, shape.d_bits);
  out[start] = '{';
  if (!matrix.extra.empty()) out.append(",").append(matrix.extra);
  out += '}';
}

void take_apart(const MatrixCase& matrix, const CaseShape& shape, int index, Case& into) {
  const Matrices& x = matrix.operands;
  const Element at{index / x.n, index % x.n, x.m, x.n};
  const auto place = static_cast<std::size_t>(index);
  take_row(x.a, at.row, x.k, into.a);
  take_column(x.b, at.column, x.n, into.b);
  into.c = x.c[place];
  take_row(x.scale_a, at.row, static_cast<int>(x.scale_a.size()) / x.m, into.scale_a);
  take_column(x.scale_b, at.column, x.n, into.scale_b);
  into.more.clear();
  for (std::size_t i = 0; i < shape.more.size(); ++i) {
    const int codes = x.k / shape.k * shape.more[i].count;
    for (int t = 0; t < codes; ++t)
      into.more.push_back(x.more[i][code_place(shape.more[i].owner, {at.row, at.column}, x.n, codes, t)]);
  }
  into.d.reset();
  if (matrix.d) into.d = (*matrix.d)[place];
  into.extra = index == 0 ? matrix.extra : "";
  into.element = at;
}

bool put_together(const Case& element, const CaseShape& shape, MatrixCase& into) {
  const Element& at = *element.element;
  Matrices& x = into.operands;
  if (at.row == 0 && at.column == 0) {
    into = {};
    x.m = at.rows;
    x.n = at.columns;
    x.k = static_cast<int>(element.a.size());
    into.extra = element.extra;
    if (element.d) into.d.emplace();
    x.more.resize(shape.more.size());
  }
  put_more(element, shape, x);
  if (at.column == 0) {
    append(element.a, x.a);
    append(element.scale_a, x.scale_a);
  }
  if (at.row == 0) {
    put_column(element.b, at.column, x.n, x.b);
    put_column(element.scale_b, at.column, x.n, x.scale_b);
  }
  x.c.push_back(element.c);
  if (into.d) into.d->push_back(element.d.value_or(0));
  return at.row == x.m - 1 && at.column == x.n - 1;
}

}  // namespace assay
