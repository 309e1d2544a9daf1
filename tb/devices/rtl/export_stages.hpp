// Each stage of a datapath as the block of rtl_ref that does it: parameters from ranges and words, wires in and out.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tb/devices/rtl/sheet.hpp"

namespace assay {

// What NaNs pass on, beside the numbers: vectors of NaN | negative | payload. Nothing where every NaN has one code.
struct NanWidths {
  int payload = 0;           // bits, as many as d's mantissa has, or more where somebody looks at them before
  bool only_sign = false;    // is looked at: the payload is a bit that says nothing
  std::optional<Code> made;  // of d's format: what a NaN without payload is written as
  bool only_made = false;    // is looked at: every other NaN has one code

  bool are_there() const { return payload > 0; }
  int width() const { return are_there() ? payload + 2 : 0; }
};

struct ScalePair {
  Wire a, b;
};

// The cut addends of a sum, which of them lost ones, and whether their window is there.
struct SumLoss {
  int count, addend_width;
  std::string addend, lost, counts;
};

class Stages {
 public:
  Stages(Sheet& sheet, NanWidths nans, const std::optional<Flags>& flags) : sheet_(sheet), nans_(nans), flags_(flags) {}

  int nan_width() const { return nans_.width(); }
  Wire side_by_side(const std::string& name, const std::vector<WireElement>& elements) {
    return sheet_.side_by_side(name, elements, nans_.width());
  }

  struct Reading {
    Subnormals subnormals = Subnormals::keep;
    Nans nans = Nans::keep;
    bool payloads = true;  // somebody looks at what NaNs pass on, and whether they signal
  };
  // The codes come in at `port`.
  Wire decode(const std::string& name, const std::string& port, const Format& format, const Range& range, int count,
              const Reading& reading);
  Wire decode(const std::string& name, const std::string& port, const Format& format, const Range& range, int count) {
    return decode(name, port, format, range, count, {});
  }
  // The code of a format as a port.
  void encode(const std::string& port, const Format& format, Code nan, const Wire& number);
  // So many bits of each significand, all that follow where nothing is said; the others become zeros.
  Wire slice(const std::string& name, const Wire& in, int from, const std::optional<int>& bits, bool zeros_may_count);
  // The rows of the products of a and b, `product` being these: as many wires as each has.
  std::vector<Wire> rows(const std::string& name, const Wire& a, const Wire& b, const Wire& product,
                         const ProductRows& words, const RowsPlan& plan);
  // A product of slices with the class, and all that goes beside it, of the whole operands' product.
  Wire whole(const std::string& name, const Wire& piece, const Wire& product);
  struct Multiplying {
    bool zeros_may_count = false;  // a zero among a and b may have an exponent, as rounding may leave it one
    bool counts_zeros = false;     // then so has their product
    int lowered = 0;               // how much less the exponent of a product is than its operands'
    std::optional<int> empty;      // the exponent of a product of zero, where it has one
    bool number_alone = false;     // nobody asks for its NaN, nor for what is raised
  };
  Wire multiply(const std::string& name, const Wire& a, const Wire& b, const Range& range, const Multiplying& words);
  Wire scale(const std::string& name, const Wire& in, const ScalePair& scales, const Range& range);
  // By one scale of one side.
  Wire scale(const std::string& name, const Wire& in, const Wire& by);
  // By a pair, where there is one, and then by scales of one side in turn.
  Wire scale_all(const std::string& name, const Wire& in, const std::optional<ScalePair>& pair,
                 const std::vector<Wire>& sides);
  Wire less_zero_point(const std::string& name, const Wire& in, const Wire& zero);
  // Those whose bit of `mask` is zero as +0.
  Wire gate(const std::string& name, const Wire& in, const Wire& mask);
  // Exponents rounded down to multiples.
  Wire exponent_step(const std::string& name, const Wire& in, const FactorPlan& words);
  // A zero without an exponent gets this one.
  Wire zero_exponent(const std::string& name, const Wire& in, int empty, const Range& range);
  Wire normalise(const std::string& name, const Wire& in, const Range& range);
  Wire negate(const std::string& name, const Wire& in);
  Wire limit(const std::string& name, const Wire& in, int infinity_at);
  // What comes beside the numbers of a rounding.
  struct Beside {
    std::vector<BitRange> random;  // the random word of each number, where the cut is stochastic
    std::string lost;              // a bit of the one number: ones were lost further down; empty: none were
  };
  Wire round(const std::string& name, const Wire& in, const ResultPlan& result, const Beside& beside);
  Wire round(const std::string& name, const Wire& in, const ResultPlan& result) {
    return round(name, in, result, Beside{});
  }

