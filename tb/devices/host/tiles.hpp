// Operands of one dot product as AMX tiles that hold it in every position. Every tile has 16 rows of 64 bytes: a row of
// A holds its elements in order of k; row r of B holds, column after column, the elements of that column that share 32
// bits (2r and 2r + 1 of two bytes, 4r to 4r + 3 of one); C and D hold 16 sums of 32 bits a row.
#pragma once

#include <cstdint>
#include <cstring>

namespace assay::host {

inline constexpr int tile_rows = 16, tile_bytes = 64;
inline constexpr int tile_words = tile_rows * tile_bytes / 4;

struct Tiles {
  alignas(64) std::uint8_t a[tile_bytes];  // all rows are this one
  alignas(64) std::uint8_t b[tile_rows][tile_bytes];
  alignas(64) std::uint32_t c[tile_words];
};

template <class Element>
Tiles tiles_of(const std::uint64_t* a, const std::uint64_t* b, std::uint64_t c) {
  constexpr std::size_t k = tile_bytes / sizeof(Element);
  constexpr std::size_t together = 4 / sizeof(Element);
  Element row[k], column[k];
  for (std::size_t i = 0; i < k; ++i) {
    row[i] = static_cast<Element>(a[i]);
    column[i] = static_cast<Element>(b[i]);
  }
  Tiles tiles{};
  std::memcpy(tiles.a, row, tile_bytes);
  for (std::size_t r = 0; r < tile_rows; ++r) {
    for (std::size_t n = 0; n < tile_bytes; n += 4) std::memcpy(&tiles.b[r][n], &column[r * together], 4);
  }
  for (std::uint32_t& word : tiles.c) word = static_cast<std::uint32_t>(c);
  return tiles;
}

}  // namespace assay::host
