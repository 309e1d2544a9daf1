// Units that are asked in tests.
#pragma once

#include <functional>
#include <memory>

#include "tb/identify/identify.hpp"

namespace assay::identify {

// Whatever `d` makes of a case and of how many came before it.
class MadeUp final : public Device {
 public:
  using Unit = std::function<Code(const Case&, std::uint64_t before)>;
  explicit MadeUp(Unit unit) : unit_(std::move(unit)) {}

  std::string name() const override { return "made up"; }
  bool offers_trace() const override { return false; }
  std::vector<Answer> run(const std::vector<Case>& cases, bool) override {
    std::vector<Answer> answers(cases.size());
    for (std::size_t i = 0; i < cases.size(); ++i) answers[i].d = unit_(cases[i], asked_++);
    return answers;
  }

  std::uint64_t asked() const { return asked_; }

 private:
  Unit unit_;
  std::uint64_t asked_ = 0;
};

inline const Catalogue& catalogue() {
  static const Catalogue shipped = shipped_catalogue();
  return shipped;
}

inline bool same_bits(Code x, Code y) { return x == y; }

inline Code d_of(const Plan& plan, const Case& c) {
  Registers registers;
  return dot(plan, c.operand(), registers);
}

// The model of a plan.
inline MadeUp::Unit model_of(const Plan& plan) {
  return [&plan](const Case& c, std::uint64_t) { return d_of(plan, c); };
}

inline VersionSpace space_for(const Subject& subject, const std::vector<std::string>& without = {}) {
  VersionSpace space(subject.plan, same_bits);
  start_from(space, catalogue(), without);
  return space;
}

}  // namespace assay::identify
