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

// Cases first, first + 1, .. first + count - 1; the last one first where it is `backward`.
struct CaseRange {
  std::uint64_t first = 0;
  std::uint64_t count = 0;
  bool backward = false;

  std::uint64_t at(std::uint64_t i) const { return backward ? first + (count - 1 - i) : first + i; }
  // `length` of them, in the same order, from the i-th on.
  CaseRange part(std::uint64_t i, std::uint64_t length) const {
    return {backward ? first + (count - i - length) : first + i, length, backward};
  }
};

// Part `index` of `count`, from 1.
struct Shard {
  std::uint64_t index = 1;
  std::uint64_t count = 1;

  bool whole() const { return count == 1; }

  // The shards of `cases` follow one another: each case is in one of them, and they differ in size by one at most. They
  // are runs, since families take turns: every n-th case could be of one family alone.
  CaseRange of(std::uint64_t cases) const;

  // The same, every second shard from its end: a unit whose results depend on what came before meets other neighbours.
  CaseRange in_turn(std::uint64_t cases) const;
};

}  // namespace assay
