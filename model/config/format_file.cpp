#include "model/config/format_file.hpp"

#include "model/config/datapath_words.hpp"

namespace assay {
namespace {

const std::vector<std::string_view>& file_words() {
  static const std::vector<std::string_view> words{"name", "ml_dtypes", "about", "source", "for"};
  return words;
}

// "posit{bits}_{es}" with each name in braces replaced.
std::string filled(const YamlValue& where, const std::map<std::string, std::string>& by) {
  const std::string pattern = where.text();
  std::string text;
  for (std::size_t i = 0; i < pattern.size(); ++i) {
    const std::size_t end = pattern[i] == '{' ? pattern.find('}', i) : std::string::npos;
    if (end == std::string::npos) {
      text += pattern[i];
      continue;
    }
    const std::string name = pattern.substr(i + 1, end - i - 1);
    const auto found = by.find(name);
    if (found == by.end()) where.fail("'{" + name + "}' is no key of `for`.");
    text += found->second;
    i = end;
  }
  return text;
}

using Parameters = std::map<std::string, std::string>;

// The product of the lists under `for`, the last one running fastest.
std::vector<Parameters> choices(const YamlValue& lists) {
  constexpr std::size_t most = 4096;
  std::vector<Parameters> all{{}};
  for (const auto& [name, values] : lists.members()) {
    std::vector<Parameters> longer;
    for (const Parameters& one : all) {
      for (const std::string& value : values.texts()) {
        longer.push_back(one);
        longer.back()[name] = value;
      }
    }
    if (longer.size() > most) lists.fail("these lists make more than " + std::to_string(most) + " formats.");
    all = std::move(longer);
  }
  return all;
}

Format texts_of(const YamlValue& top, const Parameters& parameters) {
  Format f;
  const auto text = [&](const std::string& key) {
    const auto value = top.find(key);
    return value ? filled(*value, parameters) : std::string();
  };
  f.name = text("name");
  f.ml_dtypes_name = text("ml_dtypes");
  f.about = text("about");
  f.source = text("source");
  return f;
}

std::vector<Format> family(const YamlValue& top, const YamlValue& lists) {
  std::vector<Format> made;
  std::string wrong;
  top.only({"name", "ml_dtypes", "about", "source", "for", "rule"});
  for (const Parameters& parameters : choices(lists)) {
    Format f = texts_of(top, parameters);
    f.family = top.at("name").text();
    f.rule = top.at("rule").text();
    f.parameters = parameters;
    wrong = complete(f);
    if (wrong.empty()) made.push_back(std::move(f));
  }
  if (made.empty()) top.fail("Of none of these lists does the rule make a format: " + wrong);
  return made;
}

}  // namespace

std::vector<Format> read_formats(const YamlValue& top) {
  top.at("name");
  if (const auto lists = top.find("for")) return family(top, *lists);
  Format f = texts_of(top, {});
  read_format_words(top, f, file_words());
  return {f};
}

Format read_format_file(const std::string& path, const std::string& name) {
  const YamlValue top = read_yaml_file(path);
  if (const auto lists = top.find("for"))
    lists->fail("this file makes several formats; a datapath's `formats` takes one, " + name + ", from a file.");
  return read_formats(top).front();
}

}  // namespace assay
