#include "tb/devices/rtl/reseeded.hpp"

#include <algorithm>
#include <cstdio>
#include <utility>

namespace assay {
namespace {

std::string hex(Code d) {
  char text[17];
  std::snprintf(text, sizeof text, "%llx", static_cast<unsigned long long>(d));
  return text;
}

class Reseeded : public Device {
 public:
  Reseeded(std::unique_ptr<Device> device, std::function<std::unique_ptr<Device>()> again)
      : device_(std::move(device)), again_(std::move(again)) {}

  std::string name() const override { return device_->name(); }
  bool offers_trace() const override { return device_->offers_trace(); }

  std::vector<Answer> run(const std::vector<Case>& cases, bool trace) override {
    std::vector<Answer> answers = device_->run(cases, trace);
    const std::size_t count = std::min(cases.size(), left_);
    left_ -= count;
    if (count == 0) return answers;
    if (!second_) second_ = again_();
    const std::vector<Case> first(cases.begin(), cases.begin() + static_cast<std::ptrdiff_t>(count));
    compare(second_->run(first, false), answers);
    if (left_ == 0) wrong_ = end_second();
    return answers;
  }

  std::string close() override {
    if (second_) wrong_ = end_second();
    const std::string own = device_->close();
    return own.empty() ? wrong_ : own;
  }

 private:
  static void compare(const std::vector<Answer>& second, std::vector<Answer>& answers) {
    for (std::size_t i = 0; i < second.size(); ++i) {
      Answer& answer = answers[i];
      if (!answer.ok() || (second[i].ok() && second[i].d == answer.d)) continue;
      answer.error = second[i].ok()
                         ? "The result depends on what registers hold before the reset, or on stalls: d is " +
                               hex(answer.d) + ", and " + hex(second[i].d) + " when both are drawn anew."
                         : "With registers and stalls drawn anew: " + second[i].error;
    }
  }

  std::string end_second() {
    std::string wrong = second_->close();
    second_.reset();
    return wrong;
  }

  std::unique_ptr<Device> device_;
  std::function<std::unique_ptr<Device>()> again_;
  std::unique_ptr<Device> second_;
  std::size_t left_ = reseeded_cases;
  std::string wrong_;
};

}  // namespace

std::unique_ptr<Device> reseeded(std::unique_ptr<Device> device, std::function<std::unique_ptr<Device>()> again) {
  return std::make_unique<Reseeded>(std::move(device), std::move(again));
}

}  // namespace assay
