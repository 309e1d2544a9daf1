#include "tb/run/device_speed.hpp"

#include <sys/resource.h>

#include <algorithm>

#include "tb/run/generated_cases.hpp"

namespace assay {
namespace {

double processor_seconds(int whose) {
  rusage used{};
  getrusage(whose, &used);
  const auto seconds = [](const timeval& time) {
    return static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
  };
  return seconds(used.ru_utime) + seconds(used.ru_stime);
}

// The same device, asked for d alone.
class WithoutPlaces : public Device {
 public:
  explicit WithoutPlaces(Device& device) : device_(device) {}
  std::string name() const override { return device_.name(); }
  bool offers_trace() const override { return false; }
  std::vector<Answer> run(const std::vector<Case>& cases, bool) override { return device_.run(cases, false); }
  std::string close() override { return device_.close(); }

 private:
  Device& device_;
};

DeviceSpeed measured(const Subject& subject, const Party& reference, const Party& device, std::uint64_t cases,
                     int threads) {
  RunOptions options;
  options.nan = nan_rule_of(subject);
  options.max_failures = 0;
  options.threads = threads;
  const auto source = generated_cases(Generator(subject.plan, 1), {1, "", {{0, cases}}, "none but these"});
  const double host = processor_seconds(RUSAGE_SELF), children = processor_seconds(RUSAGE_CHILDREN);
  const Comparison found = compare(subject, reference, device, *source, options);
  const auto count = static_cast<double>(cases);
  return {cases, found.cases_a_second(), (processor_seconds(RUSAGE_SELF) - host) / count,
          (processor_seconds(RUSAGE_CHILDREN) - children) / count, found.scoreboard.summary().failures()};
}

}  // namespace

DeviceSpeed speed_of(const Subject& subject, const Party& reference, const Party& device, double seconds, bool places,
                     int threads) {
  WithoutPlaces bare(device.device);
  const Party asked{device.spec, places ? device.device : bare};
  for (std::uint64_t cases = 16 * batch_of_cases;; cases *= 2) {
    const DeviceSpeed found = measured(subject, reference, asked, cases, threads);
    if (static_cast<double>(cases) >= seconds * found.a_second || found.wrong == cases) return found;
  }
}

}  // namespace assay
