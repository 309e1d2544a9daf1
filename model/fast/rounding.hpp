// The rounding direction of this thread's floating point, for as long as a Rounding lives.
#pragma once

#include <cfenv>

namespace assay {

class Rounding {
 public:
  explicit Rounding(int direction) : before_(std::fegetround()) { std::fesetround(direction); }
  ~Rounding() { std::fesetround(before_); }
  Rounding(const Rounding&) = delete;
  Rounding& operator=(const Rounding&) = delete;

 private:
  int before_;
};

}  // namespace assay
