// What a page shows of a study before anything is chosen, and what its script makes other views of.
#pragma once

#include <string>

#include "tb/explore/report/charts.hpp"

namespace assay {

class Pictures {
 public:
  explicit Pictures(const StudyResult& study);

  // Of the panel in which the opening row stands; empty where the study has no rows.
  std::string errors() const;
  std::string biases() const;
  std::string distances() const;  // of the opening row
  std::string costs() const;

  // What is not above: for each dimension that may lie along the horizontal axis, and for costs, every line there is,
  // with its name, its look and its rows, and nothing drawn yet.
  std::string frames() const;

 private:
  std::string lines(const std::string& measure, const std::string& more) const;  // of this key
  bool has_all() const { return panels_.panels.size() == 1; }                    // what is shown at first

  const StudyResult& study_;
  Charts charts_;
  Panels panels_;
  std::optional<int> opening_;
  Panel shown_;  // at first
};

}  // namespace assay
