// Text with places that are filled in.
#pragma once

#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace assay {

struct Filling {
  std::string_view place;  // NAME of @NAME@
  std::string with;
};

std::string fill(std::string text, std::initializer_list<Filling> fillings);

// A number in decimal digits.
inline std::string n_text(int value) { return std::to_string(value); }

// Each line behind two more spaces.
std::string indented(const std::string& text);

// Statements, each a line indented by two, in braces: a single one on the line itself.
std::string braced(const std::string& statements);

// A table of numbers, rows x columns, as an expression of the names of a row and of a column: a formula where one fits,
// else a look at a table of that name, which `declarations` then has.
struct IndexTable {
  std::vector<std::vector<int>> rows;

  bool is_one_number() const;
  // In terms of the names of a row and a column; nothing where no formula fits.
  std::optional<std::string> formula(const std::string& row, const std::string& column) const;
};
std::string looked_up(const IndexTable& table, const std::string& name, const std::string& row,
                      const std::string& column, std::string& declarations);

}  // namespace assay
