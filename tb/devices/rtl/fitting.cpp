#include "tb/devices/rtl/fitting.hpp"

#include <algorithm>

#include "model/base/text.hpp"

namespace assay {
namespace {

constexpr std::size_t most_named = 4;

struct Measures {
  int k = 0, a = 0, b = 0, c = 0, d = 0;  // bits but for k; 0: the ports do not tell
};

const RtlPort* find_port(const std::vector<RtlPort>& ports, const std::string& name) {
  const auto found = std::find_if(ports.begin(), ports.end(), [&](const RtlPort& port) { return port.name == name; });
  return found == ports.end() ? nullptr : &*found;
}

// How many parts of operands, and ports of c, a port carries.
int carried_by(const Dut& dut, const std::string& port) {
  int carried = 0;
  for (const PortOperand& operand : dut.operands) {
    for (const PortElements& part : operand.parts) carried += part.port == port ? 1 : 0;
  }
  for (const PortBits& bits : dut.c) carried += bits.port == port ? 1 : 0;
  if (dut.tile && dut.tile->c) {
    for (const PortElements& part : dut.tile->c->parts) carried += part.port == port ? 1 : 0;
  }
  return carried;
}

// A vector beside which its port carries nothing else tells how many elements it has.
int count_in(const Dut& dut, const PortElements& e, const std::vector<RtlPort>& ports) {
  if (e.first) return e.last + 1;
  if (e.form == PortElements::Form::each) {
    int count = 0;
    while (find_port(ports, e.port_of(count)) != nullptr) ++count;
    return count;
  }
  const RtlPort* port = find_port(ports, e.port);
  if (port == nullptr) return 0;
  if (e.form == PortElements::Form::array) return port->elements;
  const int bits = port->width - e.offset + e.stride - e.width;
  return carried_by(dut, e.port) > 1 || e.stride == 0 || bits % e.stride != 0 ? 0 : bits / e.stride;
}

// Its ports hold some of its elements at a time.
bool comes_in_pieces(const Dut& dut, const std::string& operand) {
  const auto names = [&](const Pieces& pieces) {
    return std::find(pieces.operands.begin(), pieces.operands.end(), operand) != pieces.operands.end();
  };
  return (dut.beats && names(*dut.beats)) || (dut.load && names(*dut.load));
}

int count_in(const Dut& dut, const PortOperand* operand, const std::vector<RtlPort>& ports) {
  int count = 0;
  if (operand == nullptr || comes_in_pieces(dut, operand->name)) return count;
  for (const PortElements& part : operand->parts) count = std::max(count, count_in(dut, part, ports));
  const int lines = lines_of(dut, operand->name);
  return count % lines == 0 ? count / lines : 0;
}

// Elements side by side are as wide as the file says; one that has a port or an array's place for itself fills it.
int width_in(const PortElements& e, const std::vector<RtlPort>& ports) {
  const RtlPort* port = find_port(ports, e.port_of(0));
  return e.is_field || e.form == PortElements::Form::packed || port == nullptr ? e.low + e.width : port->width;
}

int width_in(const PortOperand* operand, const std::vector<RtlPort>& ports) {
  int width = 0;
  if (operand == nullptr) return width;
  for (const PortElements& part : operand->parts) width = std::max(width, width_in(part, ports));
  return width;
}

int width_in(const std::vector<PortBits>& list, const std::vector<RtlPort>& ports) {
  int width = 0;
  for (const PortBits& bits : list) {
    const RtlPort* port = find_port(ports, bits.port);
    width += bits.low ? bits.width : port == nullptr ? 0 : port->width;
  }
  return width;
}

Measures measures_of(const Dut& dut, const std::vector<RtlPort>& ports) {
  const PortOperand *a = find_operand(dut, "a"), *b = find_operand(dut, "b");
  const int k = std::max(count_in(dut, a, ports), count_in(dut, b, ports));
  if (dut.tile) {
    const PortOperand* c = dut.tile->c ? &*dut.tile->c : nullptr;
    return {k, width_in(a, ports), width_in(b, ports), width_in(c, ports), width_in(&dut.tile->d, ports)};
  }
  return {k, width_in(a, ports), width_in(b, ports), width_in(dut.c, ports), width_in(dut.d, ports)};
}

bool is_width(int bits, const std::string& format) {
  const Format* found = find_format(format);
  return bits == 0 || found == nullptr || found->stored_bits == bits;
}

bool brings_the_same(const Dut& dut, const Plan& plan) {
  const std::vector<ListOperand> brought = list_operands(plan);
  return brought.size() == dut.operands.size() &&
         std::all_of(brought.begin(), brought.end(),
                     [&](const ListOperand& operand) { return find_operand(dut, operand.name) != nullptr; });
}

bool fits(const Measures& measures, const Instruction& i) {
  return (measures.k == 0 || measures.k == i.k) && is_width(measures.a, i.operands.a) &&
         is_width(measures.b, i.operands.b) && is_width(measures.c, i.operands.c) && is_width(measures.d, i.operands.d);
}

// Those of an architecture that the file names first.
std::vector<std::string> fitting(const Dut& dut, const Measures& measures, const Catalogue& catalogue) {
  std::vector<std::string> names;
  for (const Architecture& architecture : catalogue.architectures()) {
    for (const Instruction& i : architecture.instructions) {
      if (fits(measures, i) && brings_the_same(dut, catalogue.plan_of(i))) names.push_back(i.full_name());
    }
  }
  std::stable_partition(names.begin(), names.end(), [&](const std::string& name) {
    return std::any_of(dut.claims.begin(), dut.claims.end(), [&](const Claim& claim) {
      return starts_with(name, claim.instruction.substr(0, claim.instruction.find(':')) + ":");
    });
  });
  return names;
}

std::string text(int known) { return known == 0 ? "any" : std::to_string(known); }

std::string measures_text(const Measures& measures) {
  return "a of " + text(measures.a) + " bits, b of " + text(measures.b) + ", c of " + text(measures.c) + ", d of " +
         text(measures.d) + ", k " + text(measures.k);
}

}  // namespace

std::string what_fits(const Dut& dut, const std::vector<RtlPort>& ports, const Catalogue& catalogue) {
  const Measures measures = measures_of(dut, ports);
  std::vector<std::string> names = fitting(dut, measures, catalogue);
  const std::string has = " As this file describes them, the ports have " + measures_text(measures) + "; ";
  if (names.empty())
    return has + "no instruction of the catalogue has, but a datapath file of your own may (docs/own-units.md).";
  const std::size_t others = names.size() - std::min(names.size(), most_named);
  names.resize(names.size() - others);
  return has + "so " + (names.size() == 1 ? "has " : "have ") + joined(names) +
         (others == 0 ? "." : " and " + counted(others, "other instruction") + " of the catalogue.");
}

std::string operands_text(const Plan& plan) {
  std::string text = "a of " + plan.a.name + ", b of " + plan.b.name + ", c of " + plan.c.name + ", d of " +
                     plan.d.name + ", k " + std::to_string(plan.k);
  for (const ListOperand& operand : further_operands(plan)) text += ", " + operand.name + " of " + operand.format.name;
  return text;
}

}  // namespace assay
