// How many cases are made, and which of them one machine takes.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "model/base/text.hpp"

namespace assay {

struct Level {
  int number;
  std::uint64_t cases;
  std::string_view takes;  // how long, about, a comparison of two models lasts
};

const std::vector<Level>& levels();

// nullptr where there is no such level.
const Level* find_level(int number);

// "1 (5,000 cases, seconds), 2 ...": for messages.
std::string level_names();

// Cases first, first + 1, .. first + count - 1.
struct CaseRange {
  std::uint64_t first = 0;
  std::uint64_t count = 0;
};

// Part `index` of `count`, from 1.
struct Shard {
  std::uint64_t index = 1;
  std::uint64_t count = 1;

  bool whole() const { return count == 1; }

  // The shards of `cases` follow one another: each case is in one of them, and they differ in size by one at most. They
  // are runs, since families take turns: every n-th case could be of one family alone.
  CaseRange of(std::uint64_t cases) const;
};

}  // namespace assay
