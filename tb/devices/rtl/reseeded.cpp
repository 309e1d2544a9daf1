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

// The i-th answer of `again` speaks against the i-th of `given`.
bool against(const Answer& again, const Answer& given) { return given.ok() && !(again.ok() && again.d == given.d); }

bool any_against(const std::vector<Answer>& again, const std::vector<Answer>& given) {
  for (std::size_t i = 0; i < again.size(); ++i) {
    if (against(again[i], given[i])) return true;
  }
  return false;
}

class Reseeded : public Device {
 public:
  Reseeded(std::unique_ptr<Device> device, std::function<std::unique_ptr<Device>()> again,
           std::function<std::string(int)> advice)
      : device_(std::move(device)), again_(std::move(again)), advice_(std::move(advice)) {}

  std::string name() const override { return device_->name(); }
  bool offers_trace() const override { return device_->offers_trace(); }
  std::string advice_on_shift(int by) const override { return advice_ ? advice_(by) : ""; }

  std::vector<Answer> run(const std::vector<Case>& cases, bool trace) override {
    std::vector<Answer> answers = device_->run(cases, trace);
    const std::size_t count = std::min(cases.size(), left_);
    left_ -= count;
    if (count == 0) return answers;
    hold({cases.begin(), cases.begin() + static_cast<std::ptrdiff_t>(count)}, answers);
    if (left_ == 0) wrong_ = end_second();
    return answers;
  }

  std::string close() override {
    if (second_) wrong_ = end_second();
    const std::string own = device_->close();
    return own.empty() ? wrong_ : own;
  }

 private:
  // Holds the answers to those of a second process, which gets the cases from the last to the first.
  void hold(const std::vector<Case>& cases, std::vector<Answer>& answers) {
    if (!second_) second_ = again_();
    std::vector<Answer> second = second_->run({cases.rbegin(), cases.rend()}, false);
    std::reverse(second.begin(), second.end());
    if (!any_against(second, answers)) return;
    const bool by_order = cases.size() > 1 && !any_against(again_()->run(cases, false), answers);
    for (std::size_t i = 0; i < second.size(); ++i) {
      if (against(second[i], answers[i])) object(second[i], answers[i], by_order);
    }
  }

  static void object(const Answer& second, Answer& answer, bool by_order) {
    if (!second.ok()) {
      answer.error =
          (by_order ? "With the cases from the last to the first: " : "With registers and stalls drawn anew: ") +
          second.error;
    } else if (by_order) {
      answer.other_order =
          "d is " + hex(answer.d) + ", and " + hex(second.d) + " when the cases come from the last to the first.";
    } else {
      answer.error = "The result depends on what registers hold before the reset, or on stalls: d is " + hex(answer.d) +
                     ", and " + hex(second.d) + " when both are drawn anew.";
    }
  }

  std::string end_second() {
    std::string wrong = second_->close();
    second_.reset();
    return wrong;
  }

  std::unique_ptr<Device> device_;
  std::function<std::unique_ptr<Device>()> again_;
  std::function<std::string(int)> advice_;
  std::unique_ptr<Device> second_;
  std::size_t left_ = reseeded_cases;
  std::string wrong_;
};

}  // namespace

std::unique_ptr<Device> reseeded(std::unique_ptr<Device> device, std::function<std::unique_ptr<Device>()> again,
                                 std::function<std::string(int by)> advice) {
  return std::make_unique<Reseeded>(std::move(device), std::move(again), std::move(advice));
}

}  // namespace assay
