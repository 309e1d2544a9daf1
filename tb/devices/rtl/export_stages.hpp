// Each stage of a datapath as the block of rtl_ref that does it: parameters from ranges and words, wires in and out.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tb/devices/rtl/sheet.hpp"

namespace assay {

// What NaNs pass on, beside the numbers: vectors of NaN | negative | payload. Nothing where every NaN has one code.
struct NanWidths {
  int payload = 0;  // bits, as many as d's mantissa has

  bool are_there() const { return payload > 0; }
  int width() const { return are_there() ? payload + 2 : 0; }
};

struct ScalePair {
  Wire a, b;
};

class Stages {
 public:
  Stages(Sheet& sheet, NanWidths nans) : sheet_(sheet), nans_(nans) {}

  int nan_width() const { return nans_.width(); }
  Wire side_by_side(const std::string& name, const std::vector<WireElement>& elements) {
    return sheet_.side_by_side(name, elements, nans_.width());
  }

  Wire decode(const std::string& name, const Format& format, Subnormals subnormals, const Range& range, int count);
  Wire multiply(const std::string& name, const Wire& a, const Wire& b, const Range& range);
  Wire scale(const std::string& name, const Wire& in, const ScalePair& scales, const Range& range);
  Wire normalise(const std::string& name, const Wire& in, const Range& range);
  Wire limit(const std::string& name, const Wire& in, int infinity_at);
  Wire round(const std::string& name, const Wire& in, const ResultPlan& result);

  // What NaNs and infinities among these numbers decide, or else what `last` does: the name of two bits, an
  // assay_pkg::outcome_e.
  std::string special(const std::string& name, const std::vector<Wire>& numbers,
                      const std::string& last = "assay_pkg::OutcomeNone");
  // `sum`, or what `outcome` decided; a NaN is the first one among `candidates`.
  Wire decided(const std::string& name, const std::string& outcome, const Wire& sum,
               const std::vector<WireElement>& candidates);
  // A NaN's own sign and payload in place of its significand.
  Wire quiet(const std::string& name, const Wire& in);

 private:
  Wire relative(const std::string& name, const Wire& in);
  Wire round_to_integer(const std::string& name, const Wire& in, const ResultPlan& result);
  // The NaN of each number: the first among its candidates, which stand number after number, so many each.
  std::string nan_of(const Wire& number, const std::vector<WireElement>& candidates, int each);

  Sheet& sheet_;
  NanWidths nans_;
};

}  // namespace assay
