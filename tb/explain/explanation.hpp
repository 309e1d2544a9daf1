// One dot product explained: what stands at every stage, the exact sum, and, of two devices, where they part.
#pragma once

#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>

#include "tb/explain/exact.hpp"
#include "tb/explain/forecast.hpp"

namespace assay::explain {

struct Question {
  std::string subject;  // "hopper:wgmma.m64nNk16.f32.f16.f16"
  std::shared_ptr<const Plan> plan;
  Case one;
};

// What one device made of the case. Its trace, where it has one, is of `plan`, which need not be the question's.
struct Answered {
  std::string name;
  std::shared_ptr<const Plan> plan;
  Answer answer;

  bool has(int place) const { return answer.trace && answer.traced[static_cast<std::size_t>(place)] != 0; }
  // Whether its trace tells what entered each sum: only the model's own does.
  bool has_stages() const { return answer.trace && answer.trace->keeps_items(); }
};

// What the model on `plan` makes of the case, with every stage of it.
Answered model_side(const std::string& name, std::shared_ptr<const Plan> plan, const Case& one);

// A device held to another.
struct Sides {
  Answered reference, device;

  bool same_d() const;  // both answer, and alike
};

struct Explanation {
  Question question;
  ExactSum exact;
  Answered shown;    // whose stages are shown
  Attribution made;  // of its error
  std::optional<Sides> sides;
};

// By the model.
Explanation explained(const Question& question);
// The stages are those of the reference where it has any, else of the device, else of the model on the question's plan.
Explanation explained(const Question& question, Sides sides);

// Lines of 100 columns that a person can check by hand; `colour`: with a terminal's red where bits differ.
std::string as_text(const Explanation& explanation, bool colour);
// The same as data: docs/explain.md says what each member means.
nlohmann::ordered_json as_json(const Explanation& explanation);

// The codes of a case's operands, in lists.
nlohmann::ordered_json operands_json(const Plan& plan, const Case& one);

}  // namespace assay::explain
