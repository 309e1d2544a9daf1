#include "model/config/dut.hpp"

#include <algorithm>
#include <filesystem>

#include "model/config/yaml.hpp"

namespace assay {
namespace {

namespace fs = std::filesystem;

constexpr int widest_port = 1 << 20;  // bits

std::string place_of(const YamlValue& value) { return value.file() + ":" + std::to_string(value.line()); }

// A Verilog identifier: nothing else may reach a generated program or a command line.
std::string identifier(const YamlValue& value, const std::string& text) {
  const auto fits = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; };
  const auto fits_later = [&](char c) { return fits(c) || (c >= '0' && c <= '9'); };
  if (text.empty() || !fits(text.front()) || !std::all_of(text.begin(), text.end(), fits_later))
    value.fail("a name made of letters, digits and _ is needed here, found " + value.found() + ".");
  return text;
}

std::vector<std::string> paths(const YamlValue& top, const std::string& key) {
  const auto list = top.find(key);
  if (!list) return {};
  const fs::path folder = fs::absolute(top.file()).parent_path();
  std::vector<std::string> result;
  for (const std::string& text : list->texts()) result.push_back((folder / text).lexically_normal().string());
  return result;
}

std::vector<std::pair<std::string, std::string>> settings(const YamlValue& top, const std::string& key) {
  const auto mapping = top.find(key);
  if (!mapping) return {};
  std::vector<std::pair<std::string, std::string>> result;
  for (const auto& [name, value] : mapping->members()) result.emplace_back(identifier(value, name), value.text());
  return result;
}

int bit_index(const YamlValue& value, const std::string& digits) {
  if (digits.empty() || digits.size() > 7 || digits.find_first_not_of("0123456789") != std::string::npos ||
      std::stoi(digits) >= widest_port)
    value.fail("bits are written port[high:low] or port[bit], found " + value.found() + ".");
  return std::stoi(digits);
}

// "probe_o", "probe_o[7]" or "probe_o[27:0]"
PortBits port_bits(const YamlValue& value) {
  const std::string text = value.text();
  const std::size_t open = text.find('[');
  PortBits bits;
  bits.port = identifier(value, text.substr(0, open));
  bits.place = place_of(value);
  if (open == std::string::npos) return bits;
  if (text.back() != ']') value.fail("bits are written port[high:low] or port[bit], found " + value.found() + ".");
  const std::string inside = text.substr(open + 1, text.size() - open - 2);
  const std::size_t colon = inside.find(':');
  const int high = bit_index(value, inside.substr(0, colon));
  const int low = colon == std::string::npos ? high : bit_index(value, inside.substr(colon + 1));
  if (low > high) value.fail("the higher bit comes first: port[high:low], found " + value.found() + ".");
  bits.low = low;
  bits.width = high - low + 1;
  return bits;
}

PortElements port_elements(const YamlValue& value) {
  value.only({"port", "width", "offset", "order"});
  PortElements elements;
  const YamlValue port = value.at("port");
  elements.port = identifier(port, port.text());
  elements.place = place_of(value);
  elements.width = value.at("width").integer(1, 64);
  if (const auto offset = value.find("offset")) elements.offset = offset->integer(0, widest_port - 1);
  if (const auto order = value.find("order")) elements.descending = order->one_of({"ascending", "descending"}) == 1;
  return elements;
}

void read_ports(const YamlValue& ports, Dut& dut) {
  ports.only({"a", "b", "c", "d"});
  dut.a = port_elements(ports.at("a"));
  dut.b = port_elements(ports.at("b"));
  dut.c = port_bits(ports.at("c"));
  dut.d = port_bits(ports.at("d"));
}

void read_probes(const YamlValue& probes, Dut& dut) {
  probes.only({"port", "layout", "places"});
  const auto port = probes.find("port");
  const auto layout = probes.find("layout");
  if (port.has_value() != layout.has_value())
    probes.fail("`port` and `layout` belong together: {port: probe_o, layout: plan}.");
  if (port) {
    layout->one_of({"plan"});
    dut.plan_probe = port_bits(*port);
  }
  if (const auto places = probes.find("places")) {
    for (const auto& [name, bits] : places->members()) dut.probes.push_back({name, port_bits(bits)});
  }
}

void read_constants(const YamlValue& constants, Dut& dut) {
  for (const auto& [name, value] : constants.members()) {
    dut.constants.push_back({identifier(value, name), value.hex(), place_of(value)});
  }
}

std::string claimed(const YamlValue& value) {
  const std::string name = value.text();
  if (name != "*" && name.find(':') == std::string::npos)
    value.fail("an instruction is written ARCHITECTURE:INSTRUCTION, or \"*\" for any, found " + value.found() + ".");
  return name;
}

}  // namespace

Dut read_dut_file(const std::string& path) {
  const YamlValue top = read_yaml_file(path);
  top.only({"instruction", "sources", "include_dirs", "defines", "parameters", "options", "top", "handshake", "ports",
            "constants", "probes"});
  Dut dut;
  dut.file = path;
  dut.instruction = claimed(top.at("instruction"));
  dut.sources = paths(top, "sources");
  if (dut.sources.empty()) top.fail("`sources` must list at least one file.");
  dut.include_dirs = paths(top, "include_dirs");
  dut.defines = settings(top, "defines");
  dut.parameters = settings(top, "parameters");
  if (const auto options = top.find("options")) dut.options = options->texts();
  dut.top = identifier(top.at("top"), top.at("top").text());
  top.at("handshake").one_of({"combinational"});
  read_ports(top.at("ports"), dut);
  if (const auto constants = top.find("constants")) read_constants(*constants, dut);
  if (const auto probes = top.find("probes")) read_probes(*probes, dut);
  return dut;
}

}  // namespace assay
