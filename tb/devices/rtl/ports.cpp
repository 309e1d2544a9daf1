#include "tb/devices/rtl/ports.hpp"

#include <algorithm>
#include <iterator>
#include <map>
#include <regex>
#include <set>
#include <sstream>

#include "model/base/text.hpp"
#include "model/core/signs.hpp"
#include "tb/devices/device.hpp"

namespace assay {
namespace {

// Who drives which bits of which ports: none may be driven twice.
class DrivenBits {
 public:
  // Who drives one of these bits already; empty where nobody does. `slot` is the place in an unpacked array.
  std::string drive(const std::string& port, int slot, int from, int width, const std::string& who) {
    std::map<int, Range>& ranges = ports_[{port, slot}];
    const auto after = ranges.lower_bound(from + width);
    if (after != ranges.begin()) {
      const auto before = std::prev(after);
      if (before->second.end > from) return before->second.who;
    }
    ranges[from] = {from + width, who};
    return "";
  }

  // Of a port, from the first bit that is driven to behind the last; in an unpacked array, in all of its elements.
  struct Span {
    int low = 0, end = 0;
  };
  std::map<std::string, Span> spans() const {
    std::map<std::string, Span> spans;
    for (const auto& [at, ranges] : ports_) {
      const Span here{ranges.begin()->first, std::prev(ranges.end())->second.end};
      Span& all = spans.emplace(at.first, here).first->second;
      all = {std::min(all.low, here.low), std::max(all.end, here.end)};
    }
    return spans;
  }

 private:
  struct Range {
    int end = 0;
    std::string who;
  };
  std::map<std::pair<std::string, int>, std::map<int, Range>> ports_;  // by their lowest bits
};

// "bits 3 to 0", "bit 7"
std::string bits_text(int low, int width) {
  return width == 1 ? "bit " + std::to_string(low)
                    : "bits " + std::to_string(low + width - 1) + " to " + std::to_string(low);
}

// What an operand's ports hold: its codes, in so many lines.
ListOperand lines_of(const Dut& dut, const ListOperand& operand, int codes) {
  return {operand.name, operand.format, codes * lines_of(dut, operand.name)};
}

// Whether the codes of an operand fit their ports, and so on: each check names the line of the DUT file.
class PortCheck {
 public:
  PortCheck(const Dut& dut, const std::vector<RtlPort>& ports) : dut_(dut), ports_(ports) {}

  void operand(const PortOperand& given, const ListOperand& brought, bool input = true) {
    DrivenBits read;
    for (const PortElements& part : given.parts) elements(part, brought, input, input ? driven_ : read);
    complete(given, brought);
  }

  // Bits of inputs are driven once, those of outputs read once by an operand.
  void elements(const PortElements& elements, const ListOperand& of, bool input, DrivenBits& taken) {
    if (elements.low + elements.width > of.format.stored_bits ||
        (!elements.is_field && elements.width < of.format.stored_bits)) {
      misfit(elements.place, "elements of " + of.name + " are " + std::to_string(elements.low + elements.width) +
                                 " bits wide, but a code of " + of.format.name + " has " +
                                 std::to_string(of.format.stored_bits) + ".");
    }
    if (elements.first && elements.last >= of.count) {
      misfit(elements.place, "element " + std::to_string(elements.last) + " of " + of.name + " is given a place, but " +
                                 of.name + " has " + std::to_string(of.count) + ", from 0 to " +
                                 std::to_string(of.count - 1) + ".");
    }
    const int count = elements.count(of.count);
    const bool packed = elements.form == PortElements::Form::packed;
    const int ports = elements.form == PortElements::Form::each ? count : 1;
    for (int i = 0; i < ports; ++i) {
      const RtlPort& port = find(elements.port_of(i), elements.place, input);
      array(elements, port, of.name, count);
      const int needed = elements.offset + (packed ? (count - 1) * elements.stride : 0) + elements.width;
      if (port.width >= needed) continue;
      misfit(elements.place, (packed ? std::to_string(count) + " elements of " : "an element of ") + of.name +
                                 (packed ? " need bits up to " : " needs bits up to ") + std::to_string(needed - 1) +
                                 ", but port " + port.name + " has " + std::to_string(port.width) + " bits.");
    }
    for (int slot = 0; slot < count; ++slot) take(elements, of.name, slot, taken);
  }

  void take(const PortElements& elements, const std::string& operand, int slot, DrivenBits& taken) {
    const bool array = elements.form == PortElements::Form::array, packed = elements.form == PortElements::Form::packed;
    const int from = elements.offset + (packed ? slot * elements.stride : 0);
    const PortBits bits{elements.port_of(slot), from, elements.width, elements.place};
    once(taken.drive(bits.port, array ? slot : 0, from, bits.width, operand), bits, operand);
  }

