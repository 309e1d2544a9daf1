// A small platform: an initiator that carries operands from a memory to the unit and results back, and listeners on the
// unit's analysis ports.
//
//   driver -- bus -+- memory       cases lie here: operands as in the unit's window, room for d behind them
//                  +- unit  ..> collector (a trace a case), waveform
#pragma once

#include "model/tlm/driver.hpp"
#include "model/tlm/mma_target.hpp"
#include "sim/platform/memory.hpp"
#include "sim/platform/waveform.hpp"
#include "tb/devices/device.hpp"

namespace assay {

// Puts what the analysis ports publish together as the traces of the cases.
class Collector : public tlm::tlm_analysis_if<bus::Observation> {
 public:
  explicit Collector(const Plan& plan) : plan_(plan) {}

  void write(const bus::Observation& observation) override;
  void begin() { answer_ = {}; }
  Answer take() { return std::move(answer_); }

 private:
  const Plan& plan_;
  Answer answer_;
};

class Platform {
 public:
  static constexpr std::size_t most_cases = 256;  // in one run

  // One dot unit of one instruction. Options that `bus::why_not_built` has nothing against; `waveform` may be nullptr.
  Platform(const Plan& plan, const bus::UnitOptions& options, Waveform* waveform);

  // An answer a case; those that take one instruction have a trace. May be called again and again.
  std::vector<Answer> run(const std::vector<Case>& cases);

 private:
  unsigned debug(tlm::tlm_command command, std::uint64_t address, unsigned char* bytes, std::size_t count);
  std::uint64_t slot(std::size_t index) const { return index * slot_bytes_; }
  int steps(const Case& c) const { return static_cast<int>(c.a.size()) / plan_.k; }
  bus::OperandWindow window(const Case& c) const;
  void drive();
  Answer drive(std::size_t index);
  Answer multiply(std::size_t index, int steps);

  const Plan& plan_;
  const int most_steps_;
  const std::uint64_t slot_bytes_;
  Waveform* const waveform_;
  Collector collector_;
  Memory memory_;
  Bus bus_;
  bus::MmaTarget unit_;
  bus::Driver driver_;
  sc_core::sc_event started_;
  std::vector<Case> cases_;  // in memory
  std::vector<Answer> answers_;
};

}  // namespace assay
