// One case as one line of JSON, both ways.
#pragma once

#include <string>
#include <string_view>

#include "tb/devices/device.hpp"
#include "tb/vectors/scan.hpp"

namespace assay {

// How many elements of how many stored bits a case of one instruction has.
struct CaseShape {
  int k = 0;
  int scales = 0;  // on each side
  int a_bits = 0, b_bits = 0, c_bits = 0, d_bits = 0, scale_bits = 0;
  bool pad = false;  // shorter a and b are filled with zero bits

  // The longest line that can be such a case, in bytes, generously: four lists, 16 digits with quotes, comma and
  // spaces.
  std::size_t longest_line() const;
};

CaseShape case_shape(const Plan& plan, bool pad = false);

// Everything but the case's number. `into` keeps its memory from case to case. Throws ScanError.
void read_case(std::string_view line, const CaseShape& shape, Case& into);

// Without the newline.
void append_case(std::string& out, const Case& c, const CaseShape& shape);

// "a":[...],"b":[...],"c":"..." and the scales where there are any: what a device needs.
void append_operands(std::string& out, const Case& c, const CaseShape& shape);

}  // namespace assay
