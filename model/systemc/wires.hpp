// The FIFOs between modules.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "model/systemc/stage.hpp"

namespace assay::systemc {

class Wires {
 public:
  explicit Wires(const Timing& timing) : timing_(timing) {}

  template <class T>
  void connect(Out<T>& from, In<T>& to) {
    const std::string name = "wire:" + std::to_string(fifos_.size());  // no adder can be called that
    auto fifo = std::make_shared<sc_core::sc_fifo<Bundle<T>>>(name.c_str(), timing_.depth(to.name()));
    from.bind(*fifo);
    to.bind(*fifo);
    fifos_.push_back(std::move(fifo));
  }

 private:
  const Timing& timing_;
  std::vector<std::shared_ptr<void>> fifos_;
};

}  // namespace assay::systemc
