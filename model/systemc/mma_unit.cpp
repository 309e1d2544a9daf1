#include "model/systemc/mma_unit.hpp"

namespace assay::systemc {
namespace {

std::string bracketed(int index) { return "[" + std::to_string(index) + "]"; }

Lines<Code> part_of_row(const std::vector<Code>& matrix, int row, int columns, int from, int count) {
  const auto first = matrix.begin() + static_cast<std::ptrdiff_t>(row) * columns + from;
  return Lines<Code>(std::vector<Code>(first, first + count));
}

Lines<Code> part_of_column(const std::vector<Code>& matrix, int column, int columns, int from, int count) {
  std::vector<Code> part;
  part.reserve(static_cast<std::size_t>(count));
  for (int i = from; i < from + count; ++i) part.push_back(matrix[static_cast<std::size_t>(i * columns + column)]);
  return Lines<Code>(std::move(part));
}

}  // namespace

Codes codes_of(const Plan& plan, const Matrices& x, const DotIndex& dot, Code c) {
  const int scales = x.k / plan.k * plan.scales;
  const auto& [row, column, step] = dot;
  return {part_of_row(x.a, row, x.k, step * plan.k, plan.k),
          part_of_column(x.b, column, x.n, step * plan.k, plan.k),
          c,
          part_of_row(x.scale_a, row, scales, step * plan.scales, plan.scales),
          part_of_column(x.scale_b, column, x.n, step * plan.scales, plan.scales),
          Lines<Code>(more_of(plan, x, {row, column}, step))};
}

// A dot unit between the two FIFOs through which it is fed.
struct MmaUnit::Cell {
  Cell(const std::string& name, const Plan& plan, const Timing& timing)
      : recorder(plan),
        codes((name + ":codes").c_str(), 1),
        d((name + ":d").c_str(), 1),
        unit(name.c_str(), Context{plan, timing, recorder}) {
    unit.codes.bind(codes);
    unit.d.bind(d);
  }

