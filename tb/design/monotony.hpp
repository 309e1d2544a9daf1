// Bounds of points against a limit, with as few derivations as monotony leaves. Of what the last sum takes a bit more
// kept halves what its cut loses at most, and nothing else is lost more: where a point misses the limit, those that
// differ from it only by keeping less there miss it, too. Before another sum that is not so: of `groups` ten bits have
// the greater bound after nine.
#pragma once

#include <functional>
#include <map>

#include "tb/design/judge.hpp"
#include "tb/design/space.hpp"

namespace assay::design {

struct Sifted {
  std::map<int, DerivedBound> derived;
  std::map<int, int> ruled_out;  // points that miss the limit, each by one that keeps more and has a bound derived
  std::string contradiction;     // a bound that is greater where more is kept: all are derived then; else empty
};

using DeriveBound = std::function<DerivedBound(int point)>;  // several threads may ask at once

Sifted sifted(const Study& study, const Space& space, const std::vector<int>& points, const DesignLimit& limit,
              int threads, const DeriveBound& derive);

}  // namespace assay::design