  // `other` carries them already, unless it is empty.
  void once(const std::string& other, const PortBits& bits, const std::string& who) const {
    if (other.empty()) return;
    misfit(bits.place, bits_text(bits.low.value_or(0), bits.width) + " of port " + bits.port + " would carry " + who +
                           (other == who ? " twice." : ", and carry " + other + "."));
  }

  void drive(const PortBits& bits, int width, const std::string& who) {
    const int from = bits.low.value_or(0);
    once(driven_.drive(bits.port, 0, from, width, who), {bits.port, from, width, bits.place}, who);
  }

  // Each bit of each element has a place.
  void complete(const PortOperand& given, const ListOperand& of) {
    std::vector<std::uint64_t> there(static_cast<std::size_t>(of.count), 0);
    for (const PortElements& part : given.parts) {
      const std::uint64_t bits = (part.width == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << part.width) - 1)
                                 << part.low;
      for (int i = 0; i < part.count(of.count); ++i)
        there[static_cast<std::size_t>(part.first_element() + i * part.every)] |= bits;
    }
    for (int i = 0; i < of.count; ++i) {
      for (int bit = 0; bit < of.format.stored_bits; ++bit) {
        if ((there[static_cast<std::size_t>(i)] >> bit & 1) != 0) continue;
        misfit(given.place, "bit " + std::to_string(bit) + " of element " + std::to_string(i) + " of " + of.name +
                                " goes to no port; " + of.name + " has " +
                                counted(static_cast<std::uint64_t>(of.count), "element") + " of " + of.format.name +
                                ", whose codes have " + std::to_string(of.format.stored_bits) + " bits.");
      }
    }
  }

  void array(const PortElements& elements, const RtlPort& port, const std::string& operand, int count) {
    const bool wanted = elements.form == PortElements::Form::array;
    if (wanted && port.elements != count) {
      misfit(elements.place, operand + " has " + std::to_string(count) + " elements" + (elements.first ? " here" : "") +
                                 ", but port " + port.name +
                                 (port.elements == 0 ? " is no unpacked array; name it without []."
                                                     : " has " + std::to_string(port.elements) + "."));
    }
    if (!wanted && port.elements != 0)
      fail(elements.place, "port " + port.name + " is an unpacked array; write " + port.name + "[].");
  }

  // What a case brings beside c, no more and no less.
  void operands(const Plan& plan) {
    std::string known;
    for (const ListOperand& operand : list_operands(plan)) {
      const bool further = operand.name != "a" && operand.name != "b";
      if (further) known += (known.empty() ? "" : ", ") + operand.name;
      const PortOperand* given = find_operand(dut_, operand.name);
      if (given == nullptr)
        misfit(dut_.file, "ports." + operand.name + " is missing: a case of this datapath brings " +
                              counted(static_cast<std::uint64_t>(operand.count), "code") + " of " +
                              operand.format.name + " under this name; write `" + operand.name +
                              ": {port: .., width: " + std::to_string(operand.format.stored_bits) + "}`.");
      this->operand(*given, lines_of(dut_, operand, portion(plan, operand)));
    }
    for (const PortOperand& given : dut_.operands) {
      if (!brings(plan, given.name))
        misfit(given.place,
               "ports." + given.name + ": a case of this datapath brings nothing of this name; " +
                   (known.empty() ? "it has a, b and c alone." : "beside a, b and c it has " + known + "."));
    }
  }

  void tile(const Plan& plan) {
    const UnitTile& tile = *dut_.tile;
    const int elements = tile.rows * tile.columns;
    for (const ListOperand& operand : further_operands(plan)) {
      if (operand.name != "scale_a" && operand.name != "scale_b")
        misfit(tile.place, "a tile takes a, b, c and scales, and a case of this datapath brings " + operand.name +
                               ", too, of which nothing says what it is for each element.");
    }
    if (tile.c) operand(*tile.c, {"c", plan.c, elements});
    operand(tile.d, {"d", plan.d, elements}, false);
  }

  // Of the operand's codes those that are at the ports at once.
  int portion(const Plan& plan, const ListOperand& operand) {
    const Portions portions = portions_of(dut_, plan, operand);
    if (portions.times > 0 && portions.codes * portions.times == operand.count) return portions.codes;
    const Pieces& pieces = is_loaded(dut_, operand.name) ? static_cast<const Pieces&>(*dut_.load) : *dut_.beats;
    misfit(pieces.place, operand.name + " has " + counted(static_cast<std::uint64_t>(operand.count), "element") +
                             ", which cannot be dealt out evenly where " + pieces.operands.front() + " comes by " +
                             std::to_string(pieces.elements) + ".");
  }

