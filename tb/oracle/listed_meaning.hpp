// What a code of a list means, read a second time: by definition, in rationals, without a table of core's.
#pragma once

#include <gmpxx.h>

#include <string>

#include "model/core/format.hpp"

namespace assay::lists {

struct Meaning {
  enum Kind { number, infinity, nan } kind = number;
  bool negative = false;
  mpq_class magnitude;
};

Meaning meaning(const Format& format, Code code);

// Of a posit given as its bits, from the sign on.
Meaning posit(std::string bits, int es);

// "0101": a code's bits, from the top.
std::string bit_string(Code code, int bits);

// A parameter of the format's rule.
int parameter(const Format& format, const std::string& name);

mpq_class power_of_two(int exponent);

}  // namespace assay::lists
