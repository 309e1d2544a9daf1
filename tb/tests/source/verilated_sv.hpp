// Packages of several plans in one Verilated program: d and flags of each against core.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "tb/tests/rtl/verilated_many.hpp"
#include "tb/tests/source/compiled_c.hpp"

namespace assay {

// The package of a plan.
std::string sv_of(const Plan& plan, const std::string& name);

class VerilatedSv {
 public:
  // Linted and built in `folder`. The plans must outlive it. `change`: what is done to each package's text.
  VerilatedSv(std::vector<const Plan*> plans, const std::filesystem::path& folder, Built built = Built::soon,
              std::string (*change)(const std::string&) = nullptr);

  // What the tools said; empty where all went well.
  const std::string& trouble() const { return trouble_; }

  // cases[i] for plan i, as many for each.
  std::vector<Judgement> compare(const std::vector<std::vector<Case>>& cases) const;

 private:
  std::size_t all_slots() const;
  std::string wrapper() const;

  std::vector<const Plan*> plans_;
  std::filesystem::path folder_;
  std::vector<std::size_t> slots_;  // of each package
  int bits_in_ = 0;
  std::string trouble_;
};

// What core leaves of a case.
struct Left {
  Code d = 0;
  unsigned flags = 0;                 // invalid lowest; none where the plan has none
  std::vector<std::uint64_t> places;  // side by side, as the package has them; empty where it has none

  bool operator==(const Left& other) const { return d == other.d && flags == other.flags && places == other.places; }
};

class LeftByCore {
 public:
  explicit LeftByCore(const Plan& plan);
  const Left& operator()(const Case& one);  // until the next one

 private:
  const Plan& plan_;
  Registers registers_;
  Trace trace_;
  std::size_t words_;  // of all places side by side
  Left left_;
};

// "d should be 3 and is 4": the first place that is not the same, d, or a flag; empty where there is none.
std::string difference(const Plan& plan, const Left& expected, const Left& actual);

// A call that hands a plan's operands, side by side in in_i from bit `from` on, to a function of its package.
std::string sv_call(const Plan& plan, const std::string& function, int from);

}  // namespace assay