  // The port that counts what is loaded.
  void address(const Plan& plan) {
    if (!dut_.load || dut_.load->address.empty()) return;
    const RtlPort& port = find(dut_.load->address, dut_.load->place, true);
    const int writes = load_beats_of(dut_, plan);
    if (port.elements == 0 && (port.width > 30 || writes <= 1 << port.width)) return;
    misfit(dut_.load->place, "port " + port.name + " counts up to " + std::to_string(writes - 1) +
                                 " while operands are loaded, but has " +
                                 counted(static_cast<std::uint64_t>(port.width), "bit") + ".");
  }

  void c(const Plan& plan) {
    if (!dut_.c.empty()) {
      word(dut_.c, "c", plan.c.stored_bits, true);
    } else if (signs_of(plan).c != 0 && !has_c(dut_)) {
      misfit(dut_.file,
             "ports.c is `none`, but the datapath adds c; name its port, or claim a datapath that begins "
             "with nothing, `start: none`.");
    }
  }

  // c or d, the highest bits first.
  void word(const std::vector<PortBits>& list, const std::string& what, int width, bool input) {
    if (list.size() == 1) {
      bits(list.front(), what, width, input);
      if (input) drive(list.front(), width, what);
      return;
    }
    int given = 0;
    DrivenBits read;
    for (const PortBits& part : list) {
      given += part.width;
      bits(part, "this part of " + what, part.width, input);
      if (input) drive(part, part.width, what);
      if (!read.drive(part.port, 0, part.low.value_or(0), part.width, what).empty())
        misfit(part.place, bits_text(part.low.value_or(0), part.width) + " of port " + part.port +
                               " would be read twice as " + what + ".");
    }
    if (given != width)
      misfit(list.front().place, what + " has " + std::to_string(width) +
                                     " bits, but the ports of this list are given " + std::to_string(given) + ".");
  }

  // The parts of a place, the highest bits first.
  void probe(const PlaceProbe& probe, int width) {
    int given = 0;
    for (const ProbePart& part : probe.parts) {
      const int own = part.width == 0 ? width : part.width;
      given += own;
      if (part.is_number()) number(probe, part, own);
      if (!part.is_number() && !part.is_constant())
        bits(part.bits, (probe.parts.size() == 1 ? "" : "this part of ") + probe.name, own, false);
    }
    if (given != width)
      misfit(probe.place,
             probe.name + " has " + std::to_string(width) + " bits, but is given " + std::to_string(given) + " here.");
  }

  void number(const PlaceProbe& probe, const ProbePart& part, int width) {
    if (width > 64)
      misfit(part.bits.place, probe.name + " has " + std::to_string(width) +
                                  " bits here; a number in another form may have 64 at most.");
    for (const PortBits* bits : {&part.bits, part.sign ? &*part.sign : nullptr}) {
      if (bits == nullptr) continue;
      const RtlPort& port = find(bits->port, bits->place, false);
      const int given = bits->low ? bits->width : port.width;
      const int most = bits == &part.bits ? 64 : 1;
      if (given <= most && bits->low.value_or(0) + given <= port.width) continue;
      misfit(bits->place, "this part of " + probe.name + " may have " +
                              counted(static_cast<std::uint64_t>(most), "bit") + ", but is given " +
                              std::to_string(given) + " of the " + std::to_string(port.width) + " of port " +
                              port.name + ".");
    }
  }

  static bool brings(const Plan& plan, const std::string& name) {
    const std::vector<ListOperand> list = list_operands(plan);
    return std::any_of(list.begin(), list.end(), [&](const ListOperand& operand) { return operand.name == name; });
  }

  // A port of the handshake, the clock or the reset.
  void wire(const std::string& name, int width, bool input, const std::string& place) {
    if (name.empty()) return;
    if (input && used_.count(name) != 0)
      fail(place, "port " + name + " would have two roles; give each a port of its own.");
    const RtlPort& port = find(name, place, input);
    if (port.width != width || port.elements != 0)
      fail(place, "port " + name + " must have " + counted(static_cast<std::uint64_t>(width), "bit") +
                      " here, it has " + std::to_string(port.width) + ".");
  }

