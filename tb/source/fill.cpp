#include "tb/source/fill.hpp"

#include <algorithm>
#include <climits>

#include "model/base/text.hpp"

namespace assay {
namespace {

// "3 * i"; empty for nothing.
std::string times(int factor, const std::string& name) {
  return factor == 0 ? "" : factor == 1 ? name : std::to_string(factor) + " * " + name;
}

std::string plus(const std::string& x, const std::string& y) { return x.empty() || y.empty() ? x + y : x + " + " + y; }

// The fewest bytes that hold all of them, none of which is below zero.
std::string type_of(int greatest) { return greatest < 256 ? "uint8_t" : greatest < 65'536 ? "uint16_t" : "int32_t"; }

std::string row_text(const std::vector<int>& row) {
  std::vector<std::string> words;
  for (const int value : row) words.push_back(std::to_string(value));
  return "{" + joined(words) + "}";
}

}  // namespace

std::string fill(std::string text, std::initializer_list<Filling> fillings) {
  for (const Filling& f : fillings) text = replaced(std::move(text), "@" + std::string(f.place) + "@", f.with);
  return text;
}

std::string indented(const std::string& text) {
  std::string more;
  for (const std::string& line : split(text, '\n')) more += (line.empty() ? "" : "  " + line) + "\n";
  more.pop_back();
  return more;
}

std::string braced(const std::string& statements) {
  const bool is_one = std::count(statements.begin(), statements.end(), '\n') == 1;
  return is_one ? "{ " + statements.substr(2, statements.size() - 3) + " }" : "{\n" + statements + "}";
}

bool IndexTable::is_one_number() const {
  return std::all_of(rows.begin(), rows.end(), [&](const auto& row) {
    return std::all_of(row.begin(), row.end(), [&](int value) { return value == rows.front().front(); });
  });
}

std::optional<std::string> IndexTable::formula(const std::string& row, const std::string& column) const {
  const int first = rows.front().front();
  const int by_row = rows.size() > 1 ? rows[1].front() - first : 0;
  const int by_column = rows.front().size() > 1 ? rows.front()[1] - first : 0;
  if (by_row < 0 || by_column < 0) return std::nullopt;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    for (std::size_t j = 0; j < rows[i].size(); ++j) {
      if (rows[i][j] != first + by_row * static_cast<int>(i) + by_column * static_cast<int>(j)) return std::nullopt;
    }
  }
  const std::string sum = plus(times(by_row, row), times(by_column, column));
  return first == 0 && !sum.empty() ? sum : plus(sum, std::to_string(first));
}

std::string looked_up(const IndexTable& table, const std::string& name, const std::string& row,
                      const std::string& column, std::string& declarations) {
  if (const auto formula = table.formula(row, column)) return *formula;
  const auto& rows = table.rows;
  int greatest = 0;
  std::vector<std::string> lines;
  for (const auto& values : rows) {
    greatest = std::max(greatest, *std::max_element(values.begin(), values.end()));
    lines.push_back(row_text(values));
  }
  const bool one_row = rows.size() == 1;
  const Wrapping how{100, "      ", "      ", " ", ""};
  declarations += "  static const " + type_of(greatest) + " " + name +
                  (one_row ? "" : "[" + std::to_string(rows.size()) + "]") + "[" + std::to_string(rows[0].size()) +
                  "] =\n" + wrapped(split(one_row ? lines.front() : "{" + joined(lines) + "}", ' '), how);
  declarations.insert(declarations.size() - 1, ";");
  return name + (one_row ? "" : "[" + row + "]") + "[" + column + "]";
}

}  // namespace assay
