// What stands in RTL that yosys and Verilator are known to read otherwise, by its text: the table of docs/prove.md.
#pragma once

#include <string>
#include <vector>

#include "tb/devices/rtl/dut.hpp"

namespace assay {

struct ReadOtherwise {
  std::string file;
  int line = 0;
  std::string what;  // "~W'(..)", and how it is read or what is read alike
};

// Of one text.
std::vector<ReadOtherwise> read_otherwise(const std::string& text, const std::string& file);

// Of a unit's sources and of what these include, each file once. What cannot be opened is passed over.
std::vector<ReadOtherwise> read_otherwise(const Dut& dut);

}  // namespace assay
