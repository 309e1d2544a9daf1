// The text of one SystemVerilog module as it is wired: declarations and instances in order, and the probes.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "model/core/plan.hpp"

namespace assay {

// A number on its way: counts | class[1:0] | negative | exponent | significand.
struct BundleWidths {
  int exponent_bits = 0;
  int significand_bits = 0;
  int fraction_bits = 0;  // of the significand ...
  bool absolute = false;  // ... or, where true, its last bit weighs 2^-fraction_bits

  explicit BundleWidths(const Range& range)
      : exponent_bits(range.exponent_bits()),
        significand_bits(range.significand_bits()),
        fraction_bits(range.fixed_quantum ? -*range.fixed_quantum : range.fraction_bits),
        absolute(range.fixed_quantum.has_value()) {}

  int width() const { return 4 + exponent_bits + significand_bits; }
};
bool same_range(const Range& x, const Range& y);

// Numbers of one shape side by side, number 0 lowest.
struct Wire {
  std::string name;
  int count;
  Range range;
  bool special = false;     // NaNs and infinities among them are for the next sum to see
  std::string nan = {};     // beside each its assay_nan vector, where there is one
  bool absent = false;      // zeros that stand for nothing
  std::string raised = {};  // beside each what was raised for it, where anything can have been

  BundleWidths bundle() const { return BundleWidths(range); }
  int width() const { return bundle().width(); }
  bool shaped_like(const Wire& o) const {
    return same_range(range, o.range) && special == o.special && absent == o.absent;
  }
};

// Of what is raised beside a number, and of what a rounding tells of itself: assay_raised_round has both.
inline constexpr int raised_width = 5, told_width = 3;

// One of them.
struct WireElement {
  const Wire* wire;
  int index;
};

// Some bits of a signal; of none: zeros.
struct BitRange {
  std::string signal;
  int from = 0, width = 0;
};

// A parameter or a port and what it is given.
using Connection = std::pair<std::string, std::string>;

std::string sv_text(int value);
std::string sv_text(bool value);
std::string sv_bits(u128 value, int width);  // 12'hc3f
std::string sv_slice(const std::string& name, int from, int width);
// "nearest_even" is NearestEven.
std::string sv_words(std::string_view words);
// An enumerator of assay_pkg: "nearest_even" after prefix "Cut" is assay_pkg::CutNearestEven.
std::string sv_enumerator(const std::string& prefix, std::string_view word);
// step[0].pairs[3].window as an identifier: step0_pairs3_window.
std::string sv_identifier(const std::string& place);

// Where a module is pipelined, its text is cut: what is declared before a cut and used after it passes through an
// assay_register there. Whoever names a signal names it as it was declared; the sheet finds it where it is needed.
class Sheet {
 public:
  explicit Sheet(bool pipelined) : pipelined_(pipelined) {}

  // What follows comes after a cut called `name` (an existing one where `go_to` led back before it).
  void cut(const std::string& name);
  int stage() const { return stage_; }
  void go_to(int stage) { stage_ = stage; }
  const std::vector<std::string>& cuts() const { return cuts_; }

  void port(const std::string& name, int width) { signals_[name] = {width, stage_}; }
  void section(const std::string& title) { body_ += "\n  // " + title + "\n"; }
  void declare(const std::string& name, int width);
  // A constant of these entries, entry 0 lowest, each `width` bits and a remark: its name. One that is there is taken
  // again.
  struct Entry {
    u128 bits = 0;
    std::string remark = {};
  };
  std::string table(const std::string& about, int width, const std::vector<Entry>& entries);
  // `signal`, or a slice of it, as it arrives at this stage.
  std::string here(const std::string& signal);
  // Its parts must be here.
  void assign(const std::string& name, const std::string& value);
  void instance(const std::string& block, const std::string& name, const std::vector<Connection>& parameters,
                const std::vector<Connection>& ports);

  // A signal of these parts, part 0 lowest: the one they fill, else a new one called `name`.
  std::string gather(const std::string& name, const std::vector<BitRange>& parts);
  // The same where parts come of different stages: what comes from one is gathered there, so that registers hold
  // nothing else.
  std::string gather_by_stage(const std::string& name, const std::vector<BitRange>& parts);
  // One wire of these numbers of one shape, each with a vector of `nan_width` bits beside it, and what was raised.
  Wire side_by_side(const std::string& name, const std::vector<WireElement>& elements, int nan_width);

  // `bits` are the next `count` places of the plan, side by side.
  void probe(const std::string& bits, int count = 1) { probes_.push_back({bits, count, width_of(bits)}); }
  void probe_numbers(const Wire& wire);

  std::string body() const { return tables_ + body_; }
  struct Probe {
    std::string bits;
    int count = 0, width = 0;  // how many places they are, and of how many bits all together
  };
  const std::vector<Probe>& probes() const { return probes_; }

 private:
  struct Signal {
    int width = 0, stage = 0;
  };

  int width_of(const std::string& signal) const { return signals_.at(signal).width; }
  std::string part_text(const BitRange& part);
  int stage_of(const BitRange& part) const { return part.signal.empty() ? 0 : signals_.at(part.signal).stage; }

  bool pipelined_;
  int stage_ = 0;  // the number of cuts before it
  std::vector<std::string> cuts_;
  std::map<std::string, Signal> signals_;
  std::string body_, tables_;
  std::map<std::string, std::string> names_of_tables_;
  std::vector<Probe> probes_;
};

}  // namespace assay
