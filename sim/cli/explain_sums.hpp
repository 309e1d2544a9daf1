// A trace, read: the values that its places hold, and for each sum what went in, what was cut off and what came out.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "model/core/dot.hpp"
#include "model/core/reading.hpp"
#include "tb/devices/device.hpp"
#include "tb/oracle/datum.hpp"
#include "tb/oracle/dyadic.hpp"

namespace assay {

// One case on one plan, with the numbers that entered each sum.
struct Explanation {
  Code d = 0;
  Trace trace;
};
Explanation explain(const Plan& plan, const Case& one);

exact::Dyadic exactly(const Number& n);  // of a finite number

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

  // What goes on to the results: the sum, and one bit below it where cut-off ones are remembered.
  exact::Dyadic going_on(const AdderPlan& adder) const;
};
SumReading read_sum(const Trace& trace, const SumSite& site);

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

// The bits of |x| below 2^weight, the highest first, without zeros at the end.
std::string bits_below(const exact::Dyadic& x, long weight);
// |x|'s bits from 2^top down to 2^bottom.
std::string bits_between(const exact::Dyadic& x, long top, long bottom);
long lowest_one(const exact::Dyadic& x);  // its weight; x is not zero

// "+1.40625", rounded to eight digits.
std::string decimal(const exact::Dyadic& x, bool negative_zero = false);
std::string decimal(const Number& n);
std::string decimal(const exact::Datum& d);

}  // namespace assay
