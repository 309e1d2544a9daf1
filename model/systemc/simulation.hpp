// A DotUnit between a source of cases and a sink of answers. One a process: SystemC elaborates once.
#pragma once

#include <deque>

#include "model/systemc/dot_unit.hpp"

namespace assay::systemc {

class CodeSource : public sc_core::sc_module {
 public:
  sc_core::sc_fifo_out<Bundle<Codes>> out{"out"};

  explicit CodeSource(const sc_core::sc_module_name& name);
  void offer(Codes codes, bool traced);

 private:
  void run();

  std::deque<Bundle<Codes>> waiting_;
  sc_core::sc_event offered_;
  std::uint64_t count_ = 0;
};

struct UnitAnswer {
  Code d = 0;
  std::optional<Trace> trace;
};

class Sink : public sc_core::sc_module {
 public:
  sc_core::sc_fifo_in<Bundle<Code>> in{"in"};

  Sink(const sc_core::sc_module_name& name, Recorder& recorder);
  std::vector<UnitAnswer> take();

 private:
  void run();

  Recorder& recorder_;
  std::vector<UnitAnswer> answers_;
};

class Simulation {
 public:
  Simulation(const Plan& plan, const Timing& timing);

  // The answers in the order of the cases. May be called again and again.
  std::vector<UnitAnswer> run(const std::vector<Codes>& cases, bool traced);

 private:
  const Timing timing_;
  Recorder recorder_;
  sc_core::sc_signal<bool> reset_{"reset"};  // never
  sc_core::sc_fifo<Bundle<Codes>> codes_;
  sc_core::sc_fifo<Bundle<Code>> d_;
  CodeSource source_;
  DotUnit unit_;
  Sink sink_;
};

}  // namespace assay::systemc
