#include "tb/devices/model_device.hpp"

namespace assay {
namespace {

class ModelDevice final : public Device {
 public:
  ModelDevice(const Plan& plan, std::string name) : plan_(plan), name_(std::move(name)) {}

  std::string name() const override { return name_; }
  bool offers_trace() const override { return true; }

  std::vector<Answer> run(const std::vector<Case>& cases, bool trace) override {
    std::vector<Answer> answers(cases.size());
    for (std::size_t i = 0; i < cases.size(); ++i) {
      Answer& answer = answers[i];
      if (trace) {
        answer.trace.emplace(plan_);
        answer.traced.assign(plan_.places.size(), 1);
      }
      answer.d = dot(plan_, cases[i].operand(), registers_, trace ? &*answer.trace : nullptr);
    }
    return answers;
  }

 private:
  const Plan& plan_;
  std::string name_;
  Registers registers_;
};

}  // namespace

std::unique_ptr<Device> model_device(const Plan& plan, const std::string& name) {
  return std::make_unique<ModelDevice>(plan, name);
}

}  // namespace assay
