// manifest.json: what an export is of, and what its files must be.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "tb/export/column.hpp"

namespace assay {

inline constexpr const char* manifest_file = "manifest.json";
inline constexpr int export_version = 1;

struct ManifestArray {
  std::string name;    // a, b, ...
  std::string number;  // the format of its codes ...
  int bits = 0;        // ... and their stored width
  int elements = 0;    // of a case
  std::string type;    // as the export's format calls it
  std::string file;
  std::uint64_t offset = 0, bytes = 0;  // in that file
};

struct ManifestFile {
  std::string name;
  std::uint64_t bytes = 0;
  std::string sha256;
};

struct Manifest {
  std::string format, packing;
  std::string tool, catalogue_sha256;
  std::string unit, datapath_sha256;
  std::string header;              // of the vector file it comes back as: its first line
  std::optional<std::uint64_t> k;  // terms of a case, for people and for a check
  std::uint64_t cases = 0, cases_with_d = 0;
  std::uint64_t cases_that_lost_members = 0;  // ids, tags and the like, for which the format has no place
  std::vector<ManifestArray> arrays;
  std::vector<ManifestFile> files;
};

std::string print_manifest(const Manifest& manifest, const Plan& plan);

// Throws ScanError.
Manifest parse_manifest(std::string text);

// Size and SHA-256 of a file. Throws Error.
ManifestFile described(const std::string& path, const std::string& name);

}  // namespace assay
