// A library of cells, as far as it is needed here: what each computes, what its pins weigh, what a register takes.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace assay {

// A cell's output as a function of its inputs: sixty-four cases at a time.
class CellFunction {
 public:
  // In the words of the Liberty format: A B, A*B, A+B, A^B, !A, A', parentheses, 0, 1. `inputs` are the pins it may
  // name. Throws Error.
  CellFunction(const std::string& text, const std::vector<std::string>& inputs);

  std::uint64_t of(const std::uint64_t* inputs) const;  // a word for each of the pins

 private:
  enum class Op : std::uint8_t { input, zero, invert, both, either, differ };
  struct Step {
    Op op;
    int input = 0;
  };
  friend class FunctionReader;

  std::vector<Step> steps_;  // in the order in which a stack does them
};

struct CellInput {
  std::string name;
  double capacitance = 0;  // picofarads
};

struct CellOutput {
  std::string name;
  CellFunction function;
};

struct LibraryCell {
  std::string name;
  double area = 0;
  std::vector<CellInput> inputs;
  std::vector<CellOutput> outputs;  // empty for what has a state
  std::string data, state;          // of a register that takes `data` at each edge: its pins; else empty
  double register_time = 0;         // of a register: from the clock to its output, and set-up; nanoseconds

  bool is_register() const { return !data.empty(); }
};

struct CellLibrary {
  double volts = 0;
  std::map<std::string, LibraryCell> cells;

  double register_time() const;  // the shortest of its plain registers, nanoseconds; throws Error where there is none
};

// Times of registers are those in the middle of their tables. Throws Error with the line.
CellLibrary read_liberty(const std::string& text, const std::string& file);

}  // namespace assay
