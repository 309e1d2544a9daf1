#include "tb/run/waivers_file.hpp"

#include "model/config/yaml.hpp"

namespace assay {
namespace {

std::optional<ResultClass> result_class(const YamlValue& entry, const std::string& key) {
  const auto value = entry.find(key);
  if (!value) return std::nullopt;
  return static_cast<ResultClass>(value->one_of({"zero", "subnormal", "normal", "infinity", "nan"}));
}

// An owner who accepts it, and the reason.
std::string said(const YamlValue& entry, const std::string& key) {
  const YamlValue value = entry.at(key);
  std::string text = value.text();
  if (text.find_first_not_of(" \t\r\n") == std::string::npos) value.fail("it must say something.");
  return text;
}

Waiver waiver(const YamlValue& entry) {
  entry.only({"place", "verdict", "expected", "got", "reason", "owner"});
  Waiver w;
  w.name = entry.file() + ":" + std::to_string(entry.line());
  if (const auto place = entry.find("place")) w.place = place->text();
  if (const auto verdict = entry.find("verdict")) w.masked = verdict->one_of({"differs", "masked"}) == 1;
  w.expected = result_class(entry, "expected");
  w.got = result_class(entry, "got");
  if (w.place.empty() && !w.masked && !w.expected && !w.got)
    entry.fail("a waiver must say what it covers: place, verdict, expected or got.");
  w.reason = said(entry, "reason");
  w.owner = said(entry, "owner");
  return w;
}

}  // namespace

std::vector<Waiver> read_waivers(const std::string& path) {
  const YamlValue top = read_yaml_file(path);
  top.only({"waivers"});
  std::vector<Waiver> waivers;
  for (const YamlValue& entry : top.at("waivers").items()) waivers.push_back(waiver(entry));
  return waivers;
}

}  // namespace assay
