#include "tb/generate/levels.hpp"

#include <algorithm>

#include "model/core/integer.hpp"

namespace assay {

const std::vector<Level>& levels() {
  static const std::vector<Level> table{{1, 5'000, "seconds"}, {2, 2'000'000, "minutes"}, {3, 200'000'000, "hours"}};
  return table;
}

const Level* find_level(int number) {
  const auto found =
      std::find_if(levels().begin(), levels().end(), [number](const Level& l) { return l.number == number; });
  return found == levels().end() ? nullptr : &*found;
}

std::string level_names() {
  std::string names;
  for (const Level& l : levels()) {
    names += (names.empty() ? "" : ", ") + std::to_string(l.number) + " (" + grouped(l.cases) + " cases, " +
             std::string(l.takes) + ")";
  }
  return names;
}

CaseRange Shard::of(std::uint64_t cases) const {
  const auto end = [&](std::uint64_t shards) { return static_cast<std::uint64_t>(u128{cases} * shards / count); };
  const std::uint64_t first = end(index - 1);
  return {first, end(index) - first};
}

CaseRange Shard::in_turn(std::uint64_t cases) const {
  CaseRange range = of(cases);
  range.backward = index % 2 == 0;
  return range;
}

}  // namespace assay
