// CaDiCaL, asked about gates.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "tb/prove/gates.hpp"

// NOLINTNEXTLINE(readability-identifier-naming): its own name
namespace CaDiCaL {
class Solver;
}

namespace assay {

enum class SolverAnswer { never, sometimes, unknown };

// Whether literals of one circuit can hold together. What was asked before helps with what is asked next.
class Solving {
 public:
  explicit Solving(const Gates& gates);
  ~Solving();
  Solving(const Solving&) = delete;
  Solving& operator=(const Solving&) = delete;

  // Only of these gates it is said what they are; the value of any other is free.
  void look_at(std::unordered_set<std::uint32_t> gates) { only_ = std::move(gates); }
  // True in all that is asked from here on.
  void assume(Lit l);
  // With at most so many conflicts, or as long as `goes_on` says where that is given (conflicts < 0: no limit).
  SolverAnswer ask(const std::vector<Lit>& together, int conflicts, const std::function<bool()>& goes_on = {});
  // After `sometimes`: of a node; nodes that it did not need are zero.
  bool value(std::uint32_t node) const;
  // After `never`: those of what was asked that cannot hold together.
  std::vector<Lit> clashing(const std::vector<Lit>& together) const;
  std::size_t variables() const { return variables_; }

 private:
  int number(Lit l) const;
  void add_cone(Lit root);

  const Gates& gates_;
  std::unique_ptr<CaDiCaL::Solver> solver_;
  std::unordered_map<std::uint32_t, int> numbers_;  // of nodes
  std::optional<std::unordered_set<std::uint32_t>> only_;
  std::vector<std::uint32_t> pending_;  // nodes whose clauses are still to come
  std::size_t variables_ = 0;
};

}  // namespace assay
