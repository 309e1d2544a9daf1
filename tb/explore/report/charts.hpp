// The pictures of a study, ready to be drawn.
#pragma once

#include <optional>
#include <vector>

#include "tb/explore/report/chart.hpp"
#include "tb/explore/report/measures.hpp"
#include "tb/explore/report/panels.hpp"

namespace assay {

// The vertical scales of a measure: of the whole study, and of what has one value of a dimension, such as one input. A
// reference has every value of the axes.
struct MeasureScales {
  std::vector<AxisScale> scales;             // from the narrowest to the widest, no two alike
  std::size_t whole = 0;                     // which of them the whole study has
  std::vector<std::vector<std::size_t>> of;  // and which each value of each dimension
};

class Charts {
 public:
  explicit Charts(const StudyResult& study);

  const MeasureScales& scales(std::size_t measure) const { return measures_[measure]; }  // in order of measure_views()
  const AxisScale& scale_of_shares() const { return shares_; }
  const AxisScale& scale_of_costed() const { return costed_; }  // of errors

  Chart lines(const Panels& panels, const Panel& panel, std::size_t measure) const;

  // How far the results of one row are off, in ulps.
  Chart distances(int row) const;

  // Error against area; nothing where no point of the panel has a cost.
  std::optional<Chart> costs(const Panels& panels, const Panel& panel) const;

 private:
  const Row& row(int index) const { return study_.rows[static_cast<std::size_t>(index)]; }
  const StudyPoint& point(int index) const { return study_.points[static_cast<std::size_t>(row(index).point)]; }
  Chart chart(const std::string& what, const std::string& which) const;
  Dot dot(int row, const MeasureView& view, double x) const;
  Series series(const Curve& curve, const MeasureView& view, const std::vector<double>& positions) const;
  MeasureScales scales_of(const MeasureView& view, const std::vector<Dimension>& dimensions) const;
  const AxisScale& scale(std::size_t measure, const Panel& panel) const;

  const StudyResult& study_;
  std::vector<MeasureScales> measures_;
  AxisScale shares_, bins_, costed_, areas_;
};

}  // namespace assay
