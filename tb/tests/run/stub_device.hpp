// Devices for the tests of a run: the model, with what a function makes of its results.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "tb/devices/model_device.hpp"

namespace assay {

// What it remembers of the cases that came before, as a process of its own would: close() forgets it.
struct Memory {
  std::vector<Case> before;

  bool empty() const { return before.empty(); }
  const Case& last() const { return before.back(); }
};

class StubDevice : public Device {
 public:
  // d of a case, given the right one.
  using Change = std::function<Code(const Case&, Code right, const Memory&)>;

  StubDevice(const Plan& plan, Change change) : model_(model_device(plan)), change_(std::move(change)) {}

  std::string name() const override { return "stub"; }
  bool offers_trace() const override { return false; }
  std::vector<Answer> run(const std::vector<Case>& cases, bool) override {
    std::vector<Answer> answers = model_->run(cases, false);
    for (std::size_t i = 0; i < cases.size(); ++i) {
      answers[i].d = change_(cases[i], answers[i].d, memory_);
      memory_.before.push_back(cases[i]);
    }
    return answers;
  }
  std::string close() override {
    memory_.before.clear();
    return {};
  }

 private:
  std::unique_ptr<Device> model_;
  Change change_;
  Memory memory_;
};

}  // namespace assay
