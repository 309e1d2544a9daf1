// The pieces of NumPy's .npz: a zip archive of one .npy file an array, stored and not compressed, so that each array
// lies in one piece.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace assay {

inline constexpr std::uint64_t most_npz_bytes = 0xffffffff;  // of a zip archive with fields of 32 bits

// One file of the archive.
struct NpzEntry {
  std::string name;
  std::uint32_t crc = 0;
  std::uint32_t bytes = 0;
  std::uint32_t offset = 0;  // of its local header
};

// What stands before an array's elements. `descr` is NumPy's name of the type, "<u4"; `shape` a tuple, "(2, 64)".
std::string npy_header(const std::string& descr, const std::string& shape);

std::string npz_local_header(const NpzEntry& entry);
std::string npz_directory_entry(const NpzEntry& entry);
std::string npz_end_of_directory(std::size_t entries, std::size_t bytes, std::uint64_t offset);

std::uint32_t npz_crc(std::uint32_t crc, std::string_view bytes);  // goes on from `crc`, first 0

struct NpzArray {
  std::string name;
  std::string descr;
  std::vector<std::uint64_t> shape;
  std::string bytes;
};

// The whole archive. `file` is for the message where it would be too large: throws Error.
std::string npz_archive(const std::vector<NpzArray>& arrays, const std::string& file);

}  // namespace assay
