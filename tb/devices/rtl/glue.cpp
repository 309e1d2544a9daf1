#include "tb/devices/rtl/glue.hpp"

#include "model/base/text.hpp"
#include "tb/devices/rtl/ports.hpp"
#include "tb/vectors/print.hpp"

namespace assay {
namespace {

std::string text(int value) { return std::to_string(value); }

std::string part(const PortElements& e, const ListOperand& of) {
  const int count = e.count(of.count);
  const std::string run = "{" + text(e.first_element()) + ", " + text(e.every) + ", " + text(count) + ", " +
                          text(e.low) + ", " + text(e.width) + ", " + text(e.offset) + ", " + text(e.stride) + ", " +
                          (e.descending ? "true" : "false") + "}, list";
  if (e.form == PortElements::Form::packed) return "      put_elements(dut." + e.port + ", " + run + ");\n";
  const std::string where = text(e.offset) + ", " + text(e.width) + ", code";
  const std::string begin = "      put_each(" + run + ", [&](std::size_t slot, std::uint64_t code) {\n";
  if (e.form == PortElements::Form::array)
    return begin + "        put(dut." + e.port + "[slot], " + where + ");\n      });\n";
  std::string cases = "        switch (slot) {\n";
  for (int i = 0; i < count; ++i) {
    cases += "          case " + text(i) + ": return put(dut." + e.port_of(i) + ", " + where + ");\n";
  }
  return begin + cases + "        }\n      });\n";
}

std::string operands(const Dut& dut, const Plan& plan) {
  std::string lines;
  for (const ListOperand& operand : list_operands(plan)) {
    const PortOperand* given = find_operand(dut, operand.name);  // check_ports says what is missing
    if (given == nullptr) continue;
    lines += "    {\n      const auto& list = codes(request, \"" + operand.name + "\", " + text(operand.count) + ");\n";
    for (const PortElements& e : given->parts) lines += part(e, operand);
    lines += "    }\n";
  }
  int above = plan.c.stored_bits;
  for (const PortBits& bits : dut.c) {
    const int width = dut.c.size() == 1 ? above : bits.width;
    above -= width;
    lines += "    put(dut." + bits.port + ", " + text(bits.low.value_or(0)) + ", " + text(width) + ", request.c >> " +
             text(above) + ");\n";
  }
  return lines;
}

// d, whose highest bits come first.
std::string result(const Dut& dut, const Plan& plan) {
  std::string sum;
  int above = plan.d.stored_bits;
  for (const PortBits& bits : dut.d) {
    const int width = dut.d.size() == 1 ? above : bits.width;
    above -= width;
    sum += (sum.empty() ? "get(dut." : " | get(dut.") + bits.port + ", " + text(bits.low.value_or(0)) + ", " +
           text(width) + ")" + (above > 0 ? " << " + text(above) : "");
  }
  return sum;
}

std::string constants(const Dut& dut, const Claim& claim) {
  std::string lines;
  for (const auto* list : {&dut.constants, &claim.constants}) {
    for (const PortConstant& c : *list) lines += "  tie(dut." + c.port + ", " + std::to_string(c.value) + "u);\n";
  }
  return lines;
}

std::string holds(const Dut& dut, const Claim& claim) {
  std::string lines;
  for (const auto* list : {&dut.constants, &claim.constants}) {
    for (const PortConstant& c : *list)
      lines += "    if (port == \"" + c.port + "\") tie(dut." + c.port + ", value);\n";
  }
  return lines;
}

// A member function of the unit that sets one bit, or does nothing where the unit has no such port.
std::string setter(const std::string& name, const std::string& port, bool inverted = false) {
  const std::string body = port.empty() ? "" : "dut." + port + " = " + (inverted ? "!" : "") + "value;";
  return "  void " + name + "([[maybe_unused]] bool value) { " + body + (body.empty() ? "}\n" : " }\n");
}
std::string getter(const std::string& name, const std::string& port) {
  return "  bool " + name + "() const { return " + (port.empty() ? "true" : "dut." + port + " != 0") + "; }\n";
}
std::string tags(const Handshake& h) {
  if (h.tag_in.empty()) {
    return "  void tag_in(std::uint64_t) {}\n  std::uint64_t tag_out() const { return 0; }\n";
  }
  return "  void tag_in(std::uint64_t tag) { put(dut." + h.tag_in + ", 0, tag_bits, tag); }\n" +
         "  std::uint64_t tag_out() const { return get(dut." + h.tag_out + ", 0, tag_bits); }\n";
}

std::string wires(const Dut& dut) {
  const Handshake& h = dut.handshake;
  return setter("clock", dut.clock) +
         setter("reset", dut.reset ? dut.reset->port : "", dut.reset && dut.reset->active_low) +
         setter("enable", h.enable) + setter("in_valid", h.in_valid) + setter("out_ready", h.out_ready) +
         getter("in_ready", h.in_ready) + getter("out_valid", h.out_valid) + tags(h);
}

std::string rules(const Dut& dut) {
  const Handshake& h = dut.handshake;
  static const char* const kinds[] = {"", "fixed_latency", "valid", "valid_ready"};
  return std::string("{assay::rtl::Kind::") + kinds[static_cast<int>(h.kind)] + ", latency, " +
         (h.enable.empty() ? "false" : "true") + ", tag_bits, " + text(dut.reset ? dut.reset->cycles : 0) + ", " +
         text(h.cycle_limit) + "}";
}

std::string probe(const std::string& port, const std::string& place, int from, int width) {
  return "    {\"" + place + "\", hex(dut." + port + ", " + text(from) + ", " + text(width) + ")},\n";
}

std::string probes(const Dut& dut, const Plan& plan) {
  std::string lines;
  if (dut.plan_probe) {
    int from = dut.plan_probe->low.value_or(0);
    for (const Place& place : plan.places) {
      lines += probe(dut.plan_probe->port, place.name, from, place.width);
      from += place.width;
    }
  }
  for (const PlaceProbe& p : dut.probes) {
    lines += probe(p.bits.port, p.name, p.bits.low.value_or(0), width_of(p, plan));
  }
  return lines;
}

// What knows the DUT; @WORDS@ stand for what its file says.
constexpr const char* skeleton = R"(// The program around one Verilated DUT, as build_rtl wrote it.
#include "Vdut.h"
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

struct Unit {
  Vdut dut;

