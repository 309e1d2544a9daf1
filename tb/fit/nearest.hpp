// What would explain a device's failures: the datapath with a word or two of it changed.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "tb/devices/device.hpp"

namespace assay {

struct NearbyChange {
  std::string change;         // "adders.sum.add.product.keep were 24 (it is 25)"; of several words with "and" between
  std::size_t explained = 0;  // kept failures that the changed datapath computes as the device did ..
  std::size_t of = 0;         // .. of so many that changes before it left over
  std::size_t broken = 0;     // kept results that were right, and that it computes otherwise
  Datapath datapath;          // with the change
};

// With fewer failures than these some change agrees by chance.
inline constexpr std::size_t conclusive_failures = 5;

// Several mistakes at once are parted: what the best change explains is set aside, and the search goes on with the
// rest.
struct NearbyChanges {
  std::size_t failures = 0, right = 0;  // kept; what the numbers below are of
  std::size_t left = 0;                 // failures that nothing below explains

  // Changes that break nothing, each of which explains failures that those before it do not.
  std::vector<NearbyChange> agree;
  std::vector<std::string> as_well;  // changes that explain the very failures that the first does

  // Where there is none of those: changes that explain most of what is left, but break something or leave others over;
  // the best first, whose failures are set aside.
  std::vector<NearbyChange> nearly;

  bool conclusive() const { return failures >= conclusive_failures; }
  // One change gives all that was kept.
  bool whole() const { return agree.size() == 1 && nearly.empty() && left == 0; }
};

// Collects a device's results and looks for datapaths that have them.
class Nearest {
 public:
  using Same = std::function<bool(Code, Code)>;  // whether one result passes for the other: the rule for NaN
  struct Result {
    Case given;
    Code d = 0;
  };

  Nearest(const Plan& plan, Same same) : plan_(&plan), same_(std::move(same)) {}

  // `right`: the device gave what the reference did. The first few hundred of either kind are kept.
  void see(const Case& given, Code d, bool right);
  // Keeps as many again of either kind.
  void make_room();

  std::size_t failures() const { return wrong_.size(); }  // kept
  std::size_t failures_seen() const { return wrong_seen_; }
  const std::vector<Result>& wrong() const { return wrong_; }
  const std::vector<Result>& right() const { return right_; }
  // Some more of both kinds, which find() does not look at: what was found elsewhere is held to them, too.
  const std::vector<Result>& further_wrong() const { return further_wrong_; }
  const std::vector<Result>& further_right() const { return further_right_; }

  // One word changed by one step; where that does not explain all failures, and there are enough of them to conclude
  // from: one word by several steps, the same word of every input of an adder, two words of which one is among the best
  // alone; and all of that again for what the best of these leaves over.
  NearbyChanges find() const;

 private:
  friend class NearestSearch;

  const Plan* plan_;
  Same same_;
  static constexpr std::size_t room = 300;
  std::size_t kept_ = room;  // of each kind, at most
  std::size_t wrong_seen_ = 0;
  std::vector<Result> right_, wrong_, further_right_, further_wrong_;
};

}  // namespace assay
