#include "tb/explain/explanation.hpp"

#include "model/core/dot.hpp"

namespace assay::explain {

Answered model_side(const std::string& name, std::shared_ptr<const Plan> plan, const Case& one) {
  Answer answer;
  answer.trace = Trace(*plan);
  answer.trace->keep_items(true);
  answer.traced.assign(plan->places.size(), 1);
  Registers registers;
  answer.d = dot(*plan, one.operand(), registers, &*answer.trace);
  return {name, std::move(plan), std::move(answer)};
}

bool Sides::same_d() const {
  return reference.answer.ok() && device.answer.ok() && reference.answer.d == device.answer.d;
}

Explanation explained(const Question& question) {
  Answered shown = model_side("model", question.plan, question.one);
  Attribution made = attributed(question.plan, question.one, *shown.answer.trace);
  return {question, exact_sum(*question.plan, question.one), std::move(shown), std::move(made), std::nullopt};
}

Explanation explained(const Question& question, Sides sides) {
  const ExactSum exact = exact_sum(*question.plan, question.one);
  Answered shown = sides.reference.has_stages() ? sides.reference
                   : sides.device.has_stages()  ? sides.device
                                                : model_side("model", question.plan, question.one);
  Attribution made = attributed(shown.plan, question.one, *shown.answer.trace);
  return {question, exact, std::move(shown), std::move(made), std::move(sides)};
}

}  // namespace assay::explain
