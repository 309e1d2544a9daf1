#include "tb/devices/rtl/glue.hpp"

#include <set>

#include "model/base/hex.hpp"
#include "model/base/text.hpp"
#include "tb/devices/rtl/ports.hpp"
#include "tb/devices/rtl/wrapper.hpp"
#include "tb/vectors/print.hpp"

namespace assay {
namespace {

std::string text(int value) { return std::to_string(value); }

// A port of the Verilated module.
std::string signal(const std::string& port) { return "dut." + wrapper_port(port); }

std::string truth(bool value) { return value ? "true" : "false"; }

// Elements::, of an operand of which `codes` are at the ports.
std::string elements(const PortElements& e, int codes, const std::string& from) {
  return "{" + from + text(e.first_element()) + ", " + text(e.every) + ", " + text(e.count(codes)) + ", " +
         text(e.low) + ", " + text(e.width) + ", " + text(e.offset) + ", " + text(e.stride) + ", " +
         truth(e.descending) + "}";
}

// Elements of an operand into their ports, of which `codes` are there at once.
std::string part(const PortElements& e, int codes) {
  const int count = e.count(codes);
  const std::string run = elements(e, codes, "from + ") + ", list";
  if (e.form == PortElements::Form::packed) return "      put_elements(" + signal(e.port) + ", " + run + ");\n";
  const std::string where = text(e.offset) + ", " + text(e.width) + ", code";
  const std::string begin = "      put_each(" + run + ", [&](std::size_t slot, std::uint64_t code) {\n";
  if (e.form == PortElements::Form::array)
    return begin + "        put(in_array(" + signal(e.port) + ", slot), " + where + ");\n      });\n";
  std::string cases = "        switch (slot) {\n";
  for (int i = 0; i < count; ++i) {
    cases += "          case " + text(i) + ": return put(" + signal(e.port_of(i)) + ", " + where + ");\n";
  }
  return begin + cases + "        }\n      });\n";
}

std::string addend(const Dut& dut, const Plan& plan) {
  std::string lines;
  int above = plan.c.stored_bits;
  for (const PortBits& bits : dut.c) {
    const int width = dut.c.size() == 1 ? above : bits.width;
    above -= width;
    lines += "    put(" + signal(bits.port) + ", " + text(bits.low.value_or(0)) + ", " + text(width) +
             ", request.c >> " + text(above) + ");\n";
  }
  return lines;
}

// TileLines::, of an operand of a tile.
std::string lines_text(int count, int length, const PortOperand& operand) {
  return "{" + text(count) + ", " + text(length) + ", " + truth(operand.parts.front().across) + "}";
}

std::string hex_literal(Code code) { return "0x" + hex_text(code, 16); }

// Codes that a unit may treat in a way of its own.
std::string special_codes(const Format& f) {
  const Code all = f.stored_bits >= 64 ? ~Code{0} : (Code{1} << f.stored_bits) - 1,
             top = Code{1} << (f.stored_bits - 1);
  std::vector<Code> codes{0, 1, all, top, top - 1};
  if (!f.is_list() && !f.is_integer()) {
    for (const Code sign : {Code{0}, f.sign_bit()}) {
      codes.insert(codes.end(), {f.stored(sign), f.stored(sign | f.greatest_finite())});
      if (f.has_infinity) codes.push_back(f.stored(sign | f.infinity()));
    }
    if (f.nan != NanCodes::none) codes.push_back(f.stored(f.quiet_nan()));
  }
  std::string text;
  for (const Code code : codes) text += (text.empty() ? "" : ", ") + hex_literal(code);
  return "{" + text + "}";
}

// NanCodesOf::, of d.
std::string nan_codes(const Format& f) {
  const Code mantissa = (Code{1} << f.mantissa_bits) - 1, exponent = ((Code{1} << f.exponent_bits) - 1)
                                                                     << f.mantissa_bits;
  const auto text = [&](Code mask, Code value, Code any) {
    return "{" + hex_literal(f.stored(mask)) + ", " + hex_literal(f.stored(value)) + ", " + hex_literal(f.stored(any)) +
           "}";
  };
  switch (f.nan) {
    case NanCodes::ieee: return text(exponent, exponent, mantissa);
    case NanCodes::all_ones: return text(exponent | mantissa, exponent | mantissa, 0);
    case NanCodes::negative_zero:  // one code alone
    case NanCodes::none:
    case NanCodes::listed: break;
  }
  return "{}";
}

// Skew::
std::string skew_text(const PortOperand& operand) {
  const PortElements& part = operand.parts.front();
  return "{" + text(part.late_line) + ", " + text(part.late) + "}";
}

// `list` of an operand, some of whose elements come late: of what stood at the ports earlier, as `past` has it. `made`
// makes all of it of `request` and `beat`, after `before`.
std::string late_list(const PortOperand& operand, const std::string& lines, const std::string& before,
                      const std::string& made, const std::string& past) {
  return "      const auto list_of = [&](const assay::Request& request, [[maybe_unused]] std::size_t beat) {\n" +
         before + "        return " + made +
         ";\n      };\n      const CodeList list = skewed(list_of(request, beat), list_of, " + past + ", " + lines +
         ", " + skew_text(operand) + ");\n      const std::size_t from = 0;\n";
}

// `list` of a tile's operand, and from which of its elements on. `made` makes it of `request` and its `others`.
std::string tile_list(const PortOperand& operand, const Format& format, const std::string& lines,
                      const std::string& made, const std::string& past) {
  const std::string special = "      static const CodeList special" + special_codes(format) + ";\n";
  if (operand.parts.front().is_late())
    return special + late_list(operand, lines, "        const Others others = this->others(request);\n", made, past);
  return special + "      const CodeList list = " + made + ";\n      const std::size_t from = 0;\n";
}

// c of each element.
std::string addends(const UnitTile& tile, const Plan& plan) {
  const std::string lines = lines_text(tile.rows, tile.columns, *tile.c);
  std::string block =
      "    {\n" + tile_list(*tile.c, plan.c, lines, "addends(request.c, " + lines + ", others, special)", "past_");
  for (const PortElements& e : tile.c->parts) block += part(e, tile.rows * tile.columns);
  return block + "    }\n";
}

// Which portion of an operand a beat is.
std::string portion_text(const Dut& dut, const std::string& operand, int times) {
  const bool backwards = is_loaded(dut, operand) && dut.load->descending;
  return backwards ? "(" + text(times - 1) + " - beat)" : "beat";
}

// `list`, and from which of its elements on.
std::string list_text(const Dut& dut, const ListOperand& operand, const Portions& portions) {
  const PortOperand& ports = *find_operand(dut, operand.name);
  const std::string given = "codes(request, \"" + operand.name + "\", " + text(operand.count) + ")";
  const std::string codes = text(portions.codes);
  const std::string from = portions.times == 1 ? "0" : portion_text(dut, operand.name, portions.times) + " * " + codes;
  const bool loaded = is_loaded(dut, operand.name);
  const std::string past = loaded ? "past_loads_" : "past_";
  if (!dut.tile && loaded && ports.parts.front().is_late())
    return late_list(ports, "{1, " + codes + ", false}", "", "portion(" + given + ", " + from + ", " + codes + ")",
                     past);
  if (!dut.tile) return "      const auto& list = " + given + ";\n      const std::size_t from = " + from + ";\n";
  const std::string lines = lines_text(lines_of(dut, operand.name), portions.codes, ports);
  return tile_list(ports, operand.format, lines,
                   "in_lines(" + given + ", " + from + ", " + lines + ", others." +
                       (is_of_rows(operand.name) ? "row" : "column") + ", special)",
                   past);
}

// Those that are loaded before, or the others.
std::string operands(const Dut& dut, const Plan& plan, bool loaded) {
  std::string lines;
  for (const ListOperand& operand : list_operands(plan)) {
    const PortOperand* given = find_operand(dut, operand.name);  // check_ports says what is missing
    if (given == nullptr || is_loaded(dut, operand.name) != loaded) continue;
    const Portions portions = portions_of(dut, plan, operand);
    lines += "    {\n" + list_text(dut, operand, portions);
    for (const PortElements& e : given->parts) lines += part(e, portions.codes * lines_of(dut, operand.name));
    lines += "    }\n";
  }
  if (dut.tile && !loaded && dut.tile->c) lines += addends(*dut.tile, plan);
  if (dut.tile && !lines.empty()) lines = "    const Others others = this->others(request);\n" + lines;
  if (!loaded) return lines + addend(dut, plan);
  if (!dut.load) return lines;
  if (dut.load->address.empty()) return lines;
  const std::string counted = portion_text(dut, dut.load->operands.front(), load_beats_of(dut, plan));
  return lines + "    tie(" + signal(dut.load->address) + ", " + counted + ");\n";
}

// d, whose highest bits come first.
std::string result(const Dut& dut, const Plan& plan) {
  std::string sum;
  int above = plan.d.stored_bits;
  for (const PortBits& bits : dut.d) {
    const int width = dut.d.size() == 1 ? above : bits.width;
    above -= width;
    sum += (sum.empty() ? "get(" : " | get(") + signal(bits.port) + ", " + text(bits.low.value_or(0)) + ", " +
           text(width) + ")" + (above > 0 ? " << " + text(above) : "");
  }
  return sum;
}

// Elements of d out of their ports.
std::string part_of_d(const PortElements& e, int codes) {
  const std::string run = elements(e, codes, "");
  if (e.form == PortElements::Form::packed) return "    get_elements(" + signal(e.port) + ", " + run + ", d);\n";
  const std::string where = text(e.offset) + ", " + text(e.width) + ")";
  const std::string begin = "    get_each(" + run + ", [&](std::size_t slot) -> std::uint64_t {\n";
  if (e.form == PortElements::Form::array)
    return begin + "      return get(in_array(" + signal(e.port) + ", slot), " + where + ";\n    }, d);\n";
  std::string cases = "      switch (slot) {\n";
  for (int i = 0; i < e.count(codes); ++i)
    cases += "        case " + text(i) + ": return get(" + signal(e.port_of(i)) + ", " + where + ";\n";
  return begin + cases + "      }\n      return 0;\n    }, d);\n";
}

// Results that come late are kept until the last is there.
std::string settling(const Dut& dut) {
  std::string lines;
  if (dut.tile) {
    const int count = dut.tile->rows * dut.tile->columns;
    lines = "  CodeList d_now() const {\n    CodeList d(" + text(count) + ");\n";
    for (const PortElements& e : dut.tile->d.parts) lines += part_of_d(e, count);
    lines += "    return d;\n  }\n";
  }
  const int edges = settling_of(dut);
  if (edges == 0) return lines + "  void sample() {}\n  void forget() {}\n";
  return lines + "  Settling settling_{" + text(edges) +
         "};\n  void sample() { settling_.see(d_now(), out_valid_now()); }\n  void forget() { settling_.forget(); }\n"
         "  bool out_valid() const { return settling_.valid(); }\n";
}

// The results of a tile, some of which are the case's.
std::string results(const Dut& dut, const Plan& plan) {
  const UnitTile& tile = *dut.tile;
  const std::string lines = lines_text(tile.rows, tile.columns, tile.d);
  const bool late = settling_of(dut) > 0;
  return std::string("    assay::Reply reply = reply_of(") +
         (late ? "settling_.settled(d_now(), " + lines + ", " + skew_text(tile.d) + ")" : "d_now()") + ", " + lines +
         ", others, " + text(plan.d.hex_digits()) + ", " + nan_codes(plan.d) + ");\n";
}

std::string reply(const Dut& dut, const Plan& plan) {
  if (dut.tile) return results(dut, plan);
  return "    assay::Reply reply{" + (has_d(dut) ? result(dut, plan) : "0") + ", " + text(plan.d.hex_digits()) + "};\n";
}

// What is asked beside a case.
std::string others(const Dut& dut) {
  if (!dut.tile) return "return {};";
  return "return others_of(request, {" + text(dut.tile->rows) + ", " + text(dut.tile->columns) + "});";
}

// Bits beside the operands stay at 0.
std::string cleared(const Dut& dut, const Plan& plan) {
  std::set<std::string> ports;
  const auto insert = [&](const PortOperand& operand, int codes) {
    for (const PortElements& e : operand.parts) {
      for (int i = 0; i < e.count(codes); ++i) ports.insert(e.port_of(i));
    }
  };
  for (const ListOperand& operand : list_operands(plan)) {
    const PortOperand* given = find_operand(dut, operand.name);
    if (given == nullptr) continue;
    const Portions portions = portions_of(dut, plan, operand);
    insert(*given, portions.codes * lines_of(dut, operand.name));
  }
  for (const PortBits& bits : dut.c) ports.insert(bits.port);
  if (dut.tile && dut.tile->c) insert(*dut.tile->c, dut.tile->rows * dut.tile->columns);
  std::string lines;
  for (const std::string& port : ports) lines += "    put_zeros(" + signal(port) + ");\n";
  return lines;
}

std::string holds(const Dut& dut, const Claim& claim) {
  std::string lines;
  for (const auto* list : {&dut.constants, &claim.constants}) {
    for (const PortConstant& c : *list)
      lines += "    if (port == \"" + c.port + "\") tie(" + signal(c.port) + ", value);\n";
  }
  return lines;
}

// A member function of the unit that sets one bit, or does nothing where the unit has no such port.
std::string setter(const std::string& name, const PortWire& wire) {
  const std::string body = wire.is_there() ? signal(wire.port) + " = " + (wire.inverted ? "!" : "") + "value;" : "";
  return "  void " + name + "([[maybe_unused]] bool value) { " + body + (body.empty() ? "}\n" : " }\n");
}
std::string getter(const std::string& name, const PortWire& wire) {
  const std::string value = wire.is_there() ? signal(wire.port) + (wire.inverted ? " == 0" : " != 0") : "true";
  return "  bool " + name + "() const { return " + value + "; }\n";
}
std::string tags(const Handshake& h) {
  if (h.tag_in.empty()) {
    return "  void tag_in(std::uint64_t) {}\n  std::uint64_t tag_out() const { return 0; }\n";
  }
  return "  void tag_in(std::uint64_t tag) { put(" + signal(h.tag_in) + ", 0, tag_bits, tag); }\n" +
         "  std::uint64_t tag_out() const { return get(" + signal(h.tag_out) + ", 0, tag_bits); }\n";
}

std::string wires(const Dut& dut) {
  const Handshake& h = dut.handshake;
  std::string lines = setter("clock", {dut.clock, false, ""}) +
                      setter("reset", dut.reset ? PortWire{dut.reset->port, dut.reset->active_low, ""} : PortWire{}) +
                      tags(h);
  const bool late = settling_of(dut) > 0;
  for (const WireRow& row : wire_rows()) {
    const std::string name = late && std::string(row.name) == "out_valid" ? "out_valid_now" : row.name;
    lines += (row.input ? setter : getter)(name, h.*row.wire);
  }
  return lines;
}

// By how many edges the last element comes late of what is loaded.
int load_skew(const Dut& dut, const Plan& plan) {
  int most = 0;
  for (const ListOperand& operand : list_operands(plan)) {
    const PortOperand* given = find_operand(dut, operand.name);
    if (given == nullptr || !is_loaded(dut, operand.name)) continue;
    most = std::max(most, skew_of(*given, lines_of(dut, operand.name), portions_of(dut, plan, operand).codes));
  }
  return most;
}

// {{"a", {0, 1, 2, 3}}}: by how many clock edges each element at the ports comes late; of a tile's operand the most
// alone. What is loaded is not among them.
std::string lateness(const Dut& dut, const Plan& plan) {
  std::string rows;
  const auto add = [&](const std::string& name, const std::vector<std::string>& edges) {
    rows += (rows.empty() ? "{\"" : ", {\"") + name + "\", {" + joined(edges) + "}}";
  };
  const auto add_most = [&](const PortOperand& operand, int lines, int length) {
    if (operand.parts.front().is_late()) add(operand.name, {text(skew_of(operand, lines, length))});
  };
  for (const ListOperand& operand : list_operands(plan)) {
    const PortOperand* given = find_operand(dut, operand.name);
    if (given == nullptr || is_loaded(dut, operand.name)) continue;
    if (dut.tile) {
      add_most(*given, lines_of(dut, operand.name), operand.count);
      continue;
    }
    const int codes = portions_of(dut, plan, operand).codes;
    std::vector<std::string> edges(static_cast<std::size_t>(codes), "0");
    bool any = false;
    for (const PortElements& e : given->parts) {
      for (int i = 0; i < e.count(codes) && e.late != 0; ++i) {
        const int element = e.first_element() + i * e.every;
        edges[static_cast<std::size_t>(element)] = text(element * e.late);
        any = true;
      }
    }
    if (any) add(operand.name, edges);
  }
  if (dut.tile && dut.tile->c) add_most(*dut.tile->c, dut.tile->rows, dut.tile->columns);
  return "{" + rows + "}";
}

std::string quoted_names(std::vector<std::string> names) {
  for (std::string& name : names) name = json_string(name);
  return joined(names);
}

std::string rules(const Dut& dut, const Plan& plan) {
  const Handshake& h = dut.handshake;
  const int settling = settling_of(dut);
  static const char* const kinds[] = {"", "fixed_latency", "valid", "valid_ready", "start_done"};
  const std::vector<std::pair<std::string, std::string>> members{
      {"kind", std::string("Kind::") + kinds[static_cast<int>(h.kind)]},
      {"latency", settling == 0 ? "latency" : "latency + " + text(settling)},
      {"enable", truth(h.enable.is_there())},
      {"tag_bits", "tag_bits"},
      {"reset_cycles", "reset_cycles"},
      {"cycle_limit", settling == 0 ? "cycle_limit" : "cycle_limit + " + text(4 * settling)},  // stalls take their time
      {"results_wait", truth(h.out_ready.is_there())},
      {"hold", truth(h.hold)},
      {"clear", truth(h.clear.is_there())},
      {"load_beats", text(load_beats_of(dut, plan))},
      {"load_skew", text(load_skew(dut, plan))},
      {"swap", truth(h.swap.is_there())},
      {"swap_rides", truth(dut.load && dut.load->swap_rides)},
      {"swap_is_level", truth(dut.load && dut.load->swap_is_level)},
      {"load_gated", truth(!dut.load || dut.load->gated)},
      {"load_wait", text(dut.load ? dut.load->wait : 0)},
      {"ahead", h.swap.is_there() ? "company" : "false"},
      {"beats", text(beats_of(dut, plan))},
      {"partial", truth(dut.beats && dut.beats->partial)},
      {"says_ready", truth(h.in_ready.is_there())},
      {"resets", dut.reset ? "resets" : "false"},
      {"modes", "unit.modes.size()"},
      {"late", lateness(dut, plan)},
      {"skewed", truth(dut.tile.has_value())}};
  std::string lines;
  for (const auto& [name, value] : members) lines += "  rules." + name + " = " + value + ";\n";
  if (dut.load && dut.load->stays)
    lines += "  if (company) rules.stays = {" + quoted_names(dut.load->operands) + "};\n";
  return lines;
}

// Bits of a place: of a port from `from` on, or an expression of C++.
struct Part {
  std::string port;
  int from = 0;
  std::string expression;
  int width = 0;
};

// Where the bits of a place stand, the lowest first.
struct Probe {
  std::string name;
  int width = 0;
  std::vector<Part> parts;
};

// A port, or some of its bits, as a number.
std::string number(const PortBits& bits) {
  if (!bits.low) return "whole(" + signal(bits.port) + ")";
  return "get(" + signal(bits.port) + ", " + text(*bits.low) + ", " + text(bits.width) + ")";
}

Part part_of(const ProbePart& part, int width) {
  if (part.is_constant()) return {"", 0, std::to_string(part.constant) + "U", width};
  if (part.bias) return {"", 0, "less(" + number(part.bits) + ", " + text(*part.bias) + ")", width};
  if (part.sign) return {"", 0, "turned(" + number(part.bits) + ", " + number(*part.sign) + ")", width};
  return {part.bits.port, part.bits.low.value_or(0), "", width};
}

Probe probe_of(const PlaceProbe& given, const Plan& plan) {
  Probe probe{given.name, width_of(given, plan), {}};
  for (auto part = given.parts.rbegin(); part != given.parts.rend(); ++part)
    probe.parts.push_back(part_of(*part, part->width == 0 ? probe.width : part->width));
  return probe;
}

std::vector<Probe> probes(const Dut& dut, const Plan& plan) {
  std::vector<Probe> all;
  if (dut.plan_probe) {
    int from = dut.plan_probe->low.value_or(0);
    for (const Place& place : plan.places) {
      all.push_back({place.name, place.width, {{dut.plan_probe->port, from, "", place.width}}});
      from += place.width;
    }
  }
  for (const PlaceProbe& p : dut.probes) all.push_back(probe_of(p, plan));
  return all;
}

// The 64 bits of a place from `from` on.
std::string word_of(const Probe& probe, int from) {
  std::string word;
  int at = 0;  // of the part, in the place
  for (const Part& part : probe.parts) {
    const int low = std::max(at, from), high = std::min(at + part.width, from + 64);
    if (low < high) {
      const std::string bits =
          part.expression.empty()
              ? "get(" + signal(part.port) + ", " + text(part.from + low - at) + ", " + text(high - low) + ")"
              : "bits(" + part.expression + ", " + text(low - at) + ", " + text(high - low) + ")";
      word += (word.empty() ? "" : " | ") + bits + (low > from ? " << " + text(low - from) : "");
    }
    at += part.width;
  }
  return word;
}

// Each in whole words, the lowest first.
std::string places(const std::vector<Probe>& probes, int& words) {
  std::string lines;
  words = 0;
  for (const Probe& p : probes) {
    for (int from = 0; from < p.width; from += 64)
      lines += "    places_[" + text(words++) + "] = " + word_of(p, from) + ";\n";
  }
  return lines;
}

// {"a", 16}, {"b", 16}, {"c", 1}: what a case brings.
std::string codes(const Plan& plan) {
  std::string list = "{\"a\", " + text(plan.k) + "}, {\"b\", " + text(plan.k) + "}, {\"c\", 1}";
  for (const ListOperand& operand : list_operands(plan)) {
    if (operand.name != "a" && operand.name != "b")
      list += ", {" + json_string(operand.name) + ", " + text(operand.count) + "}";
  }
  return list;
}

std::string widths(const std::vector<Probe>& probes) {
  std::string list;
  for (const Probe& p : probes) list += (list.empty() ? "" : ", ") + ("{\"" + p.name + "\", " + text(p.width) + "}");
  return list;
}

// What knows the DUT; @WORDS@ stand for what its file says.
constexpr const char* skeleton = R"(// The program around one Verilated DUT, as build_rtl wrote it.
#include "Vdut.h"
#include "tb/devices/rtl/bare.hpp"
#include "tb/devices/rtl/clocked.hpp"
#include "tb/devices/rtl/harness.hpp"
@WAVE_HEADER@
using namespace assay::rtl;

constexpr int tag_bits = @TAG_BITS@;

// The simulator calls these, and they must not return to it.
static Printed printed;
void vl_stop(const char* file, int line, const char*) { stopped(printed, file, line); }
void vl_finish(const char* file, int line, const char*) { finished(file, line); }
void vl_fatal(const char* file, int line, const char*, const char* why) { failed(file, line, why); }
void vl_warn(const char* file, int line, const char*, const char* why) { warned(file, line, why); }

struct Unit {
  Vdut dut;

