#include "sim/platform/wave_bench.hpp"

#include <chrono>

#include "model/tlm/machine/wave_target.hpp"
#include "sim/platform/word_initiator.hpp"
#include "tb/machine/wave_instruction.hpp"

namespace assay {
namespace {

using bus::WaveReg;

bool is_measured(const Instruction& i) {
  return i.m == 32 && i.n == "32" && i.k == 8 && i.blocks == 1 && i.operands.a == "f16" && !i.operands.mask;
}

std::vector<machine::WaveInstruction> one_instruction(const Catalogue& catalogue, const Instruction& i) {
  std::vector<machine::WaveInstruction> all;
  all.push_back(machine::wave_instruction(catalogue, i));
  return all;
}

double rate(WordInitiator& initiator, double seconds) {
  using Clock = std::chrono::steady_clock;
  const auto needed = [](bool done) {
    if (!done) throw Error{"The wave on the bus refused a transaction of the bench."};
  };
  // Ordinary numbers everywhere: 1 + lane / 1024 twice, as f16.
  for (int number = 0; number < 4; ++number) {
    for (int lane = 0; lane < 64; ++lane)
      needed(initiator.write(bus::register_address(machine::Bank::vector, number, lane),
                             0x3c003c00U + 0x10001U * static_cast<std::uint32_t>(lane + number)));
  }
  needed(initiator.set(WaveReg::a, 0));
  needed(initiator.set(WaveReg::b, 2));
  needed(initiator.set(WaveReg::c, bus::no_register));
  needed(initiator.set(WaveReg::d, 512));
  long long count = 0;
  std::chrono::duration<double> passed{};
  for (const auto begin = Clock::now(); passed.count() < seconds; passed = Clock::now() - begin) {
    needed(initiator.set(WaveReg::start, 1));
    ++count;
  }
  return static_cast<double>(count) / passed.count();
}

}  // namespace

struct WaveBench::Measured {
  std::string instruction;
  bus::WaveTarget target;
  WordInitiator initiator;

  Measured(const Catalogue& catalogue, const layout::RegisterFiles& files, const Instruction& i)
      : instruction(i.full_name()),
        target(sc_core::sc_gen_unique_name("wave"), files, one_instruction(catalogue, i)),
        initiator(sc_core::sc_gen_unique_name("wave_initiator")) {
    initiator.socket.bind(target.socket);
  }
};

WaveBench::WaveBench(const Catalogue& catalogue) {
  for (const Architecture& a : catalogue.architectures()) {
    for (const Instruction& i : a.instructions) {
      if (a.wave && is_measured(i)) measured_.push_back(std::make_unique<Measured>(catalogue, *a.wave, i));
    }
  }
}

WaveBench::~WaveBench() = default;

std::vector<WaveRate> WaveBench::rates(double seconds) const {
  std::vector<WaveRate> all;
  for (const auto& m : measured_) all.push_back({m->instruction, rate(m->initiator, seconds)});
  return all;
}

}  // namespace assay
