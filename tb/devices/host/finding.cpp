#include "tb/devices/host/finding.hpp"

#include <nlohmann/json.hpp>

#include "tb/vectors/print.hpp"

namespace assay {

nlohmann::ordered_json finding_json(const HostUnit& unit, const HostFinding& finding, const std::string& processor) {
  return {
      {"unit", unit.name}, {"processor", processor}, {"announced", finding.announced}, {"executes", finding.executes}};
}

const HostUnit* host_unit_of(const std::string& device) {
  const std::string kind = "host:";
  return device.rfind(kind, 0) == 0 ? find_host_unit(device.substr(kind.size())) : nullptr;
}

nlohmann::ordered_json host_units_json(const std::vector<std::string>& devices) {
  nlohmann::ordered_json units = nlohmann::ordered_json::array();
  for (const std::string& device : devices) {
    if (const HostUnit* unit = host_unit_of(device))
      units.push_back(finding_json(*unit, look_for(*unit), processor_name()));
  }
  return units;
}

void put_member(std::vector<HeaderMember>& provenance, const std::string& name, const std::string& value) {
  remove_member(provenance, name);
  provenance.push_back({name, json_string(value)});
}

void put_part(std::vector<HeaderMember>& provenance, const HostFinding& finding, const std::string& processor,
              const std::string& date) {
  put_member(provenance, "processor", processor);
  put_member(provenance, "unit", finding_text(finding));
  put_member(provenance, "date", date);
}

}  // namespace assay
