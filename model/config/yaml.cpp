#include "model/config/yaml.hpp"

#include <yaml-cpp/eventhandler.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdio>
#include <sstream>

#include "model/config/files.hpp"

namespace assay {
namespace {

constexpr std::size_t longest_key = 100;
constexpr std::size_t longest_json = 1 << 20;
constexpr int deepest_json = 64;

std::vector<std::string> strings(const std::vector<std::string_view>& views) { return {views.begin(), views.end()}; }

std::size_t edit_distance(std::string_view x, std::string_view y) {
  std::vector<std::size_t> row(y.size() + 1);
  for (std::size_t j = 0; j <= y.size(); ++j) row[j] = j;
  for (std::size_t i = 1; i <= x.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i;
    for (std::size_t j = 1; j <= y.size(); ++j) {
      const std::size_t above = row[j];
      row[j] = std::min({above + 1, row[j - 1] + 1, diagonal + (x[i - 1] == y[j - 1] ? 0 : 1)});
      diagonal = above;
    }
  }
  return row[y.size()];
}

class Nothing : public YAML::EventHandler {
 public:
  void OnDocumentStart(const YAML::Mark&) override {}
  void OnDocumentEnd() override {}
  void OnNull(const YAML::Mark&, YAML::anchor_t) override {}
  void OnAlias(const YAML::Mark&, YAML::anchor_t) override {}
  void OnScalar(const YAML::Mark&, const std::string&, YAML::anchor_t, const std::string&) override {}
  void OnSequenceStart(const YAML::Mark&, const std::string&, YAML::anchor_t, YAML::EmitterStyle::value) override {}
  void OnSequenceEnd() override {}
  void OnMapStart(const YAML::Mark&, const std::string&, YAML::anchor_t, YAML::EmitterStyle::value) override {}
  void OnMapEnd() override {}
};

// Whether anything follows the first document. YAML::LoadAll would find out too, but never ends where a ',' or ']'
// stands alone: it takes one empty document after another from it.
bool has_second_document(const std::string& text) {
  std::istringstream in(text);
  YAML::Parser parser(in);
  Nothing nothing;
  return parser.HandleNextDocument(nothing) && parser.HandleNextDocument(nothing);
}

// yaml-cpp reports its own errors with a mark; ours look alike.
[[noreturn]] void fail_at(const std::string& name, const YAML::Mark& mark, const std::string& message) {
  const std::string line = mark.is_null() ? "" : ":" + std::to_string(mark.line + 1);
  throw ConfigError{name + line + ": This is not YAML: " + message + "."};
}

void append_quoted(const std::string& text, std::string& json) {
  json += '"';
  for (const char c : text) {
    const auto code = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') {
      json += std::string("\\") + c;
    } else if (code < 0x20) {
      const char* const digits = "0123456789abcdef";
      json += std::string("\\u00") + digits[code >> 4] + digits[code & 15];
    } else {
      json += c;
    }
  }
  json += '"';
}

// A few aliases of aliases can stand for a billion values, one within itself for any number: both ends are bounded.
void append_json(const YamlValue& value, int depth, std::string& json) {
  if (depth > deepest_json) value.fail("nested deeper than " + std::to_string(deepest_json) + " levels.");
  if (json.size() > longest_json) value.fail("with all aliases written out this is longer than 1 MiB.");
  if (value.is_scalar()) return append_quoted(value.text(), json);
  const char* separator = value.is_list() ? "[" : "{";
  if (value.is_list()) {
    const std::vector<YamlValue> items = value.items();
    if (items.empty()) json += separator;
    for (const YamlValue& item : items) {
      json += std::exchange(separator, ",");
      append_json(item, depth + 1, json);
    }
    json += ']';
    return;
  }
  const auto members = value.members();
  if (members.empty()) json += separator;
  for (const auto& [key, member] : members) {
    json += std::exchange(separator, ",");
    append_quoted(key, json);
    json += ':';
    append_json(member, depth + 1, json);
  }
  json += '}';
}

}  // namespace

