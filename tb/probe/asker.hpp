// Puts cases to a device and reads its results as numbers.
#pragma once

#include <vector>

#include "tb/devices/device.hpp"
#include "tb/oracle/datum.hpp"

namespace assay::probe {

class Asker {
 public:
  Asker(const Plan& plan, Device& device) : plan_(&plan), device_(&device) {}

  // One d a case. Throws Error where the device gives none.
  std::vector<Code> codes(const std::vector<Case>& cases);
  std::vector<exact::Datum> numbers(const std::vector<Case>& cases);

  Code code(const Case& c) { return codes({c}).front(); }
  exact::Datum number(const Case& c) { return numbers({c}).front(); }

  std::uint64_t asked() const { return asked_; }

 private:
  const Plan* plan_;
  Device* device_;
  std::uint64_t asked_ = 0;
};

}  // namespace assay::probe
