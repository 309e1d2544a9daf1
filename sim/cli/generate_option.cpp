#include "sim/cli/generate_option.hpp"

#include <fmt/format.h>

#include "model/base/in_order.hpp"
#include "model/config/yaml.hpp"
#include "sim/cli/progress.hpp"
#include "sim/program/number_option.hpp"

namespace assay {

void GenerateOptions::add(Command command) {
  add_number(command, "--level", level, {1, levels().back().number}, "How many cases to generate: " + level_names())
      .shows_default();
  add_number(command, "--cases", cases, {0, most_cases}, "How many cases to generate, in place of a level");
  add_number(command, "--seed", seed, {}, "The seed they come from").shows_default();
  command.add_option("--family", family, "Only cases of this family (see docs/vectors.md)");
  command.add_option("--shard", part, "I/N: only part I, from 1, of N that make up the whole").shows_default();
}

void GenerateOptions::exclude(Command command, CommandOption files, bool seed_too) {
  for (const char* name : {"--level", "--cases", "--family", "--shard"}) command.option(name).excludes(files);
  if (seed_too) command.option("--seed").excludes(files);
}

Generator GenerateOptions::open(const Plan& plan) const { return {plan, seed, named_family(plan, "--family", family)}; }

std::uint64_t GenerateOptions::total() const { return cases ? *cases : find_level(level)->cases; }

Shard GenerateOptions::shard() const {
  const std::size_t slash = std::min(part.find('/'), part.size());
  const auto index = whole_number(part.substr(0, slash));
  const auto count = whole_number(part.substr(std::min(slash + 1, part.size())));
  if (index && count && *index >= 1 && *index <= *count) return {*index, *count};
  throw Error{fmt::format("--shard {} is no part of a whole; say I/N with I from 1 to N, such as 2/8.", part)};
}

void GenerateOptions::each_batch(const Generator& generator, int threads, const Console& console,
                                 const std::function<void(const std::vector<Case>&)>& see) const {
  constexpr std::uint64_t batch = 1000;
  const CaseRange cases = range();
  Progress progress(console, cases.count);
  std::uint64_t done = 0;
  in_order((cases.count + batch - 1) / batch, threads,
           [&](std::uint64_t part) { return some_cases(generator, cases, part * batch, batch); },
           [&](const std::vector<Case>& made) {
             see(made);
             progress.at(done += made.size());
           });
}

std::string GenerateOptions::text(const Generator& generator) const {
  const CaseRange range = this->range();
  const std::string size = cases ? "" : fmt::format("level {}: ", level);
  const std::string count = shard().whole()
                                ? fmt::format("{} {}", grouped(range.count), range.count == 1 ? "case" : "cases")
                                : fmt::format("shard {}: {} of {} cases, from case {}", part, grouped(range.count),
                                              grouped(total()), grouped(range.first));
  const std::string of =
      family.empty() ? fmt::format("{} families in turn", generator.families().size()) : "family " + family;
  return fmt::format("{}{}, seed {}, {}", size, count, seed, of);
}

}  // namespace assay
