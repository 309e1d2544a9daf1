#include "sim/cli/generate_option.hpp"

#include <fmt/format.h>

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

}  // namespace

void GenerateOptions::add(CLI::App& command) {
  command.add_option("--cases", cases, "How many cases to generate")->capture_default_str();
  command.add_option("--seed", seed, "The seed they come from")->capture_default_str();
  command.add_option("--family", family, "Only cases of this family (see docs/vectors.md)");
}

Generator GenerateOptions::open(const Plan& plan) const { return {plan, seed, named_family(plan, family)}; }

}  // namespace assay
