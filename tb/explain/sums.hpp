// A trace, read: the values that its places hold; for each sum what went in, what was cut off and what came out; why a
// result is a NaN or an infinity.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "model/core/reading.hpp"
#include "tb/oracle/dyadic.hpp"

namespace assay::explain {

struct AddendReading {
  Number item;                 // as it arrived
  exact::Dyadic kept;          // as it was added, signed
  std::optional<long> cut_at;  // what weighs less than 2^cut_at is cut; none: nothing ever is
  bool lost = false;           // ones were cut off
  bool dropped = false;        // it lay so far below the window that all of it went
};

struct SumReading {
  int window = 0;
  long grid = 0;  // the last bit of addends and sum weighs 2^grid
  std::vector<AddendReading> addends;
  exact::Dyadic sum;
  bool sticky = false;

  bool lost(const AdderPlan& adder) const;  // its window lies too low
  bool errs(const AdderPlan& adder) const;  // it comes out as something else
  // What goes on to the results: the sum, and one bit below it where cut-off ones are remembered.
  exact::Dyadic going_on(const AdderPlan& adder) const;
};
SumReading read_sum(const Trace& trace, const SumSite& site);

// Two's complement of any width, above `skipped` lower bits.
mpz_class signed_bits(const Bits& bits, int skipped);
// The weight of the last bit of an addend or a sum, as a power of two.
long grid_of(const Place& place, int window);

// The value of any place of a trace, with whose help places of different plans are compared.
struct Reading {
  Class cls = Class::finite;
  bool negative = false;
  exact::Dyadic value;  // of a finite number, an addend, a sum
  int exponent = 0;     // of a number or a window
  u128 bits = 0;        // of what is no number: an outcome, the code of d; the sticky bit of a sum

  bool operator==(const Reading& o) const;
};
Reading read_place(const Trace& trace, int place);

// --- reasons, as sentences that name the rule ---

struct NamedNumber {
  std::string name;
  Number number;
};

// What NaNs and infinities among the numbers of one sum decide: "NaN: the infinities of a[0] x b[0] and acc have
// opposite signs". Empty where all are finite.
std::string special_reason(const std::vector<NamedNumber>& numbers);

// "scale_a[0] and scale_b[0]", "tensor[0]": the scales that multiply a product or sum of term `term` of k: the pair,
// and others of Plan::more.
std::string scales_text(const Plan& plan, bool pair, const std::vector<int>& others, int term);

// How a term came to be what it is: "a[3] is NaN", "a[3] x b[3] is 0 x inf"; for other numbers their name and value.
std::string term_reason(const Trace& trace, int term);

// The same for one step of a lane, whose special place decided something.
std::string step_reason(const Trace& trace, const Number& acc, int lane, int step);

}  // namespace assay::explain
