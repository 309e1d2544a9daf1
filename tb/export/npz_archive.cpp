#include "tb/export/npz_archive.hpp"

#include <zlib.h>

#include "model/base/error.hpp"

namespace assay {
namespace {

void put(std::string& out, std::uint64_t value, int bytes) {
  for (int i = 0; i < bytes; ++i) out += static_cast<char>(value >> (8 * i) & 0xff);
}

// What a local header and an entry of the directory have in common. The date is the first that zip knows, so that the
// same cases make the same file.
std::string description(const NpzEntry& entry) {
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

std::string shape_text(const std::vector<std::uint64_t>& shape) {
  std::string text = "(";
  for (std::size_t i = 0; i < shape.size(); ++i) text += (i == 0 ? "" : ", ") + std::to_string(shape[i]);
  return text + (shape.size() == 1 ? ",)" : ")");
}

}  // namespace

// The magic, version 1.0, the length of what follows, and a dictionary, padded so that the data are on a multiple
// of 64.
std::string npy_header(const std::string& descr, const std::string& shape) {
  std::string dictionary = "{'descr': '" + descr + "', 'fortran_order': False, 'shape': " + shape + ", }";
  while ((10 + dictionary.size() + 1) % 64 != 0) dictionary += ' ';
  dictionary += '\n';
  std::string header("\x93NUMPY\x01\x00", 8);
  put(header, dictionary.size(), 2);
  return header + dictionary;
}

std::string npz_local_header(const NpzEntry& entry) { return "PK\x03\x04" + description(entry) + entry.name; }

std::string npz_directory_entry(const NpzEntry& entry) {
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

std::string npz_end_of_directory(std::size_t entries, std::size_t bytes, std::uint64_t offset) {
  std::string text("PK\x05\x06\0\0\0\0", 8);
  put(text, entries, 2);
  put(text, entries, 2);
  put(text, bytes, 4);
  put(text, offset, 4);
  put(text, 0, 2);  // no comment
  return text;
}

std::uint32_t npz_crc(std::uint32_t crc, std::string_view bytes) {
  return static_cast<std::uint32_t>(crc32_z(crc, reinterpret_cast<const Bytef*>(bytes.data()), bytes.size()));
}

std::string npz_archive(const std::vector<NpzArray>& arrays, const std::string& file) {
  std::string archive, directory;
  for (const NpzArray& array : arrays) {
    const std::string header = npy_header(array.descr, shape_text(array.shape));
    const std::uint64_t bytes = header.size() + array.bytes.size();
    if (archive.size() + bytes > most_npz_bytes - (1 << 16))
      throw Error{file + " cannot be written: it would be larger than the 4 GiB that zip has room for."};
    const NpzEntry entry{array.name + ".npy", npz_crc(npz_crc(0, header), array.bytes),
                         static_cast<std::uint32_t>(bytes), static_cast<std::uint32_t>(archive.size())};
    directory += npz_directory_entry(entry);
    archive += npz_local_header(entry) + header + array.bytes;
  }
  const std::uint64_t offset = archive.size();
  return archive + directory + npz_end_of_directory(arrays.size(), directory.size(), offset);
}

}  // namespace assay
