// What an export holds of each case, as arrays: a, b, c, the scales, d.
#pragma once

#include <string>
#include <vector>

#include "tb/devices/device.hpp"

namespace assay {

enum class CaseMember { a, b, c, scale_a, scale_b, more, d };

struct Column {
  CaseMember member = CaseMember::a;
  std::string name;
  Format format;     // of its codes
  int elements = 1;  // of one case
  bool list = true;  // false of c and d, which are single numbers
  int first = 0;     // of its codes, for CaseMember::more

  int bits() const { return format.stored_bits; }
  int bytes() const { return element_bytes(bits()); }  // of one element in memory
};

// In the order in which they are written.
std::vector<Column> columns(const Plan& plan, bool with_d);

// The column's codes in a case ...
const Code* codes_of(const Case& c, const Column& column);

// ... and where they go in one.
Code* room_for(const Column& column, Case& c);

}  // namespace assay
