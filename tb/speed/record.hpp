// What assay bench measured, as a record that a later measurement can be held against: ratios to SGEMM of the same
// process, which say the same on a busy machine and on a quiet one, and how far parts of one measurement lie apart.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "tb/speed/measure.hpp"

namespace assay::speed {

struct RecordedForm {
  std::string name;  // an instruction, or the datapath file
  int size = 0;
  std::optional<double> times;  // that SGEMM is as fast; none where there was no SGEMM
  std::optional<double> noise;  // relative; none where there was time for too few measurements
};

struct SpeedRecord {
  std::string machine, instruction_set, assay;
  std::vector<RecordedForm> forms;
};

SpeedRecord record_of(const nlohmann::json& json);
// What bench --json wrote. Throws Error.
SpeedRecord read_record(const std::string& file);

enum class Change { none, slower, faster, unknown };

struct FormChange {
  RecordedForm before, now;
  Change change = Change::unknown;
};

// Of each form that both have. Slower and faster: by more than the noise of both together.
std::vector<FormChange> changes(const SpeedRecord& before, const SpeedRecord& now);

std::string changes_text(const SpeedRecord& before, const SpeedRecord& now, const std::vector<FormChange>& changes);

}  // namespace assay::speed
