#include "model/config/yaml.hpp"

#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdio>
#include <map>
#include <set>
#include <sstream>

#include "model/base/files.hpp"
#include "model/base/json.hpp"
#include "model/base/read_double.hpp"
#include "model/config/yaml_tree.hpp"

namespace assay {

namespace {

using Kind = YamlNode::Kind;

constexpr std::size_t longest_key = 100;
constexpr std::size_t longest_json = 1 << 20;
constexpr int deepest_json = 64;

std::vector<std::string> strings(const std::vector<std::string_view>& views) { return {views.begin(), views.end()}; }

// Makes the nodes of one document.
class Builder : public YAML::EventHandler {
 public:
  explicit Builder(YamlDocument& document) : document_(document) {}

  const YamlNode* root() const { return root_; }

  void OnDocumentStart(const YAML::Mark&) override {}
  void OnDocumentEnd() override {}
  void OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) override { put(made(Kind::none, mark, anchor)); }
  void OnAlias(const YAML::Mark&, YAML::anchor_t anchor) override { put(anchors_.at(anchor)); }
  void OnScalar(const YAML::Mark& mark, const std::string&, YAML::anchor_t anchor, const std::string& text) override {
    YamlNode* node = made(Kind::scalar, mark, anchor);
    node->text = text;
    put(node);
  }
  void OnSequenceStart(const YAML::Mark& mark, const std::string&, YAML::anchor_t anchor,
                       YAML::EmitterStyle::value) override {
    open_.push_back(made(Kind::list, mark, anchor));
  }
  void OnSequenceEnd() override { put(closed()); }
  void OnMapStart(const YAML::Mark& mark, const std::string&, YAML::anchor_t anchor,
                  YAML::EmitterStyle::value) override {
    open_.push_back(made(Kind::mapping, mark, anchor));
  }
  void OnMapEnd() override {
    YamlNode* mapping = closed();
    check_keys(*mapping);
    put(mapping);
  }

 private:
  YamlNode* made(Kind kind, const YAML::Mark& mark, YAML::anchor_t anchor) {
    YamlNode& node = document_.nodes.emplace_back();
    node.kind = kind;
    node.line = mark.line + 1;
    if (anchor != YAML::NullAnchor) anchors_[anchor] = &node;
    return &node;
  }

  YamlNode* closed() {
    YamlNode* node = open_.back();
    open_.pop_back();
    return node;
  }

  void put(const YamlNode* node) {
    if (open_.empty()) {
      root_ = node;
      return;
    }
    YamlNode& into = *open_.back();
    const bool is_key = into.kind == Kind::mapping && into.keys.size() == into.values.size();
    (is_key ? into.keys : into.values).push_back(node);
  }

  YamlDocument& document_;
  const YamlNode* root_ = nullptr;
  std::vector<YamlNode*> open_;
  std::map<YAML::anchor_t, const YamlNode*> anchors_;
};

// yaml-cpp reports its own errors with a mark; ours look alike.
[[noreturn]] void fail_at(const std::string& name, const YAML::Mark& mark, const std::string& message) {
  const std::string line = mark.is_null() ? "" : ":" + std::to_string(mark.line + 1);
  throw Error{name + line + ": This is not YAML: " + message + "."};
}

// Whether a key stands a second time. Most mappings have a handful, which are compared sooner than put into a set.
class SeenKeys {
 public:
  bool is_new(std::string_view key) {
    constexpr std::size_t handful = 12;
    if (few_.size() < handful) {
      if (std::find(few_.begin(), few_.end(), key) != few_.end()) return false;
      few_.push_back(key);
      return true;
    }
    if (many_.empty()) many_.insert(few_.begin(), few_.end());
    return many_.insert(key).second;
  }

