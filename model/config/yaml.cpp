#include "model/config/yaml.hpp"

#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdio>
#include <sstream>

#include "model/base/files.hpp"
#include "model/base/json.hpp"
#include "model/base/read_double.hpp"

namespace assay {

struct YamlNode {
  YAML::Node value;
};

namespace {

constexpr std::size_t longest_key = 100;
constexpr std::size_t longest_json = 1 << 20;
constexpr int deepest_json = 64;

std::vector<std::string> strings(const std::vector<std::string_view>& views) { return {views.begin(), views.end()}; }

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
  throw Error{name + line + ": This is not YAML: " + message + "."};
}

// A few aliases of aliases can stand for a billion values, one within itself for any number: both ends are bounded.
void append_json(const YamlValue& value, int depth, std::string& json) {
  if (depth > deepest_json) value.fail("nested deeper than " + std::to_string(deepest_json) + " levels.");
  if (json.size() > longest_json) value.fail("with all aliases written out this is longer than 1 MiB.");
  if (value.is_scalar()) return append_quoted(json, value.text());
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
    append_quoted(json, key);
    json += ':';
    append_json(member, depth + 1, json);
  }
  json += '}';
}

}  // namespace

YamlValue::YamlValue(std::string file, std::string key, YamlNode node)
    : file_(std::move(file)), key_(std::move(key)), node_(std::make_shared<const YamlNode>(std::move(node))) {}

int YamlValue::line() const { return node_->value.Mark().line + 1; }
bool YamlValue::is_mapping() const { return node_->value.IsMap(); }
bool YamlValue::is_list() const { return node_->value.IsSequence(); }
bool YamlValue::is_scalar() const { return node_->value.IsScalar(); }
bool YamlValue::is_none() const { return is_scalar() && node_->value.Scalar() == "none"; }

std::string YamlValue::place() const { return file_ + ":" + std::to_string(line()); }

void YamlValue::fail(const std::string& message) const {
  throw Error{place() + ": " + (key_.empty() ? "" : key_ + ": ") + message};
}

std::string YamlValue::found() const {
  if (is_mapping()) return "a mapping";
  if (is_list()) return "a list";
  if (!is_scalar() || node_->value.Scalar().empty()) return "nothing";
  return "'" + node_->value.Scalar().substr(0, 60) + "'";
}

YamlValue YamlValue::with_text(const std::string& text) const {
  YAML::Node copy = YAML::Clone(node_->value);  // keeps the mark
  copy = text;
  return YamlValue(file_, key_, {copy});
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
  if (!is_scalar() || node_->value.Scalar().empty()) fail("a word is needed here, found " + found() + ".");
  return node_->value.Scalar();
}

int YamlValue::integer(int least, int greatest) const {
  const std::string range = "a whole number from " + std::to_string(least) + " to " + std::to_string(greatest);
  if (!is_scalar()) fail(range + " is needed here, found " + found() + ".");
  const std::string& s = node_->value.Scalar();
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
  if (!is_scalar()) fail(needed + found() + ".");
  const std::string& s = node_->value.Scalar();
  double value = 0;
  const auto [end, error] = read_double(s.data(), s.data() + s.size(), value);
  if (error != std::errc{} || end != s.data() + s.size() || !(value >= least && value <= greatest))
    fail(needed + found() + ".");
  return value;
}

std::uint64_t YamlValue::hex(const std::string& instead) const {
  const std::string needed = "1 to 16 hexadecimal digits without prefix" + instead + " are needed here, found ";
  if (!is_scalar()) fail(needed + found() + ".");
  const std::string& s = node_->value.Scalar();
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(s.data(), s.data() + s.size(), value, 16);
  if (s.empty() || s.size() > 16 || s[0] == '-' || error != std::errc{} || end != s.data() + s.size()) {
    fail(needed + found() + ".");
  }
  return value;
}

bool YamlValue::boolean() const { return one_of({"false", "true"}) == 1; }

std::size_t YamlValue::one_of(const std::vector<std::string_view>& choices) const {
  const std::string found_text = is_scalar() ? node_->value.Scalar() : "";
  const auto at = std::find(choices.begin(), choices.end(), found_text);
  if (at == choices.end()) {
    fail("found " + found() + "; the choices are " + joined(strings(choices)) + nearest(found_text, strings(choices)));
  }
  return static_cast<std::size_t>(at - choices.begin());
}

std::vector<YamlValue> YamlValue::items() const {
  if (!is_list()) fail("a list is needed here, found " + found() + ".");
  std::vector<YamlValue> values;
  for (std::size_t i = 0; i < node_->value.size(); ++i) {
    values.emplace_back(file_, key_ + "[" + std::to_string(i) + "]", YamlNode{node_->value[i]});
  }
  return values;
}

std::vector<std::string> YamlValue::texts() const {
  std::vector<std::string> result;
  for (const YamlValue& item : items()) result.push_back(item.text());
  return result;
}

std::vector<std::pair<std::string, YamlValue>> YamlValue::members() const {
  if (!is_mapping()) fail("a mapping is needed here, found " + found() + ".");
  std::vector<std::pair<std::string, YamlValue>> values;
  std::set<std::string> seen;
  for (const auto& member : node_->value) {
    const YamlValue name(file_, key_, {member.first});
    if (!name.is_scalar()) name.fail("a key must be a word, found " + name.found() + ".");
    const std::string& key = member.first.Scalar();
    if (key.size() > longest_key) {
      name.fail("a key of " + std::to_string(key.size()) + " characters begins with '" + key.substr(0, 60) +
                "'; none is longer than " + std::to_string(longest_key) + ".");
    }
    if (!seen.insert(key).second) name.fail("the key '" + key + "' is given twice.");
    values.emplace_back(key, YamlValue(file_, key_.empty() ? key : key_ + "." + key, {member.second}));
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
  for (const auto& member : node_->value) {
    const std::string& name = member.first.Scalar();
    if (std::find(keys.begin(), keys.end(), name) != keys.end()) continue;
    const YamlValue unknown(file_, key_.empty() ? name : key_ + "." + name, {member.first});
    unknown.fail(unknown_key(name, keys));
  }
}

std::string unknown_key(const std::string& key, const std::vector<std::string_view>& keys) {
  return "unknown key; the keys here are " + joined(strings(keys)) + nearest(key, strings(keys));
}

YamlValue read_yaml_text(const std::string& text, const std::string& name) {
  if (text.find('\0') != std::string::npos) throw Error{name + ": A NUL byte stands in this file; it is not YAML."};
  try {
    const YAML::Node document = YAML::Load(text);
    const bool several = has_second_document(text);
    if (several || !document.IsMap()) {
      throw Error{name + ": One YAML mapping is needed, found " + (several ? "several documents" : "none") + "."};
    }
    return YamlValue(name, "", {document});
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

}  // namespace assay
