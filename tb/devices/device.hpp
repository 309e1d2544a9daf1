// A device is anything that turns (a, b, c [, scales]) into d for one instruction: the model, its SystemC form,
// Verilated RTL, a file of recorded vectors, the oracle. No simulator's types appear here.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "model/base/error.hpp"
#include "model/core/dot.hpp"

namespace assay {

// Where in its matrix an element stands.
struct Element {
  int row = 0, column = 0;
  int rows = 1, columns = 1;  // of the matrix
};

struct Case {
  std::uint64_t number = 0;  // place in its file or generated set; what a repro line names
  std::vector<Code> a, b;    // plan.k codes each; of an element a multiple of it
  Code c = 0;
  std::vector<Code> scale_a, scale_b;             // plan.scales codes each, or that multiple
  std::vector<Code> more;                         // of the operands of plan.more, one list after the other, likewise
  std::optional<Code> d;                          // expected or recorded, where known
  std::string extra;                              // further members of its line, as JSON text without braces: passed on
  std::optional<Element> element = std::nullopt;  // of a whole-matrix case, of which this is one element
  std::string_view family = {};  // of the generator's table, which outlives every case; empty: nobody generated it

  Operand operand() const { return {a.data(), b.data(), c, scale_a.data(), scale_b.data(), more.data()}; }
};

// "case 3", "case 3, element [0,7]"
inline std::string case_name(const Case& c) {
  const std::string name = "case " + std::to_string(c.number);
  if (!c.element) return name;
  return name + ", element [" + std::to_string(c.element->row) + "," + std::to_string(c.element->column) + "]";
}

struct Answer {
  Code d = 0;
  std::string error;           // a sentence; not empty means that d does not count, whether there is one or not
  std::string other_order;     // a sentence, where d is another when the same cases come in another order; else empty
  std::optional<Trace> trace;  // of the same Plan as the device was opened with ...
  std::vector<char> traced;    // ... and which of its places the device filled (same length as plan.places)

  bool ok() const { return error.empty(); }
};

// What a device is known to compute otherwise than what it stands for: an emulator's own rounding, say. Both functions
// are asked, so that nothing else passes for it.
struct KnownDifference {
  std::string name;  // "pair_in_f32"
  std::string reason;
  std::function<Code(const Case&)> right;   // d of what the device stands for
  std::function<Code(const Case&)> device;  // d as the device has it
};

// A device opened for one Plan. A device that cannot be opened throws Error.
class Device {
 public:
  virtual ~Device() = default;
  Device() = default;
  Device(const Device&) = delete;
  Device& operator=(const Device&) = delete;

  virtual std::string name() const = 0;
  virtual bool offers_trace() const = 0;

  // One answer a case, in the same order. Never throws for what a case or the device does: a crash, a hang or a missing
  // answer is an Answer with an error.
  virtual std::vector<Answer> run(const std::vector<Case>& cases, bool trace) = 0;

  // Whether several threads may call run() at once.
  virtual bool may_be_shared() const { return false; }

  virtual std::vector<KnownDifference> known_differences() const { return {}; }

  // Where each result is that of the case `by` before it (after it, where `by` is negative): what is to be changed, as
  // the end of a sentence. Empty where nothing is known of that.
  virtual std::string advice_on_shift([[maybe_unused]] int by) const { return {}; }

  // Which part of the device has a case wrong that fails alone, and the command that shows it, as a sentence without
  // its stop. Empty where it is all one.
  virtual std::string blame([[maybe_unused]] const Case& failing) { return {}; }

  // After the last run: what the device did wrong since its last answer (a second answer, a bad exit), as a sentence;
  // empty where nothing. Never throws. A caller may leave it out, and with it that check.
  virtual std::string close() { return {}; }
};

}  // namespace assay
