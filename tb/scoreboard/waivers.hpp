// Failures that somebody has accepted, each with a reason and an owner.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace assay {

enum class ResultClass { zero, subnormal, normal, infinity, nan };

// All conditions that are given must hold for the waiver to cover a failure; at least one is given.
struct Waiver {
  std::string name;   // "waivers.yaml:3", for people
  std::string place;  // the first that differs; `*` stands for any text
  std::optional<bool> masked;
  std::optional<ResultClass> expected, got;  // of d
  std::string reason, owner;
};

struct WaiverUse {
  Waiver waiver;
  std::uint64_t cases = 0;
};

}  // namespace assay
