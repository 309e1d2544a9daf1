// What a case brings beside a, b, c and the pair of block scales: scales of one side, zero points, a mask, random
// words. One list, in the order of a vector file; whoever reads, writes, draws or shows a case goes through it.
#pragma once

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "model/core/datapath.hpp"
#include "model/core/number.hpp"
#include "model/core/range.hpp"

namespace assay {

enum class CaseOperandKind { scale, zero_point, mask, random };

struct CaseOperand {
  std::string name;
  CaseOperandKind kind = CaseOperandKind::scale;
  Side of = Side::a;  // not of random words; a mask is a's, whose row it lies beside in a matrix
  Format format;
  Range range;
  int block = 1;  // elements of k that share a code; of random words 0: one a rounding
  int count = 0;
  int first = 0;  // of its codes among those of all in the list
  Mask pattern = {};

  int end() const { return first + count; }
};

// What those operands are called that no datapath names itself, as it names its scales.
inline constexpr std::array<std::string_view, 4> further_operand_names{"zero_a", "zero_b", "mask", "random"};
inline bool is_further_operand(std::string_view name) {
  return std::find(further_operand_names.begin(), further_operand_names.end(), name) != further_operand_names.end();
}

// Random words of `bits` bits; the bits of a mask.
Format random_format(int bits);
Format mask_format();

// Why these `count` codes are no mask of the pattern, as a sentence that begins with `name`; nothing where they are
// one.
std::string mask_problem(const std::string& name, const Mask& pattern, const Code* codes, int count);
// The same of what a case brings, whatever its kind. `codes`: of all in the list.
std::string mask_problem(const CaseOperand& operand, const Code* codes);

// Bit `index` of the mask that is meant where none is said: all on, or the first of each group.
inline Code plain_mask_bit(const Mask& pattern, int index) {
  return !pattern.has_pattern() || index % *pattern.among < *pattern.take ? 1 : 0;
}

// Whether whoever takes codes for `changed` finds all of them among those made for `right`, each in its place.
bool are_within(const std::vector<CaseOperand>& changed, const std::vector<CaseOperand>& right);

// Numbers of k elements in blocks.
inline int blocks_of(int k, int block) { return (k - 1) / block + 1; }

// q - z, exactly, of integers.
Number minus_zero_point(const Number& q, const Number& z);
Number integer_number(int value);

}  // namespace assay
