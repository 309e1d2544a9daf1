// The pictures of a study, ready to be drawn.
#pragma once

#include <optional>
#include <vector>

#include "tb/explore/report/chart.hpp"
#include "tb/explore/report/measures.hpp"
#include "tb/explore/report/panels.hpp"

namespace assay {

// Vertical scales are those of the whole study, so that one picture may be held against another; where all that is
// shown is of one input, that input's.
class Charts {
 public:
  explicit Charts(const StudyResult& study);

  // A place in measure_views(), and an input, or none for all of them.
  const Scale& scale(std::size_t measure, std::optional<int> input) const;
  const Scale& scale_of_shares() const { return shares_; }
  const Scale& scale_of_costed() const { return costed_; }  // of errors

  Chart lines(const Panels& panels, const Panel& panel, std::size_t measure) const;
  Chart distances(int row) const;  // in ulps, of the results of one row
  std::optional<Chart> costs(const Panels& panels,
                             const Panel& panel) const;  // error against area, where any point has one

 private:
  const Row& row(int index) const { return study_.rows[static_cast<std::size_t>(index)]; }
  const StudyPoint& point(int index) const { return study_.points[static_cast<std::size_t>(row(index).point)]; }
  Chart chart(const std::string& what, const std::string& which) const;
  Dot dot(int row, const MeasureView& view, double x) const;
  Series series(const Curve& curve, const MeasureView& view, const std::vector<double>& positions) const;
  std::optional<int> only_input(const Panel& panel) const;

  const StudyResult& study_;
  std::vector<std::vector<Scale>> measures_;  // of each: of all inputs, then of one after the other
  Scale shares_, bins_, costed_, areas_;
};

}  // namespace assay
