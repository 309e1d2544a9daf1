#include "tb/devices/model_device.hpp"

#include <mutex>
#include <optional>

#include "model/fast/kernel.hpp"

namespace assay {
namespace {

constexpr std::size_t worth_a_kernel = 64;  // cases: fewer are done before a kernel has its tables

class ModelDevice final : public Device {
 public:
  ModelDevice(const Plan& plan, std::string name) : plan_(plan), name_(std::move(name)) {}

  std::string name() const override { return name_; }
  bool offers_trace() const override { return true; }
  bool may_be_shared() const override { return true; }

  std::vector<Answer> run(const std::vector<Case>& cases, bool trace) override {
    if (!trace && cases.size() >= worth_a_kernel) return run_fast(cases);
    std::vector<Answer> answers(cases.size());
    Registers registers;
    for (std::size_t i = 0; i < cases.size(); ++i) {
      Answer& answer = answers[i];
      if (trace) {
        answer.trace.emplace(plan_);
        answer.traced.assign(plan_.places.size(), 1);
      }
      answer.d = dot(plan_, cases[i].operand(), registers, trace ? &*answer.trace : nullptr);
    }
    return answers;
  }

 private:
  std::vector<Answer> run_fast(const std::vector<Case>& cases) {
    std::call_once(needed_, [&] { kernel_.emplace(plan_); });
    std::vector<Operand> operands;
    operands.reserve(cases.size());
    for (const Case& c : cases) operands.push_back(c.operand());
    std::vector<Code> d(cases.size());
    kernel_->batch(operands.data(), operands.size(), d.data());
    std::vector<Answer> answers(cases.size());
    for (std::size_t i = 0; i < d.size(); ++i) answers[i].d = d[i];
    return answers;
  }

  const Plan& plan_;
  std::string name_;
  std::once_flag needed_;
  std::optional<Kernel> kernel_;  // once there is enough to do
};

}  // namespace

std::unique_ptr<Device> model_device(const Plan& plan, const std::string& name) {
  return std::make_unique<ModelDevice>(plan, name);
}

}  // namespace assay