  // What the results of a step make of what decides it.
  struct Decision {
    Number nan, plus_infinity, minus_infinity;  // what a NaN of sign -, and what infinities become

    bool is_plain() const;
  };

  // Where ones that a sum has lost are told of.
  bool tells_lost() const { return flags_ && flags_->of == FlagsOf::all; }
  // Whether this sum has lost any: the name of a bit.
  std::string inexact(const std::string& name, const SumLoss& loss);
  // What has been raised for numbers that were made of others, which stand number after number: as they are read, by
  // the making, and, where `inexact` is a bit, by losing ones. Empty where nothing can have been.
  std::string raised(const Wire& made, const std::vector<WireElement>& others, const std::string& inexact = "");
  // And when a step is done, where `outcome` decided on these numbers or left its sum.
  std::string raised_by_step(const std::string& name, const std::string& outcome, const std::vector<WireElement>& seen,
                             const Wire& sum, const Decision& decision);
  // The flags of a result as a port.
  void flags(const std::string& port, const Wire& result);

  // What NaNs and infinities among these numbers decide, or else what `last` does: the name of two bits, an
  // assay_pkg::outcome_e.
  std::string special(const std::string& name, const std::vector<Wire>& numbers,
                      const std::string& last = "assay_pkg::OutcomeNone");
  // `sum`, or what `outcome` decided; a NaN is the first one among `candidates`.
  Wire decided(const std::string& name, const std::string& outcome, const Wire& sum,
               const std::vector<WireElement>& candidates);
  // The same where the results of the step make something else of what decided.
  Wire decided(const std::string& name, const std::string& outcome, const Wire& sum,
               const std::vector<WireElement>& candidates, const Decision& decision);
  // `sum`, with the NaN of the first of these places that holds one.
  struct Taking {
    std::vector<WireElement> places;
    std::vector<bool> begins;  // a run of them
    bool signalling_first = false;
  };
  Wire take(const std::string& name, const Wire& sum, const Taking& taking);
  // A NaN's own sign and payload in place of its significand, for a format to hold.
  Wire quiet(const std::string& name, const Wire& in, const Format& format);

 private:
  struct Rounding {
    const ResultPlan& result;
    bool marks;       // what is too large leaves as an infinity
    int random_bits;  // that stand below each number ...
    bool lost;        // ... and whether a bit of what was lost does
    bool tells;       // of itself, below each number that it leaves
  };
  static void append_below(std::vector<Connection>& parameters, const Rounding& rounding);
  // Declares what rounding leaves: the name for its port.
  std::string leaves(const Wire& out, const Rounding& rounding);
  static std::string left_with_told(const Wire& out) { return out.name + "_and_told"; }
  // The numbers alone, and the name of what is told of them.
  std::string part(const Wire& out);
  // What was raised for numbers that are read, and which of them are NaN: the names of both.
  struct Read {
    std::string raised, nan;
  };
  Read read(const std::string& name, const std::vector<WireElement>& numbers);
  // Whether anybody looks at what this rounding tells.
  bool counts(const Wire& in, const ResultPlan& result) const;
  std::string raised_rounding(const Wire& in, const Wire& out, const std::string& told, const ResultPlan& result);
  Wire relative(const std::string& name, const Wire& in);
  Wire following(const std::string& name, const Wire& in, const Range& made);
  Wire round_floating(const std::string& name, const Wire& in, const Rounding& rounding);
  Wire round_to_integer(const std::string& name, const Wire& in, const Rounding& rounding);
  Wire round_by_rule(const std::string& name, const Wire& in, const Rounding& rounding);
  Wire round_to_list(const std::string& name, const Wire& in, const Rounding& rounding);
  Wire with_below(const std::string& name, const Wire& in, const Beside& beside);
  Wire full(const std::string& name, const Wire& in, const ResultPlan& result, bool tells);
  // By a block that leaves numbers of the same shape.
  Wire changed_by(const std::string& block, const std::string& name, const Wire& in);
  Wire hold(const std::string& name, const Wire& before, const Wire& rounded, const ResultPlan& result);
  void encode_number(const std::string& port, const Format& format, Code nan, const Wire& number);
  void encode_floating(const std::string& port, const Format& format, Code nan, const Wire& number);
  // The NaN of a number that was `before` and that a result made `after`.
  std::string nan_of_result(const Wire& before, const Wire& after, bool keeps_nan);
  // The NaN of each number: the first among its candidates, which stand number after number, so many each.
  std::string nan_of(const Wire& number, const std::vector<WireElement>& candidates, int each);

  Sheet& sheet_;
  NanWidths nans_;
  std::optional<Flags> flags_;
};

}  // namespace assay
