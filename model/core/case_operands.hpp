// What a case brings beside a, b, c and the pair of block scales: scales of one side, zero points, random words. One
// list, in the order of a vector file; whoever reads, writes, draws or shows a case goes through it.
#pragma once

#include <string>
#include <vector>

#include "model/core/datapath.hpp"
#include "model/core/number.hpp"
#include "model/core/range.hpp"

namespace assay {

enum class CaseOperandKind { scale, zero_point, random };

struct CaseOperand {
  std::string name;
  CaseOperandKind kind = CaseOperandKind::scale;
  Side of = Side::a;  // not of random words
  Format format;
  Range range;
  int block = 1;  // elements of k that share a code; of random words 0: one a rounding
  int count = 0;
  int first = 0;  // of its codes among those of all in the list

  int end() const { return first + count; }
};

// Random words of `bits` bits.
Format random_format(int bits);

// Whether whoever takes codes for `changed` finds all of them among those made for `right`, each in its place.
bool are_within(const std::vector<CaseOperand>& changed, const std::vector<CaseOperand>& right);

// Numbers of k elements in blocks.
inline int blocks_of(int k, int block) { return (k - 1) / block + 1; }

// q - z, exactly, of integers.
Number minus_zero_point(const Number& q, const Number& z);
Number integer_number(int value);

}  // namespace assay
