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

// A Verilog identifier: nothing else may reach a generated program or a command line.
std::string identifier(const YamlValue& value, const std::string& text) {
  const auto fits = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; };
  const auto fits_later = [&](char c) { return fits(c) || (c >= '0' && c <= '9'); };
  if (text.empty() || !fits(text.front()) || !std::all_of(text.begin(), text.end(), fits_later))
    value.fail("a name made of letters, digits and _ is needed here, found " + value.found() + ".");
  return text;
}

// A port, or a member of one that is a struct or an interface: "req_i.a".
std::string port_identifier(const YamlValue& value, const std::string& text) {
  for (const std::string& part : split(text, '.')) identifier(value, part);
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
  bits.port = port_identifier(value, text.substr(0, open));
  bits.place = value.place();
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
  port_identifier(value, elements.port);
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
  value.only({"port", "width", "bits", "elements", "every", "offset", "stride", "order", "late", "by"});
  PortElements elements;
  read_port_name(value.at("port"), elements);
  elements.place = value.place();
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

// What a tile's operand may lie by: line after line, or across them. Of what has no lines: nothing.
std::vector<std::string_view> orders_of(const std::string& operand) {
  if (is_of_rows(operand)) return {"row", "element"};
  if (is_of_columns(operand)) return {"column", "element"};
  if (operand == "c" || operand == "d") return {"row", "column"};
  return {};
}

constexpr int latest = 1000;  // edges

// `late: 1`, of a tile {row: 1, element: 1}, {column: 1, element: 1} or {row: 1, column: 1}.
void read_late(const YamlValue& value, const std::string& operand, const Dut& dut, PortElements& elements) {
  const auto late = value.find("late");
  if (!late) return;
  const std::vector<std::string_view> orders = dut.tile ? orders_of(operand) : std::vector<std::string_view>{};
  if (orders.empty() || (!late->is_mapping() && operand != "c" && operand != "d")) {
    elements.late = late->integer(0, latest);
    return;
  }
  late->only(orders);
  if (late->members().empty())
    late->fail("say by how many edges: `" + std::string(orders[0]) + "` or `" + std::string(orders[1]) + "`.");
  if (const auto line = late->find(std::string(orders[0]))) elements.late_line = line->integer(0, latest);
  if (const auto element = late->find(std::string(orders[1]))) elements.late = element->integer(0, latest);
}

void read_order(const YamlValue& value, const std::string& operand, const Dut& dut, PortElements& elements) {
  const auto by = value.find("by");
  if (!by) return;
  if (!dut.tile) by->fail("`by` says how a tile's operand lies; say `tile: {rows: .., columns: ..}`, or leave it out.");
  const std::vector<std::string_view> orders = orders_of(operand);
  if (orders.empty()) by->fail(operand + " has no rows and columns; leave out `by`.");
  elements.across = by->one_of(orders) == 1;
}

PortOperand port_operand(const std::string& name, const YamlValue& value, const Dut& dut) {
  PortOperand operand{name, {}, value.place()};
  const auto add = [&](const YamlValue& part) {
    operand.parts.push_back(port_elements(part));
    read_order(part, name, dut, operand.parts.back());
    read_late(part, name, dut, operand.parts.back());
    const PortElements &own = operand.parts.back(), &first = operand.parts.front();
    if (own.across != first.across) part.fail("all ports of an operand have the same `by`.");
    if (dut.tile && (own.late != first.late || own.late_line != first.late_line))
      part.fail("all ports of a tile's operand have the same `late`.");
  };
  if (!value.is_list()) {
    add(value);
    return operand;
  }
  for (const YamlValue& part : value.items()) add(part);
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

// c or d of a tile, which has an element for each row and column.
PortOperand elements_of_tile(const std::string& name, const YamlValue& value, const Dut& dut) {
  const std::vector<YamlValue> parts = value.is_list() ? value.items() : std::vector<YamlValue>{value};
  for (const YamlValue& part : parts) {
    if (!part.is_mapping())
      part.fail(name + " of a tile has rows x columns elements, and is written like a: {port: .., width: ..}.");
  }
  return port_operand(name, value, dut);
}

void read_tile_ports(const YamlValue& c, const YamlValue& d, Dut& dut) {
  if (!c.is_none()) dut.tile->c = elements_of_tile("c", c, dut);
  if (d.is_none()) d.fail("a tile has d: {port: .., width: ..}.");
  dut.tile->d = elements_of_tile("d", d, dut);
}

void read_ports(const YamlValue& ports, Dut& dut) {
  const YamlValue c = ports.at("c"), d = ports.at("d");
  if (dut.tile) {
    read_tile_ports(c, d, dut);
  } else {
    if (!c.is_none()) dut.c = joined_bits(c);
    if (!d.is_none()) dut.d = joined_bits(d);
  }
  for (const char* name : {"a", "b"}) ports.at(name);
  for (const auto& [name, value] : ports.members()) {
    if (name != "c" && name != "d") dut.operands.push_back(port_operand(name, value, dut));
  }
}

std::string port_name(const YamlValue& mapping, const std::string& key) {
  const auto value = mapping.find(key);
  return value ? port_identifier(*value, value->text()) : "";
}

// "busy_o" or "!busy_o"
PortWire wire(const YamlValue& mapping, const std::string& key) {
  const auto value = mapping.find(key);
  if (!value) return {};
  const std::string text = value->text();
  const bool inverted = starts_with(text, "!");
  return {port_identifier(*value, text.substr(inverted ? 1 : 0)), inverted, value->place()};
}

// The wires of a mapping, by their keys there.
struct WireKey {
  const char* key;
  PortWire Handshake::*wire;
};
void read_wires(const YamlValue& mapping, const std::vector<WireKey>& keys, Handshake& h) {
  for (const WireKey& row : keys) {
    if (mapping.find(row.key)) h.*row.wire = wire(mapping, row.key);
  }
}

const std::vector<WireKey> handshake_wires{{"enable", &Handshake::enable},       {"in_valid", &Handshake::in_valid},
                                           {"in_ready", &Handshake::in_ready},   {"out_valid", &Handshake::out_valid},
                                           {"out_ready", &Handshake::out_ready}, {"start", &Handshake::in_valid},
                                           {"ready", &Handshake::in_ready},      {"done", &Handshake::out_valid}};

// Which keys each kind of handshake needs, and which it may have.
struct HandshakeKind {
  std::string_view name;
  std::vector<std::string_view> needed, allowed;
};

const std::vector<HandshakeKind> handshake_kinds{
    {"combinational", {}, {}},
    {"fixed_latency", {"latency"}, {"enable", "hold"}},
    {"valid", {"in_valid", "out_valid"}, {"tag_in", "tag_out", "tag_bits", "hold"}},
    {"valid_ready", {"in_valid", "in_ready", "out_valid"}, {"out_ready", "tag_in", "tag_out", "tag_bits", "hold"}},
    {"start_done", {"start", "done"}, {"ready", "hold"}},
};

Handshake handshake(const YamlValue& value) {
  std::vector<std::string_view> kinds;
  for (const HandshakeKind& kind : handshake_kinds) kinds.push_back(kind.name);
  Handshake h;
  h.place = value.place();
  if (!value.is_mapping()) {
    if (value.one_of(kinds) != 0)
      value.fail("this handshake needs its ports: {kind: " + value.text() + ", ...}; docs/rtl.md lists them.");
    return h;
  }
  h.kind = static_cast<Handshake::Kind>(value.at("kind").one_of(kinds));
  const HandshakeKind& keys = handshake_kinds[static_cast<std::size_t>(h.kind)];
  std::vector<std::string_view> all{"kind", "cycle_limit"};
  all.insert(all.end(), keys.needed.begin(), keys.needed.end());
  all.insert(all.end(), keys.allowed.begin(), keys.allowed.end());
  value.only(all);
  for (const std::string_view key : keys.needed) value.at(std::string(key));
  if (const auto latency = value.find("latency")) h.latency = latency->integer(0, 10'000);
  if (const auto limit = value.find("cycle_limit")) h.cycle_limit = limit->integer(1, 100'000'000);
  if (const auto hold = value.find("hold")) h.hold = hold->boolean();
  read_wires(value, handshake_wires, h);
  h.tag_in = port_name(value, "tag_in");
  h.tag_out = port_name(value, "tag_out");
  if (const auto bits = value.find("tag_bits")) h.tag_bits = bits->integer(1, 16);
  if (h.tag_in.empty() != h.tag_out.empty() || h.tag_in.empty() != (h.tag_bits == 0))
    value.fail("`tag_in`, `tag_out` and `tag_bits` belong together.");
  return h;
}

bool is_one_of(const std::string& name, const std::vector<std::string>& names) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

// The operands that a mapping names; those that nobody names are `otherwise`.
Pieces pieces(const YamlValue& mapping, const Dut& dut, std::vector<std::string> otherwise) {
  Pieces pieces{std::move(otherwise), mapping.at("elements").integer(1, 1 << 16), mapping.place()};
  const auto list = mapping.find("operands");
  if (list) pieces.operands = list->texts();
  for (const std::string& name : pieces.operands) {
    if (name == "c") list.value_or(mapping).fail("c comes with the last operands, and whole; leave it out here.");
    if (find_operand(dut, name) == nullptr)
      list.value_or(mapping).fail("`ports` has no list of elements called '" + name + "'.");
    if (std::count(pieces.operands.begin(), pieces.operands.end(), name) > 1)
      list.value_or(mapping).fail("operand " + name + " is named twice; name it once.");
  }
  if (pieces.operands.empty()) list.value_or(mapping).fail("at least one operand is needed.");
  return pieces;
}

void read_load(const YamlValue& load, Dut& dut) {
  load.only({"operands", "elements", "order", "valid", "ready", "last", "swap", "swap_with", "swap_is", "wait", "gated",
             "address", "stays"});
  load.at("operands");
  load.at("valid");
  dut.load = Load{pieces(load, dut, {}), port_name(load, "address")};
  if (const auto stays = load.find("stays")) dut.load->stays = stays->boolean();
  if (const auto order = load.find("order")) dut.load->descending = order->one_of({"ascending", "descending"}) == 1;
  if (const auto gated = load.find("gated")) {
    if (!dut.handshake.enable.is_there()) gated->fail("the handshake has no `enable`; leave out `gated`.");
    dut.load->gated = gated->boolean();
  }
  const auto of_swap = [&](const std::string& key) {
    const auto value = load.find(key);
    if (value && !load.find("swap")) value->fail("`" + key + "` is about `swap`; name its port, or leave this out.");
    return value;
  };
  if (const auto wait = of_swap("wait")) dut.load->wait = wait->integer(0, 10'000);
  if (const auto with = of_swap("swap_with")) dut.load->swap_rides = with->one_of({"nothing", "operands"}) == 1;
  if (const auto is = of_swap("swap_is")) dut.load->swap_is_level = is->one_of({"pulse", "level"}) == 1;
  read_wires(load,
             {{"valid", &Handshake::load_valid},
              {"ready", &Handshake::load_ready},
              {"last", &Handshake::load_last},
              {"swap", &Handshake::swap}},
             dut.handshake);
}

void read_beats(const YamlValue& beats, Dut& dut) {
  beats.only({"operands", "elements", "first", "last", "clear", "partial"});
  std::vector<std::string> otherwise;
  for (const char* name : {"a", "b"}) {
    if (!dut.load || !is_one_of(name, dut.load->operands)) otherwise.emplace_back(name);
  }
  dut.beats = Beats{pieces(beats, dut, otherwise), false};
  if (const auto partial = beats.find("partial")) dut.beats->partial = partial->boolean();
  read_wires(beats, {{"first", &Handshake::first}, {"last", &Handshake::last}, {"clear", &Handshake::clear}},
             dut.handshake);
  for (const std::string& name : dut.beats->operands) {
    if (dut.load && is_one_of(name, dut.load->operands))
      beats.fail("operand " + name + " is loaded before the beats; name it under `load` or here.");
  }
}

UnitTile read_tile(const YamlValue& value) {
  value.only({"rows", "columns"});
  UnitTile tile;
  tile.rows = value.at("rows").integer(1, 1 << 10);
  tile.columns = value.at("columns").integer(1, 1 << 10);
  tile.place = value.place();
  if (tile.rows * tile.columns > 1 << 16) value.fail("a tile may have 65536 elements at most.");
  return tile;
}

const PortElements* late_part(const PortOperand& operand) {
  const auto found =
      std::find_if(operand.parts.begin(), operand.parts.end(), [](const PortElements& part) { return part.is_late(); });
  return found == operand.parts.end() ? nullptr : &*found;
}

// The operand some of whose elements come late, of those that are loaded or of the others; nullptr where none do.
const PortElements* late_part(const Dut& dut, bool of_loaded) {
  for (const PortOperand& operand : dut.operands) {
    const bool loaded = dut.load && is_one_of(operand.name, dut.load->operands);
    const PortElements* part = late_part(operand);
    if (part != nullptr && loaded == of_loaded) return part;
  }
  if (!dut.tile || of_loaded) return nullptr;
  const PortElements* of_c = dut.tile->c ? late_part(*dut.tile->c) : nullptr;
  return of_c != nullptr ? of_c : late_part(dut.tile->d);
}

// Results of a tile that come one after the other.
void check_late_results(const Dut& dut) {
  const PortElements* late = dut.tile ? late_part(dut.tile->d) : nullptr;
  if (late == nullptr) return;
  if (dut.handshake.tag_bits != 0)
    throw Error{late->place + ": a tile whose d comes late gives its results in their order; leave out the tags."};
  if (dut.plan_probe || !dut.probes.empty())
    throw Error{late->place + ": places of a tile whose d comes late have no time of their own; leave out `probes`."};
}

// What a unit takes over several cycles must go together with how it takes and gives.
void check_sequence(const Dut& dut) {
  const Handshake& h = dut.handshake;
  const bool clocked = h.kind != Handshake::Kind::combinational;
  const auto need = [](bool holds, const std::string& place, const std::string& sentence) {
    if (!holds) throw Error{place + ": " + sentence};
  };
  if (dut.load) need(clocked, dut.load->place, "`load` needs a clock; say another `handshake` than combinational.");
  if (dut.tile && dut.load && dut.load->stays) {
    for (const std::string scaled : {"a", "b"}) {
      need(is_one_of(scaled, dut.load->operands) || !is_one_of("scale_" + scaled, dut.load->operands), dut.load->place,
           "scales of a tile stay with what they scale; name " + scaled + " beside scale_" + scaled +
               ", or leave out `stays`.");
    }
  }
  if (dut.beats) {
    need(clocked, dut.beats->place, "`beats` need a clock; say another `handshake` than combinational.");
    need(h.kind != Handshake::Kind::start_done, dut.beats->place,
         "a unit of `start_done` takes all operands at its start; say another `handshake`, or leave out `beats`.");
    need(h.tag_bits == 0, dut.beats->place, "a case in several beats has no tag; leave out the tags or `beats`.");
    need(!h.hold, dut.beats->place, "operands in several beats cannot stay until the result; leave out `hold`.");
  }
  if (const PortElements* late = late_part(dut, false)) {
    const bool flows = h.kind == Handshake::Kind::fixed_latency || h.kind == Handshake::Kind::valid;
    need(
        flows && !h.hold, late->place,
        "elements come late only to a unit that never waits: a `handshake` of fixed_latency or valid, without `hold`.");
  }
  if (const PortElements* late = late_part(dut, true))
    need(!h.load_ready.is_there(), late->place,
         "elements of what is loaded come late only to a unit that is always ready for them; leave out `late`, or "
         "`ready` of `load`.");
  for (const PortOperand& operand : dut.operands) {
    if (!dut.load || !is_one_of(operand.name, dut.load->operands)) continue;
    for (const PortElements& part : operand.parts)
      need(part.late == operand.parts.front().late, part.place, "all ports of what is loaded have the same `late`.");
  }
}

void read_clock(const YamlValue& top, Dut& dut) {
  if (const auto clock = top.find("clock")) {
    dut.clock = identifier(*clock, clock->text());
    dut.clock_place = clock->place();
  }
  if (const auto reset = top.find("reset")) {
    reset->only({"port", "active", "cycles"});
    dut.reset = Reset{};
    dut.reset->place = reset->place();
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

// "8'h7f", "2'b00"; nothing where it is no such constant.
std::optional<ProbePart> constant_bits(const YamlValue& value) {
  const std::string text = value.text();
  const std::size_t mark = text.find('\'');
  if (mark == std::string::npos) return std::nullopt;
  const std::string size = text.substr(0, mark), digits = text.substr(std::min(mark + 2, text.size()));
  const char base = mark + 1 < text.size() ? text[mark + 1] : ' ';
  const bool sized = !size.empty() && size.size() <= 2 && size.find_first_not_of("0123456789") == size.npos;
  const std::string_view known = base == 'b' ? "01" : "0123456789abcdef";
  const std::size_t most = base == 'b' ? 64 : 16;
  const bool fits = (base == 'b' || base == 'h') && !digits.empty() && digits.size() <= most &&
                    digits.find_first_not_of(known) == digits.npos;
  ProbePart part;
  part.bits.place = value.place();
  part.width = sized ? std::stoi(size) : 0;
  if (!fits || part.width < 1 || part.width > 64)
    value.fail("constant bits are written as in 2'b00 or 8'h7f, 64 at most, found " + value.found() + ".");
  part.constant = std::stoull(digits, nullptr, base == 'b' ? 2 : 16);
  if (part.width < 64 && part.constant >> part.width != 0)
    value.fail("the constant does not fit its " + counted(static_cast<std::uint64_t>(part.width), "bit") + ".");
  return part;
}

// A number that the unit has in another form.
ProbePart number_part(const YamlValue& value) {
  ProbePart part;
  const bool biased = value.find("bias").has_value();
  if (biased) {
    value.only({"port", "bias", "width"});
    part.bits = port_bits(value.at("port"));
    part.bias = value.at("bias").integer(-(1 << 20), 1 << 20);
  } else {
    value.only({"magnitude", "sign", "width"});
    part.bits = port_bits(value.at("magnitude"));
    part.sign = port_bits(value.at("sign"));
  }
  if (const auto width = value.find("width")) part.width = width->integer(1, 64);
  return part;
}

ProbePart probe_part(const YamlValue& value) {
  if (value.is_mapping()) return number_part(value);
  if (const auto constant = constant_bits(value)) return *constant;
  ProbePart part;
  part.bits = port_bits(value);
  part.width = part.bits.width;
  return part;
}

PlaceProbe place_probe(const std::string& name, const YamlValue& value) {
  PlaceProbe probe{name, {}, value.place()};
  if (!value.is_list()) {
    probe.parts.push_back(probe_part(value));
    return probe;
  }
  for (const YamlValue& part : value.items()) {
    probe.parts.push_back(probe_part(part));
    if (probe.parts.back().width == 0)
      part.fail(part.is_mapping() ? "in a list it says its `width` at the place."
                                  : "in a list each port says its bits: port[high:low] or port[bit].");
  }
  if (probe.parts.empty()) value.fail("at least one port is needed.");
  return probe;
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
    for (const auto& [name, bits] : places->members()) dut.probes.push_back(place_probe(name, bits));
  }
}

std::vector<PortConstant> constants_in(const YamlValue& mapping) {
  std::vector<PortConstant> result;
  const auto constants = mapping.find("constants");
  if (!constants) return result;
  for (const auto& [name, value] : constants->members()) {
    result.push_back({port_identifier(value, name), value.hex(), value.place()});
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

// A port that both hold, at values of their own.
bool differ(const Claim& x, const Claim& y) {
  return std::any_of(x.constants.begin(), x.constants.end(), [&](const PortConstant& p) {
    return std::any_of(y.constants.begin(), y.constants.end(),
                       [&](const PortConstant& q) { return p.port == q.port && p.value != q.value; });
  });
}

void read_modes(const YamlValue& modes, Dut& dut) {
  dut.modes_per_case = modes.one_of({"held", "per_case"}) == 1;
  if (!dut.modes_per_case) return;
  if (dut.handshake.kind == Handshake::Kind::combinational)
    modes.fail("a combinational unit remembers no mode; leave out `modes`, or say another `handshake`.");
  if (dut.beats || dut.load)
    modes.fail(
        "modes come with the operands of a unit that takes a case at once; leave out `modes`, or `beats` and `load`.");
  const bool any = std::any_of(dut.claims.begin(), dut.claims.end(), [&](const Claim& x) {
    return std::any_of(dut.claims.begin(), dut.claims.end(), [&](const Claim& y) { return differ(x, y); });
  });
  if (!any) modes.fail("no two of the `instructions` have different `constants`, so there are no modes.");
}

// "case", "before" or a code.
LinkOperand link_operand(const YamlValue& link, const std::string& key, bool is_first, LinkOperand::From otherwise) {
  const auto value = link.find(key);
  if (!value) return {otherwise, 0, ""};
  const std::string text = value->text();
  if (text == "case") return {LinkOperand::From::given, 0, value->place()};
  if (text != "before") return {LinkOperand::From::constant, value->hex(", or `case` or `before`,"), value->place()};
  if (is_first) value->fail("no unit stands before this one; write `case` or a code.");
  return {LinkOperand::From::before, 0, value->place()};
}

Link read_link(const YamlValue& value, bool is_first) {
  Link link;
  link.place = value.place();
  link.c.from = is_first ? LinkOperand::From::given : LinkOperand::From::before;
  if (!value.is_mapping()) {
    link.file = in_folder_of(value, value.text());
    return link;
  }
  value.only({"dut", "instruction", "datapath", "elements", "every", "a", "b", "c"});
  link.file = in_folder_of(value, value.at("dut").text());
  if (Claim claim; read_claim(value, claim)) link.claim = claim;
  link.a = link_operand(value, "a", is_first, LinkOperand::From::given);
  link.b = link_operand(value, "b", is_first, LinkOperand::From::given);
  link.c = link_operand(value, "c", is_first, link.c.from);
  if (const auto range = value.find("elements")) std::tie(link.first, link.last) = element_range(*range);
  if (const auto every = value.find("every")) {
    if (!link.first) every->fail("say which elements these are: `elements: first-last`.");
    link.every = every->integer(1, 1 << 16);
  }
  return link;
}

}  // namespace

const std::vector<WireRow>& wire_rows() {
  static const std::vector<WireRow> rows{
      {"enable", &Handshake::enable, true},
      {"in_valid", &Handshake::in_valid, true},
      {"in_ready", &Handshake::in_ready, false},
      {"out_valid", &Handshake::out_valid, false},
      {"out_ready", &Handshake::out_ready, true},
      {"first", &Handshake::first, true},
      {"last", &Handshake::last, true},
      {"clear", &Handshake::clear, true},
      {"load_valid", &Handshake::load_valid, true},
      {"load_ready", &Handshake::load_ready, false},
      {"load_last", &Handshake::load_last, true},
      {"swap", &Handshake::swap, true},
  };
  return rows;
}

const PortOperand* find_operand(const Dut& dut, const std::string& name) {
  const auto found = std::find_if(dut.operands.begin(), dut.operands.end(),
                                  [&](const PortOperand& operand) { return operand.name == name; });
  return found == dut.operands.end() ? nullptr : &*found;
}

// All parts of a tile's operand are as late.
int skew_of(const PortOperand& operand, int lines, int length) {
  const PortElements& part = operand.parts.front();
  return (lines - 1) * part.late_line + (length - 1) * part.late;
}

int settling_of(const Dut& dut) { return dut.tile ? skew_of(dut.tile->d, dut.tile->rows, dut.tile->columns) : 0; }

bool is_of_rows(const std::string& operand) { return operand == "a" || operand == "scale_a"; }
bool is_of_columns(const std::string& operand) { return operand == "b" || operand == "scale_b"; }

int lines_of(const Dut& dut, const std::string& operand) {
  if (!dut.tile) return 1;
  return is_of_rows(operand) ? dut.tile->rows : is_of_columns(operand) ? dut.tile->columns : 1;
}

std::string PortElements::port_of(int slot) const {
  if (form != Form::each) return port;
  const std::size_t braces = port.find("{}");
  return port.substr(0, braces) + std::to_string(slot) + port.substr(braces + 2);
}

std::optional<UnitChain> read_chain_file(const std::string& path) {
  const YamlValue top = read_yaml_file(path);
  const auto list = top.find("chain");
  if (!list) return std::nullopt;
  top.only({"instruction", "datapath", "chain"});
  UnitChain chain{path, {}, {}};
  if (!read_claim(top, chain.claim) || chain.claim.instruction == "*")
    top.fail("say what the chain computes: `instruction: ARCHITECTURE:INSTRUCTION` or `datapath: FILE`.");
  for (const YamlValue& entry : list->items()) chain.links.push_back(read_link(entry, chain.links.empty()));
  if (chain.links.empty()) list->fail("at least one unit is needed.");
  return chain;
}

Dut read_dut_file(const std::string& path) {
  const YamlValue top = read_yaml_file(path);
  if (const auto chain = top.find("chain"))
    chain->fail("a chain is compared as a whole; one unit is wanted here, so name the DUT file of one of these.");
  top.only({"instruction", "datapath", "instructions", "sources", "include_dirs", "defines", "parameters",
            "options",     "top",      "clock",        "reset",   "handshake",    "beats",   "load",
            "tile",        "ports",    "constants",    "modes",   "probes",       "waves",   "chain"});
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
  if (const auto tile = top.find("tile")) dut.tile = read_tile(*tile);
  read_ports(top.at("ports"), dut);
  if (const auto load = top.find("load")) read_load(*load, dut);
  if (const auto beats = top.find("beats")) read_beats(*beats, dut);
  check_sequence(dut);
  dut.constants = constants_in(top);
  if (const auto modes = top.find("modes")) read_modes(*modes, dut);
  if (const auto probes = top.find("probes")) read_probes(*probes, dut);
  check_late_results(dut);
  if (const auto waves = top.find("waves")) dut.waves = waves->boolean();
  if (!has_d(dut) && !dut.plan_probe && dut.probes.empty())
    top.at("ports").at("d").fail(
        "a unit without d shows places under `probes`, from which the model goes on; there are none.");
  return dut;
}

namespace {

const std::string& port_of_d(const Dut& dut) { return dut.tile ? dut.tile->d.parts.front().port : dut.d.front().port; }

}  // namespace

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
    case Handshake::Kind::start_done:
      return at + (h.kind == Handshake::Kind::start_done ? "`done`, port " : "`out_valid`, port ") + h.out_valid.port +
             ", is not that of the results" + (has_d(dut) ? " at `ports.d`, port " + port_of_d(dut) : "") + ": " +
             counted(static_cast<std::uint64_t>(std::abs(by)), "case") + (by > 0 ? " too early" : " too late");
  }
  return "";
}

}  // namespace assay
