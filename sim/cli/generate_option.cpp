#include "sim/cli/generate_option.hpp"

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <charconv>

#include "model/config/yaml.hpp"

namespace assay {
namespace {

const Family* named_family(const Plan& plan, const std::string& name) {
  if (name.empty()) return nullptr;
  const Family* found = find_family(plan, name);
  if (found == nullptr) {
    throw ConfigError{
        fmt::format("--family {} is not one for this instruction; there are {}.", name, family_names(plan))};
  }
  return found;
}

// The whole number that all of `text` is; 0 where it is none.
std::uint64_t whole_number(std::string_view text) {
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc{} && end == text.data() + text.size() ? number : 0;
}

}  // namespace

void GenerateOptions::add(CLI::App& command) {
  command.add_option("--level", level, "How many cases to generate: " + level_names())->capture_default_str();
  command.add_option("--cases", cases, "How many cases to generate, in place of a level");
  command.add_option("--seed", seed, "The seed they come from")->capture_default_str();
  command.add_option("--family", family, "Only cases of this family (see docs/vectors.md)");
  command.add_option("--shard", part, "I/N: only part I, from 1, of N that make up the whole")->capture_default_str();
}

void GenerateOptions::exclude(CLI::App& command, CLI::Option* files, bool seed_too) {
  for (const char* name : {"--level", "--cases", "--family", "--shard"}) command.get_option(name)->excludes(files);
  if (seed_too) command.get_option("--seed")->excludes(files);
}

Generator GenerateOptions::open(const Plan& plan) const { return {plan, seed, named_family(plan, family)}; }

std::uint64_t GenerateOptions::total() const {
  const Level* found = find_level(level);
  if (found == nullptr) throw ConfigError{fmt::format("--level {} is none; there are {}.", level, level_names())};
  return cases.value_or(found->cases);
}

Shard GenerateOptions::shard() const {
  const std::size_t slash = std::min(part.find('/'), part.size());
  const Shard s{whole_number(part.substr(0, slash)), whole_number(part.substr(std::min(slash + 1, part.size())))};
  if (s.index >= 1 && s.index <= s.count) return s;
  throw ConfigError{fmt::format("--shard {} is no part of a whole; say I/N with I from 1 to N, such as 2/8.", part)};
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
