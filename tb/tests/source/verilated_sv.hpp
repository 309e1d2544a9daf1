// Packages of several plans in one Verilated program: d and flags of each against core.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "tb/tests/source/compiled_c.hpp"

namespace assay {

// The package of a plan.
std::string sv_of(const Plan& plan, const std::string& name);

class VerilatedSv {
 public:
  // Linted and built in `folder`. The plans must outlive it. `change`: what is done to each package's text.
  VerilatedSv(std::vector<const Plan*> plans, const std::filesystem::path& folder,
              std::string (*change)(const std::string&) = nullptr);

  // What the tools said; empty where all went well.
  const std::string& trouble() const { return trouble_; }

  // cases[i] for plan i, as many for each.
  std::vector<Judgement> compare(const std::vector<std::vector<Case>>& cases) const;

 private:
  std::string wrapper() const;

  std::vector<const Plan*> plans_;
  std::filesystem::path folder_;
  int bits_in_ = 0;
  std::string trouble_;
};

// What core leaves of a case.
struct Left {
  Code d = 0;
  unsigned flags = 0;        // invalid lowest; none where the plan has none
  std::vector<bool> places;  // side by side, as the package has them; empty where it has none
};
Left left_by_core(const Plan& plan, const Case& one);

// "d should be 3 and is 4": the first place that is not the same, d, or a flag; empty where there is none.
std::string difference(const Plan& plan, const Left& expected, const Left& actual);

// A call that hands a plan's operands, side by side in in_i from bit `from` on, to a function of its package.
std::string sv_call(const Plan& plan, const std::string& function, int from);

}  // namespace assay
