// The formats that cases are exported to: one row a format.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "tb/export/encoding.hpp"
#include "tb/export/part_file.hpp"
#include "tb/vectors/header.hpp"

namespace assay {

// What an export says about its cases. Refers to the plan, which must outlive it.
struct ExportFacts {
  const Plan& plan;
  VectorHeader header;  // of a vector file with the same cases
  std::string unit;     // the instruction, or the datapath's name
  std::string tool;     // "assay 0.2.0"
  std::string catalogue_sha256, datapath_sha256;
  std::string module = "dut";  // that a testbench instantiates
  bool any_nan = false;        // one NaN is as good as another
};

// Where a column ended up.
struct ArrayPlace {
  std::string type;  // as the format calls it
  std::string file;
  std::uint64_t offset = 0;  // of its first case, in bytes
};

// All cases are written, each column into the file of its own name: `Encoding` after `Encoding`, and nothing else. What
// the format's files are made of.
struct WrittenColumns {
  const OutputFolder& folder;
  const std::vector<Column>& columns;
  const std::vector<std::uint64_t>& bytes;  // of each column's file
  std::uint64_t cases;
};

// What a manifest says of a column.
struct PlacedColumn {
  const Column& column;
  std::uint64_t cases;
  std::string path;
  std::uint64_t offset;
};

struct ExportFormat {
  std::string_view name;
  std::string_view about;       // for whom
  std::string_view packing;     // how elements lie, as a sentence
  std::string_view of_results;  // what it has of cases with results only; empty: nothing that anyone would miss
  const Encoding* encoding;     // nullptr: lines of JSON, each with all of its case
  // Makes the format's files of them, and says where each column is now.
  std::vector<ArrayPlace> (*assemble)(const WrittenColumns& written, const ExportFacts& facts);
  // Whether the file itself has the column of so many cases where `place` says; nullptr: it has no arrays.
  bool (*has_there)(const PlacedColumn& place);
};

const std::vector<ExportFormat>& export_formats();

// nullptr where there is none of that name.
const ExportFormat* find_export_format(std::string_view name);

// "readmemh, c, ...": for messages.
std::string export_format_names();

inline constexpr const char* lines_file = "vectors.jsonl";

// One file a format.
std::vector<ArrayPlace> assemble_npz(const WrittenColumns& written, const ExportFacts& facts);
std::vector<ArrayPlace> assemble_safetensors(const WrittenColumns& written, const ExportFacts& facts);
std::vector<ArrayPlace> assemble_c(const WrittenColumns& written, const ExportFacts& facts);
std::vector<ArrayPlace> assemble_readmemh(const WrittenColumns& written, const ExportFacts& facts);
bool npz_has_there(const PlacedColumn& place);
bool safetensors_has_there(const PlacedColumn& place);
bool c_has_there(const PlacedColumn& place);
bool readmemh_has_there(const PlacedColumn& place);

}  // namespace assay
