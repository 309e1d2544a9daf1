// All points of a spec: what varies, combined, as far as the conditions hold and a datapath can be made of it.
#pragma once

#include <map>

#include "tb/design/spec.hpp"
#include "tb/explore/machine.hpp"

namespace assay::design {

struct Space {
  Machines machines;                 // the points; point.values are indices of the axes' values
  std::vector<std::string> wirings;  // of each the SHA-256 of its datapath: equal ones cost the same
  std::size_t combinations = 0;      // of all values
  std::size_t outside = 0;           // for which a condition is false
  std::size_t alike = 0;             // that compute what an earlier one does
  std::size_t impossible = 0;        // of which no datapath can be made ..
  std::string why;                   // .. and why the first of them cannot

  std::size_t size() const { return machines.size(); }
  std::size_t count_of_wirings() const;
  int find(const std::vector<int>& values) const;  // a point; -1 where there is none
  std::vector<int> neighbours(int point) const;    // that differ in one axis by one step

  std::map<std::vector<int>, int> places;  // by values
};

// Throws Error where there are too many points, or none.
Space space_of(const Spec& spec, const Catalogue& catalogue);

}  // namespace assay::design
