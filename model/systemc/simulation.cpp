#include "model/systemc/simulation.hpp"

namespace assay::systemc {

CodeSource::CodeSource(const sc_core::sc_module_name& name) : sc_core::sc_module(name) {
  SC_HAS_PROCESS(CodeSource);
  SC_METHOD(run);
  sensitive << offered_ << out.data_read();
  dont_initialize();
}

void CodeSource::offer(Codes codes, bool traced) {
  waiting_.push_back({count_++, traced, std::move(codes)});
  offered_.notify(sc_core::SC_ZERO_TIME);
}

void CodeSource::run() {
  while (!waiting_.empty() && out.num_free() > 0) {
    out.nb_write(waiting_.front());
    waiting_.pop_front();
  }
}

Sink::Sink(const sc_core::sc_module_name& name, Recorder& recorder) : sc_core::sc_module(name), recorder_(recorder) {
  SC_HAS_PROCESS(Sink);
  SC_METHOD(run);
  sensitive << in.data_written();
  dont_initialize();
}

std::vector<UnitAnswer> Sink::take() { return std::exchange(answers_, {}); }

void Sink::run() {
  Bundle<Code> d;
  while (in.nb_read(d)) {
    answers_.push_back({d.value, std::nullopt});
    if (d.traced) answers_.back().trace = recorder_.take(d.number).trace;
  }
}

Simulation::Simulation(const Plan& plan, const Timing& timing)
    : timing_(timing),
      recorder_(plan),
      codes_("codes", timing.depth("codes")),
      d_("d", timing.depth("d")),
      source_("source"),
      unit_("unit", Context{plan, timing_, recorder_}),
      sink_("sink", recorder_) {
  source_.out.bind(codes_);
  unit_.reset.bind(reset_);
  unit_.codes.bind(codes_);
  unit_.d.bind(d_);
  sink_.in.bind(d_);
}

std::vector<UnitAnswer> Simulation::run(const std::vector<Codes>& cases, bool traced) {
  for (const Codes& codes : cases) source_.offer(codes, traced);
  sc_core::sc_start();  // until nothing is left to do
  std::vector<UnitAnswer> answers = sink_.take();
  assert(answers.size() == cases.size());
  return answers;
}

}  // namespace assay::systemc
