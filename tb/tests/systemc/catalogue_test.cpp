// Every arithmetic of the catalogue as modules. SystemC elaborates once a process: each gets a child of its own.
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <set>

#include "model/config/catalogue.hpp"
#include "model/systemc/simulation.hpp"
#include "model/tlm/driver.hpp"
#include "model/tlm/mma_target.hpp"
#include "tb/tests/equality/datapath_text.hpp"
#include "tb/tests/equality/example_units.hpp"
#include "tb/tests/equality/random_datapath.hpp"
#include "tb/tests/source_dir.hpp"
#include "tb/tests/systemc/matrices.hpp"

namespace assay::testing {
namespace {

constexpr int case_count = 60;

// Instructions that are one and the same to the arithmetic.
std::string arithmetic(const Instruction& i) {
  const Operands& o = i.operands;
  std::string all = i.datapath + " k " + std::to_string(i.k) + " block " + std::to_string(o.scale_block);
  for (const std::string& format : {o.a, o.b, o.c, o.d, o.scale}) all += " " + format;
  return all;
}

int random_depth(const std::string& input) { return 1 + static_cast<int>(std::hash<std::string>{}(input) % 5); }

bool same_as_the_core(const Plan& plan, const systemc::Timing& timing) {
  if (systemc::why_not_built(plan)) return false;
  const std::vector<systemc::Codes> cases = make_cases(plan, case_count);
  systemc::Simulation simulation(plan, timing);
  const std::vector<systemc::UnitAnswer> answers = simulation.run(cases, true);
  if (answers.size() != cases.size()) return false;
  Registers registers;
  Trace expected(plan);
  for (std::size_t i = 0; i < cases.size(); ++i) {
    if (answers[i].d != dot(plan, operand(cases[i]), registers, &expected)) return false;
    for (int place = 0; place < static_cast<int>(plan.places.size()); ++place) {
      if (!answers[i].trace->same(place, expected)) return false;
    }
  }
  return true;
}

bool plain(const Plan& plan) { return same_as_the_core(plan, systemc::steady()); }

bool stalls(const Plan& plan) { return same_as_the_core(plan, {systemc::steady().depth, systemc::random_stalls(3)}); }

bool stalls_and_depths(const Plan& plan) { return same_as_the_core(plan, {random_depth, systemc::random_stalls(4)}); }

// A small matrix through the unit on a bus, over the core: its registers and window fit every format.
bool on_a_bus(const Plan& plan) {
  bus::UnitOptions options;
  options.shape = {2, 2};
  bus::MmaTarget target("target", {plan}, options);
  bus::Driver driver("driver");
  driver.socket.bind(target.socket);
  bool same = false;
  sc_core::sc_spawn([&] {
    for (std::uint64_t i = 0; i < 8; ++i) {
      const Matrices x = make_matrices(plan, 2, 2, plan.c == plan.d ? 2 : 1, i);
      same = driver.multiply(0, plan, x) == matmul(plan, x) && (same || i == 0);
    }
  });
  sc_core::sc_start();
  return same;
}

bool in_a_child(bool (*check)(const Plan&), const Plan& plan) {
  const pid_t child = fork();
  if (child == 0) _exit(check(plan) ? 0 : 1);
  int status = -1;
  return child > 0 && waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

TEST(Catalogue, EveryArithmeticWithItsTraces) {
  const Catalogue catalogue = shipped_catalogue();
  std::set<std::string> seen;
  for (const Architecture& architecture : catalogue.architectures()) {
    for (const Instruction& instruction : architecture.instructions) {
      if (!seen.insert(arithmetic(instruction)).second) continue;
      const Plan plan = catalogue.plan_of(instruction);
      for (bool (*const check)(const Plan&) : {plain, stalls, stalls_and_depths, on_a_bus}) {
        EXPECT_TRUE(in_a_child(check, plan)) << instruction.full_name() << ", " << arithmetic(instruction);
      }
    }
  }
  EXPECT_GE(seen.size(), 100U);
}

// Datapaths that no instruction of the catalogue uses, one of them made up here.
TEST(Catalogue, OwnDatapathsFromYaml) {
  const Catalogue catalogue = shipped_catalogue();
  const std::vector<DatapathFile> own = {catalogue.datapath("pair_sum_coarse"), catalogue.datapath("ieee_halves"),
                                         read_datapath_text("name: mine\nlike: pair_sum_coarse\nk: 24\n"
                                                            "operands: {a: e4m3, b: e5m2, c: f32, d: f32}\n",
                                                            "mine.yaml", catalogue)};
  for (const DatapathFile& file : own) {
    for (bool (*const check)(const Plan&) : {plain, stalls, stalls_and_depths}) {
      EXPECT_TRUE(in_a_child(check, plan_of(file))) << file.datapath.name;
    }
  }
}

TEST(Catalogue, ExampleUnits) {
  const Catalogue catalogue = shipped_catalogue();
  for (const std::string& file : example_units(source_dir())) {
    const Plan plan = plan_of(read_datapath_file(file, catalogue));
    EXPECT_TRUE(in_a_child(plain, plan)) << file;
    EXPECT_TRUE(in_a_child(on_a_bus, plan)) << file;
    EXPECT_TRUE(in_a_child(stalls_and_depths, plan)) << file;
  }
}

// Datapaths nobody built whose cases bring more than a, b, c and pairs of scales.
TEST(Catalogue, RandomDatapathsWithMoreOperands) {
  int tried = 0;
  for (std::uint64_t number = 0; tried < 60; ++number) {
    const OwnDatapath own = random_datapath(number, 0, number % 2 == 0 ? Domain::usual : Domain::farther);
    const auto made = plan(own.words, own.k);
    const Plan* good = std::get_if<Plan>(&made);
    if (good == nullptr || !good->takes_more() || systemc::why_not_built(*good)) continue;
    ++tried;
    EXPECT_TRUE(in_a_child(number % 4 == 0 ? stalls_and_depths : plain, *good)) << datapath_text(own.words, own.k);
  }
}

TEST(Catalogue, AChildThatFailsIsSeen) {
  const Catalogue catalogue = shipped_catalogue();
  const Plan plan = catalogue.plan_of(catalogue.instruction("hopper:wgmma.m64nNk16.f32.f16.f16"));
  EXPECT_TRUE(in_a_child([](const Plan&) { return true; }, plan));
  EXPECT_FALSE(in_a_child([](const Plan&) { return false; }, plan));
  EXPECT_FALSE(in_a_child([](const Plan&) -> bool { _exit(9); }, plan));
}

}  // namespace
}  // namespace assay::testing
