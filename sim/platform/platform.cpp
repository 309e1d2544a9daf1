#include "sim/platform/platform.hpp"

namespace assay {
namespace {

// Of one element each matrix is a list.
std::vector<std::vector<Code>> more_of(const Plan& plan, const Case& c) {
  const auto steps = static_cast<std::ptrdiff_t>(c.a.size()) / plan.k;
  std::vector<std::vector<Code>> lists;
  for (const CaseOperand& more : plan.more)
    lists.emplace_back(c.more.begin() + steps * more.first, c.more.begin() + steps * more.end());
  return lists;
}

}  // namespace

void Collector::write(const bus::Observation& observation) {
  if (!answer_.trace) {
    answer_.trace.emplace(plan_);
    answer_.traced.assign(plan_.places.size(), 0);
  }
  answer_.trace->set(observation.place, observation.bits);
  answer_.traced[static_cast<std::size_t>(observation.place)] = 1;
}

Platform::Platform(const Plan& plan, const bus::UnitOptions& options, Waveform* waveform)
    : plan_(plan),
      most_steps_(options.most_steps),
      slot_bytes_((bus::window_of(plan, 1, 1, most_steps_).bytes() + 7) / 8 * 8),
      waveform_(waveform),
      collector_(plan),
      memory_("memory", most_cases * slot_bytes_),
      bus_("bus"),
      unit_("unit", {plan}, options),
      driver_("driver", Bus::unit_base) {
  driver_.socket.bind(bus_.from);
  bus_.to_memory.bind(memory_.socket);
  bus_.to_unit.bind(unit_.socket);
  for (int i = 0; i < bus::MmaTarget::stages; ++i) {
    bus::AnalysisPort& port = unit_.stage(static_cast<Stage>(i));
    port.bind(collector_);
    if (waveform_ != nullptr) port.bind(*waveform_);
  }
  sc_core::sc_spawn([this] { drive(); }, "initiator");
}

std::vector<Answer> Platform::run(const std::vector<Case>& cases) {
  assert(cases.size() <= most_cases);
  for (std::size_t i = 0; i < cases.size(); ++i) {
    const Case& c = cases[i];
    if (steps(c) > most_steps_) continue;
    const bus::OperandWindow w = window(c);
    std::vector<unsigned char> bytes =
        bus::pack(w, {1, 1, w.k, c.a, c.b, {c.c}, c.scale_a, c.scale_b, more_of(plan_, c)});
    debug(tlm::TLM_WRITE_COMMAND, slot(i), bytes.data(), bytes.size());
  }
  answers_.clear();
  cases_ = cases;
  started_.notify(sc_core::SC_ZERO_TIME);
  sc_core::sc_start();
  for (std::size_t i = 0; i < answers_.size(); ++i) {
    if (!answers_[i].ok()) continue;
    const bus::OperandRegion d = window(cases_[i]).d;
    std::vector<unsigned char> bytes(d.end() - d.offset);
    debug(tlm::TLM_READ_COMMAND, slot(i) + d.offset, bytes.data(), bytes.size());
    answers_[i].d = bus::unpack(d, bytes.data())[0];
  }
  return std::move(answers_);
}

bus::OperandWindow Platform::window(const Case& c) const { return bus::window_of(plan_, 1, 1, steps(c)); }

unsigned Platform::debug(tlm::tlm_command command, std::uint64_t address, unsigned char* bytes, std::size_t count) {
  tlm::tlm_generic_payload payload;
  payload.set_command(command);
  payload.set_address(address);
  payload.set_data_ptr(bytes);
  payload.set_data_length(static_cast<unsigned>(count));
  return driver_.socket->transport_dbg(payload);
}

void Platform::drive() {
  for (;;) {
    for (std::size_t i = answers_.size(); i < cases_.size(); ++i) {
      answers_.push_back(drive(i));
      if (waveform_ != nullptr) waveform_->flush();
    }
    driver_.sync();
    sc_core::wait(started_);
  }
}

Answer Platform::drive(std::size_t index) {
  Answer refused;
  const int count = steps(cases_[index]);
  if (count > most_steps_) {
    refused.error = "The case takes " + std::to_string(count) +
                    " instructions along K; the platform's unit takes at most " + std::to_string(most_steps_) + ".";
    return refused;
  }
  try {
    return multiply(index, count);
  } catch (const bus::BusError& error) {
    refused.error = error.message;
    return refused;
  }
}

// Its d goes to memory.
Answer Platform::multiply(std::size_t index, int count) {
  collector_.begin();
  const bus::OperandWindow w = window(cases_[index]);
  std::vector<unsigned char> operands = driver_.read_bytes(slot(index), w.d.offset);
  driver_.write_bytes(slot(index) + w.d.offset, driver_.multiply(0, count, w, std::move(operands)));
  return count == 1 ? collector_.take() : Answer{};
}

}  // namespace assay
