// Tiles are packed as the vendor's manual reads them: its formula, applied to the packed tiles, gives the dot product
// at every row and column. No machine that executes them is needed.
#include "tb/devices/host/tiles.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace assay::host {
namespace {

using Codes = std::vector<std::uint64_t>;

// The manual, of tdpbuud:  for m, k, n: C.row[m].dword[n] += sum over i of A.row[m].byte[4k + i] * B.row[k].byte[4n +
// i]
std::uint32_t bytes_at(const Tiles& t, int m, int n) {
  std::uint32_t sum = t.c[m * 16 + n];
  for (int k = 0; k < tile_bytes / 4; ++k) {
    for (int i = 0; i < 4; ++i) sum += std::uint32_t{t.a[4 * k + i]} * t.b[k][4 * n + i];
  }
  return sum;
}

// of tdpbf16ps:  .. A.row[m].word[2k + i] * B.row[k].word[2n + i], i = 0 and 1; here of the codes as integers.
std::uint32_t words_at(const Tiles& t, int m, int n) {
  const auto word = [](const std::uint8_t* row, int i) {
    return std::uint32_t{row[2 * i]} | std::uint32_t{row[2 * i + 1]} << 8;
  };
  std::uint32_t sum = t.c[m * 16 + n];
  for (int k = 0; k < tile_bytes / 4; ++k) {
    for (int i = 0; i < 2; ++i) sum += word(t.a, 2 * k + i) * word(t.b[k], 2 * n + i);
  }
  return sum;
}

Codes counted(int count, int from, int step) {
  Codes codes;
  for (int i = 0; i < count; ++i) codes.push_back(static_cast<std::uint64_t>(from + step * i));
  return codes;
}

std::uint32_t dot(const Codes& a, const Codes& b, std::uint64_t c) {
  auto sum = static_cast<std::uint32_t>(c);
  for (std::size_t i = 0; i < a.size(); ++i) sum += static_cast<std::uint32_t>(a[i] * b[i]);
  return sum;
}

TEST(Tiles, HoldBytesAsTheManualReadsThem) {
  const Codes a = counted(64, 1, 3), b = counted(64, 250, -2);
  const Tiles tiles = tiles_of<std::uint8_t>(a.data(), b.data(), 1000);
  for (int m = 0; m < 16; ++m) {
    for (int n = 0; n < 16; ++n) ASSERT_EQ(bytes_at(tiles, m, n), dot(a, b, 1000)) << m << " " << n;
  }
}

TEST(Tiles, HoldPairsAsTheManualReadsThem) {
  const Codes a = counted(32, 300, 7), b = counted(32, 9000, -11);
  const Tiles tiles = tiles_of<std::uint16_t>(a.data(), b.data(), 5);
  for (int m = 0; m < 16; ++m) {
    for (int n = 0; n < 16; ++n) ASSERT_EQ(words_at(tiles, m, n), dot(a, b, 5)) << m << " " << n;
  }
}

}  // namespace
}  // namespace assay::host
