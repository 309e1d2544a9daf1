// Stage multiply as C, where a product goes on as carry-save rows.
#pragma once

#include <string>
#include <vector>

#include "model/core/plan.hpp"
#include "tb/source/c_words.hpp"

namespace assay {

// A round in which rows become fewer: so many threes of them become two each, and the others follow.
struct CompressRound {
  int rows = 0, threes = 0;

  int left() const { return rows - threes; }
};

// Until there are two; of a tree.
std::vector<CompressRound> rounds_of_tree(int rows);

// Groups of so many digits each, one behind the other: all but maybe the last, and that one.
struct DigitGroups {
  int digits = 0, count = 0;
  int before = 0;  // groups that stand before them
};
std::vector<DigitGroups> groups_of_digits(const RowsPlan& plan);

// The function multiply_rows, and those that it calls.
std::string c_multiply_rows(const Plan& plan, const CWords& words);

}  // namespace assay
