#include "model/base/sha256.hpp"

#include "model/base/hex.hpp"

#include <algorithm>
#include <fstream>

namespace assay {
namespace {

using Word = std::uint32_t;
using State = std::array<Word, 8>;

constexpr std::size_t block_bytes = 64;

// The first 32 fraction bits of the cube roots of the first 64 primes.
constexpr std::array<Word, 64> constants{
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

Word rotated(Word x, int right) { return x >> right | x << (32 - right); }

// What follows the message: a one bit, zeros, and its length in bits as 64 bits, up to a whole number of blocks.
//   text 80 00 .. 00 llllllllllllllll
std::string padding(std::uint64_t bytes) {
  std::string end = "\x80";
  while ((bytes + end.size()) % block_bytes != block_bytes - 8) end += '\0';
  for (int low = 56; low >= 0; low -= 8) end += static_cast<char>(8 * bytes >> low & 0xff);
  return end;
}

std::array<Word, 64> schedule(std::string_view block) {
  std::array<Word, 64> w{};
  for (std::size_t i = 0; i < block_bytes; ++i) w[i / 4] = w[i / 4] << 8 | static_cast<unsigned char>(block[i]);
  for (std::size_t i = 16; i < 64; ++i) {
    const Word s0 = rotated(w[i - 15], 7) ^ rotated(w[i - 15], 18) ^ w[i - 15] >> 3;
    const Word s1 = rotated(w[i - 2], 17) ^ rotated(w[i - 2], 19) ^ w[i - 2] >> 10;
    w[i] = w[i - 16] + s0 + w[i - 7] + s1;
  }
  return w;
}

State compressed(const State& before, std::string_view block) {
  const std::array<Word, 64> w = schedule(block);
  auto [a, b, c, d, e, f, g, h] = before;
  for (std::size_t i = 0; i < 64; ++i) {
    const Word s1 = rotated(e, 6) ^ rotated(e, 11) ^ rotated(e, 25);
    const Word choice = (e & f) ^ (~e & g);
    const Word t1 = h + s1 + choice + constants[i] + w[i];
    const Word s0 = rotated(a, 2) ^ rotated(a, 13) ^ rotated(a, 22);
    const Word majority = (a & b) ^ (a & c) ^ (b & c);
    h = g, g = f, f = e, e = d + t1, d = c, c = b, b = a, a = t1 + s0 + majority;
  }
  return {before[0] + a, before[1] + b, before[2] + c, before[3] + d,
          before[4] + e, before[5] + f, before[6] + g, before[7] + h};
}

}  // namespace

void Sha256::add(std::string_view text) {
  bytes_ += text.size();
  if (!rest_.empty()) {
    const std::size_t missing = std::min(block_bytes - rest_.size(), text.size());
    rest_.append(text.substr(0, missing));
    text.remove_prefix(missing);
    if (rest_.size() < block_bytes) return;
    state_ = compressed(state_, rest_);
    rest_.clear();
  }
  for (; text.size() >= block_bytes; text.remove_prefix(block_bytes))
    state_ = compressed(state_, text.substr(0, block_bytes));
  rest_ = text;
}

std::string Sha256::digits() const {
  Sha256 padded = *this;
  padded.add(padding(bytes_));
  std::string digits;
  for (const Word word : padded.state_) digits += hex_text(word, 8);
  return digits;
}

std::string sha256(std::string_view text) {
  Sha256 hash;
  hash.add(text);
  return hash.digits();
}

std::string file_sha256(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  if (!in.is_open()) return "";
  Sha256 hash;
  std::string chunk(1 << 20, '\0');
  while (in.read(chunk.data(), static_cast<std::streamsize>(chunk.size())) || in.gcount() > 0)
    hash.add({chunk.data(), static_cast<std::size_t>(in.gcount())});
  return hash.digits();
}

}  // namespace assay
