#include "tb/explore/report/measures.hpp"

namespace assay {

const std::vector<MeasureView>& measure_views() {
  static const std::vector<MeasureView> views{
      {"normwise", "normwise relative error", MeasureScale::logarithmic, &Measures::normwise},
      {"quantisation", "quantisation error", MeasureScale::logarithmic, &Measures::quantisation},
      {"total", "total error", MeasureScale::logarithmic, &Measures::total},
      {"elementwise", "median relative error", MeasureScale::logarithmic, &Measures::elementwise},
      {"greatest", "greatest relative error", MeasureScale::logarithmic, &Measures::greatest},
      {"sqnr", "SQNR (dB)", MeasureScale::linear, &Measures::sqnr_db},
      {"bias", "bias (ulps)", MeasureScale::around_zero, &Measures::bias_ulps},
      {"shrink", "bias away from zero (ulps)", MeasureScale::around_zero, &Measures::shrink_ulps},
      {"correct", "correctly rounded (%)", MeasureScale::percent, &Measures::correct},
      {"swamped", "swamped products (%)", MeasureScale::percent, &Measures::swamped},
      {"value", "mean of the results", MeasureScale::linear, &Measures::value},
  };
  return views;
}

}  // namespace assay