  explicit Unit(VerilatedContext& context) : dut(&context) {
@CLEARED@  }

  // Ports of constants and their values: those of the cases, and of other modes, as far as they differ.
  std::vector<std::vector<std::pair<std::string_view, std::uint64_t>>> modes{{}};
  void mode(std::size_t number) {
    for (const auto& [port, value] : modes[0]) hold(port, value);
    if (number == 0) return;
    for (const auto& [port, value] : modes[number]) hold(port, value);
  }
  void hold([[maybe_unused]] std::string_view port, [[maybe_unused]] std::uint64_t value) {
@HOLDS@  }

  void ask(const assay::Request& request, [[maybe_unused]] std::size_t beat) {
@OPERANDS@  }

  void load([[maybe_unused]] const assay::Request& request, [[maybe_unused]] std::size_t beat) {
@LOADED@  }

  Others others([[maybe_unused]] const assay::Request& request) const { @OTHERS@ }
  void past(const std::deque<Stood>& earlier, const std::deque<Stood>& loads) {
    past_ = &earlier;
    past_loads_ = &loads;
  }
  const std::deque<Stood>*past_ = nullptr, *past_loads_ = nullptr;
@SETTLING@
  assay::Reply reply([[maybe_unused]] bool trace, [[maybe_unused]] const Others& others) {
@REPLY@@TRACE@    return reply;
  }
@PLACES@
@EVAL@@WIRES@};

// What a register holds before its first reset is random; the first argument seeds it, and the stalls.
// Further ones are ports and the values they are held at, in hexadecimal, and numbers of the handshake, so that other
// ones need no other program; the folder whose files the unit's memories are read from; whether resets come amid the
// unit's work, and whether loads do, and operations that share what is loaded; other modes, each of which has ports and
// values after it; or for how many seconds the unit is evaluated alone@WAVE_ARGUMENT@.
int main(int argc, char** argv) {
  const int seed = argc > 1 ? std::atoi(argv[1]) : 1;
  VerilatedContext context;
  context.randReset(2);
  context.randSeed(seed);
@WAVE_EVER@  Unit unit(context);
  [[maybe_unused]] int latency = 0, reset_cycles = 0, cycle_limit = 1000;
  [[maybe_unused]] bool resets = false, company = false;
  double bare = 0;
  const char* folder = ".";
  for (int i = 2; i + 1 < argc; i += 2) {
    const std::string_view name = argv[i];
    if (name == "--latency") {
      latency = std::atoi(argv[i + 1]);
    } else if (name == "--reset-cycles") {
      reset_cycles = std::atoi(argv[i + 1]);
    } else if (name == "--cycle-limit") {
      cycle_limit = std::atoi(argv[i + 1]);
    } else if (name == "--resets") {
      resets = std::atoi(argv[i + 1]) != 0;
    } else if (name == "--company") {
      company = std::atoi(argv[i + 1]) != 0;
    } else if (name == "--mode") {
      unit.modes.emplace_back();
    } else if (name == "--folder") {
      folder = argv[i + 1];
    } else if (name == "--bare") {
      bare = std::atof(argv[i + 1]);
@WAVE_OPEN@    } else {
      unit.modes.back().emplace_back(name, std::strtoull(argv[i + 1], nullptr, 16));
    }
  }
  work_in(folder);
  unit.mode(0);
  const assay::Greeting greeting{"rtl", {@INSTRUCTION@}, @TRACES@, 1024, {{@CODES@}, {@WIDTHS@}}};
  if (bare > 0) return run_bare(unit, greeting.records, bare, [&] { @EVALUATE@ });
  assay::Session session(greeting);
@RUN@}
)";

constexpr const char* trace = R"(    if (trace && others.leave(0, 0)) {
      gather();
      reply.places = places_;
    }
)";

