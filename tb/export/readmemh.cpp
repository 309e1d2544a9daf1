// Files for $readmemh, a word a case, and a testbench that reads them.
#include <cerrno>
#include <cstdio>

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

// A file is one column, and has its name.
bool readmemh_has_there(const PlacedColumn& place) {
  const std::size_t slash = place.path.rfind('/');
  return place.offset == 0 && place.path.substr(slash + 1) == place.column.name + ".hex";
}

}  // namespace assay