  void handshake() {
    const Handshake& h = dut_.handshake;
    wire(dut_.clock, 1, true, dut_.clock_place);
    if (dut_.reset) wire(dut_.reset->port, 1, true, dut_.reset->place);
    for (const WireRow& row : wire_rows()) wire((h.*row.wire).port, 1, row.input, (h.*row.wire).place);
    wire(h.tag_in, h.tag_bits, true, h.place);
    wire(h.tag_out, h.tag_bits, false, h.place);
  }

  void bits(const PortBits& bits, const std::string& what, int width, bool input) {
    const RtlPort& port = find(bits.port, bits.place, input);
    const int given = bits.low ? bits.width : port.width;
    if (given != width || bits.low.value_or(0) + given > port.width) {
      misfit(bits.place, what + " has " + std::to_string(width) + " bits, but " + bits.port +
                             (bits.low ? " is given " + std::to_string(given) + " of its " : " has ") +
                             std::to_string(port.width) + ".");
    }
  }

  void constant(const PortConstant& constant) {
    if (used_.count(constant.port) != 0 && constants_.count(constant.port) == 0)
      fail(constant.place, "port " + constant.port + " carries something else, and is no constant; leave it out here.");
    constants_.insert(constant.port);
    const RtlPort& port = find(constant.port, constant.place, true);
    if (port.width < 64 && constant.value >> port.width != 0)
      fail(constant.place,
           "the constant does not fit port " + port.name + ", whose width is " + std::to_string(port.width) + ".");
  }

  // What lies between elements is a stride that somebody gave.
  std::vector<std::string> beside_operands() const {
    std::vector<std::string> found;
    const std::map<std::string, DrivenBits::Span> spans = driven_.spans();
    for (const RtlPort& port : ports_) {
      const auto span = spans.find(port.name);
      if (span == spans.end()) continue;
      const auto [low, end] = span->second;
      if (end < port.width) found.push_back(bits_text(end, port.width - end) + " of port " + port.name);
      if (low > 0) found.push_back(bits_text(0, low) + " of port " + port.name);
    }
    return found;
  }

  void all_driven() const {
    for (const RtlPort& port : ports_) {
      if (port.input && used_.count(port.name) == 0)
        fail(dut_.file,
             "input " + port.name + " of " + dut_.top + " is not driven; give it a value under `constants`.");
    }
  }

 private:
  [[noreturn]] static void fail(const std::string& place, const std::string& message) {
    throw Error{place + ": " + message};
  }

  [[noreturn]] void misfit(const std::string& place, const std::string& message) const {
    throw Misfit{place + ": " + message, ports_};
  }

  const RtlPort& find(const std::string& name, const std::string& place, bool input) {
    std::string known;
    for (const RtlPort& port : ports_) {
      known += (known.empty() ? "" : ", ") + port.name;
      if (port.name != name) continue;
      if (port.input != input && !port.either)
        fail(place, "port " + name + " is an " + (port.input ? "input" : "output") + ", an " +
                        (input ? "input" : "output") + " is needed here.");
      used_.insert(name);
      return port;
    }
    fail(place, "module " + dut_.top + " has no port " + name + "; its ports are " + known + ".");
  }

  const Dut& dut_;
  const std::vector<RtlPort>& ports_;
  std::set<std::string> used_, constants_;
  DrivenBits driven_;
};

// Of the numbers in "[2][4]" or ", 4>, 2>".
int product_of(const std::string& dimensions) {
  static const std::regex number(R"(\d+)");
  int product = 1;
  for (std::sregex_iterator at(dimensions.begin(), dimensions.end(), number), end; at != end; ++at)
    product *= std::stoi(at->str());
  return product;
}

}  // namespace

std::vector<RtlPort> read_ports(const std::string& verilated_header) {
  // VL_IN8(&clk_i,0,0);   VL_INW(&a_i,255,0,8);   VL_OUT(&d_o,31,0);   VL_IN16((&x_i)[2][4],15,0);
  static const std::regex line(R"(VL_(IN|OUT|INOUT)(?:8|16|64|W)?\(\(?&(\w+)\)?((?:\[\d+\])*),(\d+),(\d+))");
  // VlUnpacked<VlUnpacked<CData/*7:0*/, 4>, 2> &x;   an array, as later Verilators write one (5.048). They do not say
  // its direction.
  static const std::regex array(R"((?:VlUnpacked<)+\w+(?:<\d+>)?/\*(\d+):(\d+)\*/((?:, \d+>)+) ?&(\w+);)");
  std::vector<RtlPort> ports;
  std::istringstream in(verilated_header);
  for (std::string text; std::getline(in, text);) {
    std::smatch match;
    if (std::regex_search(text, match, array)) {
      const int elements = product_of(match[3]), width = std::stoi(match[1]) - std::stoi(match[2]) + 1;
      ports.push_back({match[4], true, width, elements, true});
    }
    if (!std::regex_search(text, match, line)) continue;
    const int elements = match[3].length() == 0 ? 0 : product_of(match[3]);
    ports.push_back({match[2], match[1] == "IN", std::stoi(match[4]) - std::stoi(match[5]) + 1, elements});
  }
  std::sort(ports.begin(), ports.end(), [](const RtlPort& x, const RtlPort& y) { return x.name < y.name; });
  return ports;
}