  Recorder recorder;
  sc_core::sc_fifo<Bundle<Codes>> codes;
  sc_core::sc_fifo<Bundle<Code>> d;
  DotUnit unit;
  std::uint64_t sent = 0;  // since the last reset
  int step = 0;            // of the current operation, along K
};

MmaUnit::MmaUnit(const sc_core::sc_module_name& name, std::vector<Plan> plans, const UnitShape& shape,
                 const Timing& timing)
    : sc_core::sc_module(name), plans_(std::move(plans)), shape_(shape), timing_(timing), cells_(plans_.size()) {
  for (std::size_t i = 0; i < plans_.size(); ++i) {
    const auto make_cells = [&] {
      for (int row = 0; row < shape_.rows; ++row) {
        for (int column = 0; column < shape_.columns; ++column) {
          cells_[i].push_back(std::make_unique<Cell>("dot" + bracketed(row) + bracketed(column), plans_[i], timing_));
        }
      }
    };
    scopes_.push_back(std::make_unique<Scope>(("instruction" + bracketed(static_cast<int>(i))).c_str(), make_cells));
  }
  SC_HAS_PROCESS(MmaUnit);
  SC_METHOD(run);
  sensitive << reset << operations.data_written() << products.data_read();
  for (const auto& array : cells_) {
    for (const auto& cell : array) {
      cell->unit.reset.bind(reset);
      sensitive << cell->d.data_written_event();
    }
  }
  dont_initialize();
}

MmaUnit::~MmaUnit() = default;

void MmaUnit::run() {
  if (reset->read()) return begin_again();
  do {
    if (!busy_ && !begin()) return;
    collect();
  } while (deliver());
}

void MmaUnit::begin_again() {
  Bundle<Operation> dropped;
  while (operations.nb_read(dropped)) continue;
  for (const auto& array : cells_) {
    for (const auto& cell : array) {
      Bundle<Code> d;
      while (cell->d.nb_read(d)) continue;
      cell->sent = 0;
    }
  }
  busy_ = false;
}

std::string MmaUnit::wrong_with(const Operation& operation) const {
  if (operation.instruction < 0 || operation.instruction >= static_cast<int>(plans_.size())) {
    return "There is no instruction " + std::to_string(operation.instruction) + "; this unit was made with " +
           std::to_string(plans_.size()) + ", from 0 on.";
  }
  const Matrices& x = *operation.matrices;
  if (x.m != shape_.rows || x.n != shape_.columns) {
    return "This unit makes " + std::to_string(shape_.rows) + " x " + std::to_string(shape_.columns) +
           " results at once, not " + std::to_string(x.m) + " x " + std::to_string(x.n) + ".";
  }
  return matmul_problem(plans_[static_cast<std::size_t>(operation.instruction)], x);
}

bool MmaUnit::begin() {
  if (!operations.nb_read(current_)) return false;
  busy_ = true;
  d_.clear();
  dots_.clear();
  problem_ = wrong_with(current_.value);
  left_ = 0;
  if (!problem_.empty()) return true;
  const std::vector<Code>& c = current_.value.matrices->c;
  left_ = c.size();
  d_.resize(c.size());
  const auto& array = cells_[static_cast<std::size_t>(current_.value.instruction)];
  for (std::size_t i = 0; i < array.size(); ++i) {
    array[i]->recorder.clear();
    array[i]->step = 0;
    send(i, c[i]);
  }
  return true;
}

void MmaUnit::send(std::size_t index, Code c) {
  const auto instruction = static_cast<std::size_t>(current_.value.instruction);
  Cell& cell = *cells_[instruction][index];
  const auto [row, column] = std::div(static_cast<int>(index), shape_.columns);
  const Matrices& x = *current_.value.matrices;
  [[maybe_unused]] const bool sent = cell.codes.nb_write(
      {cell.sent++, current_.traced, codes_of(plans_[instruction], x, {row, column, cell.step}, c)});
  assert(sent);  // one at a time is on its way
}

void MmaUnit::collect() {
  if (left_ == 0) return;
  const std::size_t count = cells_[static_cast<std::size_t>(current_.value.instruction)].size();
  for (std::size_t i = 0; i < count; ++i) collect(i);
}

void MmaUnit::collect(std::size_t index) {
  const auto instruction = static_cast<std::size_t>(current_.value.instruction);
  Cell& cell = *cells_[instruction][index];
  Bundle<Code> d;
  if (!cell.d.nb_read(d)) return;
  const auto [row, column] = std::div(static_cast<int>(index), shape_.columns);
  if (d.traced) dots_.push_back({{row, column, cell.step}, cell.recorder.take(d.number)});
  if (++cell.step < current_.value.matrices->k / plans_[instruction].k) {
    send(index, d.value);
  } else {
    d_[index] = d.value;
    --left_;
  }
}

// Whether the unit is free for the next operation.
bool MmaUnit::deliver() {
  if (left_ > 0 || products.num_free() == 0) return false;
  products.nb_write(
      {current_.number, current_.traced, {Lines<Code>(std::move(d_)), Lines<DotTrace>(std::move(dots_)), problem_}});
  d_ = {};
  dots_ = {};
  busy_ = false;
  return true;
}

std::ostream& operator<<(std::ostream& out, const Operation& operation) {
  out << "instruction " << operation.instruction;
  if (operation.matrices == nullptr) return out;
  return out << " on " << operation.matrices->m << " x " << operation.matrices->n << " x " << operation.matrices->k;
}

std::ostream& operator<<(std::ostream& out, const MatrixProduct& product) {
  return product.problem.empty() ? out << std::hex << product.d << std::dec : out << product.problem;
}

std::optional<std::string> why_no_unit(const std::vector<Plan>& plans, const UnitShape& shape) {
  if (plans.empty()) return "A matrix unit needs at least one instruction.";
  if (shape.rows < 1 || shape.columns < 1) {
    return "A matrix unit needs at least one row and one column of dot units, found " + std::to_string(shape.rows) +
           " x " + std::to_string(shape.columns) + ".";
  }
  return std::nullopt;
}

std::optional<std::string> why_not_built(const std::vector<Plan>& plans, const UnitShape& shape) {
  if (const auto reason = why_no_unit(plans, shape)) return reason;
  long long all = 0;
  for (const Plan& plan : plans) all += sums(plan) * shape.rows * shape.columns;
  if (all <= greatest_sums) return std::nullopt;
  return "The SystemC model builds every sum of every dot unit side by side: " + std::to_string(shape.rows) + " x " +
         std::to_string(shape.columns) + " dot units of these instructions ask for " + std::to_string(all) +
         " of them, and at most " + std::to_string(greatest_sums) +
         " are built. Take fewer rows, columns or instructions.";
}

}  // namespace assay::systemc
