// What was measured, as a table that grows by the row, and as JSON.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "tb/speed/measure.hpp"

namespace assay::speed {

class Table {
 public:
  // Of these instructions.
  Table(const std::vector<const Instruction*>& instructions, const Effort& effort);

  std::string head() const;
  std::string row(const Row& row) const;
  std::string foot() const;

 private:
  Effort effort_;
  std::size_t datapath_, operands_;  // widths of columns
};

nlohmann::ordered_json as_json(const std::vector<Row>& rows, const Effort& effort);

}  // namespace assay::speed
