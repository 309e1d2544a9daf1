// What was measured, as a table that grows by the row, and as JSON.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "tb/speed/measure.hpp"

namespace assay::speed {

class SpeedTable {
 public:
  SpeedTable(const SpeedSubjects& subjects, const SpeedEffort& effort);

  std::string head() const;
  std::string row(const SpeedRow& row) const;
  std::string foot() const;

 private:
  SpeedEffort effort_;
  std::size_t datapath_, operands_;  // widths of columns
};

// Where it was measured, and with which version and catalogue.
struct SpeedPlace {
  std::string machine, assay;
};

// A record (tb/speed/record.hpp).
nlohmann::ordered_json as_json(const std::vector<SpeedRow>& rows, const SpeedEffort& effort, const SpeedPlace& place);

}  // namespace assay::speed
