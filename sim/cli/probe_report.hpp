// What probing a device found, for people and for machines.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "tb/probe/checklist.hpp"
#include "tb/probe/features.hpp"

namespace assay {

struct CheckResult {
  std::string name;
  Code d = 0;
};

// By where the 1 and the fraction stand: on some units that makes a difference.
struct PlacedRounding {
  std::string places;  // "p0 + p1"
  std::optional<probe::Rounding> found;
};

struct ProbeReport {
  std::string title;
  probe::Node tree;
  std::string no_tree;  // why there is none; empty where there is one
  std::optional<int> terms_a_step;
  int range = 0;  // the least number that could be put beside the largest is 2^-range of it
  probe::Widths widths;
  std::vector<PlacedRounding> roundings;
  std::vector<probe::Feature> features;
  std::vector<CheckResult> checks;
  std::uint64_t questions = 0;

  // What others published of the part.
  std::optional<int> published_terms_a_step, published_fraction_bits, published_result_bits;
  std::map<std::string, Code> printed;  // results by the name of a check

  int differences() const;  // of what was measured from what was published
};

std::string report_text(const Plan& plan, const ProbeReport& report);
std::string report_json(const Plan& plan, const ProbeReport& report);

}  // namespace assay
