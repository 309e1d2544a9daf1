// Cases in blocks. A block is always the same cases in the same order in devices that were asked nothing before, so
// that what it gives does not depend on which shard it came to.
#pragma once

#include <algorithm>

#include "tb/generate/levels.hpp"

namespace assay::campaign {

struct Blocks {
  std::uint64_t cases = 0;  // in all
  std::uint64_t size = 1;   // of a block; the last one may be shorter

  std::uint64_t count() const { return cases == 0 ? 0 : (cases - 1) / size + 1; }

  // Every second one from its end, as shards of `compare` are.
  CaseRange at(std::uint64_t block) const {
    return {block * size, block + 1 < count() ? size : cases - block * size, block % 2 == 1};
  }

  // The cases of several that follow one another, all forward.
  CaseRange of(CaseRange blocks) const {
    if (blocks.count == 0) return {blocks.first * size, 0};
    const std::uint64_t end = blocks.first + blocks.count;
    return {blocks.first * size, (end >= count() ? cases : end * size) - blocks.first * size};
  }
};

// Blocks for so many cases where nobody says how large they are: enough to share out, and large enough that what a
// block costs beside its cases does not count, and that its failures say something.
inline Blocks usual_blocks(std::uint64_t cases) {
  constexpr std::uint64_t most_blocks = 1024, smallest = 1000, largest = 1'000'000;
  return {cases, std::clamp((cases + most_blocks - 1) / most_blocks, smallest, largest)};
}

}  // namespace assay::campaign
