// Cases for one Plan: Case N is a function of (plan, seed, N), the same alone as in a run.
#pragma once

#include <string_view>
#include <vector>

#include "model/core/signs.hpp"
#include "tb/devices/device.hpp"
#include "tb/generate/anatomy.hpp"
#include "tb/generate/families.hpp"
#include "tb/generate/levels.hpp"

namespace assay {

class Generator {
 public:
  // The families take turns: case N is of family N mod their number. With `only`, every case is of that family.
  // Refers to `plan`, which must outlive it.
  Generator(const Plan& plan, std::uint64_t seed, const Family* only = nullptr);

  Case make(std::uint64_t number) const;
  const Family& family(std::uint64_t number) const;
  const std::vector<const Family*>& families() const { return families_; }

 private:
  void turn_signs(Case& c) const;

  Anatomy facts_;
  std::optional<TermSigns> signs_;  // where not all are +
  std::uint64_t seed_;
  std::vector<const Family*> families_;
};

// Cases `from` and following of a range, at most so many.
std::vector<Case> some_cases(const Generator& generator, const CaseRange& range, std::uint64_t from,
                             std::uint64_t most);

}  // namespace assay
