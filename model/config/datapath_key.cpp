#include "model/config/datapath_key.hpp"

#include <algorithm>
#include <charconv>

namespace assay {
namespace {

// A place within a datapath as the keys that lead to it.
using Keys = std::vector<std::string>;

Keys split(const std::string& path) {
  Keys keys(1);
  for (const char c : path) {
    if (c == '.') {
      keys.emplace_back();
    } else {
      keys.back() += c;
    }
  }
  return keys;
}

Keys after(const Keys& keys, std::ptrdiff_t count) { return {keys.begin() + count, keys.end()}; }

std::string quoted(std::string_view text) { return "\"" + std::string(text) + "\""; }

std::string member(std::string_view key, const std::string& json) { return quoted(key) + ":" + json; }

// {"a":{"b":json}}
std::string nested(const Keys& keys, std::string json) {
  for (auto key = keys.rbegin(); key != keys.rend(); ++key) json = "{" + member(*key, json) + "}";
  return json;
}

// A result as a mapping, with `json` in place of one of its values.
std::string result_with(const Result& result, const std::string& key, const std::string& json) {
  std::vector<std::pair<std::string, std::string>> members;
  const auto add = [&](const char* name, std::string_view text) { members.emplace_back(name, quoted(text)); };
  if (result.at == ResultAt::format) {
    add("format", result.format);
    add("subnormals", word(result.subnormals));
    add("tiny", word(result.tiny));
    add("overflow", word(result.overflow));
  } else {
    add("at", word(result.at));
    add("keep", std::to_string(result.keep));
    if (result.least_exponent) add("least_exponent", std::to_string(*result.least_exponent));
  }
  add("cut", word(result.cut));
  const auto same = std::find_if(members.begin(), members.end(), [&](const auto& m) { return m.first == key; });
  if (same == members.end()) {
    members.emplace_back(key, json);
  } else {
    same->second = json;
  }
  std::string text;
  for (const auto& [name, value] : members) text += (text.empty() ? "{" : ",") + member(name, value);
  return text + "}";
}

// "result[1]": the 1; nothing where it is another key.
std::optional<std::size_t> result_index(const std::string& key) {
  const std::string_view head = "result[";
  std::size_t index = 0;
  if (key.compare(0, head.size(), head) != 0) return std::nullopt;
  const char* const end = key.data() + key.size();
  const auto [stop, error] = std::from_chars(key.data() + head.size(), end, index);
  if (error != std::errc{} || stop + 1 != end || *stop != ']') return std::nullopt;
  return index;
}

// The list of an adder's results, one of which gets another key.
std::string results_with(const Adder& adder, std::size_t index, const Keys& rest, const YamlValue& value) {
  if (index >= adder.results.size() || rest.size() != 1)
    value.fail("the adder '" + adder.name + "' has " + std::to_string(adder.results.size()) +
               " results; a key of the first one is written adders." + adder.name + ".result[0].cut.");
  std::string list;
  for (std::size_t i = 0; i < adder.results.size(); ++i) {
    const Result& result = adder.results[i];
    const std::string json = i == index ? result_with(result, rest.front(), json_text(value))
                                        : result_with(result, "cut", quoted(word(result.cut)));
    list += (i == 0 ? "[" : ",") + json;
  }
  return list + "]";
}

// All inputs of an adder, since a list of fewer would take the others away; one of them gets other words.
std::string inputs_with(const Adder& adder, const Keys& rest, const YamlValue& value) {
  std::string json;
  bool found = false;
  for (const Input& input : adder.add) {
    const bool same = input.source == rest.front();
    found = found || same;
    json += (json.empty() ? "{" : ",") + member(input.source, same ? nested(after(rest, 1), json_text(value)) : "{}");
  }
  if (!found) value.fail("the adder '" + adder.name + "' does not add '" + rest.front() + "'.");
  return json + "}";
}

// {"name":..,..} for a list of adders whose names are all inherited.
std::string adder_with(const std::vector<Adder>& adders, const Keys& keys, const YamlValue& value) {
  std::vector<std::string> names;
  for (const Adder& adder : adders) names.push_back(adder.name);
  const std::string name = keys.size() > 1 ? keys[1] : "";
  const auto at = std::find(names.begin(), names.end(), name);
  if (at == names.end() || keys.size() < 3)
    value.fail("a key of an adder is written " + keys[0] + ".NAME.KEY; the names here are " +
               (names.empty() ? "none" : joined(names)) + nearest(name, names));
  const Adder& adder = adders[static_cast<std::size_t>(at - names.begin())];
  const Keys rest = after(keys, 3);
  std::string json;
  if (const auto index = result_index(keys[2])) {
    json = member("result", results_with(adder, *index, rest, value));
  } else if (keys[2] == "add" && !rest.empty()) {
    json = member("add", inputs_with(adder, rest, value));
  } else {
    json = member(keys[2], nested(rest, json_text(value)));
  }
  return "[{" + member("name", quoted(name)) + "," + json + "}]";
}

std::string changed(const Datapath& datapath, const Keys& keys, const YamlValue& value) {
  if (keys[0] == "adders") return adder_with(datapath.adders, keys, value);
  if (keys[0] == "finish") return adder_with(datapath.finish, keys, value);
  const bool in_round = keys.size() == 3 && keys[0] == "product" && keys[1] == "round" && datapath.product.round;
  if (in_round) return nested({keys[1]}, result_with(*datapath.product.round, keys[2], json_text(value)));
  return nested(after(keys, 1), json_text(value));
}

}  // namespace

DatapathFile with_key(const DatapathFile& file, const std::string& path, const YamlValue& value) {
  if (path.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789_.[]") != std::string::npos)
    value.fail("a path of keys such as adders.sum.add.product.keep is needed, found '" + path + "'.");
  const Keys keys = split(path);
  for (const std::string_view own : {"name", "like", "about"}) {
    if (keys[0] == own) value.fail("'" + path + "' is no key of the arithmetic.");
  }
  // One line of the file that `value` comes from, so that whatever is wrong with it is found there.
  const std::string text = std::string(static_cast<std::size_t>(std::max(value.line() - 1, 0)), '\n') + "{" +
                           member("name", quoted(file.datapath.name)) + ",\"like\":\"it\"," +
                           member(keys[0], changed(file.datapath, keys, value)) + "}";
  return read_datapath(read_yaml_text(text, value.file()), [&](const YamlValue&) { return file; });
}

}  // namespace assay
