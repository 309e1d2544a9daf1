// The fewest of many cases that kill what all of them kill.
#pragma once

#include <map>
#include <vector>

#include "tb/score/cover.hpp"
#include "tb/score/score.hpp"

namespace assay {

struct Minimised {
  std::vector<Case> cases;   // in the order in which they were seen
  std::size_t killed = 0;    // mutants
  std::size_t at_least = 0;  // no fewer cases kill as many
  bool smallest() const { return cases.size() == at_least; }
};

class Minimiser {
 public:
  Minimiser(const Plan& plan, NanRule nan);

  // Every case is run on every mutant but those with an argument. Of cases that kill the same ones the first is kept.
  void see(const std::vector<Case>& cases);

  Minimised smallest() const;

 private:
  struct Kept {
    std::size_t turn = 0;
    Case given;
  };

  Plan plan_;
  std::vector<Mutant> mutants_;
  std::map<NumberSet, Kept> kept_;
  std::size_t seen_ = 0;
  Registers registers_;
};

}  // namespace assay
