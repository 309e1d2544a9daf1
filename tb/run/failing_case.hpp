// Which case shows best what a device has wrong: the smallest that fails on its own; and whether what came before a
// case matters, and what.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "tb/generate/levels.hpp"
#include "tb/run/case_source.hpp"
#include "tb/scoreboard/scoreboard.hpp"

namespace assay {

// Cases with a wrong d, the first few; where the number is wrong before those that differ in which NaN or which zero.
class WrongCases {
 public:
  void see(const Case& given, Unlike unlike);
  std::vector<Case> all() const;

 private:
  std::vector<Case> numbers_, others_;
};

// Both devices, asked beside the run: the scoreboard judges, and counts nothing.
struct Bench {
  Device& reference;
  Device& device;
  const Scoreboard& scoreboard;
  bool trace;  // asked for: a waiver may name a place
  // Hears of each case that is tried and that both answer, and whether d is right.
  std::function<void(const Case&, Code d, bool right)> heard;
};

struct FailingCase {
  // Fails in devices that were asked nothing before it; nothing where none of the wrong cases does.
  std::optional<Case> alone;
  enum class Size {
    smallest,
    answered,  // the devices did not answer all that are smaller
    original,  // what is smaller fails only after others
  } size = Size::smallest;

  // Failed in the run, and does not alone.
  std::optional<Case> dependent;
  std::string error;                // what it got alone, where that is no answer
  std::optional<CaseRange> before;  // of the run: after these it fails
  std::uint64_t tried = 0;          // else: after the last so many it does not
};

FailingCase failing_case(const Bench& bench, const std::vector<Case>& wrong, const History& history);

}  // namespace assay
