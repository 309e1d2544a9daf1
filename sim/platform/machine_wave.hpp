// A waveform of a machine's memories, and of the places of products that are watched, as VCD. What a program touches is
// known when it has ended: so changes are kept, and the file is written then.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "model/core/trace.hpp"
#include "model/machine/tensor_mma.hpp"
#include "model/machine/wavefront.hpp"

namespace assay {

class MachineWave {
 public:
  // What changed in a memory since it was last looked at; all of it began with zeros. `scope` is empty or ends with a
  // dot.
  void look(const std::string& scope, const machine::TensorMachine& machine, std::uint64_t ns);
  void look(const std::string& scope, const machine::Wavefront& wave, std::uint64_t ns);
  // Every place of a dot product.
  void show(const std::string& scope, const Trace& trace, std::uint64_t ns);

  std::string text() const;

 private:
  struct Variable {
    int width = 32;
    bool unknown_first = false;                                  // else zeros
    std::vector<std::pair<std::uint64_t, std::string>> changes;  // when, and its bits
  };

  std::vector<std::uint32_t>& seen(const std::string& memory, std::size_t words);
  void change(const std::string& name, std::uint32_t word, std::uint64_t ns);

  std::map<std::vector<std::string>, Variable> variables_;  // by scopes and their own name
  std::map<std::string, std::vector<std::uint32_t>> seen_;  // by memory
};

}  // namespace assay
