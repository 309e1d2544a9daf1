#include "tb/devices/rtl/dut.hpp"

#include <algorithm>
#include <cstdlib>
#include <tuple>

#include "model/base/files.hpp"
#include "model/base/text.hpp"
#include "model/config/yaml.hpp"

namespace assay {
namespace {

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

std::string in_folder_of(const YamlValue& value, const std::string& path) {
  return (folder_of_file(value.file()) / path).lexically_normal().string();
}

std::vector<std::string> paths(const YamlValue& top, const std::string& key) {
  const auto list = top.find(key);
  if (!list) return {};
  std::vector<std::string> result;
  for (const std::string& text : list->texts()) result.push_back(in_folder_of(top, text));
  return result;
}

std::vector<std::pair<std::string, std::string>> settings(const YamlValue& top, const std::string& key) {
  const auto mapping = top.find(key);
  if (!mapping) return {};
  std::vector<std::pair<std::string, std::string>> result;
  for (const auto& [name, value] : mapping->members()) result.emplace_back(identifier(value, name), value.text());
  return result;
}

// "27:0" or "7" as the lowest bit, and how many. `shape` says how that is written here.
std::pair<int, int> bit_range(const YamlValue& value, const std::string& text, const std::string& shape) {
  const auto index = [&](const std::string& digits) {
    const bool fits = !digits.empty() && digits.size() <= 7 && digits.find_first_not_of("0123456789") == digits.npos;
    if (!fits || std::stoi(digits) >= widest_port)
      value.fail("bits are written " + shape + ", found " + value.found() + ".");
    return std::stoi(digits);
  };
  const std::size_t colon = text.find(':');
  const int high = index(text.substr(0, colon));
  const int low = colon == std::string::npos ? high : index(text.substr(colon + 1));
  if (low > high) value.fail("the higher bit comes first: " + shape + ", found " + value.found() + ".");
  return {low, high - low + 1};
}

// "probe_o", "probe_o[7]" or "probe_o[27:0]"
PortBits port_bits(const YamlValue& value) {
  const std::string text = value.text();
  const std::size_t open = text.find('[');
  PortBits bits;
  bits.port = identifier(value, text.substr(0, open));
  bits.place = place_of(value);
  if (open == std::string::npos) return bits;
  const std::string shape = "port[high:low] or port[bit]";
  if (text.back() != ']') value.fail("bits are written " + shape + ", found " + value.found() + ".");
  std::tie(bits.low, bits.width) = bit_range(value, text.substr(open + 1, text.size() - open - 2), shape);
  return bits;
}

// "a_i", "a_i[]" or "a{}_i"
void read_port_name(const YamlValue& value, PortElements& elements) {
  const std::string text = value.text();
  const std::size_t braces = text.find("{}");
  elements.port = text;
  if (braces != std::string::npos) {
    elements.form = PortElements::Form::each;
    identifier(value, elements.port_of(0));
    return;
  }
  if (text.size() > 2 && text.substr(text.size() - 2) == "[]") {
    elements.form = PortElements::Form::array;
    elements.port = text.substr(0, text.size() - 2);
  }
  identifier(value, elements.port);
}

// "3" or "0-3"
std::pair<int, int> element_range(const YamlValue& value) {
  const std::string text = value.text();
  const std::size_t dash = std::min(text.find('-'), text.size());
  const auto index = [&](const std::string& digits) {
    const bool fits = !digits.empty() && digits.size() <= 5 && digits.find_first_not_of("0123456789") == digits.npos;
    if (!fits)
      value.fail("elements are written first-last, such as 0-7, or as one number, found " + value.found() + ".");
    return std::stoi(digits);
  };
  const int first = index(text.substr(0, dash));
  const int last = dash == text.size() ? first : index(text.substr(dash + 1));
  if (last < first) value.fail("the lower element comes first: first-last, found " + value.found() + ".");
  return {first, last};
}

// Which bits of each element's code: `width` of them are the whole code, `bits: high:low` a field of it.
void read_code_bits(const YamlValue& value, PortElements& elements) {
  const auto bits = value.find("bits");
  elements.is_field = bits.has_value();
  if (!bits) {
    elements.width = value.at("width").integer(1, 64);
    return;
  }
  if (value.find("width")) value.fail("`bits` say how wide each element is here; leave out `width`.");
  const auto [low, width] = bit_range(*bits, bits->text(), "high:low, or as one number");
  if (low + width > 64) bits->fail("a code has at most 64 bits, found " + bits->found() + ".");
  elements.low = low;
  elements.width = width;
}

PortElements port_elements(const YamlValue& value) {
  value.only({"port", "width", "bits", "elements", "every", "offset", "stride", "order"});
  PortElements elements;
  read_port_name(value.at("port"), elements);
  elements.place = place_of(value);
  read_code_bits(value, elements);
  if (const auto range = value.find("elements")) std::tie(elements.first, elements.last) = element_range(*range);
  if (const auto every = value.find("every")) {
    if (!elements.first) every->fail("say which elements these are: `elements: first-last`.");
    elements.every = every->integer(1, 1 << 16);
  }
  if (const auto offset = value.find("offset")) elements.offset = offset->integer(0, widest_port - 1);
  elements.stride = elements.width;
  if (const auto stride = value.find("stride")) {
    if (elements.form != PortElements::Form::packed)
      stride->fail("only elements side by side in one port are a stride apart, and port " + elements.port +
                   " has one for each.");
    elements.stride = stride->integer(elements.width, widest_port - 1);
  }
  if (const auto order = value.find("order")) elements.descending = order->one_of({"ascending", "descending"}) == 1;
  return elements;
}

PortOperand port_operand(const std::string& name, const YamlValue& value) {
  PortOperand operand{name, {}, place_of(value)};
  if (!value.is_list()) {
    operand.parts = {port_elements(value)};
    return operand;
  }
  for (const YamlValue& part : value.items()) operand.parts.push_back(port_elements(part));
  if (operand.parts.empty()) value.fail("at least one port is needed.");
  return operand;
}

// One port or some of its bits, or as in SystemVerilog's {sign_o, exponent_o[7:0]} a list with the highest bits first.
std::vector<PortBits> joined_bits(const YamlValue& value) {
  if (!value.is_list()) return {port_bits(value)};
  std::vector<PortBits> result;
  for (const YamlValue& part : value.items()) {
    result.push_back(port_bits(part));
    if (!result.back().low)
      part.fail("in a list each port says its bits: " + result.back().port + "[high:low] or " + result.back().port +
                "[bit].");
  }
  if (result.empty()) value.fail("at least one port is needed.");
  return result;
}

void read_ports(const YamlValue& ports, Dut& dut) {
  const YamlValue c = ports.at("c");
  if (!c.is_none()) dut.c = joined_bits(c);
  dut.d = joined_bits(ports.at("d"));
  for (const char* name : {"a", "b"}) ports.at(name);
  for (const auto& [name, value] : ports.members()) {
    if (name != "c" && name != "d") dut.operands.push_back(port_operand(name, value));
  }
}

std::string port_name(const YamlValue& mapping, const std::string& key) {
  const auto value = mapping.find(key);
  return value ? identifier(*value, value->text()) : "";
}

// Which keys each kind of handshake needs, and which it may have.
struct HandshakeKeys {
  std::vector<std::string_view> needed, allowed;
};

const HandshakeKeys& keys_of(Handshake::Kind kind) {
  static const std::vector<HandshakeKeys> keys{
      {{}, {}},
      {{"latency"}, {"enable"}},
      {{"in_valid", "out_valid"}, {"tag_in", "tag_out", "tag_bits"}},
      {{"in_valid", "in_ready", "out_valid", "out_ready"}, {"tag_in", "tag_out", "tag_bits"}},
  };
  return keys[static_cast<std::size_t>(kind)];
}

Handshake handshake(const YamlValue& value) {
  static const std::vector<std::string_view> kinds{"combinational", "fixed_latency", "valid", "valid_ready"};
  Handshake h;
  h.place = place_of(value);
  if (!value.is_mapping()) {
    if (value.one_of(kinds) != 0)
      value.fail("this handshake needs its ports: {kind: " + value.text() + ", ...}; docs/rtl.md lists them.");
    return h;
  }
  const YamlValue kind = value.at("kind");
  h.kind = static_cast<Handshake::Kind>(kind.one_of(kinds));
  const HandshakeKeys& keys = keys_of(h.kind);
  std::vector<std::string_view> all{"kind", "cycle_limit"};
  all.insert(all.end(), keys.needed.begin(), keys.needed.end());
  all.insert(all.end(), keys.allowed.begin(), keys.allowed.end());
  value.only(all);
  for (const std::string_view key : keys.needed) value.at(std::string(key));
  if (const auto latency = value.find("latency")) h.latency = latency->integer(0, 10'000);
  if (const auto limit = value.find("cycle_limit")) h.cycle_limit = limit->integer(1, 100'000'000);
  h.enable = port_name(value, "enable");
  h.in_valid = port_name(value, "in_valid");
  h.in_ready = port_name(value, "in_ready");
  h.out_valid = port_name(value, "out_valid");
  h.out_ready = port_name(value, "out_ready");
  h.tag_in = port_name(value, "tag_in");
  h.tag_out = port_name(value, "tag_out");
  if (const auto bits = value.find("tag_bits")) h.tag_bits = bits->integer(1, 16);
  if (h.tag_in.empty() != h.tag_out.empty() || h.tag_in.empty() != (h.tag_bits == 0))
    value.fail("`tag_in`, `tag_out` and `tag_bits` belong together.");
  return h;
}

void read_clock(const YamlValue& top, Dut& dut) {
  if (const auto clock = top.find("clock")) {
    dut.clock = identifier(*clock, clock->text());
    dut.clock_place = place_of(*clock);
  }
  if (const auto reset = top.find("reset")) {
    reset->only({"port", "active", "cycles"});
    dut.reset = Reset{};
    dut.reset->place = place_of(*reset);
    dut.reset->port = identifier(reset->at("port"), reset->at("port").text());
    if (const auto active = reset->find("active")) dut.reset->active_low = active->one_of({"high", "low"}) == 1;
    if (const auto cycles = reset->find("cycles")) dut.reset->cycles = cycles->integer(1, 100'000);
  }
  const bool clocked = dut.handshake.kind != Handshake::Kind::combinational;
  if (clocked && dut.clock.empty()) top.fail("this handshake needs a clock: name its port, `clock: clk_i`.");
  if (!clocked && !(dut.clock.empty() && !dut.reset))
    top.fail(
        "a combinational unit has no clock and no reset; say another `handshake`, or hold the ports in `constants`.");
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

std::vector<PortConstant> constants_in(const YamlValue& mapping) {
  std::vector<PortConstant> result;
  const auto constants = mapping.find("constants");
  if (!constants) return result;
  for (const auto& [name, value] : constants->members()) {
    result.push_back({identifier(value, name), value.hex(), place_of(value)});
  }
  return result;
}

std::string claimed(const YamlValue& value) {
  const std::string name = value.text();
  if (name != "*" && name.find(':') == std::string::npos)
    value.fail("an instruction is written ARCHITECTURE:INSTRUCTION, or \"*\" for any, found " + value.found() + ".");
  return name;
}

// `instruction` or `datapath` of a mapping; false where it has neither.
bool read_claim(const YamlValue& mapping, Claim& claim) {
  const auto instruction = mapping.find("instruction");
  const auto datapath = mapping.find("datapath");
  if (instruction && datapath) mapping.fail("`instruction` and `datapath` exclude each other.");
  if (instruction) claim.instruction = claimed(*instruction);
  if (datapath) claim.datapath = in_folder_of(mapping, datapath->text());
  return instruction || datapath;
}

std::vector<Claim> claims(const YamlValue& top) {
  Claim only;
  const bool one = read_claim(top, only);
  const auto list = top.find("instructions");
  if (one == list.has_value())
    top.fail(
        "say what the unit computes: `instruction: ARCHITECTURE:INSTRUCTION`, `datapath: FILE`, or a list of "
        "either under `instructions`.");
  if (one) return {only};
  std::vector<Claim> result;
  for (const YamlValue& entry : list->items()) {
    entry.only({"instruction", "datapath", "constants"});
    Claim claim;
    if (!read_claim(entry, claim)) entry.fail("`instruction` or `datapath` is missing.");
    claim.constants = constants_in(entry);
    result.push_back(std::move(claim));
  }
  if (result.empty()) list->fail("at least one instruction is needed.");
  return result;
}

}  // namespace

const PortOperand* find_operand(const Dut& dut, const std::string& name) {
  const auto found = std::find_if(dut.operands.begin(), dut.operands.end(),
                                  [&](const PortOperand& operand) { return operand.name == name; });
  return found == dut.operands.end() ? nullptr : &*found;
}

std::string PortElements::port_of(int slot) const {
  if (form != Form::each) return port;
  const std::size_t braces = port.find("{}");
  return port.substr(0, braces) + std::to_string(slot) + port.substr(braces + 2);
}

Dut read_dut_file(const std::string& path) {
  const YamlValue top = read_yaml_file(path);
  top.only({"instruction", "datapath", "instructions", "sources", "include_dirs", "defines", "parameters", "options",
            "top", "clock", "reset", "handshake", "ports", "constants", "probes"});
  Dut dut;
  dut.file = path;
  dut.claims = claims(top);
  dut.sources = paths(top, "sources");
  dut.include_dirs = paths(top, "include_dirs");
  dut.defines = settings(top, "defines");
  dut.parameters = settings(top, "parameters");
  if (const auto options = top.find("options")) dut.options = options->texts();
  const bool has_list = std::any_of(dut.options.begin(), dut.options.end(),
                                    [](const std::string& option) { return option == "-f" || option == "-F"; });
  if (dut.sources.empty() && !has_list)
    top.fail("`sources` must list at least one file, or `options` a list of them: [-f, FILE].");
  dut.top = identifier(top.at("top"), top.at("top").text());
  dut.handshake = handshake(top.at("handshake"));
  read_clock(top, dut);
  read_ports(top.at("ports"), dut);
  dut.constants = constants_in(top);
  if (const auto probes = top.find("probes")) read_probes(*probes, dut);
  return dut;
}

std::string advice_on_shift(const Dut& dut, int by) {
  const Handshake& h = dut.handshake;
  const std::string at = h.place + ": ";
  switch (h.kind) {
    case Handshake::Kind::combinational:
      return at + "the unit has registers; make the handshake {kind: fixed_latency, latency: ..} and name its clock";
    case Handshake::Kind::fixed_latency:
      if (h.latency + by < 0) break;
      return at + "make `latency` " + std::to_string(h.latency + by) + ", it is " + std::to_string(h.latency);
    case Handshake::Kind::valid:
    case Handshake::Kind::valid_ready:
      return at + "`out_valid`, port " + h.out_valid + ", is not that of the results at `ports.d`, port " +
             dut.d.front().port + ": " + counted(static_cast<std::uint64_t>(std::abs(by)), "case") +
             (by > 0 ? " too early" : " too late");
  }
  return "";
}

}  // namespace assay
