// Which generated cases a command is about: how many, from which seed, of which family, and which part of them.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "sim/cli/command.hpp"
#include "tb/generate/generator.hpp"
#include "tb/generate/levels.hpp"

namespace CLI {
class Option;
}

namespace assay {

struct GenerateOptions {
  std::uint64_t seed = 1;
  std::string family;  // empty: all of them in turn
  int level = 1;
  std::optional<std::uint64_t> cases;  // in place of the level's
  std::string part = "1/1";            // --shard

  void add(Command command);
  // With `files` there is nothing to generate: an option that chooses generated cases would go without any effect.
  static void exclude(Command command, CommandOption files, bool seed_too = true);
  Generator open(const Plan& plan) const;  // a Error where the family is none of the plan's

  // ConfigErrors where there is no such part.
  std::uint64_t total() const;  // of all shards
  Shard shard() const;
  CaseRange range() const { return shard().of(total()); }

  // All cases of the range in their order, a batch at a time, made by several threads while `see` is at work, with
  // progress.
  void each_batch(const Generator& generator, int threads, const Console& console,
                  const std::function<void(const std::vector<Case>&)>& see) const;

  // "level 1: 5,000 cases, seed 1, 18 families in turn": what is made, for people.
  std::string text(const Generator& generator) const;
};

}  // namespace assay
