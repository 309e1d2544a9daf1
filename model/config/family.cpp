#include "model/config/family.hpp"

#include "model/base/text.hpp"

namespace assay {
namespace {

constexpr std::size_t most = 4096;  // of one family

std::vector<std::string> words_of(const YamlValue& values) {
  if (!values.is_mapping()) return values.texts();
  std::vector<std::string> keys;
  for (const auto& member : values.members()) keys.push_back(member.first);
  return keys;
}

}  // namespace

std::string filled(const YamlValue& where, const std::string& pattern, const Binding& binding) {
  std::string text;
  for (std::size_t i = 0; i < pattern.size(); ++i) {
    if (pattern[i] != '{') {
      text += pattern[i];
      continue;
    }
    const std::size_t end = pattern.find('}', i);
    const std::string name = end == std::string::npos ? "" : pattern.substr(i + 1, end - i - 1);
    const auto value = binding.find(lower(name));
    if (value == binding.end()) {
      std::vector<std::string> names;
      for (const auto& member : binding) names.push_back(member.first);
      where.fail("'{" + name + "}' is no variable of this family; it has " + (names.empty() ? "none" : joined(names)) +
                 ".");
    }
    text += name == lower(name) ? value->second : upper(value->second);
    i = end;
  }
  return text;
}

std::vector<Binding> bindings(const YamlValue& lists, const std::string& things) {
  std::vector<Binding> all{{}};
  for (const auto& [name, values] : lists.members()) {
    const std::vector<std::string> texts = words_of(values);
    if (all.size() * texts.size() > most)
      lists.fail("these lists make more than " + std::to_string(most) + " " + things + ".");
    std::vector<Binding> longer;
    for (const Binding& binding : all) {
      for (const std::string& value : texts) {
        longer.push_back(binding);
        longer.back()[name] = value;
      }
    }
    all = std::move(longer);
  }
  return all;
}

std::vector<Binding> meanings(const YamlValue& lists, std::vector<Binding> all) {
  for (const auto& [name, values] : lists.members()) {
    if (!values.is_mapping()) continue;
    for (Binding& binding : all) binding[name] = values.at(binding[name]).text();
  }
  return all;
}

}  // namespace assay
