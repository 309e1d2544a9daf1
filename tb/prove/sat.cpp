#include "tb/prove/sat.hpp"

#include <algorithm>
#include <cadical.hpp>
#include <iterator>

namespace assay {
namespace {

class Clock : public CaDiCaL::Terminator {
 public:
  explicit Clock(const std::function<bool()>& goes_on) : goes_on_(goes_on) {}
  bool terminate() override { return !goes_on_(); }

 private:
  const std::function<bool()>& goes_on_;
};

}  // namespace

Solving::Solving(const Gates& gates) : gates_(gates), solver_(std::make_unique<CaDiCaL::Solver>()) {
  solver_->set("quiet", 1);
}

Solving::~Solving() = default;

int Solving::number(Lit l) const {
  const int n = numbers_.at(node_of(l));
  return is_inverted(l) ? -n : n;
}

void Solving::add_cone(Lit root) {
  const auto clause = [&](std::initializer_list<int> literals) {
    for (const int l : literals) solver_->add(l);
    solver_->add(0);
  };
  std::vector<std::uint32_t> open{node_of(root)};
  while (!open.empty()) {
    const std::uint32_t node = open.back();
    open.pop_back();
    if (!numbers_.emplace(node, static_cast<int>(variables_) + 1).second) continue;
    ++variables_;
    if (node == 0) clause({-numbers_[node]});
    if (!gates_.is_gate(node) || (only_ && only_->count(node) == 0)) continue;
    open.push_back(node_of(gates_.first(node)));
    open.push_back(node_of(gates_.second(node)));
    pending_.push_back(node);
  }
  for (const std::uint32_t node : pending_) {
    const int out = numbers_.at(node), x = number(gates_.first(node)), y = number(gates_.second(node));
    clause({-out, x});
    clause({-out, y});
    clause({out, -x, -y});
  }
  pending_.clear();
}

void Solving::assume(Lit l) {
  add_cone(l);
  solver_->add(number(l));
  solver_->add(0);
}

SolverAnswer Solving::ask(const std::vector<Lit>& together, int conflicts, const std::function<bool()>& goes_on) {
  for (const Lit l : together) add_cone(l);
  for (const Lit l : together) solver_->assume(number(l));
  if (conflicts >= 0) solver_->limit("conflicts", conflicts);
  Clock clock(goes_on);
  if (goes_on) solver_->connect_terminator(&clock);
  const int answer = solver_->solve();
  if (goes_on) solver_->disconnect_terminator();
  return answer == 20 ? SolverAnswer::never : answer == 10 ? SolverAnswer::sometimes : SolverAnswer::unknown;
}

std::vector<Lit> Solving::clashing(const std::vector<Lit>& together) const {
  std::vector<Lit> list;
  std::copy_if(together.begin(), together.end(), std::back_inserter(list),
               [&](Lit l) { return solver_->failed(number(l)); });
  return list;
}

bool Solving::value(std::uint32_t node) const {
  const auto found = numbers_.find(node);
  return found != numbers_.end() && solver_->val(found->second) > 0;
}

}  // namespace assay
