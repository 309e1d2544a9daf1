// What a set of cases has exercised of one Plan: points, each a table of bins with the number of hits.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace assay {

struct Bin {
  std::string name;
  std::string unreachable;  // a sentence: why no case can hit it; empty: none is known, and a bin not hit is open
  std::uint64_t count = 0;

  bool hit() const { return count > 0; }
  bool reachable() const { return unreachable.empty(); }
  bool open() const { return reachable() && !hit(); }
};

// What a bin's `unreachable` says.
inline std::string unless(bool reachable, const std::string& sentence) { return reachable ? "" : sentence; }

struct Point {
  std::string name;   // sum.shift.product
  std::string about;  // what its bins tell apart
  std::vector<Bin> bins;

  std::uint64_t reachable() const;
  std::uint64_t hit() const;
};

struct Coverage {
  std::string subject;          // what the cases are of
  std::string datapath_sha256;  // coverage of one datapath merges with no other
  std::uint64_t cases = 0;
  std::vector<Point> points;

  std::uint64_t reachable() const;
  std::uint64_t hit() const;

  // Bins hit that were said to be out of reach: a mistake of ours, point and bin of each. Always empty.
  std::vector<std::string> contradictions() const;
};

// Adds the counts of another run of the same datapath. False where its points or bins are others.
bool merge(Coverage& into, const Coverage& from);

}  // namespace assay
