// Cases of a vector file, as a run takes them, and what was recorded for them, as the reference of a run.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "tb/run/case_source.hpp"
#include "tb/vectors/reader.hpp"

namespace assay {

struct RecordedChoice {
  std::optional<std::uint64_t> number;  // only this case
  std::vector<int> element;             // only this row and column of a whole-matrix case
};

// Whether a case is that element; any case is where none is named.
bool is_element(const Case& c, const std::vector<int>& element);

// The cases of a file that have a d. `reader` outlives them; `file` is its name as a command line has it.
std::unique_ptr<CaseSource> recorded_cases(VectorReader& reader, const Plan& plan, const std::string& file,
                                           const RecordedChoice& choice = {});

// Answers each case with the d that stands in it.
std::unique_ptr<Device> recorded_device(const std::string& name);

}  // namespace assay