constexpr const char* gather = R"(
  void gather() {
@GATHERED@  }
  std::uint64_t places_[@WORDS@];
)";

constexpr const char* eval = R"(  void eval() { dut.eval(); }
)";

// Once a call of eval: time counts those. A unit that stops shows what it stopped at.
constexpr const char* eval_and_dump = R"(  void eval() try {
    dut.eval();
    dump();
  } catch (...) {
    dump();
    throw;
  }
  void dump() {
    if (wave.isOpen()) wave.dump(time++);
  }
  VerilatedFstC wave;
  std::uint64_t time = 0;
  void open(const char* file) {
    dut.trace(&wave, 99);
    wave.open(file);
  }
)";

constexpr const char* run_combinational = R"(  return run_combinational(unit, session);
)";

constexpr const char* run_clocked =
    R"(  Rules rules;
@RULES@  return Clocked<Unit>(unit, rules, session, static_cast<std::uint64_t>(seed)).run();
)";

constexpr const char* wave_open = R"(    } else if (name == "--wave") {
      unit.open(argv[i + 1]);
)";

std::string instructions(const Dut& dut) {
  std::string list;
  for (const Claim& claim : dut.claims) {
    list += (list.empty() ? "" : ", ") + json_string(claim.datapath.empty() ? claim.instruction : "*");
  }
  return list;
}

}  // namespace

