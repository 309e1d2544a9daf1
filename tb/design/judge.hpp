// Whether a point meets the limits that do not come from samples.
#pragma once

#include "tb/design/spec.hpp"
#include "tb/design/trials.hpp"
#include "tb/guarantee/chain.hpp"

namespace assay::design {

struct Judgement {
  bool met = false;
  std::string found;  // what was seen
  double excess = 0;
};

// The longest sum of a study as a machine walks it.
guarantee::Chain longest_chain(const Study& study, const Walk& walk);

// |d - exact| is at most so many S, whatever the operands: the part that is relative to S. What subnormal numbers add
// is told by `assay guarantee`.
struct DerivedBound {
  double relative = 0;
  std::string why_not;  // why none is derived; else empty
};
DerivedBound derived_bound(const Study& study, const Machine& machine);
Judgement judged_bound(const DesignLimit& limit, const DerivedBound& bound);

class Judge {
 public:
  // `folder` is for what programs are given. Throws Error where an instruction takes other operands than the spec.
  Judge(const Spec& spec, const Machines& machines, const Catalogue& catalogue, const Trials& trials,
        std::string folder);

  // One of the spec's limits, which is neither a measure nor a bound.
  Judgement judge(std::size_t limit, int point) const;

 private:
  Judgement equals(std::size_t limit, const Machine& machine) const;
  Judgement property(const DesignLimit& limit, const Machine& machine) const;
  Judgement program(const DesignLimit& limit, const Machine& machine, int point) const;

  const Spec& spec_;
  const Machines& machines_;
  const Trials& trials_;
  std::string folder_;
  std::vector<std::unique_ptr<Machine>> instructions_;  // by limit, of those that ask for one
};

}  // namespace assay::design
