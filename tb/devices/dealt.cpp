#include "tb/devices/dealt.hpp"

#include <future>
#include <utility>

namespace assay {
namespace {

constexpr std::size_t worth_dealing = 256;  // cases: less is done before a thread is there

class Dealt : public Device {
 public:
  explicit Dealt(std::vector<std::unique_ptr<Device>> devices) : devices_(std::move(devices)) {}

  std::string name() const override { return devices_.front()->name(); }
  bool offers_trace() const override { return devices_.front()->offers_trace(); }

  std::vector<Answer> run(const std::vector<Case>& cases, bool trace) override {
    if (cases.size() < worth_dealing) return devices_.front()->run(cases, trace);
    std::vector<std::future<std::vector<Answer>>> parts;
    for (std::size_t i = 0; i < devices_.size(); ++i) {
      parts.push_back(std::async(std::launch::async, [&, i] {
        const auto edge = [&](std::size_t part) {
          return cases.begin() + static_cast<std::ptrdiff_t>(cases.size() * part / devices_.size());
        };
        return devices_[i]->run({edge(i), edge(i + 1)}, trace);
      }));
    }
    std::vector<Answer> answers;
    for (auto& part : parts) {
      for (Answer& answer : part.get()) answers.push_back(std::move(answer));
    }
    return answers;
  }

  std::string close() override {
    std::string wrong;
    for (const auto& device : devices_) {
      const std::string own = device->close();
      if (wrong.empty()) wrong = own;
    }
    return wrong;
  }

 private:
  std::vector<std::unique_ptr<Device>> devices_;
};

}  // namespace

std::unique_ptr<Device> dealt(std::vector<std::unique_ptr<Device>> devices) {
  return std::make_unique<Dealt>(std::move(devices));
}

}  // namespace assay
