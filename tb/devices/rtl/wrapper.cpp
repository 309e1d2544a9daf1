#include "tb/devices/rtl/wrapper.hpp"

#include <algorithm>
#include <set>

#include "model/base/text.hpp"
#include "tb/devices/device.hpp"
#include "tb/devices/rtl/module_header.hpp"

namespace assay {
namespace {

// "req_i.a", in a port of the unit.
struct Member {
  std::string name, place;
  bool input = false;
  bool array = false;

  std::string port() const { return name.substr(0, name.find('.')); }
};

// Every port that the file names, once.
class Named {
 public:
  explicit Named(const Dut& dut) {
    add(dut.clock, dut.clock_place, true);
    if (dut.reset) add(dut.reset->port, dut.reset->place, true);
    const Handshake& h = dut.handshake;
    for (const WireRow& row : wire_rows()) add((h.*row.wire).port, (h.*row.wire).place, row.input);
    add(h.tag_in, h.place, true);
    add(h.tag_out, h.place, false);
    if (dut.load) add(dut.load->address, dut.load->place, true);
    for (const PortBits& bits : dut.c) add(bits.port, bits.place, true);
    for (const PortBits& bits : dut.d) add(bits.port, bits.place, false);
    if (dut.plan_probe) add(dut.plan_probe->port, dut.plan_probe->place, false);
    for (const PlaceProbe& probe : dut.probes) {
      for (const ProbePart& part : probe.parts) {
        add(part.bits.port, part.bits.place, false);
        if (part.sign) add(part.sign->port, part.sign->place, false);
      }
    }
    for (const PortOperand& operand : dut.operands) add(operand, true);
    if (dut.tile && dut.tile->c) add(*dut.tile->c, true);
    if (dut.tile) add(dut.tile->d, false);
    for (const PortConstant& constant : dut.constants) add(constant.port, constant.place, true);
    for (const Claim& claim : dut.claims) {
      for (const PortConstant& constant : claim.constants) add(constant.port, constant.place, true);
    }
  }

  const std::vector<Member>& members() const { return members_; }

 private:
  void add(const PortOperand& operand, bool input) {
    for (const PortElements& part : operand.parts)
      add(part.port, part.place, input, part.form == PortElements::Form::array);
  }

  void add(const std::string& name, const std::string& place, bool input, bool array = false) {
    if (name.find('.') != name.npos && names_.insert(name).second) members_.push_back({name, place, input, array});
  }

  std::set<std::string> names_;
  std::vector<Member> members_;
};

// "    input  logic [$bits(req_i.a)-1:0] member_req_i_a;" and what joins it to the member.
std::string lines_of(const Member& member) {
  const std::string port = wrapper_port(member.name);
  const std::string one = member.array ? member.name + "[0]" : member.name;
  const std::string many = member.array ? " [$size(" + member.name + ")]" : "";
  const std::string type = std::string(member.input ? "input" : "output") + " logic [$bits(" + one + ")-1:0] ";
  return "  " + type + port + many + ";\n  assign " +
         (member.input ? member.name + " = " + port : port + " = " + member.name) + ";\n";
}

}  // namespace

std::vector<std::string> members_of(const Dut& dut) {
  std::vector<std::string> names;
  const Named named(dut);
  for (const Member& member : named.members()) names.push_back(member.name);
  return names;
}

std::string wrapper_port(const std::string& name) {
  return name.find('.') == name.npos ? name : "member_" + replaced(name, ".", "_");
}

std::string wrapper_text(const Dut& dut, const std::string& preprocessed) {
  const std::optional<ModuleHeader> header = parse_header(preprocessed, dut.top);
  if (!header)
    throw Error{dut.file + ": the header of module " + dut.top +
                " does not declare its ports, so that their members cannot be named; declare them there, or name whole "
                "ports."};
  const std::vector<Member> members = Named(dut).members();
  const auto find_port = [&](const std::string& name) {
    return std::find_if(header->ports.begin(), header->ports.end(),
                        [&](const HeaderPort& port) { return port.name == name; });
  };
  std::set<std::string> whole;
  for (const Member& member : members) {
    whole.insert(member.port());
    if (find_port(member.port()) == header->ports.end())
      throw Error{member.place + ": module " + dut.top + " has no port " + member.port() + ", of which " + member.name +
                  " would be a member."};
  }
  std::vector<std::string> list, parameters;
  std::string through, structs, interfaces, joins;
  for (const HeaderPort& port : header->ports) {
    if (whole.count(port.name) == 0) {
      list.push_back(port.name);
      through += "  " + port.declaration + ";\n";
    } else if (port.interface.empty()) {
      structs += "  " + port.type + " " + port.name + port.dimensions + ";\n";
    } else {
      interfaces += "  " + port.interface + " " + port.name + port.dimensions + " (.*);\n";
    }
  }
  for (const Member& member : members) {
    list.push_back(wrapper_port(member.name));
    joins += lines_of(member);
  }
  for (const std::string& name : header->parameters) parameters.push_back("." + name + "(" + name + ")");
  return "// Around " + dut.top + ": a port for each member of a struct or an interface that the DUT file names.\n" +
         "/* verilator lint_off ENUMVALUE */\n/* verilator lint_off DECLFILENAME */\nmodule " + wrapper_module +
         header->before_ports + "(\n  " + joined(list, ",\n  ") + "\n);\n" + through + structs + interfaces + joins +
         "  " + dut.top + (parameters.empty() ? "" : " #(" + joined(parameters) + ")") + " u_dut (.*);\nendmodule\n";
}

}  // namespace assay
