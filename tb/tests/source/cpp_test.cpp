// The C++ over integers of the user's own, with SystemC's: d of each case as core has it.
#include <gtest/gtest.h>

#include <fstream>

#include "model/base/files.hpp"
#include "model/base/run_program.hpp"
#include "tb/source/model_c.hpp"
#include "tb/tests/rtl/units.hpp"
#include "tb/tests/source/drawn.hpp"

namespace assay {
namespace {

// Codes in, an eight bytes each; codes out.
constexpr const char* beginning = R"(
#include <cstdio>
#include <systemc>

#define ASSAY_BITS(N) sc_dt::sc_biguint<N>
)"
                                  "#include \"unit.hpp\"\n"
                                  R"(
template <class Code, int Count>
bool read(Code (&codes)[Count]) {
  uint64_t code = 0;
  for (Code& each : codes) {
    if (std::fread(&code, sizeof code, 1, stdin) != 1) return false;
    each = static_cast<Code>(code);
  }
  return true;
}

int sc_main(int, char**) {
)";

std::string array_of(const std::string& name, const Format& format, int count) {
  return "  static uint" + std::to_string(8 * element_bytes(format.stored_bits)) + "_t " + name + "[" +
         std::to_string(count) + "];\n";
}

std::string program_of(const Plan& plan) {
  std::string arrays = array_of("a", plan.a, plan.k) + array_of("b", plan.b, plan.k) + array_of("c", plan.c, 1);
  std::string read = "read(a) && read(b) && read(c)", arguments = "a, b, c[0]";
  const auto add = [&](const std::string& name, const Format& format, int count) {
    arrays += array_of(name, format, count);
    read += " && read(" + name + ")";
    arguments += ", " + name;
  };
  if (plan.scale) add("scale_a", *plan.scale, plan.scales), add("scale_b", *plan.scale, plan.scales);
  for (const CaseOperand& more : plan.more) add("operand_" + more.name, more.format, more.count);
  if (plan.datapath.flags) arguments += ", nullptr";
  return beginning + arrays + "  while (" + read + ") {\n    const uint64_t d = unit::dot(" + arguments +
         ", nullptr);\n    std::fwrite(&d, sizeof d, 1, stdout);\n  }\n  return 0;\n}\n";
}

void write_cases(const std::filesystem::path& path, const Plan& plan, const std::vector<Case>& cases) {
  std::ofstream out(path, std::ios::binary);
  const auto give = [&](const std::vector<Code>& codes) {
    out.write(reinterpret_cast<const char*>(codes.data()), static_cast<long>(sizeof(Code) * codes.size()));
  };
  for (const Case& one : cases) {
    give(one.a), give(one.b), give({one.c});
    if (plan.scale) give(one.scale_a), give(one.scale_b);
    give(one.more);
  }
}

void expect_core(const Named& named) {
  const Plan& plan = named.plan;
  const std::filesystem::path folder = scratch();
  std::filesystem::create_directories(folder);
  const auto file = [&](const char* name) { return (folder / name).string(); };
  std::ofstream(file("unit.hpp")) << model_as_cpp(plan, {"unit", "a test", "assay", "0"});
  std::ofstream(file("main.cpp")) << program_of(plan);
  ASSERT_EQ(run_program({"g++", "-std=c++17", "-Wall", "-Wextra", "-Werror", "-O1", "-I", folder.string(), "-o",
                         file("unit"), file("main.cpp"), "-lsystemc"},
                        file("log")),
            0)
      << named.name << ": " << read_whole_file(file("log"), 16, "a log");
  const std::vector<Case> cases = cases_of(plan, 300);
  write_cases(file("in"), plan, cases);
  const std::string command = "'" + file("unit") + "' < '" + file("in") + "' > '" + file("out") + "'";
  ASSERT_EQ(run_program({"sh", "-c", command}, file("log"), {{"SYSTEMC_DISABLE_COPYRIGHT_MESSAGE=1"}, {}}), 0)
      << read_whole_file(file("log"), 16, "a log");
  std::ifstream out(file("out"), std::ios::binary);
  Registers registers;
  for (const Case& one : cases) {
    Code d = 0;
    ASSERT_TRUE(out.read(reinterpret_cast<char*>(&d), sizeof d)) << named.name << ", " << case_name(one);
    ASSERT_EQ(d, dot(plan, one.operand(), registers)) << named.name << ", " << case_name(one);
  }
}

TEST(CppModel, OverIntegersOfSystemCEqualsCore) {
  expect_core(instruction_named("hopper:wgmma.m64nNk16.f32.f16.f16"));
  expect_core(instruction_named("power10:pmxvf64gernp"));
  expect_core(units_of_rows()[7]);
  expect_core({"posit", plan_of_text(R"(
name: quire
k: 4
formats: {p8: {rule: posit, parameters: {bits: 8, es: 2}}}
operands: {a: p8, b: p8, c: p8, d: p8}
specials: operation
adders:
  - name: sum
    add: {product: exact, acc: exact}
    result: [{format: d, cut: nearest_even, overflow: largest}]
)")});
}

}  // namespace
}  // namespace assay
