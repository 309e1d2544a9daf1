// A platform of one's own with the matrix unit dropped in: 2 x 2 dot units of one instruction behind a TLM-2.0 socket.
#include <cstdio>

#include "model/config/catalogue.hpp"
#include "model/tlm/driver.hpp"
#include "model/tlm/mma_target.hpp"

using assay::bus::Observation;

// Hears of every addend as it leaves the alignment shifter.
struct Listener : tlm::tlm_analysis_if<Observation> {
  void write(const Observation& seen) override {
    if (seen.dot.row == 0 && seen.dot.column == 0 && seen.where().label == "a[0] x b[0]") {
      std::printf("%5s  %s = %s\n", seen.at.to_string().c_str(), seen.where().name.c_str(), seen.bits.hex().c_str());
    }
  }
};

// What a processor would do.
struct Host : sc_core::sc_module {
  assay::bus::Driver driver{"driver"};
  const assay::Plan& plan;

  Host(const sc_core::sc_module_name& name, const assay::Plan& of) : sc_core::sc_module(name), plan(of) {
    SC_HAS_PROCESS(Host);
    SC_THREAD(run);
  }

  void run() {
    assay::Matrices x{2, 2, plan.k, {}, {}, {}, {}, {}};
    x.a.assign(static_cast<std::size_t>(2 * plan.k), 0x3c00);  // all 1.0 in f16
    x.b.assign(static_cast<std::size_t>(2 * plan.k), 0x4000);  // all 2.0
    x.c = {0x00000000, 0x3f800000, 0x40000000, 0xc2000000};    // 0, 1, 2 and -32 in f32
    for (const assay::Code d : driver.multiply(0, plan, x)) std::printf("%08llx ", static_cast<unsigned long long>(d));
    std::printf("after %s\n", sc_core::sc_time_stamp().to_string().c_str());
  }
};

int sc_main(int, char**) try {
  const assay::Catalogue catalogue(CATALOGUE);
  const assay::Plan plan = catalogue.plan_of(catalogue.instruction("hopper:wgmma.m64nNk16.f32.f16.f16"));

  assay::bus::UnitOptions options;
  options.shape = {2, 2};
  options.engine = assay::bus::Engine::modules;  // Engine::core computes the same bits, five times as fast
  assay::bus::MmaTarget unit("unit", {plan}, options);
  Host host("host", plan);
  host.driver.socket.bind(unit.socket);
  Listener listener;
  unit.stage(assay::Stage::align).bind(listener);

  sc_core::sc_start();
  return 0;
} catch (const assay::Error& error) {
  std::fprintf(stderr, "%s\n", error.message.c_str());
  return 2;
}
