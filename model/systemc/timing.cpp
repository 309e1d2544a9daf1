#include "model/systemc/timing.hpp"

namespace assay::systemc {
namespace {

constexpr std::uint64_t hash_start = 0xcbf29ce484222325;

// FNV-1a over the bytes of a name, and over those of numbers.
std::uint64_t hash_byte(std::uint64_t hash, unsigned byte) { return (hash ^ byte) * 0x100000001b3; }

std::uint64_t hash_number(std::uint64_t hash, std::uint64_t number) {
  for (int shift = 0; shift < 64; shift += 8) hash = hash_byte(hash, static_cast<unsigned>(number >> shift & 0xff));
  return hash;
}

}  // namespace

Timing steady(int depth) {
  return {[depth](const std::string&) { return depth; }, nullptr};
}

std::function<int(const std::string&, std::uint64_t)> random_stalls(std::uint64_t seed) {
  return [seed](const std::string& module, std::uint64_t number) {
    std::uint64_t hash = hash_number(hash_start, seed);
    for (const char c : module) hash = hash_byte(hash, static_cast<unsigned char>(c));
    const auto pick = static_cast<int>(hash_number(hash, number) >> 40 & 7);
    return pick < 4 ? 0 : pick - 3;
  };
}

}  // namespace assay::systemc