  explicit Unit(VerilatedContext& context) : dut(&context) {
@CONSTANTS@  }

  // A constant's port at another value.
  void hold([[maybe_unused]] std::string_view port, [[maybe_unused]] std::uint64_t value) {
@HOLDS@  }

  void ask(const assay::Request& request) {
@OPERANDS@  }

  assay::Reply reply(bool trace) const {
    assay::Reply reply{@D@, @DIGITS@};
    if (trace) reply.trace = places();
    return reply;
  }

  std::vector<std::pair<std::string_view, std::string>> places() const {
    return {
@PROBES@    };
  }

@EVAL@@WIRES@};

// What a register holds before its first reset is random; the first argument seeds it, and the stalls.@WAVE_ARGUMENT@
// Further ones are ports and the values they are held at, in hexadecimal; and --latency with clock edges, so that
// another one needs no other program.
int main(int argc, char** argv) {
  const int seed = argc > 1 ? std::atoi(argv[1]) : 1;
  VerilatedContext context;
  context.randReset(2);
  context.randSeed(seed);
@WAVE_EVER@  Unit unit(context);
@WAVE_OPEN@  [[maybe_unused]] int latency = 0;
  for (int i = @FIRST_HELD@; i + 1 < argc; i += 2) {
    if (std::string_view(argv[i]) == "--latency") {
      latency = std::atoi(argv[i + 1]);
    } else {
      unit.hold(argv[i], std::strtoull(argv[i + 1], nullptr, 16));
    }
  }
  const assay::Greeting greeting{"rtl", {@INSTRUCTION@}, @TRACES@, 1024};
  assay::Session session(greeting);
@RUN@}
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
    R"(  return Clocked<Unit>(unit, @RULES@, session, static_cast<std::uint64_t>(seed)).run();
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
  std::string glue = replaced(skeleton, "@CONSTANTS@", constants(dut, claim));
  glue = replaced(glue, "@HOLDS@", holds(dut, claim));
  glue = replaced(glue, "@OPERANDS@", operands(dut, plan));
  glue = replaced(glue, "@PROBES@", probes(dut, plan));
  glue = replaced(glue, "@INSTRUCTION@", instructions(dut));
  glue = replaced(glue, "@TRACES@", dut.plan_probe || !dut.probes.empty() ? "true" : "false");
  glue = replaced(glue, "@D@", result(dut, plan));
  glue = replaced(glue, "@DIGITS@", text(plan.d.hex_digits()));
  glue = replaced(glue, "@TAG_BITS@", text(dut.handshake.tag_bits));
  glue = replaced(glue, "@WAVE_HEADER@", waves ? "#include \"verilated_fst_c.h\"\n" : "");
  glue = replaced(glue, "@WAVE_ARGUMENT@", waves ? " The second is the file of waves." : "");
  glue = replaced(glue, "@FIRST_HELD@", waves ? "3" : "2");
  glue = replaced(glue, "@WAVE_EVER@", waves ? "  context.traceEverOn(true);\n" : "");
  glue = replaced(glue, "@WAVE_OPEN@", waves ? "  if (argc > 2) unit.open(argv[2]);\n" : "");
  glue = replaced(glue, "@EVAL@", waves ? eval_and_dump : eval);
  glue = replaced(glue, "@WIRES@", clocked ? wires(dut) : "");
  glue = replaced(glue, "@RUN@", clocked ? replaced(run_clocked, "@RULES@", rules(dut)) : run_combinational);
  return glue;
}

}  // namespace assay
