#include "tb/devices/rtl/glue.hpp"

#include "tb/vectors/print.hpp"

namespace assay {
namespace {

std::string text(int value) { return std::to_string(value); }

std::string quoted(const std::string& value) {
  std::string result;
  append_quoted(result, value);
  return result;
}

std::string elements(const PortElements& e, const std::string& operand, int count) {
  return "  put_elements(dut." + e.port + ", {" + text(count) + ", " + text(e.width) + ", " + text(e.offset) + ", " +
         (e.descending ? "true" : "false") + "}, request." + operand + ", \"" + operand + "\");\n";
}

std::string operands(const Dut& dut, const Plan& plan) {
  return elements(dut.a, "a", plan.k) + elements(dut.b, "b", plan.k) + "  put(dut." + dut.c.port + ", " +
         text(dut.c.low.value_or(0)) + ", " + text(plan.c.stored_bits) + ", request.c);\n";
}

std::string constants(const Dut& dut) {
  std::string lines;
  for (const PortConstant& c : dut.constants) lines += "  tie(dut." + c.port + ", " + std::to_string(c.value) + "u);\n";
  return lines;
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
    const auto at = static_cast<std::size_t>(plan.find_place(p.name));
    lines += probe(p.bits.port, p.name, p.bits.low.value_or(0), plan.places[at].width);
  }
  return lines;
}

std::string replaced(std::string body, const std::string& what, const std::string& with) {
  return body.replace(body.find(what), what.size(), with);
}

// Three functions know the DUT; @WORDS@ stand for what its file says.
constexpr const char* skeleton = R"(// The program around one Verilated DUT, as build_rtl wrote it.
#include "Vdut.h"
#include "tb/devices/rtl/harness.hpp"

using namespace assay::rtl;

static void tie_constants([[maybe_unused]] Vdut& dut) {
@CONSTANTS@}

static void ask(Vdut& dut, const assay::Request& request) {
@OPERANDS@}

static std::vector<std::pair<std::string_view, std::string>> trace([[maybe_unused]] const Vdut& dut) {
  return {
@PROBES@  };
}

// What a register holds before its first reset is random; the first argument seeds it.
int main(int argc, char** argv) {
  VerilatedContext context;
  context.randReset(2);
  context.randSeed(argc > 1 ? std::atoi(argv[1]) : 1);
  Vdut dut(&context);
  tie_constants(dut);
  return assay::serve({"rtl", {@INSTRUCTION@}, @TRACES@, 1024}, [&](const assay::Request& request) {
    ask(dut, request);
    dut.eval();
    assay::Reply reply{get(dut.@D@), @DIGITS@};
    if (request.trace) reply.trace = trace(dut);
    return reply;
  });
}
)";

}  // namespace

std::string glue_text(const Dut& dut, const Plan& plan) {
  std::string glue = replaced(skeleton, "@CONSTANTS@", constants(dut));
  glue = replaced(glue, "@OPERANDS@", operands(dut, plan));
  glue = replaced(glue, "@PROBES@", probes(dut, plan));
  glue = replaced(glue, "@INSTRUCTION@", quoted(dut.instruction));
  glue = replaced(glue, "@TRACES@", dut.plan_probe || !dut.probes.empty() ? "true" : "false");
  const std::string d = dut.d.port + ", " + text(dut.d.low.value_or(0)) + ", " + text(plan.d.stored_bits);
  glue = replaced(glue, "@D@", d);
  return replaced(glue, "@DIGITS@", text(plan.d.hex_digits()));
}

}  // namespace assay
