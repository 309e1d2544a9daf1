// Files for $readmemh, a word a case, and a testbench that reads them.
#include <cerrno>
#include <cstdio>
#include <filesystem>

#include "model/base/descriptor.hpp"
#include "tb/export/export_format.hpp"
#include "tb/export/testbench.hpp"

namespace assay {
namespace {

std::string word_type(const Column& column) {
  return "logic [" + std::to_string(column.elements * column.bits() - 1) + ":0]";
}

void rename_part(const OutputFolder& folder, const std::string& from, const std::string& to) {
  if (std::rename((folder / from).c_str(), (folder / to).c_str()) == 0) return;
  const std::string file = folder.shown(to);
  throw Error{file + " cannot be put in place: " + reason_of(errno) + "."};
}

}  // namespace

std::vector<ArrayPlace> assemble_readmemh(const WrittenColumns& written, const ExportFacts& facts) {
  std::vector<ArrayPlace> places;
  for (const Column& column : written.columns) {
    places.push_back({word_type(column), column.name + ".hex"});
    rename_part(written.folder, column.name, places.back().file);
  }
  const bool with_d = written.columns.back().member == CaseMember::d;
  if (with_d) write_part(written.folder, "tb.sv", testbench(written.columns, written.cases, facts));
  return places;
}

// A file is one column, no more, and has its name.
bool readmemh_has_there(const PlacedColumn& place) {
  const std::filesystem::path file = place.path;
  std::error_code none;
  return place.offset == 0 && file.filename() == place.column.name + ".hex" &&
         std::filesystem::file_size(file, none) == place.cases * hex_word_encoding.width(place.column);
}

}  // namespace assay
