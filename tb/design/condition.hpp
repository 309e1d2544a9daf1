// A condition between what varies: a point for which it is false is none of the space.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "model/config/yaml.hpp"
#include "tb/explore/study.hpp"

namespace assay::design {

enum class Relation { less, at_most, equal, unlike, at_least, more };

std::optional<long> number_in(const std::string& text);  // a whole one, and nothing else

// An axis held to another one, or to one of its values: "acc >= product + 2".
struct Held {
  std::size_t axis = 0;
  Relation relation = Relation::equal;
  std::optional<std::size_t> other;  // an axis; else `value`
  std::string value;
  long plus = 0;  // what is added to the other side
};

struct Condition {
  std::string text;  // as given
  Held held;
  std::optional<Held> where;  // behind `if`: elsewhere the condition says nothing

  // `values` are one index for each axis.
  bool holds(const std::vector<StudyAxis>& axes, const std::vector<int>& values) const;
};

// Throws Error where the text is none, or asks for the order of values that are no whole numbers.
Condition read_condition(const YamlValue& value, const std::vector<StudyAxis>& axes);

}  // namespace assay::design
