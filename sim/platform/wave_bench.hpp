// How fast the wavefront is, driven over its bus.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "model/config/catalogue.hpp"

namespace assay {

struct WaveRate {
  std::string instruction;
  double a_second = 0;  // instructions
};

// 32 x 32 x 8 of f16, of every architecture whose lanes have it: from registers to registers, each started over the
// bus. SystemC elaborates once: made before the simulation starts, asked for its rates after.
class WaveBench {
 public:
  explicit WaveBench(const Catalogue& catalogue);
  ~WaveBench();

  std::vector<WaveRate> rates(double seconds) const;

 private:
  struct Measured;
  std::vector<std::unique_ptr<Measured>> measured_;
};

}  // namespace assay
