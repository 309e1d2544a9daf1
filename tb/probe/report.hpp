// What probing a device found, for people and for machines.
#pragma once

#include <map>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "tb/probe/checklist.hpp"
#include "tb/probe/features.hpp"
#include "tb/subject/subject.hpp"

namespace assay::probe {

struct CheckResult {
  std::string name;
  Code d = 0;
};

// By where the 1 and the fraction stand: on some units that makes a difference.
struct PlacedRounding {
  std::string places;  // "p0 + p1"
  std::optional<Rounding> found;
};

struct Report {
  std::string title;
  std::vector<int> unread;  // addends that do not come through where all others are zero
  Node tree;                // of one product of each block of scales, where these hide the others
  std::string no_tree;      // why there is none; empty where there is one
  std::optional<int> terms_a_step;
  int range = 0;  // the least number that could be put beside the largest is 2^-range of it
  Widths widths;
  std::vector<PlacedRounding> roundings;
  std::vector<Feature> features;
  std::vector<CheckResult> checks;
  std::uint64_t questions = 0;

  // What others published of the part.
  std::optional<int> published_terms_a_step, published_fraction_bits, published_result_bits;
  std::map<std::string, Code> printed;  // results by the name of a check

  int differences() const;  // of what was measured from what was published
};

// Asks the device everything. The subject's results are not integers.
Report measured(const Subject& subject, Device& device);

// Puts beside it what is published of the subject: the table of instructions, and results that somebody printed.
void put_published(const Subject& subject, Report& report);

std::string as_text(const Plan& plan, const Report& report);
nlohmann::ordered_json as_json(const Plan& plan, const Report& report);

}  // namespace assay::probe