std::string glue_text(const Dut& dut, const Claim& claim, const Plan& plan, bool waves) {
  const bool clocked = dut.handshake.kind != Handshake::Kind::combinational;
  std::string glue = replaced(skeleton, "@HOLDS@", holds(dut, claim));
  glue = replaced(glue, "@OPERANDS@", operands(dut, plan, false));
  glue = replaced(glue, "@CLEARED@", cleared(dut, plan));
  glue = replaced(glue, "@LOADED@", operands(dut, plan, true));
  const std::vector<Probe> all = probes(dut, plan);
  int words = 0;
  const std::string gathered = places(all, words);
  glue = replaced(glue, "@TRACE@", all.empty() ? "" : trace);
  glue = replaced(glue, "@PLACES@",
                  all.empty() ? "" : replaced(replaced(gather, "@GATHERED@", gathered), "@WORDS@", text(words)));
  glue = replaced(glue, "@CODES@", codes(plan));
  glue = replaced(glue, "@WIDTHS@", widths(all));
  glue = replaced(glue, "@INSTRUCTION@", instructions(dut));
  glue = replaced(glue, "@TRACES@", all.empty() ? "false" : "true");
  glue = replaced(glue, "@REPLY@", reply(dut, plan));
  glue = replaced(glue, "@OTHERS@", others(dut));
  glue = replaced(glue, "@SETTLING@", settling(dut));
  glue = replaced(glue, "@TAG_BITS@", text(dut.handshake.tag_bits));
  glue = replaced(glue, "@WAVE_HEADER@", waves ? "#include \"verilated_fst_c.h\"\n" : "");
  glue = replaced(glue, "@WAVE_ARGUMENT@", waves ? ", or the file of waves" : "");
  glue = replaced(glue, "@WAVE_EVER@", waves ? "  context.traceEverOn(true);\n" : "");
  glue = replaced(glue, "@WAVE_OPEN@", waves ? wave_open : "");
  glue = replaced(glue, "@EVAL@", waves ? eval_and_dump : eval);
  glue = replaced(glue, "@WIRES@", clocked ? wires(dut) : "");
  glue = replaced(glue, "@EVALUATE@",
                  clocked ? "unit.clock(false), unit.eval(), unit.clock(true), unit.eval();" : "unit.eval();");
  glue = replaced(glue, "@RUN@", clocked ? replaced(run_clocked, "@RULES@", rules(dut, plan)) : run_combinational);
  return glue;
}

}  // namespace assay
