// A strict reader of YAML: every value knows its file, line and key, and every key must be one that was asked for.
#pragma once

#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "model/base/error.hpp"
#include "model/base/text.hpp"
#include "model/core/datapath.hpp"

namespace assay {

// A file as it was read, and a value in it.
struct YamlDocument;
struct YamlNode;

// One value of a YAML document.
class YamlValue {
 public:
  YamlValue(std::shared_ptr<const YamlDocument> document, std::string key, const YamlNode& node);

  // Throws Error, "file.yaml:12: adders[0].window.floor: MESSAGE"; `message` is a sentence about this value.
  [[noreturn]] void fail(const std::string& message) const;

  const std::string& file() const;
  const std::string& key() const { return key_; }
  int line() const;
  std::string place() const;  // "file.yaml:12"
  bool is_mapping() const;
  bool is_list() const;
  bool is_scalar() const;
  std::string found() const;  // what stands here, for messages: "'abc'", "a mapping", "a list"

  // Another text, or a number, in the same place.
  YamlValue with_text(const std::string& text) const;
  YamlValue with_number(int number) const;
  // The same value under another key, for messages.
  YamlValue called(std::string key) const;

  // --- scalars ---
  std::string text() const;
  bool is_none() const;
  int integer(int least, int greatest) const;
  double real(double least, double greatest) const;
  // 1 to 16 hexadecimal digits, without prefix; `instead` names for messages what else the caller takes.
  std::uint64_t hex(const std::string& instead = "") const;
  bool boolean() const;
  template <class Enum>
  Enum word() const {
    return static_cast<Enum>(one_of(words<Enum>()));
  }
  std::size_t one_of(const std::vector<std::string_view>& choices) const;

  // --- lists and mappings ---
  std::vector<YamlValue> items() const;
  std::vector<std::string> texts() const;                          // a list of scalars
  std::vector<std::pair<std::string, YamlValue>> members() const;  // in file order; a key given twice is an error
  YamlValue at(std::string_view key) const;                        // an error where it is missing
  std::optional<YamlValue> find(std::string_view key) const;
  bool has(std::string_view key) const { return node_at(key) != nullptr; }
  // Every key of this mapping must be one of these.
  void only(const std::vector<std::string_view>& keys) const;

 private:
  void check_mapping() const;
  const YamlNode* node_at(std::string_view key) const;
  YamlValue member(std::string_view key, const YamlNode& node) const;

  std::shared_ptr<const YamlDocument> document_;
  std::string key_;  // dotted path; empty at the top
  const YamlNode* node_;
  std::optional<int> number_;  // where it was never text
};

// A file's bytes, at most 4 MiB.
std::string read_config_text(const std::string& path);
// Reads the one document of such a file, or of a text. `name` stands for the file in messages.
YamlValue read_yaml_file(const std::string& path);
YamlValue read_yaml_text(const std::string& text, const std::string& name);

// The same value as JSON, every scalar as a string: this reader takes either.
std::string json_text(const YamlValue& value);

// A sentence on a key that is none of these.
std::string unknown_key(const std::string& key, const std::vector<std::string_view>& keys);

}  // namespace assay