void YamlValue::fail(const std::string& message) const {
  const std::string where = file_ + ":" + std::to_string(line()) + ": ";
  throw ConfigError{where + (key_.empty() ? "" : key_ + ": ") + message};
}

std::string YamlValue::found() const {
  if (node_.IsMap()) return "a mapping";
  if (node_.IsSequence()) return "a list";
  if (!node_.IsScalar() || node_.Scalar().empty()) return "nothing";
  return "'" + node_.Scalar().substr(0, 60) + "'";
}

YamlValue YamlValue::with_text(const std::string& text) const {
  YAML::Node copy = YAML::Clone(node_);  // keeps the mark
  copy = text;
  return YamlValue(file_, key_, copy);
}

YamlValue YamlValue::with_number(int number) const {
  YamlValue value = with_text(std::to_string(number));  // what messages show
  value.number_ = number;
  return value;
}

YamlValue YamlValue::called(std::string key) const {
  YamlValue value = *this;
  value.key_ = std::move(key);
  return value;
}

std::string YamlValue::text() const {
  if (!node_.IsScalar() || node_.Scalar().empty()) fail("a word is needed here, found " + found() + ".");
  return node_.Scalar();
}

int YamlValue::integer(int least, int greatest) const {
  const std::string range = "a whole number from " + std::to_string(least) + " to " + std::to_string(greatest);
  if (!node_.IsScalar()) fail(range + " is needed here, found " + found() + ".");
  const std::string& s = node_.Scalar();
  int value = 0;
  const auto [end, error] = std::from_chars(s.data(), s.data() + s.size(), value);
  const bool is_number = number_ || (error == std::errc{} && end == s.data() + s.size());
  if (number_) value = *number_;
  if (!is_number || value < least || value > greatest) fail(range + " is needed here, found " + found() + ".");
  return value;
}

double YamlValue::real(double least, double greatest) const {
  std::array<char, 64> range{};
  std::snprintf(range.data(), range.size(), "a number from %g to %g", least, greatest);
  const std::string needed = std::string(range.data()) + " is needed here, found ";
  if (!node_.IsScalar()) fail(needed + found() + ".");
  const std::string& s = node_.Scalar();
  double value = 0;
  const auto [end, error] = std::from_chars(s.data(), s.data() + s.size(), value);
  if (error != std::errc{} || end != s.data() + s.size() || !(value >= least && value <= greatest))
    fail(needed + found() + ".");
  return value;
}

std::uint64_t YamlValue::hex(const std::string& instead) const {
  const std::string needed = "1 to 16 hexadecimal digits without prefix" + instead + " are needed here, found ";
  if (!node_.IsScalar()) fail(needed + found() + ".");
  const std::string& s = node_.Scalar();
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(s.data(), s.data() + s.size(), value, 16);
  if (s.empty() || s.size() > 16 || s[0] == '-' || error != std::errc{} || end != s.data() + s.size()) {
    fail(needed + found() + ".");
  }
  return value;
}

bool YamlValue::boolean() const { return one_of({"false", "true"}) == 1; }

std::size_t YamlValue::one_of(const std::vector<std::string_view>& choices) const {
  const std::string found_text = node_.IsScalar() ? node_.Scalar() : "";
  const auto at = std::find(choices.begin(), choices.end(), found_text);
  if (at == choices.end()) {
    fail("found " + found() + "; the choices are " + joined(strings(choices)) + nearest(found_text, strings(choices)));
  }
  return static_cast<std::size_t>(at - choices.begin());
}

std::vector<YamlValue> YamlValue::items() const {
  if (!node_.IsSequence()) fail("a list is needed here, found " + found() + ".");
  std::vector<YamlValue> values;
  for (std::size_t i = 0; i < node_.size(); ++i) {
    values.emplace_back(file_, key_ + "[" + std::to_string(i) + "]", node_[i]);
  }
  return values;
}

