// The SystemVerilog testbench that goes with $readmemh files.
#pragma once

#include <string>
#include <vector>

#include "tb/export/export_format.hpp"

namespace assay {

// It drives a combinational module with the ports that export-sv gives its own, and compares d. The last column is d.
std::string testbench(const std::vector<Column>& columns, std::uint64_t cases, const ExportFacts& facts);

}  // namespace assay