int width_of(const PlaceProbe& probe, const Plan& plan) {
  const int place = plan.find_place(probe.name);
  if (place >= 0) return plan.places.spot(place).place->width;
  throw Error{probe.place + ": the datapath has no place '" + probe.name + "'; its places run from " +
              plan.places.front().name + " to " + plan.places.back().name + "."};
}

std::vector<ListOperand> further_operands(const Plan& plan) {
  std::vector<ListOperand> list;
  for (const char* side : {"scale_a", "scale_b"}) {
    if (plan.scale) list.push_back({side, *plan.scale, plan.scales});
  }
  for (const CaseOperand& more : plan.more) list.push_back({more.name, more.format, more.count});
  return list;
}

std::vector<ListOperand> list_operands(const Plan& plan) {
  std::vector<ListOperand> list{{"a", plan.a, plan.k}, {"b", plan.b, plan.k}};
  for (ListOperand& operand : further_operands(plan)) list.push_back(std::move(operand));
  return list;
}

namespace {

bool is_among(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

// In how many pieces the first of the operands comes; 0 where it does not come out even.
int times_of(const Pieces& pieces, const Plan& plan) {
  for (const ListOperand& operand : list_operands(plan)) {
    if (operand.name == pieces.operands.front())
      return operand.count % pieces.elements == 0 ? operand.count / pieces.elements : 0;
  }
  return 1;
}

}  // namespace

bool is_loaded(const Dut& dut, const std::string& operand) { return dut.load && is_among(dut.load->operands, operand); }

int beats_of(const Dut& dut, const Plan& plan) { return dut.beats ? times_of(*dut.beats, plan) : 1; }

int load_beats_of(const Dut& dut, const Plan& plan) { return dut.load ? times_of(*dut.load, plan) : 0; }

Portions portions_of(const Dut& dut, const Plan& plan, const ListOperand& operand) {
  const bool in_beats = dut.beats && is_among(dut.beats->operands, operand.name);
  const int times = is_loaded(dut, operand.name) ? load_beats_of(dut, plan) : in_beats ? beats_of(dut, plan) : 1;
  return {times, operand.count / std::max(1, times)};
}

void check_ports(const Dut& dut, const Claim& claim, const Plan& plan, const std::vector<RtlPort>& ports) {
  PortCheck check(dut, ports);
  check.handshake();
  check.operands(plan);
  check.address(plan);
  check.c(plan);
  if (dut.tile) check.tile(plan);
  if (!dut.d.empty()) check.word(dut.d, "d", plan.d.stored_bits, false);
  for (const PortConstant& constant : dut.constants) check.constant(constant);
  for (const PortConstant& constant : claim.constants) check.constant(constant);
  if (dut.plan_probe) {
    int width = 0;
    for (const Place& place : plan.places) width += place.width;
    check.bits(*dut.plan_probe, "the plan's trace", width, false);
  }
  for (const PlaceProbe& probe : dut.probes) {
    check.probe(probe, width_of(probe, plan));
  }
  check.all_driven();
}

std::vector<std::string> bits_beside_operands(const Dut& dut, const Plan& plan, const std::vector<RtlPort>& ports) {
  PortCheck check(dut, ports);
  check.operands(plan);
  check.c(plan);
  if (dut.tile) check.tile(plan);
  return check.beside_operands();
}

void check_held(const Dut& dut, const Claim& claim, const std::vector<PortConstant>& held,
                const std::vector<RtlPort>& ports) {
  std::string known;
  std::set<std::string> names;
  for (const auto* list : {&dut.constants, &claim.constants}) {
    for (const PortConstant& c : *list) {
      if (names.insert(c.port).second) known += (known.empty() ? "" : ", ") + c.port;
    }
  }
  PortCheck check(dut, ports);
  for (const PortConstant& h : held) {
    if (names.count(h.port) == 0) {
      throw Error{h.place + ": port " + h.port + " is none of the constants of " + dut.file + "; " +
                  (known.empty() ? "it has none." : "it has " + known + ".")};
    }
    check.constant(h);
  }
}

}  // namespace assay
