#include "tb/design/condition.hpp"

#include <algorithm>
#include <charconv>
#include <sstream>

namespace assay::design {
namespace {

const std::vector<std::string_view> relations{"<", "<=", "=", "!=", ">=", ">"};

std::vector<std::string> words_of(const std::string& text) {
  std::istringstream in(text);
  std::vector<std::string> words;
  for (std::string word; in >> word;) words.push_back(word);
  return words;
}

class Reader {
 public:
  Reader(const YamlValue& value, const std::vector<StudyAxis>& axes) : value_(value), axes_(axes) {}

  Condition read() {
    Condition condition{value_.text(), {}, {}};
    std::vector<std::string> words = words_of(condition.text);
    const auto at = std::find(words.begin(), words.end(), "if");
    condition.held = held({words.begin(), at});
    if (at != words.end()) condition.where = held({at + 1, words.end()});
    return condition;
  }

 private:
  [[noreturn]] void fail(const std::string& sentence) const { value_.fail(sentence); }

  std::optional<std::size_t> axis_named(const std::string& name) const {
    for (std::size_t i = 0; i < axes_.size(); ++i) {
      if (axes_[i].name == name) return i;
    }
    return std::nullopt;
  }

  // NAME RELATION NAME|VALUE [+|- NUMBER]
  Held held(const std::vector<std::string>& words) const {
    const bool is_shifted = words.size() == 5 && (words[3] == "+" || words[3] == "-");
    if (words.size() != 3 && !is_shifted)
      fail("a condition such as 'acc >= product + 2' or 'F <= 20 if cut = down' is needed here, found '" +
           value_.text() + "'; words stand apart.");
    Held held;
    const auto axis = axis_named(words[0]);
    if (!axis) fail("'" + words[0] + "' is no axis of `vary`.");
    held.axis = *axis;
    held.relation = static_cast<Relation>(value_.with_text(words[1]).one_of(relations));
    held.other = axis_named(words[2]);
    held.value = words[2];
    if (is_shifted) {
      const auto number = number_in(words[4]);
      if (!number) fail("a whole number is needed behind " + words[3] + ", found '" + words[4] + "'.");
      held.plus = words[3] == "+" ? *number : -*number;
    }
    check(held, is_shifted);
    return held;
  }

  void check(const Held& held, bool is_shifted) const {
    const bool by_order = held.relation != Relation::equal && held.relation != Relation::unlike;
    if (by_order || is_shifted) {
      check_numbers(axes_[held.axis]);
      if (held.other) check_numbers(axes_[*held.other]);
      if (!held.other && !number_in(held.value)) fail("'" + held.value + "' is neither an axis nor a whole number.");
      return;
    }
    const auto& values = axes_[held.axis].values;
    if (!held.other && std::none_of(values.begin(), values.end(), [&](const auto& v) { return v.label == held.value; }))
      fail("'" + held.value + "' is neither an axis nor a value of '" + axes_[held.axis].name + "'.");
  }

  void check_numbers(const StudyAxis& axis) const {
    for (const AxisValue& v : axis.values) {
      if (!number_in(v.label))
        fail("the values of '" + axis.name + "' have no order, since '" + v.label +
             "' is no whole number; compare them by = or !=.");
    }
  }

  const YamlValue& value_;
  const std::vector<StudyAxis>& axes_;
};

bool is_so(const Held& held, const std::vector<StudyAxis>& axes, const std::vector<int>& values) {
  const auto label = [&](std::size_t axis) -> const std::string& {
    return axes[axis].values[static_cast<std::size_t>(values[axis])].label;
  };
  const std::string& left = label(held.axis);
  const std::string& right = held.other ? label(*held.other) : held.value;
  const auto x = number_in(left), y = number_in(right);
  if (!x || !y) return (left == right) == (held.relation == Relation::equal);
  const long shifted = *y + held.plus;
  switch (held.relation) {
    case Relation::less: return *x < shifted;
    case Relation::at_most: return *x <= shifted;
    case Relation::equal: return *x == shifted;
    case Relation::unlike: return *x != shifted;
    case Relation::at_least: return *x >= shifted;
    case Relation::more: return *x > shifted;
  }
  return false;
}

}  // namespace

std::optional<long> number_in(const std::string& text) {
  long number = 0;
  const char* const end = text.data() + text.size();
  const auto read = std::from_chars(text.data(), end, number);
  return read.ec == std::errc{} && read.ptr == end ? std::optional<long>(number) : std::nullopt;
}

bool Condition::holds(const std::vector<StudyAxis>& axes, const std::vector<int>& values) const {
  return (where && !is_so(*where, axes, values)) || is_so(held, axes, values);
}

Condition read_condition(const YamlValue& value, const std::vector<StudyAxis>& axes) {
  return Reader(value, axes).read();
}

}  // namespace assay::design
