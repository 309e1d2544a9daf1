// The second judge: a datapath run word by word over exact rationals. Written from the prose of docs/datapath.md; of
// the model it knows the parsed words and the format table, and nothing of what the model makes of them. Slow, and
// meant to be.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "model/core/datapath.hpp"
#include "tb/oracle/vocabulary/value.hpp"

namespace assay::vocabulary {

struct Operands {
  std::vector<Code> a, b;
  Code c = 0;
  std::vector<Code> scale_a, scale_b;
  std::map<std::string, std::vector<Code>> more;  // what else the case brings, by name
};

// What stood at the places of the machine that a case came by, under their names: step[1].sum.align[5]. Not there: what
// NaN and infinities made irrelevant. A window is a zero with that exponent.
using Places = std::map<std::string, Value>;

struct Outcome {
  Code d = 0;
  bool is_nan = false;
};

// The datapath must be one that a plan can be made of; the operands, as long as k asks. With `nan: propagate` every NaN
// is written as the quiet one.
Outcome interpret(const Datapath& datapath, int k, const Operands& operands, Places* places = nullptr);

}  // namespace assay::vocabulary
