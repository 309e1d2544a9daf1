#include "tb/devices/kinds/emulator_file.hpp"

#include <algorithm>
#include <charconv>
#include <filesystem>

#include "model/base/error.hpp"
#include "model/base/text.hpp"
#include "model/config/home.hpp"
#include "model/config/yaml.hpp"

namespace assay {
namespace {

namespace fs = std::filesystem;

fs::path folder() { return fs::path(home()) / "configs" / "emulator"; }

std::string version_text(const YamlValue& value) {
  const std::string text = value.text();
  if (version_in(text) != text) value.fail("a version is numbers with points between, such as 7.2.22.");
  return text;
}

DatapathDifference difference(const YamlValue& entry) {
  entry.only({"name", "reason", "instructions", "instead"});
  return {entry.at("name").text(), entry.at("reason").text(), entry.at("instructions").texts(),
          json_text(entry.at("instead"))};
}

FirstRowOnly first_row_only(const YamlValue& entry) {
  entry.only({"reason", "before", "instructions"});
  return {entry.at("reason").text(), version_text(entry.at("before")), entry.at("instructions").texts()};
}

std::vector<std::string> command(const YamlValue& value) {
  std::vector<std::string> words = value.texts();
  if (words.empty()) value.fail("it must name the program that emulates.");
  return words;
}

OlderCommand older(const YamlValue& entry) {
  entry.only({"before", "command"});
  return {version_text(entry.at("before")), command(entry.at("command"))};
}

Emulator emulator_of(const YamlValue& top) {
  top.only({"emulator", "command", "older", "package", "program", "compiler", "units", "modes", "known_differences",
            "first_row_only"});
  Emulator e{top.at("emulator").text(),
             command(top.at("command")),
             {},
             top.at("package").text(),
             top.at("program").text(),
             top.at("compiler").text(),
             {},
             {},
             {},
             {}};
  if (const auto list = top.find("older")) {
    for (const YamlValue& entry : list->items()) e.older.push_back(older(entry));
  }
  for (const auto& [unit, version] : top.at("units").members())
    e.units.push_back({unit, version.is_none() ? "" : version_text(version)});
  if (const auto modes = top.find("modes")) {
    for (const auto& [mode, version] : modes->members()) e.modes.push_back({mode, version_text(version)});
  }
  if (const auto list = top.find("known_differences")) {
    for (const YamlValue& entry : list->items()) e.known_differences.push_back(difference(entry));
  }
  if (const auto list = top.find("first_row_only")) {
    for (const YamlValue& entry : list->items()) e.first_row_only.push_back(first_row_only(entry));
  }
  return e;
}

}  // namespace

const std::vector<std::string>& command_of(const Emulator& emulator, const std::string& version) {
  for (const OlderCommand& one : emulator.older) {
    if (version_of(version) < version_of(one.before)) return one.command;
  }
  return emulator.command;
}

std::vector<std::string> emulator_names() {
  std::vector<std::string> names;
  std::error_code ignored;
  for (const auto& file : fs::directory_iterator(folder(), ignored)) {
    if (file.path().extension() == ".yaml") names.push_back(file.path().stem().string());
  }
  std::sort(names.begin(), names.end());
  return names;
}

Emulator read_emulator(const std::string& spec, const std::string& name) {
  const std::vector<std::string> names = emulator_names();
  if (std::find(names.begin(), names.end(), name) == names.end())
    throw Error{"'" + spec + "' is none of the machines that are emulated: " + joined(names) + "."};
  return emulator_of(read_yaml_file((folder() / (name + ".yaml")).string()));
}

std::string version_in(const std::string& text) {
  const std::string word = "version ";
  const std::size_t at = text.find(word);
  const auto digit = [](char c) { return c == '.' || (c >= '0' && c <= '9'); };
  const auto first = text.begin() + static_cast<std::ptrdiff_t>(at == std::string::npos ? 0 : at + word.size());
  return {first, std::find_if_not(first, text.end(), digit)};
}

Version version_of(const std::string& text) {
  Version version;
  for (const std::string& number : split(version_in(text), '.')) {
    int value = 0;
    std::from_chars(number.data(), number.data() + number.size(), value);
    version.push_back(value);
  }
  return version;
}

}  // namespace assay
