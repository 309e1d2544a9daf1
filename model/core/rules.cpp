#include "model/core/rules.hpp"

#include <charconv>

namespace assay {

const std::vector<FormatRule>& rules() {
  static const std::vector<FormatRule> table{posit_rule(), prefix_rule(), p3109_rule()};
  return table;
}

const FormatRule* find_rule(std::string_view name) {
  for (const FormatRule& rule : rules()) {
    if (rule.name == name) return &rule;
  }
  return nullptr;
}

std::string rule_names() {
  std::string names;
  for (const FormatRule& rule : rules()) names.append(names.empty() ? "" : ", ").append(rule.name);
  return names;
}

std::optional<int> parameter(const Format& format, const std::string& name, int least, int greatest,
                             std::string& wrong) {
  const auto found = format.parameters.find(name);
  const std::string text = found == format.parameters.end() ? "" : found->second;
  int value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error == std::errc{} && end == text.data() + text.size() && value >= least && value <= greatest) return value;
  wrong = "the rule '" + format.rule + "' needs `" + name + "`, a number from " + std::to_string(least) + " to " +
          std::to_string(greatest) + (text.empty() ? "; it is missing." : ", not '" + text + "'.");
  return std::nullopt;
}

}  // namespace assay