 private:
  std::vector<std::string_view> few_;
  std::set<std::string_view> many_;
};

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

std::string found_text(const YamlNode& node) {
  if (node.kind == Kind::mapping) return "a mapping";
  if (node.kind == Kind::list) return "a list";
  return node.text.empty() ? "nothing" : "'" + node.text.substr(0, 60) + "'";
}

void check_keys(YamlNode& mapping) {
  SeenKeys seen;
  for (const YamlNode* key : mapping.keys) {
    const std::string_view text = key->text;
    if (key->kind != Kind::scalar) {
      mapping.problem = "a key must be a word, found " + found_text(*key) + ".";
    } else if (text.size() > longest_key) {
      mapping.problem = "a key of " + std::to_string(text.size()) + " characters begins with '" +
                        std::string(text.substr(0, 60)) + "'; none is longer than " + std::to_string(longest_key) + ".";
    } else if (!seen.is_new(text)) {
      mapping.problem = "the key '" + std::string(text) + "' is given twice.";
    } else {
      continue;
    }
    mapping.problem_at = key;
    return;
  }
}

YamlValue::YamlValue(std::shared_ptr<const YamlDocument> document, std::string key, const YamlNode& node)
    : document_(std::move(document)), key_(std::move(key)), node_(&node) {}

const std::string& YamlValue::file() const { return document_->file; }
int YamlValue::line() const { return node_->line; }
bool YamlValue::is_mapping() const { return node_->kind == Kind::mapping; }
bool YamlValue::is_list() const { return node_->kind == Kind::list; }
bool YamlValue::is_scalar() const { return node_->kind == Kind::scalar; }
bool YamlValue::is_none() const { return is_scalar() && node_->text == "none"; }

std::string YamlValue::place() const { return file() + ":" + std::to_string(line()); }

void YamlValue::fail(const std::string& message) const {
  throw Error{place() + ": " + (key_.empty() ? "" : key_ + ": ") + message};
}

std::string YamlValue::found() const { return found_text(*node_); }

YamlValue YamlValue::with_text(const std::string& text) const {
  auto document = std::make_shared<YamlDocument>();
  document->file = file();
  YamlNode& node = document->nodes.emplace_back();
  node.kind = Kind::scalar;
  node.line = line();
  node.text = text;
  return YamlValue(std::move(document), key_, node);
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
  if (!is_scalar() || node_->text.empty()) fail("a word is needed here, found " + found() + ".");
  return node_->text;
}

int YamlValue::integer(int least, int greatest) const {
  const std::string range = "a whole number from " + std::to_string(least) + " to " + std::to_string(greatest);
  if (!is_scalar()) fail(range + " is needed here, found " + found() + ".");
  const std::string& s = node_->text;
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
  const std::string& s = node_->text;
  double value = 0;
  const auto [end, error] = read_double(s.data(), s.data() + s.size(), value);
  if (error != std::errc{} || end != s.data() + s.size() || !(value >= least && value <= greatest))
    fail(needed + found() + ".");
  return value;
}

std::uint64_t YamlValue::hex(const std::string& instead) const {
  const std::string needed = "1 to 16 hexadecimal digits without prefix" + instead + " are needed here, found ";
  if (!is_scalar()) fail(needed + found() + ".");
  const std::string& s = node_->text;
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(s.data(), s.data() + s.size(), value, 16);
  if (s.empty() || s.size() > 16 || s[0] == '-' || error != std::errc{} || end != s.data() + s.size()) {
    fail(needed + found() + ".");
  }
  return value;
}

bool YamlValue::boolean() const { return one_of({"false", "true"}) == 1; }

std::size_t YamlValue::one_of(const std::vector<std::string_view>& choices) const {
  const std::string found_text = is_scalar() ? node_->text : "";
  const auto at = std::find(choices.begin(), choices.end(), found_text);
  if (at == choices.end()) {
    fail("found " + found() + "; the choices are " + joined(strings(choices)) + nearest(found_text, strings(choices)));
  }
  return static_cast<std::size_t>(at - choices.begin());
}

std::vector<YamlValue> YamlValue::items() const {
  if (!is_list()) fail("a list is needed here, found " + found() + ".");
  std::vector<YamlValue> values;
  for (const YamlNode* item : node_->values)
    values.push_back(YamlValue(document_, key_ + "[" + std::to_string(values.size()) + "]", *item));
  return values;
}

std::vector<std::string> YamlValue::texts() const {
  std::vector<std::string> result;
  for (const YamlValue& item : items()) result.push_back(item.text());
  return result;
}

void YamlValue::check_mapping() const {
  if (!is_mapping()) fail("a mapping is needed here, found " + found() + ".");
  if (node_->problem_at != nullptr) YamlValue(document_, key_, *node_->problem_at).fail(node_->problem);
}

YamlValue YamlValue::member(std::string_view key, const YamlNode& node) const {
  std::string path;
  path.reserve(key_.size() + 1 + key.size());
  if (!key_.empty()) path.append(key_).append(".");
  path.append(key);
  return YamlValue(document_, std::move(path), node);
}

std::vector<std::pair<std::string, YamlValue>> YamlValue::members() const {
  check_mapping();
  std::vector<std::pair<std::string, YamlValue>> values;
  for (std::size_t i = 0; i < node_->keys.size(); ++i) {
    const std::string& key = node_->keys[i]->text;
    values.emplace_back(key, member(key, *node_->values[i]));
  }
  return values;
}

const YamlNode* YamlValue::node_at(std::string_view key) const {
  check_mapping();
  for (std::size_t i = 0; i < node_->keys.size(); ++i) {
    if (node_->keys[i]->text == key) return node_->values[i];
  }
  return nullptr;
}

YamlValue YamlValue::at(std::string_view key) const {
  const YamlNode* node = node_at(key);
  if (node == nullptr) fail("the key '" + std::string(key) + "' is missing.");
  return member(key, *node);
}

std::optional<YamlValue> YamlValue::find(std::string_view key) const {
  const YamlNode* node = node_at(key);
  return node == nullptr ? std::nullopt : std::optional<YamlValue>(member(key, *node));
}

void YamlValue::only(const std::vector<std::string_view>& keys) const {
  check_mapping();
  for (const YamlNode* key : node_->keys) {
    if (std::find(keys.begin(), keys.end(), key->text) == keys.end())
      member(key->text, *key).fail(unknown_key(key->text, keys));
  }
}

std::string unknown_key(const std::string& key, const std::vector<std::string_view>& keys) {
  return "unknown key; the keys here are " + joined(strings(keys)) + nearest(key, strings(keys));
}

const YamlNode* read_any_yaml(const std::string& text, YamlDocument& document) {
  try {
    std::istringstream in(text);
    YAML::Parser parser(in);
    Builder builder(document);
    parser.HandleNextDocument(builder);
    // YAML::LoadAll would tell of a second one, too, but never ends where a ',' or ']' stands alone: it takes one empty
    // document after another.
    YamlDocument second;
    Builder ignored(second);
    if (parser.HandleNextDocument(ignored))
      throw Error{document.file + ": One YAML mapping is needed, found several documents."};
    return builder.root();
  } catch (const YAML::Exception& e) {
    fail_at(document.file, e.mark, e.msg);
  }
}

YamlValue read_yaml_text(const std::string& text, const std::string& name) {
  if (text.find('\0') != std::string::npos) throw Error{name + ": A NUL byte stands in this file; it is not YAML."};
  auto document = std::make_shared<YamlDocument>();
  document->file = name;
  const YamlNode* root = read_plain_yaml(text, *document);
  if (root == nullptr) root = read_any_yaml(text, *document);
  if (root == nullptr || root->kind != Kind::mapping) throw Error{name + ": One YAML mapping is needed, found none."};
  return YamlValue(std::move(document), "", *root);
}

std::string read_config_text(const std::string& path) { return read_whole_file(path, 4, "a configuration"); }

YamlValue read_yaml_file(const std::string& path) { return read_yaml_text(read_config_text(path), path); }

std::string json_text(const YamlValue& value) {
  std::string json;
  append_json(value, 0, json);
  return json;
}

}  // namespace assay
