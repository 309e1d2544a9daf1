#include "tb/explain/device_side.hpp"

#include "tb/devices/kinds/kinds.hpp"
#include "tb/devices/kinds/model_kind.hpp"

namespace assay::explain {

Answered device_side(Device& device, const Question& question) {
  std::vector<Answer> answers = device.run({question.one}, device.offers_trace());
  const std::string complaint = device.close();
  if (!complaint.empty() && answers.front().ok()) answers.front().error = complaint;
  return {device.name(), question.plan, std::move(answers.front())};
}

Answered named_side(const std::string& spec, const Question& question, const Subject& subject,
                    const Catalogue& catalogue, std::ostream& log) {
  if (spec == "model") return model_side(spec, question.plan, question.one);
  if (std::optional<Plan> own = model_plan(spec, subject, catalogue))
    return model_side(spec, std::make_shared<const Plan>(*std::move(own)), question.one);
  return device_side(*open_device(spec, subject, catalogue, log), question);
}

}  // namespace assay::explain
