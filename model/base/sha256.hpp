// SHA-256 (FIPS 180-4).
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

namespace assay {

// 64 lower-case hex digits.
std::string sha256(std::string_view text);

// Of what a file holds; empty where it cannot be read.
std::string file_sha256(const std::string& path);

// The same of a text that comes in pieces.
class Sha256 {
 public:
  void add(std::string_view text);
  std::string digits() const;  // of all that was added

 private:
  std::array<std::uint32_t, 8> state_ = initial;
  std::string rest_;  // less than a block
  std::uint64_t bytes_ = 0;

  // The first 32 fraction bits of the square roots of the first 8 primes.
  static constexpr std::array<std::uint32_t, 8> initial{0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                                        0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
};

}  // namespace assay
