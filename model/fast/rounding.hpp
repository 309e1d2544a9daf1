// What this thread's floating point is told, for as long as one of these lives.
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

// IEEE 754's own: to nearest, subnormals kept, nothing trapped - whatever the caller has set, as a program that is
// linked with -ffast-math sets it for all it calls. Threads that are started meanwhile have it too.
class DefaultFloatingPoint {
 public:
  DefaultFloatingPoint() {
    std::fegetenv(&before_);
    std::fesetenv(FE_DFL_ENV);
  }
  ~DefaultFloatingPoint() { std::fesetenv(&before_); }
  DefaultFloatingPoint(const DefaultFloatingPoint&) = delete;
  DefaultFloatingPoint& operator=(const DefaultFloatingPoint&) = delete;

 private:
  std::fenv_t before_;
};

}  // namespace assay