std::vector<std::string> YamlValue::texts() const {
  std::vector<std::string> result;
  for (const YamlValue& item : items()) result.push_back(item.text());
  return result;
}

std::vector<std::pair<std::string, YamlValue>> YamlValue::members() const {
  if (!node_.IsMap()) fail("a mapping is needed here, found " + found() + ".");
  std::vector<std::pair<std::string, YamlValue>> values;
  std::set<std::string> seen;
  for (const auto& member : node_) {
    const YamlValue name(file_, key_, member.first);
    if (!name.is_scalar()) name.fail("a key must be a word, found " + name.found() + ".");
    const std::string& key = member.first.Scalar();
    if (key.size() > longest_key) {
      name.fail("a key of " + std::to_string(key.size()) + " characters begins with '" + key.substr(0, 60) +
                "'; none is longer than " + std::to_string(longest_key) + ".");
    }
    if (!seen.insert(key).second) name.fail("the key '" + key + "' is given twice.");
    values.emplace_back(key, YamlValue(file_, key_.empty() ? key : key_ + "." + key, member.second));
  }
  return values;
}

YamlValue YamlValue::at(const std::string& key) const {
  const auto value = find(key);
  if (!value) fail("the key '" + key + "' is missing.");
  return *value;
}

std::optional<YamlValue> YamlValue::find(const std::string& key) const {
  for (const auto& [name, value] : members()) {
    if (name == key) return value;
  }
  return std::nullopt;
}

void YamlValue::only(const std::vector<std::string_view>& keys) const {
  members();  // each key is a word, and none is there twice
  for (const auto& member : node_) {
    const std::string& name = member.first.Scalar();
    if (std::find(keys.begin(), keys.end(), name) != keys.end()) continue;
    const YamlValue unknown(file_, key_.empty() ? name : key_ + "." + name, member.first);
    unknown.fail(unknown_key(name, keys));
  }
}

std::string unknown_key(const std::string& key, const std::vector<std::string_view>& keys) {
  return "unknown key; the keys here are " + joined(strings(keys)) + nearest(key, strings(keys));
}

YamlValue read_yaml_text(const std::string& text, const std::string& name) {
  if (text.find('\0') != std::string::npos)
    throw ConfigError{name + ": A NUL byte stands in this file; it is not YAML."};
  try {
    const YAML::Node document = YAML::Load(text);
    const bool several = has_second_document(text);
    if (several || !document.IsMap()) {
      throw ConfigError{name + ": One YAML mapping is needed, found " + (several ? "several documents" : "none") + "."};
    }
    return YamlValue(name, "", document);
  } catch (const YAML::Exception& e) {
    fail_at(name, e.mark, e.msg);
  }
}

std::string read_config_text(const std::string& path) { return read_whole_file(path, 4, "a configuration"); }

YamlValue read_yaml_file(const std::string& path) { return read_yaml_text(read_config_text(path), path); }

std::string json_text(const YamlValue& value) {
  std::string json;
  append_json(value, 0, json);
  return json;
}

std::string quoted_text(const std::string& text) {
  std::string quoted;
  append_quoted(text, quoted);
  return quoted;
}

std::string nearest(std::string_view found, const std::vector<std::string>& choices) {
  if (found.size() > longest_key) return ".";
  std::size_t best = std::max<std::size_t>(2, found.size() / 4) + 1;
  const std::string* choice = nullptr;
  for (const std::string& candidate : choices) {
    if (candidate.size() >= found.size() + best) continue;  // farther away than that, whatever it says
    const std::size_t distance = edit_distance(found, candidate);
    if (distance < best) best = distance, choice = &candidate;
  }
  return choice == nullptr ? "." : "; did you mean '" + *choice + "'?";
}

std::string joined(const std::vector<std::string>& items) {
  std::string text;
  for (const std::string& item : items) text += (text.empty() ? "" : ", ") + item;
  return text;
}

}  // namespace assay
