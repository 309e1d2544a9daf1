// A dot product in hardware: the modules that a Plan asks for, side by side, wired as it says.
//
//   codes -> decode -> (factors ->) multiply (-> scale) (-> round) -> special -> sums -> acc -> .. -> (finish ->)
//   encode -> d
//
// Modules are named after their places: the one that leaves step[0].sum.window is UNIT.step[0].sum.window.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "model/systemc/acc.hpp"
#include "model/systemc/decode.hpp"
#include "model/systemc/encode.hpp"
#include "model/systemc/factor.hpp"
#include "model/systemc/gate.hpp"
#include "model/systemc/multiply.hpp"
#include "model/systemc/special.hpp"
#include "model/systemc/sum.hpp"
#include "model/systemc/take.hpp"

namespace assay::systemc {

class DotUnit : public sc_core::sc_module {
 public:
  sc_core::sc_in<bool> reset{"reset"};
  sc_core::sc_fifo_in<Bundle<Codes>> codes{"codes"};
  sc_core::sc_fifo_out<Bundle<Code>> d{"d"};

  // A Plan that `why_not_built` has nothing against.
  DotUnit(const sc_core::sc_module_name& name, const Context& context);

 private:
  // A value of a circuit's block, as a line of a module's output.
  struct Line {
    Out<Numbers>* from = nullptr;
    int line = 0;
  };

  // Of a block's sums, in one instance of it.
  struct First {
    int place = 0;
    int draw = 0;  // random word
  };

  template <class Module, class... Arguments>
  Module& make(const std::string& name, Arguments&&... arguments);
  template <class Build>
  void inside(const std::string& scope, const Build& build);
  Out<Numbers>* products();
  Out<Numbers>& gated(const std::string& name, Out<Numbers>& elements);
  Out<Numbers>& factors(Region region, const char* name, const FactorPlan& words, Out<Numbers>& elements,
                        int first_draw);
  Out<Numbers>* worked(const ProductNode& node, Out<Numbers>* from);
  Out<Numbers>* lane(int lane, Out<Numbers>* products);
  Out<Numbers>* step(int instance, Out<Numbers>* products, Out<Numbers>* acc);
  Out<Numbers>* finish(const std::vector<Out<Numbers>*>& lanes);
  Out<Numbers>* take(const std::vector<Line>& values, const int* order);
  // Adds to the values what each sum leaves.
  void sums(const CircuitBlock& block, const std::vector<AdderPlan>& adders, std::vector<Line>& values,
            const int* order, const First& first);
  Out<Numbers>& sum(const SumNode& node, const AdderPlan& adder, const std::vector<Line>& values, const int* order,
                    const First& first);

  const Context context_;
  const Plan& plan_;
  Wires wires_;
  OperandDecoder* decode_ = nullptr;
  AccSelect* start_ = nullptr;
  std::vector<std::unique_ptr<sc_core::sc_module>> modules_;
};

// The number of sums that a Plan asks for, each of which becomes half a dozen modules.
long long sums(const Plan& plan);

inline constexpr long long greatest_sums = 2048;

// A sentence where a Plan cannot be elaborated; nothing where it can.
std::optional<std::string> why_not_built(const Plan& plan);

}  // namespace assay::systemc
