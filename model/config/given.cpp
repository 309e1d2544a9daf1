#include "model/config/given.hpp"

#include <algorithm>
#include <charconv>

namespace assay {

YamlValue Given::value() const {
  if (is_path()) fail("there is no key '" + path_.front() + "' within this; it is one value.");
  return value_.called(key_);
}

std::vector<Given> Given::items() const {
  std::vector<Given> list;
  for (YamlValue& item : value().items()) list.emplace_back(std::move(item));
  return list;
}

std::vector<std::pair<std::string, Given>> Given::members() const {
  std::vector<std::pair<std::string, Given>> list;
  if (is_path()) {
    const std::string& next = path_.front();
    const Given rest({path_.begin() + 1, path_.end()}, value_);
    list.emplace_back(next, rest.called(key_.empty() ? next : key_ + "." + next));
  } else {
    for (auto& [key, member] : value().members()) list.emplace_back(key, Given(std::move(member)));
  }
  return list;
}

bool Given::has(std::string_view key) const {
  if (is_path()) return path_.front() == key;
  return value_.key() == key_ ? value_.has(key) : value().has(key);  // either tells under its key what is wrong
}

std::optional<Given> Given::find(std::string_view key) const {
  if (!has(key)) return std::nullopt;
  if (!is_path()) return Given(value().at(key));
  return members().front().second;
}

Given Given::at(std::string_view key) const {
  const auto member = find(key);
  if (!member) fail("the key '" + std::string(key) + "' is missing.");
  return *member;
}

void Given::only(const std::vector<std::string_view>& keys) const {
  if (!is_path()) return value().only(keys);
  if (std::find(keys.begin(), keys.end(), path_.front()) == keys.end())
    members().front().second.fail(unknown_key(path_.front(), keys));
}

std::optional<std::size_t> Given::index() const {
  if (!is_path()) return std::nullopt;
  std::size_t index = 0;
  const char* const end = path_.front().data() + path_.front().size();
  const auto [stop, error] = std::from_chars(path_.front().data(), end, index);
  if (error != std::errc{} || stop != end) return std::nullopt;
  return index;
}

Given Given::called(std::string key) const {
  Given other = *this;
  other.key_ = std::move(key);
  return other;
}

}  // namespace assay
