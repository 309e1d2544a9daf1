// Formats whose codes are read by a rule of their own, each in a file model/core/rule_NAME.cpp.
#pragma once

#include <optional>

#include "model/core/format.hpp"

namespace assay {

struct RuleParameter {
  std::string_view name;
  std::string_view takes;  // for docs and messages: "3 to 16", "s or u"
};

struct FormatRule {
  std::string_view name;
  std::string_view says;
  std::vector<RuleParameter> parameters;
  // Fills in the format from its parameters; a sentence where they are wrong.
  std::string (*complete)(Format&);
};

const std::vector<FormatRule>& rules();
const FormatRule* find_rule(std::string_view name);
std::string rule_names();

// The parameter as a number between two ends; nothing, and a sentence in `wrong`, where it is none.
std::optional<int> parameter(const Format& format, const std::string& name, int least, int greatest,
                             std::string& wrong);

FormatRule posit_rule();
FormatRule prefix_rule();
FormatRule p3109_rule();

}  // namespace assay
