#include "model/config/format_file.hpp"

#include "model/config/datapath_words.hpp"
#include "model/config/family.hpp"

namespace assay {
namespace {

const std::vector<std::string_view>& file_words() {
  static const std::vector<std::string_view> words{"name", "ml_dtypes", "about", "source", "for"};
  return words;
}

Format texts_of(const YamlValue& top, const Binding& parameters) {
  Format f;
  const auto text = [&](const std::string& key) {
    const auto value = top.find(key);
    return value ? filled(*value, value->text(), parameters) : std::string();
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
  for (const auto& list : lists.members()) list.second.texts();  // a parameter stands for nothing but itself
  for (const Binding& parameters : bindings(lists, "formats")) {
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
