#include "model/config/datapath_file.hpp"

#include <filesystem>

#include "model/config/datapath_words.hpp"
#include "model/core/fields.hpp"

namespace assay {
namespace {

// --- which line gave which key ---

class LineNotes {
 public:
  LineNotes(const Datapath& datapath, KeyLines& lines) : datapath_(datapath), lines_(lines) {}

  void note(const Given& given, const std::string& key = "") {
    if (!key.empty()) lines_[key] = given.place();
    if (key == "adders") return adders(given, key, datapath_.adders);
    if (key == "finish") return adders(given, key, datapath_.finish);
    if (given.is_mapping()) {
      for (const auto& [name, member] : given.members()) note(member, key_of(given, key, name));
    } else if (given.is_list()) {
      const std::vector<Given> items = given.items();
      for (std::size_t i = 0; i < items.size(); ++i) note(items[i], key + "[" + std::to_string(i) + "]");
    }
  }

 private:
  static std::string key_of(const Given& given, const std::string& key, const std::string& name) {
    if (given.is_path() && given.index()) return key + "[" + name + "]";
    return key.empty() ? name : key + "." + name;
  }

  // An adder's lines are kept under its place in the datapath, which is not that in the file where the file changes
  // inherited adders.
  void adders(const Given& given, const std::string& key, const std::vector<Adder>& list) {
    const auto note_named = [&](const std::string& name, const Given& adder) {
      for (std::size_t i = 0; i < list.size(); ++i) {
        if (list[i].name == name) note(adder, key + "[" + std::to_string(i) + "]");
      }
    };
    if (given.is_path()) {
      for (const auto& [name, adder] : given.members()) note_named(name, adder);
    } else {
      for (const Given& adder : given.items()) note_named(adder.at("name").value().text(), adder);
    }
  }

  const Datapath& datapath_;
  KeyLines& lines_;
};

void only_known(const Given& given) {
  std::vector<std::string_view> keys;
  for (const FileKey& own : file_keys()) keys.push_back(own.key);
  only_words(given, keys);
}

// What stands within another document, such as a study, is called as that file where it has no name of its own.
std::string name_of(const YamlValue& top) {
  if (!top.find("name") && !top.key().empty()) return std::filesystem::path(top.file()).stem().string();
  return top.at("name").text();
}

void read_into(DatapathFile& file, const Given& given, const Datapath* inherited) {
  read_words(given, file.datapath, inherited);
  if (const auto k = given.find("k")) file.k = k->value().integer(bounds::terms.least, bounds::terms.greatest);
  LineNotes(file.datapath, file.lines).note(given);
}

}  // namespace

const std::vector<FileKey>& file_keys() {
  static const std::vector<FileKey> keys{
      {"name", "a text", "must be there", "lower case, for messages"},
      {"like", "a name", "a datapath of its own", "the datapath of `configs/datapath` this one starts from"},
      {"about", "a text", "", "a sentence for people"},
      {"k", std::to_string(bounds::terms.least) + " to " + std::to_string(bounds::terms.greatest), "the instruction's",
       "terms of one instruction; needed in a file of your own"}};
  return keys;
}

DatapathFile read_datapath(const YamlValue& top, const DatapathSource& like) {
  const Given given(top);
  only_known(given);
  const auto base = top.find("like");
  DatapathFile file;
  if (base) file = like(*base);
  const Datapath inherited = file.datapath;
  if (const auto about = top.find("about")) about->text();
  read_into(file, given, base ? &inherited : nullptr);
  file.datapath.name = name_of(top);
  return file;
}

DatapathFile changed(DatapathFile file, const Given& by) {
  only_known(by);
  const Datapath inherited = file.datapath;
  read_into(file, by, &inherited);
  return file;
}

Plan plan_or_fail(const Datapath& datapath, int k, const KeyLines& lines) {
  auto planned = plan(datapath, k);
  if (auto* good = std::get_if<Plan>(&planned)) return std::move(*good);
  std::string text;
  for (const Problem& problem : std::get<std::vector<Problem>>(planned)) {
    // The line of the key, or of the nearest key around it.
    std::string key = problem.key;
    while (!key.empty() && lines.find(key) == lines.end()) {
      const std::size_t end = key.find_last_of(".[");
      key = end == std::string::npos ? "" : key.substr(0, end);
    }
    const auto at = lines.find(key);
    text += (text.empty() ? "" : "\n") + (at == lines.end() ? datapath.name : at->second) + ": " + problem.message;
  }
  throw Error{text};
}

}  // namespace assay
