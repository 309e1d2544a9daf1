// Recorded cases of a unit, as answers.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tb/identify/box.hpp"

namespace assay::identify {

struct RecordedAnswers {
  Subject subject;  // of the file's header: its operands count, and its datapath does not
  std::vector<BoxAnswer> answers;
  std::uint64_t left_out = 0;  // cases of the file beyond those
};

inline constexpr std::size_t most_recorded = 20'000;  // cases of a file that are looked at

// Throws Error, also where no case has a d.
RecordedAnswers read_recorded(const Catalogue& catalogue, const std::string& file);

}  // namespace assay::identify
