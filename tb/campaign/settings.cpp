#include "tb/campaign/settings.hpp"

#include <fmt/format.h>

#include <charconv>
#include <filesystem>

#include "model/base/text.hpp"
#include "tb/run/comparison.hpp"

namespace assay::campaign {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t most_cases = 1'000'000'000'000'000;

}  // namespace

std::uint64_t whole_in(const YamlValue& value, std::uint64_t least, std::uint64_t most) {
  const std::string text = value.text();
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc{} || end != text.data() + text.size() || number < least || number > most)
    value.fail(fmt::format("a whole number from {} to {} belongs here; found '{}'.", least, most, text));
  return number;
}

std::uint64_t whole_of(const YamlValue& file, const std::string& key, std::uint64_t usual, std::uint64_t least,
                       std::uint64_t most) {
  const auto value = file.find(key);
  return value ? whole_in(*value, least, most) : usual;
}

std::vector<std::string> words_of(const YamlValue& file, const std::string& key) {
  const auto value = file.find(key);
  if (!value) return {};
  if (!value->is_list()) return {value->text()};
  if (value->items().empty()) value->fail("this list is empty; name at least one, or leave the key out.");
  return value->texts();
}

std::string path_from(const std::string& folder, const std::string& path) {
  return (fs::path(folder) / path).lexically_normal().string();
}

std::string device_from(const std::string& folder, const std::string& spec) {
  const std::size_t colon = spec.find(':');
  if (colon == std::string::npos) return spec;
  const std::string argument = spec.substr(colon + 1), file = argument.substr(0, argument.rfind('#'));
  std::error_code unreachable;
  const bool is_file = fs::is_regular_file(path_from(folder, file), unreachable);
  return is_file ? spec.substr(0, colon + 1) + path_from(folder, argument) : spec;
}

std::vector<Subject> subjects_in(const Order& order) {
  const auto datapath = order.file.find("datapath"), instruction = order.file.find("instruction");
  if (datapath && instruction) datapath->fail("`instruction` says already what is computed; leave one of the two out.");
  if (datapath) return {subject_of_file(order.catalogue, path_from(order.folder, datapath->text()))};
  std::vector<Subject> subjects;
  for (const std::string& name : words_of(order.file, "instruction")) {
    if (const auto one = order.catalogue.find_instruction(name)) {
      subjects.push_back(subject_of(order.catalogue, *one));
      continue;
    }
    for (const Architecture& a : order.catalogue.architectures()) {
      if (name != "all" && &order.catalogue.architecture(name) != &a) continue;
      for (const Instruction& i : a.instructions) subjects.push_back(subject_of(order.catalogue, i));
    }
  }
  return subjects;
}

Generator CasesChosen::generator(const Plan& plan) const { return {plan, seed, named_family(plan, "family", family)}; }

std::string CasesChosen::text(const Generator& generator) const {
  return fmt::format(
      "{}{}, seed {}, {}", level == 0 ? "" : fmt::format("level {}: ", level),
      grouped(blocks.cases) + (blocks.cases == 1 ? " case" : " cases"), seed,
      family.empty() ? fmt::format("{} families in turn", generator.families().size()) : "family " + family);
}

CasesChosen cases_in(const YamlValue& file) {
  CasesChosen chosen;
  const auto cases = file.find("cases"), level = file.find("level");
  if (cases && level) level->fail("`cases` says already how many there are; leave one of the two out.");
  if (!cases) chosen.level = static_cast<int>(whole_of(file, "level", 1, 1, levels().size()));
  const std::uint64_t count = cases ? whole_in(*cases, 1, most_cases) : find_level(chosen.level)->cases;
  chosen.blocks = usual_blocks(count);
  chosen.blocks.size = whole_of(file, "block", chosen.blocks.size, 1, most_cases);
  chosen.seed = whole_of(file, "seed", 1, 0, std::numeric_limits<std::uint64_t>::max());
  if (const auto family = file.find("family")) chosen.family = family->text();
  return chosen;
}

NanRule nan_in(const YamlValue& file, const Subject& subject) {
  const auto rule = file.find("nan");
  if (!rule) return nan_rule_of(subject);
  return rule->one_of({"bits", "any"}) == 0 ? NanRule::bits : NanRule::any;
}

}  // namespace assay::campaign
