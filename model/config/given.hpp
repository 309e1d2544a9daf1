// What a datapath is given: a value of a file or, for one point of a study, a value at the end of a path of keys, which
// reads as a file would that has this one key and nothing else.
#pragma once

#include "model/config/yaml.hpp"

namespace assay {

class Given {
 public:
  explicit Given(YamlValue value) : value_(std::move(value)), key_(value_.key()) {}
  // {"adders", "sum", "result", "0", "cut"}: adders by name, results by number.
  Given(std::vector<std::string> path, YamlValue value) : value_(std::move(value)), path_(std::move(path)) {}

  bool is_path() const { return !path_.empty(); }
  const std::string& key() const { return key_; }
  std::string place() const { return value_.file() + ":" + std::to_string(value_.line()); }

  // Each throws Error; `message` is a sentence about what stands here, or about the path itself.
  [[noreturn]] void fail(const std::string& message) const { value_.called(key_).fail(message); }
  [[noreturn]] void fail_path(const std::string& message) const { value_.fail(message); }

  // The value as a whole: an error where the path goes on.
  YamlValue value() const;
  bool is_scalar() const { return !is_path() && value_.is_scalar(); }
  bool is_none() const { return !is_path() && value_.is_none(); }
  bool is_mapping() const { return is_path() || value_.is_mapping(); }
  bool is_list() const { return !is_path() && value_.is_list(); }

  std::vector<Given> items() const;
  std::vector<std::pair<std::string, Given>> members() const;
  std::optional<Given> find(std::string_view key) const;
  bool has(std::string_view key) const;
  Given at(std::string_view key) const;
  void only(const std::vector<std::string_view>& keys) const;

  // Of a path's next key, where that is one.
  std::optional<std::size_t> index() const;

  // The same under another key, for messages.
  Given called(std::string key) const;

 private:
  YamlValue value_;
  std::string key_;                // of the datapath
  std::vector<std::string> path_;  // further keys before the value
};

}  // namespace assay
