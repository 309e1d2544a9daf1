#include "model/config/datapath_text.hpp"

#include <fmt/format.h>

#include <utility>

#include "model/base/json.hpp"
#include "model/core/fields.hpp"

namespace assay {
namespace {

// A word that YAML takes for what it is; any other text in quotes.
std::string scalar(const std::string& text) {
  const bool is_plain =
      text.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789_") == std::string::npos && !text.empty();
  return is_plain && text != "null" ? text : json_string(text);
}

// Keys and what stands there, in order.
using Members = std::vector<std::pair<std::string, std::string>>;

std::string mapping(const Members& members) {
  std::string text;
  for (const auto& [key, value] : members) text += (text.empty() ? "" : ", ") + key + ": " + value;
  return "{" + text + "}";
}

std::string list(const std::vector<std::string>& items) {
  std::string text;
  for (const std::string& item : items) text += (text.empty() ? "" : ", ") + item;
  return "[" + text + "]";
}

// Each word by the type of its value.
class WordText {
 public:
  // What a file has to say for the struct to be read as it is.
  template <class S>
  static Members members(const S& s) {
    std::vector<std::pair<std::string, Members>> told;  // the words "scale.format" and "scale.block" under `scale`
    each_row<S>([&](const auto& row) {
      if (!row.applies(s) && !row.is_idle(s)) return;
      const bool needed = row.required && row.applies(s);
      if (!needed && same(s.*row.member, row.fallback())) return;
      const std::size_t dot = row.key.find('.');
      const std::string head(row.key.substr(0, dot));
      if (told.empty() || told.back().first != head) told.push_back({head, {}});
      told.back().second.emplace_back(dot == std::string_view::npos ? "" : row.key.substr(dot + 1),
                                      of(row, s.*row.member));
    });
    Members whole;
    for (const auto& [head, words] : told)
      whole.emplace_back(head, words.front().first.empty() ? words.front().second : mapping(words));
    return whole;
  }

 private:
  template <class Row, class Enum>
  static std::enable_if_t<std::is_enum_v<Enum>, std::string> of(const Row&, Enum value) {
    return std::string(word(value));
  }
  template <class Row>
  static std::string of(const Row& row, bool value) {
    return std::string(row.of_flag[value ? 1 : 0]);
  }
  template <class Row>
  static std::string of(const Row&, int value) {
    return std::to_string(value);
  }
  template <class Row>
  static std::string of(const Row&, const std::string& value) {
    return scalar(value);
  }
  template <class Row>
  static std::string of(const Row&, const std::optional<Code>& value) {
    return fmt::format("{:x}", value.value_or(0));
  }
  template <class Row>
  static std::string of(const Row&, const Nan& value) {
    if (value.has_order()) return mapping(members(value.order));
    return value.propagate ? "propagate" : value.with_sign ? "signed" : fmt::format("{:x}", value.code);
  }
  template <class Row, class S>
  static std::enable_if_t<has_rows<S>, std::string> of(const Row&, const S& value) {
    return mapping(members(value));
  }
  template <class Row, class V>
  static std::string of(const Row& row, const std::optional<V>& value) {
    return value ? of(row, *value) : std::string(row.nothing);
  }

  template <class Row>
  static std::string of(const Row&, const std::vector<Input>& inputs) {
    Members told;
    for (const Input& input : inputs)
      told.emplace_back(scalar(input.source), says_only(input) ? "exact" : mapping(members(input)));
    return mapping(told);
  }
  template <class Row>
  static std::string of(const Row&, const std::map<std::string, std::string>& parameters) {
    Members told;
    for (const auto& [name, value] : parameters) told.emplace_back(scalar(name), scalar(value));
    return mapping(told);
  }
  template <class Row>
  static std::string of(const Row&, const std::vector<std::string>& texts) {
    std::vector<std::string> items;
    for (const std::string& text : texts) items.push_back(scalar(text));
    return list(items);
  }
  template <class Row>
  static std::string of(const Row&, const std::vector<Scale>& scales) {
    Members told;
    for (const Scale& scale : scales) told.emplace_back(scalar(scale.name), mapping(members(scale)));
    return mapping(told);
  }
  template <class Row>
  static std::string of(const Row&, const std::vector<Format>& formats) {
    Members told;
    for (const Format& format : formats) told.emplace_back(scalar(format.name), mapping(members(format)));
    return mapping(told);
  }
  template <class S>
  static std::string list_of(const std::vector<S>& all) {
    std::vector<std::string> items;
    for (const S& one : all) items.push_back(mapping(members(one)));
    return list(items);
  }
  template <class Row>
  static std::string of(const Row&, const std::vector<Result>& results) {
    return list_of(results);
  }
  template <class Row>
  static std::string of(const Row&, const std::vector<Recut>& again) {
    return list_of(again);
  }
  template <class Row>
  static std::string of(const Row&, const std::vector<SlicePair>& pairs) {
    return list_of(pairs);
  }
  // A line for each word.
  template <class Row>
  static std::string of(const Row&, const std::vector<Adder>& adders) {
    std::string text;
    for (const Adder& adder : adders) {
      const char* begin = "\n  - ";
      for (const auto& [key, value] : members(adder)) text += std::exchange(begin, "\n    ") + key + ": " + value;
    }
    return text.empty() ? "[]" : text;
  }
};

}  // namespace

std::string yaml_text(const Datapath& datapath, std::optional<int> k) {
  std::string text = "name: " + scalar(datapath.name) + "\n";
  if (k) text += fmt::format("k: {}\n", *k);
  for (const auto& [key, value] : WordText::members(datapath))
    text += key + (value.front() == '\n' ? ":" : ": ") + value + "\n";
  return text;
}

}  // namespace assay
