// Exports as NumPy's .npz.
#include "tb/export/export_format.hpp"
#include "tb/export/npz_archive.hpp"

namespace assay {
namespace {

constexpr const char* npz_file = "vectors.npz";
// NumPy's names of the unsigned integers; those of one byte have no byte order.
std::string descr(const Column& column) { return (column.bytes() == 1 ? "|u" : "<u") + std::to_string(column.bytes()); }

std::string shape(const Column& column, std::uint64_t cases) {
  return "(" + std::to_string(cases) + (column.list ? ", " + std::to_string(column.elements) : ",") + ")";
}

std::uint32_t crc_of(const std::string& header, const std::string& file) {
  std::uint32_t crc = npz_crc(0, header);
  each_piece(file, [&](std::string_view text) { crc = npz_crc(crc, text); });
  return crc;
}

void check_size(const WrittenColumns& written) {
  std::uint64_t bytes = 1 << 16;  // of headers and the directory, at most
  for (const std::uint64_t column : written.bytes) bytes += column;
  if (bytes <= most_npz_bytes) return;
  const std::string file = written.folder.shown(npz_file);
  throw Error{file +
              " cannot be written: it would be larger than the 4 GiB that zip has room for; export fewer "
              "cases, or export to safetensors."};
}

}  // namespace

std::vector<ArrayPlace> assemble_npz(const WrittenColumns& written, const ExportFacts&) {
  check_size(written);
  PartFile out(written.folder, npz_file);
  std::vector<ArrayPlace> places;
  std::string directory;
  for (std::size_t i = 0; i < written.columns.size(); ++i) {
    const Column& column = written.columns[i];
    const std::string header = npy_header(descr(column), shape(column, written.cases));
    const NpzEntry entry{column.name + ".npy", crc_of(header, written.folder / column.name),
                         static_cast<std::uint32_t>(header.size() + written.bytes[i]),
                         static_cast<std::uint32_t>(out.bytes())};
    directory += npz_directory_entry(entry);
    out.add(npz_local_header(entry) + header);
    places.push_back({"uint" + std::to_string(8 * column.bytes()), out.name(), out.bytes()});
    out.add_file(column.name);
  }
  const std::uint64_t offset = out.bytes();
  out.add(directory + npz_end_of_directory(written.columns.size(), directory.size(), offset));
  out.finish();
  return places;
}

// What stands before an array: the end of its local header - how long its name is, no extra field, its name - and
// NumPy's own header.
bool npz_has_there(const PlacedColumn& place) {
  constexpr std::size_t name_length = 26;  // where it stands in a local header
  const std::string before = npz_local_header({place.column.name + ".npy", 0, 0, 0}).substr(name_length) +
                             npy_header(descr(place.column), shape(place.column, place.cases));
  const auto begin = static_cast<std::int64_t>(place.offset) - static_cast<std::int64_t>(before.size());
  return bytes_at(place.path, begin, before.size()) == before;
}

}  // namespace assay
