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

// The first few cases that are looked at once more when a run has ended.
class Suspects {
 public:
  void wrong(const Case& given, Unlike unlike);
  void masked(const Case& given);
  void unsteady(const Case& given);

  // With a wrong d: where the number is wrong before those that differ in which NaN or which zero.
  std::vector<Case> wrong() const;
  // With a right d and a wrong place, a flag for one.
  const std::vector<Case>& masked() const { return masked_; }
  // With a right d, which is another when the cases come in another order.
  const std::vector<Case>& unsteady() const { return unsteady_; }
  bool none() const { return numbers_.empty() && others_.empty() && masked_.empty() && unsteady_.empty(); }

 private:
  std::vector<Case> numbers_, others_, masked_, unsteady_;
};

// Both devices, asked beside the run: the scoreboard judges, and counts nothing.
struct Bench {
  Device& reference;
  Device& device;
  const Scoreboard& scoreboard;
  bool trace;  // asked for: a waiver may name a place, and some place may be wrong
  // Hears of each case that is tried and that both answer, and whether d is right.
  std::function<void(const Case&, Code d, bool right)> heard;
};

struct FailingCase {
  // Fails in devices that were asked nothing before it; nothing where none of the wrong cases does.
  std::optional<Case> alone;
  enum class Size {
    smallest,
    answered,  // the devices did not answer all that are smaller
    tried,     // not all that are smaller were tried, since each took devices of its own
  } size = Size::smallest;
  bool remembers = false;  // what it was first made smaller to fails only after other cases
  Answer expected, got;    // of `alone`

  // Failed in the run, or in another order of its cases, and does not alone.
  std::optional<Case> dependent;
  bool in_run = true;
  std::string error;                // what it got alone, where that is no answer
  std::optional<CaseRange> before;  // after these it fails
  std::optional<CaseRange> after;   // or, which is as odd, before these
  CaseRange tried;                  // else: the most that were run before it, and it did not ..
  bool tried_all = true;            // .. and there were no more
};

FailingCase failing_case(const Bench& bench, const Suspects& suspects, const History& history);

}  // namespace assay
