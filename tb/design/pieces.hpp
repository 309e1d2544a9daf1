// An exhausted space in pieces that machines share out: a piece is all points of one wiring, on all seeds, judged and
// synthesised.
#pragma once

#include "tb/design/search.hpp"

namespace assay::design {

class DesignPieces {
 public:
  // Throws Error.
  DesignPieces(const std::string& spec_file, const Catalogue& catalogue);

  const Spec& spec() const { return spec_; }
  const Synthesis& synthesis() const { return synthesis_; }
  std::size_t count() const { return points_.size(); }
  // Of one thread, by doing a little. Programs and properties that limits ask for are not counted.
  double seconds_of_one() const;

  // Of `count` pieces from `first` on, or fewer where `go_on` says no. Samples go to the journal of `folder`. Throws
  // Error.
  std::pair<std::size_t, KnownPoints> ask(std::size_t first, std::size_t count, const std::string& folder, int threads,
                                          const std::function<bool()>& go_on) const;

 private:
  const Catalogue& catalogue_;
  Spec spec_;
  Space space_;
  Synthesis synthesis_;
  std::vector<std::vector<int>> points_;  // by piece, in the order of their first points
};

// All that samples of these machines depend on, beside tensors.
std::string identity_of(const Study& study, const Machines& machines, const std::vector<std::string>& wirings);

}  // namespace assay::design
