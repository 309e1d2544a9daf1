// A unit with some words of its datapath changed.
#include "model/config/datapath_key.hpp"
#include "model/config/datapath_text.hpp"
#include "tb/capi/report.hpp"

namespace assay::capi {
namespace {

const char* const own_text = "the datapath";

std::string text_of(const Plan& plan) { return yaml_text(plan.datapath, plan.k); }

void add_keeps(const std::string& path, const std::vector<Adder>& adders, std::vector<std::string>& into) {
  for (const Adder& adder : adders) {
    for (const Input& input : adder.add) {
      if (input.keep) into.push_back(path + "." + adder.name + ".add." + input.source + ".keep");
    }
  }
}

// F, the fraction bits below the window's exponent, of every input that has so many.
std::vector<std::string> keys_of(const std::string& key, const Datapath& datapath) {
  if (key != "F") return {key};
  std::vector<std::string> keys;
  add_keeps("adders", datapath.adders, keys);
  add_keeps("finish", datapath.finish, keys);
  if (keys.empty())
    throw Error{"F is the number of fraction bits that inputs keep, and no input of this datapath is cut."};
  return keys;
}

assay_unit* changed_unit(const assay_unit& unit, const std::string& settings) {
  const Catalogue& catalogue = *unit.catalogue;
  DatapathFile file = read_datapath_text(text_of(unit.subject.plan), own_text, catalogue);
  for (const auto& [key, value] : read_yaml_text(settings, "the settings").members()) {
    for (const std::string& path : keys_of(key, file.datapath)) file = with_key(file, path, value);
  }
  Subject changed = subject_of_text(catalogue, yaml_text(file.datapath, file.k), own_text);
  changed.program = unit.subject.program;
  return new assay_unit(unit.catalogue, std::move(changed));
}

}  // namespace
}  // namespace assay::capi

namespace capi = assay::capi;

assay_status assay_unit_text(const assay_unit* unit, assay_text** yaml, assay_message* message) {
  return capi::guarded(message, [&] {
    capi::need_place(yaml, "yaml");
    capi::need(unit, "unit");
    *yaml = new assay_text{capi::text_of(unit->subject.plan)};
  });
}

assay_status assay_unit_with(const assay_unit* unit, const char* settings, assay_unit** changed,
                             assay_message* message) {
  return capi::guarded(message, [&] {
    capi::need(changed, "changed");
    *changed = nullptr;
    capi::need(unit, "unit");
    capi::need(settings, "settings");
    *changed = capi::changed_unit(*unit, settings);
  });
}

const char* assay_unit_path(const assay_unit* unit) { return unit == nullptr ? nullptr : unit->path.c_str(); }
