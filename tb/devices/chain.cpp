#include "tb/devices/chain.hpp"

#include <algorithm>

namespace assay {
namespace {

std::vector<Code> slice(const std::vector<Code>& codes, std::size_t step, int count) {
  const auto first = codes.begin() + static_cast<std::ptrdiff_t>(step) * count;
  return {first, first + count};
}

// Of each of plan.more what instruction `step` takes.
std::vector<Code> more_of(const Plan& plan, const Case& whole, std::size_t step) {
  const std::size_t steps = whole.a.size() / static_cast<std::size_t>(plan.k);
  std::vector<Code> codes;
  for (const CaseOperand& operand : plan.more) {
    const auto first = steps * static_cast<std::size_t>(operand.first) + step * static_cast<std::size_t>(operand.count);
    const auto begin = whole.more.begin() + static_cast<std::ptrdiff_t>(first);
    codes.insert(codes.end(), begin, begin + operand.count);
  }
  return codes;
}

class Chained : public Device {
 public:
  Chained(std::unique_ptr<Device> device, const Plan& plan) : device_(std::move(device)), plan_(plan) {}

  std::string name() const override { return device_->name(); }
  bool offers_trace() const override { return false; }
  std::vector<Answer> run(const std::vector<Case>& cases, bool) override { return run_chained(*device_, plan_, cases); }
  std::vector<KnownDifference> known_differences() const override { return device_->known_differences(); }
  std::string close() override { return device_->close(); }

 private:
  std::unique_ptr<Device> device_;
  const Plan& plan_;
};

}  // namespace

Case instruction_of(const Plan& plan, const Case& whole, std::size_t step, Code c) {
  Case one;
  one.number = whole.number;
  one.a = slice(whole.a, step, plan.k);
  one.b = slice(whole.b, step, plan.k);
  one.c = c;
  if (plan.scale) {
    one.scale_a = slice(whole.scale_a, step, plan.scales);
    one.scale_b = slice(whole.scale_b, step, plan.scales);
  }
  one.more = more_of(plan, whole, step);
  return one;
}

std::vector<Answer> run_chained(Device& device, const Plan& plan, const std::vector<Case>& cases) {
  const auto k = static_cast<std::size_t>(plan.k);
  const auto is_long = [&](const Case& c) { return c.a.size() > k; };
  if (std::none_of(cases.begin(), cases.end(), is_long)) return device.run(cases, false);

  std::vector<Answer> answers(cases.size());
  for (std::size_t step = 0;; ++step) {
    std::vector<Case> parts;
    std::vector<std::size_t> whose;
    for (std::size_t i = 0; i < cases.size(); ++i) {
      if (cases[i].a.size() <= step * k || !answers[i].ok()) continue;
      parts.push_back(instruction_of(plan, cases[i], step, step == 0 ? cases[i].c : answers[i].d));
      whose.push_back(i);
    }
    if (parts.empty()) return answers;
    std::vector<Answer> found = device.run(parts, false);
    for (std::size_t i = 0; i < whose.size(); ++i) answers[whose[i]] = std::move(found[i]);
  }
}

std::unique_ptr<Device> chained(std::unique_ptr<Device> device, const Plan& plan) {
  return std::make_unique<Chained>(std::move(device), plan);
}

}  // namespace assay
