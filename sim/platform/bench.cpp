#include "sim/platform/bench.hpp"

#include <fmt/format.h>

#include <chrono>
#include <functional>
#include <iostream>
#include <nlohmann/json.hpp>

#include "model/config/catalogue.hpp"
#include "model/config/home.hpp"
#include "model/systemc/simulation.hpp"
#include "model/tlm/driver.hpp"
#include "model/tlm/mma_target.hpp"
#include "sim/platform/wave_bench.hpp"
#include "tb/devices/device.hpp"
#include "tb/devices/rtl/dut.hpp"
#include "tb/generate/generator.hpp"

namespace assay {
namespace {

constexpr int rows = 32, columns = 32;
constexpr double seconds = 0.7;  // of each measurement

// Cases of every family side by side: row i of A and column i of B are those of case i.
Matrices matrices_of(const Plan& plan, const Generator& generator) {
  Matrices x{rows, columns, plan.k, {}, {}, {}, {}, {}};
  x.b.resize(static_cast<std::size_t>(plan.k * columns));
  x.scale_b.resize(static_cast<std::size_t>(plan.scales * columns));
  for (std::size_t i = 0; i < rows; ++i) {
    const Case c = generator.make(i);
    x.a.insert(x.a.end(), c.a.begin(), c.a.end());
    x.scale_a.insert(x.scale_a.end(), c.scale_a.begin(), c.scale_a.end());
    for (std::size_t t = 0; t < c.b.size(); ++t) x.b[t * columns + i] = c.b[t];
    for (std::size_t t = 0; t < c.scale_b.size(); ++t) x.scale_b[t * columns + i] = c.scale_b[t];
    for (std::size_t j = 0; j < columns; ++j) x.c.push_back(generator.make(rows + i * columns + j).c);
  }
  return x;
}

// Calls `work`, which does `dots` dot products, until enough time has passed.
double dots_a_second(int dots, const std::function<void()>& work) {
  using Clock = std::chrono::steady_clock;
  const auto begin = Clock::now();
  long long calls = 0;
  std::chrono::duration<double> passed{};
  do {
    work();
    ++calls;
    passed = Clock::now() - begin;
  } while (passed.count() < seconds);
  return static_cast<double>(calls) * dots / passed.count();
}

// One dot product after the other into a pipeline of modules.
std::vector<systemc::Codes> codes_of(const Plan& plan, const Matrices& x) {
  std::vector<systemc::Codes> all;
  for (int row = 0; row < rows; ++row) {
    for (int column = 0; column < columns; ++column) {
      all.push_back(
          systemc::codes_of(plan, x, {row, column, 0}, x.c[static_cast<std::size_t>(row * columns + column)]));
    }
  }
  return all;
}

bus::UnitOptions untimed() {
  bus::UnitOptions options;
  options.shape = {rows, columns};
  options.latency = systemc::every_stage(0);
  options.access_cycles = 0;
  return options;
}

struct Rates {
  double modules = 0, bus = 0, core = 0;
};

Rates measure(const Plan& plan) {
  const Matrices x = matrices_of(plan, Generator(plan, 1));
  const std::vector<Code> expected = matmul(plan, x);
  Rates rates;
  rates.core = dots_a_second(rows * columns, [&] { matmul(plan, x); });

  // SystemC elaborates once: both before either runs.
  systemc::Simulation simulation(plan, systemc::steady());
  bus::MmaTarget unit("bus_unit", {plan}, untimed());
  bus::Driver driver("driver");
  driver.socket.bind(unit.socket);
  bool same = true;
  sc_core::sc_spawn([&] {
    rates.bus = dots_a_second(rows * columns, [&] { same = driver.multiply(0, plan, x) == expected && same; });
  });
  sc_core::sc_start();

  const std::vector<systemc::Codes> codes = codes_of(plan, x);
  rates.modules = dots_a_second(rows * columns, [&] {
    const std::vector<systemc::UnitAnswer> answers = simulation.run(codes, false);
    for (std::size_t i = 0; i < expected.size(); ++i) same = answers[i].d == expected[i] && same;
  });
  if (!same) throw Error{"The three forms of the model do not agree: speed says nothing then.", Ending::mismatch};
  return rates;
}

std::string shipped_claim() {
  return read_dut_file(home() + "/configs/dut/fused_f25_f16.yaml").claims.front().instruction;
}

}  // namespace

int bench(const std::string& instruction, bool json) {
  const Catalogue catalogue = shipped_catalogue();
  const Instruction& chosen = catalogue.instruction(instruction.empty() ? shipped_claim() : instruction);
  const Plan plan = catalogue.plan_of(chosen);
  if (const auto reason = systemc::why_not_built(plan)) throw Error{*reason, Ending::not_here};
  const WaveBench waves(catalogue);
  const Rates rates = measure(plan);
  const std::vector<WaveRate> wave_rates = waves.rates(seconds);
#ifdef NDEBUG
  const char* build = "assertions off";
#else
  const char* build = "assertions on";
#endif
  const std::pair<const char*, double> rows_of_table[] = {
      {"modules, connected by FIFOs", rates.modules}, {"unit on a bus, untimed", rates.bus}, {"core", rates.core}};
  if (json) {
    nlohmann::json j = {{"instruction", chosen.full_name()},
                        {"build", build},
                        {"modules", rates.modules},
                        {"bus", rates.bus},
                        {"core", rates.core},
                        {"unit", "dot products/s"}};
    for (const WaveRate& wave : wave_rates) j["waves"][wave.instruction] = wave.a_second;
    std::cout << j.dump() << "\n";
    return 0;
  }
  std::cout << fmt::format("{}, {} x {} x {}, {}\n\n", chosen.full_name(), rows, columns, plan.k, build);
  std::cout << fmt::format("{:<28}  {:>14}  {:>13}\n", "", "dot products/s", "core's time x");
  for (const auto& [name, rate] : rows_of_table) {
    std::cout << fmt::format("{:<28}  {:>14.0f}  {:>13.2f}\n", name, rate, rates.core / rate);
  }
  std::cout << fmt::format("\n{:<34}  {:>14}  {:>12}\n", "wavefronts on a bus", "instructions/s", "a minute");
  for (const WaveRate& wave : wave_rates)
    std::cout << fmt::format("{:<34}  {:>14.0f}  {:>12.0f}\n", wave.instruction, wave.a_second, 60 * wave.a_second);
  return 0;
}

}  // namespace assay
