// Several threads that count what cases exercise, each a part of them.
#pragma once

#include <memory>
#include <vector>

#include "tb/coverage/sampler.hpp"

namespace assay {

class Samplers {
 public:
  // Refers to `plan`, which must outlive it.
  Samplers(const Plan& plan, int threads);

  void see(const std::vector<Case>& cases);

  // Of all that were seen, whoever saw them.
  Coverage coverage() const;

 private:
  std::vector<std::unique_ptr<Sampler>> each_;
};

}  // namespace assay
