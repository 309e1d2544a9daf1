// A waveform of everything that the unit's analysis ports publish, as VCD: one scope a place, its fields as variables.
//
// SystemC's own trace files write step(0) where every other report says step[0]; this one keeps the names.
#pragma once

#include <fstream>
#include <string>
#include <vector>

#include "model/tlm/observation.hpp"

namespace assay {

class Waveform : public tlm::tlm_analysis_if<bus::Observation> {
 public:
  // Of one dot unit. Throws Error where the file cannot be written.
  Waveform(const std::string& file, const Plan& plan);

  void write(const bus::Observation& observation) override;

  // Writes down what was published since the last time: stages beside each other are published one after the other.
  void flush();

  // False where not all of it could be written.
  bool close();

 private:
  struct Change {
    sc_dt::uint64 time = 0;
    int place = 0;
    std::string bits;  // the uppermost first
  };

  void declare();
  void put(const Change& change);

  std::ofstream out_;
  const Plan& plan_;
  std::vector<int> first_variable_;  // of each place
  std::vector<Change> changes_;
  std::vector<std::string> last_;  // bits of each place
  sc_dt::uint64 now_ = 0;
};

}  // namespace assay
