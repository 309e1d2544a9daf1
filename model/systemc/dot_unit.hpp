// A dot product in hardware: the modules that a Plan asks for, side by side, wired as it says.
//
//   codes -> decode -> multiply (-> scale) (-> round) -> special -> sums -> acc -> .. -> (finish ->) encode -> d
//
// Modules are named after their places: the one that leaves step[0].sum.window is UNIT.step[0].sum.window.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "model/systemc/acc.hpp"
#include "model/systemc/decode.hpp"
#include "model/systemc/encode.hpp"
#include "model/systemc/multiply.hpp"
#include "model/systemc/special.hpp"
#include "model/systemc/sum.hpp"

namespace assay::systemc {

class DotUnit : public sc_core::sc_module {
 public:
  sc_core::sc_in<bool> reset{"reset"};
  sc_core::sc_fifo_in<Bundle<Codes>> codes{"codes"};
  sc_core::sc_fifo_out<Bundle<Code>> d{"d"};

  // A Plan that `why_not_built` has nothing against.
  DotUnit(const sc_core::sc_module_name& name, const Context& context);

 private:
  // What the adders of one list can take.
  struct Sources {
    Out<Numbers>* terms = nullptr;
    Out<Numbers>* acc = nullptr;
    Out<Numbers>* c = nullptr;
    std::vector<Out<Numbers>*> lanes;
    std::vector<std::vector<Out<Numbers>*>> sums;  // of earlier adders
    const int* order = nullptr;                    // of the step's products in k
  };

  template <class Module, class... Arguments>
  Module& make(const std::string& name, Arguments&&... arguments);
  template <class Build>
  void inside(const std::string& scope, const Build& build);
  int place(const std::string& name) const;
  Out<Numbers>* products();
  Out<Numbers>* lane(const std::string& prefix, int lane, Out<Numbers>* products);
  Out<Numbers>* step(const std::string& prefix, const int* order, Out<Numbers>* products, Out<Numbers>* acc);
  Out<Numbers>* adders(const std::string& prefix, const std::vector<AdderPlan>& list, Sources sources);
  Out<Numbers>* group(const std::string& prefix, const AdderPlan& adder, int group, const Sources& sources);
  Item item(const InputPlan& input, int index, const Sources& sources) const;
  std::vector<Item> items(const AdderPlan& adder, int group, const Sources& sources) const;
  Out<Numbers>* sum(const std::string& prefix, const std::string& name, const AdderPlan& adder,
                    const std::vector<Item>& items, int block);

  const Context context_;
  const Plan& plan_;
  std::unordered_map<std::string, int> places_;
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
