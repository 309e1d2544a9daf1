// NumPy's .npz: a zip archive of one .npy file an array, stored and not compressed, so that each array lies in one
// piece.
#include <zlib.h>

#include "tb/export/export_format.hpp"

namespace assay {
namespace {

constexpr const char* npz_file = "vectors.npz";
constexpr std::uint64_t most_bytes = 0xffffffff;  // of a zip archive with fields of 32 bits

// One entry of the archive.
struct Entry {
  std::string name;
  std::uint32_t crc;
  std::uint32_t bytes;
  std::uint32_t offset;  // of its local header
};

void put(std::string& out, std::uint64_t value, int bytes) {
  for (int i = 0; i < bytes; ++i) out += static_cast<char>(value >> (8 * i) & 0xff);
}

// NumPy's names of the unsigned integers; those of one byte have no byte order.
std::string descr(const Column& column) { return (column.bytes() == 1 ? "|u" : "<u") + std::to_string(column.bytes()); }

std::string shape(const Column& column, std::uint64_t cases) {
  return "(" + std::to_string(cases) + (column.list ? ", " + std::to_string(column.elements) : ",") + ")";
}

// The magic, version 1.0, the length of what follows, and a dictionary, padded so that the data are on a multiple
// of 64.
std::string npy_header(const Column& column, std::uint64_t cases) {
  std::string dictionary =
      "{'descr': '" + descr(column) + "', 'fortran_order': False, 'shape': " + shape(column, cases) + ", }";
  while ((10 + dictionary.size() + 1) % 64 != 0) dictionary += ' ';
  dictionary += '\n';
  std::string header("\x93NUMPY\x01\x00", 8);
  put(header, dictionary.size(), 2);
  return header + dictionary;
}

// What a local header and an entry of the directory have in common. The date is the first that zip knows, so that the
// same cases make the same file.
std::string description(const Entry& entry) {
  std::string text;
  put(text, 20, 2);          // needs version 2.0
  put(text, 0, 2);           // flags
  put(text, 0, 2);           // stored
  put(text, 0, 2);           // 00:00:00
  put(text, 1 << 5 | 1, 2);  // 1980-01-01
  put(text, entry.crc, 4);
  put(text, entry.bytes, 4);  // compressed
  put(text, entry.bytes, 4);
  put(text, entry.name.size(), 2);
  put(text, 0, 2);  // no extra field
  return text;
}

std::string local_header(const Entry& entry) { return "PK\x03\x04" + description(entry) + entry.name; }

std::string directory_entry(const Entry& entry) {
  std::string text = "PK\x01\x02";
  put(text, 20, 2);  // made by version 2.0
  text += description(entry);
  put(text, 0, 2);  // no comment
  put(text, 0, 2);  // disk
  put(text, 0, 2);  // internal attributes
  put(text, 0, 4);  // external attributes
  put(text, entry.offset, 4);
  return text + entry.name;
}

std::string end_of_directory(std::size_t entries, std::size_t bytes, std::uint64_t offset) {
  std::string text("PK\x05\x06\0\0\0\0", 8);
  put(text, entries, 2);
  put(text, entries, 2);
  put(text, bytes, 4);
  put(text, offset, 4);
  put(text, 0, 2);  // no comment
  return text;
}

std::uint32_t crc_of(const std::string& header, const std::string& file) {
  const auto add = [](uLong crc, std::string_view text) {
    return crc32_z(crc, reinterpret_cast<const Bytef*>(text.data()), text.size());
  };
  uLong crc = add(0, header);
  each_piece(file, [&](std::string_view text) { crc = add(crc, text); });
  return static_cast<std::uint32_t>(crc);
}

void check_size(const WrittenColumns& written) {
  std::uint64_t bytes = 1 << 16;  // of headers and the directory, at most
  for (const std::uint64_t column : written.bytes) bytes += column;
  if (bytes <= most_bytes) return;
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
    const std::string header = npy_header(column, written.cases);
    const Entry entry{column.name + ".npy", crc_of(header, written.folder / column.name),
                      static_cast<std::uint32_t>(header.size() + written.bytes[i]),
                      static_cast<std::uint32_t>(out.bytes())};
    directory += directory_entry(entry);
    out.add(local_header(entry) + header);
    places.push_back({"uint" + std::to_string(8 * column.bytes()), out.name(), out.bytes()});
    out.add_file(column.name);
  }
  const std::uint64_t offset = out.bytes();
  out.add(directory + end_of_directory(written.columns.size(), directory.size(), offset));
  out.finish();
  return places;
}

}  // namespace assay
