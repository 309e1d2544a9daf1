// One dot product: d = c + sum of a[i] x b[i], the way a Plan says.
#pragma once

#include <vector>

#include "model/core/plan.hpp"
#include "model/core/trace.hpp"

namespace assay {

struct Operand {
  const Code* a = nullptr;  // k codes each
  const Code* b = nullptr;
  Code c = 0;
  const Code* scale_a = nullptr;  // plan.scales codes each, or nullptr where the plan has none
  const Code* scale_b = nullptr;
  const Code* more = nullptr;  // plan.more_codes(), as the list has them
};

// Working registers, so that many dot products share one allocation. One a thread.
struct Registers {
  std::vector<Number> a, b;  // where the datapath says which NaN is taken
  std::vector<Number> products;
  std::vector<Number> scales_a, scales_b;
  std::vector<Number> more;    // of the codes that a case brings beside these
  std::vector<Number> values;  // of the step at work, or of the finish: as the circuit numbers them
  std::vector<Number> lanes;
};

// Puts other bits at places as they are reached, where somebody else computes a stage: what follows goes on from them.
class Detour {
 public:
  Detour() = default;
  Detour(const Detour&) = delete;
  Detour& operator=(const Detour&) = delete;
  virtual ~Detour() = default;

  // The bits of `place`, and of all before it, stand in `trace`. True where they were changed. What decides NaN and
  // infinity over a step, and flags, are not asked for.
  virtual bool turns(Trace& trace, int place) = 0;
};

// A detour needs a trace.
Code dot(const Plan& plan, const Operand& operand, Registers& registers, Trace* trace = nullptr,
         Detour* detour = nullptr);

}  // namespace assay
