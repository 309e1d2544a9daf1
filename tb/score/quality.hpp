// How good cases are: which mutants they kill, and what they exercise of a datapath. Each where it is asked for.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "tb/coverage/samplers.hpp"
#include "tb/score/score.hpp"

namespace assay {

struct QualityAsked {
  bool score = false;
  bool coverage = false;  // costs several times what the score does

  bool any() const { return score || coverage; }
};

class CaseQuality {
 public:
  // Refers to `plan`, which must outlive it.
  CaseQuality(const Plan& plan, NanRule nan, QualityAsked asked, int threads = 1);

  // Cases in their order.
  void see(const std::vector<Case>& cases);

  KillScore* score() { return score_.get(); }  // nullptr: not asked for
  const KillScore* score() const { return score_.get(); }
  std::optional<Coverage> coverage() const;

 private:
  std::unique_ptr<KillScore> score_;
  std::unique_ptr<Samplers> samplers_;
};

}  // namespace assay
