#include "tb/devices/completed.hpp"

#include <utility>

#include "model/core/reading.hpp"

namespace assay {
namespace {

// What a device showed stands in place of what the model finds there.
class Shown final : public Detour {
 public:
  explicit Shown(const Answer& answer) : answer_(answer) {}

  bool turns(Trace& trace, int place) override {
    if (answer_.traced[static_cast<std::size_t>(place)] == 0) return false;
    trace.set(place, answer_.trace->at(place));
    return true;
  }

 private:
  const Answer& answer_;
};

class Completed final : public Device {
 public:
  Completed(const Plan& plan, std::unique_ptr<Device> device) : plan_(plan), device_(std::move(device)) {}

  std::string name() const override { return device_->name(); }
  bool offers_trace() const override { return device_->offers_trace(); }

  std::vector<Answer> run(const std::vector<Case>& cases, bool trace) override {
    std::vector<Answer> answers = device_->run(cases, true);
    for (std::size_t i = 0; i < answers.size(); ++i) {
      if (answers[i].ok()) complete(cases[i], answers[i]);
      if (!trace) answers[i].trace.reset();
    }
    return answers;
  }

  bool may_be_shared() const override { return false; }
  std::vector<KnownDifference> known_differences() const override { return device_->known_differences(); }
  std::string advice_on_shift(int by) const override { return device_->advice_on_shift(by); }
  std::string close() override { return device_->close(); }

 private:
  void complete(const Case& given, Answer& answer) {
    for (std::size_t place = 0; place < answer.traced.size(); ++place) {
      if (answer.traced[place] == 0 || may_stand_at(*answer.trace, static_cast<int>(place))) continue;
      answer.error = name() + " gave bits at place " + plan_.places.name(static_cast<int>(place)) +
                     " that are no number this datapath can have there, and the model cannot go on from them.";
      return;
    }
    Trace trace(plan_);
    Shown shown(answer);
    answer.d = dot(plan_, given.operand(), registers_, &trace, &shown);
  }

  const Plan& plan_;
  std::unique_ptr<Device> device_;
  Registers registers_;
};

}  // namespace

std::unique_ptr<Device> completed(const Plan& plan, std::unique_ptr<Device> device) {
  return std::make_unique<Completed>(plan, std::move(device));
}

}  // namespace assay
