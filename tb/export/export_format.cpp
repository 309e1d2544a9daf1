#include "tb/export/export_format.hpp"

namespace assay {

const std::vector<ExportFormat>& export_formats() {
  static const std::vector<ExportFormat> table{
      {"jsonl", "assay itself, and scripts", "Codes are strings of hexadecimal digits.", "", nullptr, nullptr, nullptr},
      {"readmemh", "SystemVerilog: $readmemh files and a self-checking testbench",
       "A word a case, element 0 in its lowest bits, elements side by side without gaps.", "d.hex and no tb.sv",
       &hex_word_encoding, assemble_readmemh, readmemh_has_there},
      {"c", "C and C++: a header of arrays", "A code in the fewest whole bytes that hold it.", "assay_d", &c_encoding,
       assemble_c, c_has_there},
      {"npz", "NumPy",
       "Codes as unsigned integers in the fewest whole bytes that hold them; view them as the format's own type.",
       "array d", &raw_encoding, assemble_npz, npz_has_there},
      {"safetensors", "PyTorch, JAX and others",
       "Codes in the fewest whole bytes that hold them, typed where the type has these very bits, else unsigned.",
       "tensor d", &raw_encoding, assemble_safetensors, safetensors_has_there},
  };
  return table;
}

const ExportFormat* find_export_format(std::string_view name) {
  for (const ExportFormat& format : export_formats()) {
    if (format.name == name) return &format;
  }
  return nullptr;
}

std::string export_format_names() {
  std::string names;
  for (const ExportFormat& format : export_formats()) names.append(names.empty() ? "" : ", ").append(format.name);
  return names;
}

}  // namespace assay
