// The tables of number formats in the shared folder: what every code means, and what numbers become.
#pragma once

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "tb/tests/source_dir.hpp"

namespace assay::test {

inline std::filesystem::path formats_folder() {
  const char* shared = std::getenv("ASSAY_SHARED");
  return std::filesystem::path(shared != nullptr ? shared : source_dir() + "/../shared") / "formats";
}

using CsvRow = std::vector<std::string>;

inline CsvRow split_at_commas(const std::string& line) {
  CsvRow row(1);
  for (const char c : line) {
    if (c == ',') {
      row.emplace_back();
    } else if (c != '\r') {
      row.back() += c;
    }
  }
  return row;
}

// Without the line of names.
inline std::vector<CsvRow> rows_of(const std::filesystem::path& file) {
  std::ifstream in(file);
  std::vector<CsvRow> rows;
  std::string line;
  std::getline(in, line);
  while (std::getline(in, line)) rows.push_back(split_at_commas(line));
  return rows;
}

inline std::vector<std::filesystem::path> csv_files(const std::filesystem::path& folder) {
  std::vector<std::filesystem::path> files;
  std::error_code ignored;
  for (const auto& entry : std::filesystem::directory_iterator(folder, ignored)) files.push_back(entry.path());
  return files;
}

// The dossier's name as we spell it; its other names are ours or ml_dtypes'.
inline std::string our_name(const std::string& stem) { return stem == "e8m0" ? "ue8m0" : stem; }

}  // namespace assay::test
