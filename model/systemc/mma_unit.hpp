// A matrix unit: M x N dot units side by side for each of its instructions, and the K schedule around them.
//
//             +- dot[0][0] -+
//  operations |    ...      | products        where K is longer than the instruction, each step's d is the c of the
//  ---------->+- dot[i][j] -+--------->       next, as in the core's matmul
//             +-------------+
//
// Operations are worked on one after the other; each names the instruction that it takes.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "model/core/matmul.hpp"
#include "model/systemc/dot_unit.hpp"
#include "model/systemc/scope.hpp"

namespace assay::systemc {

struct Operation {
  int instruction = 0;  // index into the unit's
  std::shared_ptr<const Matrices> matrices;
};

// Which dot product of an operation.
struct DotIndex {
  int row = 0, column = 0, step = 0;  // in M, N and along K
};

// One dot product of an operation, as it went through its unit.
struct DotTrace {
  DotIndex dot;
  Recorded recorded;
};

struct MatrixProduct {
  Lines<Code> d;         // row-major; empty where there is none
  Lines<DotTrace> dots;  // of a traced operation
  std::string problem;   // a sentence that says why there is no d
};

// What it works on, onto `c`.
Codes codes_of(const Plan& plan, const Matrices& matrices, const DotIndex& dot, Code c);

std::ostream& operator<<(std::ostream& out, const Operation& operation);
std::ostream& operator<<(std::ostream& out, const MatrixProduct& product);

struct UnitShape {
  int rows = 1, columns = 1;
};

class MmaUnit : public sc_core::sc_module {
 public:
  sc_core::sc_in<bool> reset{"reset"};  // while high: what was begun is dropped; high for a time, not for a delta alone
  sc_core::sc_fifo_in<Bundle<Operation>> operations{"operations"};
  sc_core::sc_fifo_out<Bundle<MatrixProduct>> products{"products"};

  // Plans and a shape that `why_not_built` has nothing against.
  MmaUnit(const sc_core::sc_module_name& name, std::vector<Plan> plans, const UnitShape& shape, const Timing& timing);
  ~MmaUnit() override;

 private:
  struct Cell;

  std::string wrong_with(const Operation& operation) const;
  void run();
  void begin_again();
  bool begin();
  void send(std::size_t cell, Code c);
  void collect();
  void collect(std::size_t cell);
  bool deliver();

  const std::vector<Plan> plans_;
  const UnitShape shape_;
  const Timing timing_;
  std::vector<std::unique_ptr<Scope>> scopes_;
  std::vector<std::vector<std::unique_ptr<Cell>>> cells_;  // of each instruction, row-major

  bool busy_ = false;
  Bundle<Operation> current_;
  std::size_t left_ = 0;  // cells that have steps to go
  std::vector<Code> d_;
  std::vector<DotTrace> dots_;
  std::string problem_;
};

// A sentence where there can be no such unit at all; nothing where there can.
std::optional<std::string> why_no_unit(const std::vector<Plan>& plans, const UnitShape& shape);

// A sentence where such a unit cannot be elaborated; nothing where it can.
std::optional<std::string> why_not_built(const std::vector<Plan>& plans, const UnitShape& shape);

}  // namespace assay::systemc
