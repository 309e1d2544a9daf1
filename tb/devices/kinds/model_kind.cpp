#include "tb/devices/kinds/model_kind.hpp"

#include <fmt/format.h>

#include <filesystem>

#include "model/config/digest.hpp"
#include "tb/devices/chain.hpp"
#include "tb/devices/model_device.hpp"
#include "tb/devices/stage_program.hpp"

namespace assay {
namespace {

// A model on a datapath of its own, held to another plan: it answers d, but its places are not the other's. Of fewer
// terms, it takes several of its instructions for one.
class OtherModel : public Device {
 public:
  OtherModel(const std::string& name, Plan plan, const std::string& command)
      : plan_(std::move(plan)),
        model_(command.empty() ? model_device(plan_, name) : model_with_program(plan_, {command, name})) {}

  std::string name() const override { return model_->name(); }
  bool offers_trace() const override { return false; }
  std::vector<Answer> run(const std::vector<Case>& cases, bool) override { return run_chained(*model_, plan_, cases); }
  std::string close() override { return model_->close(); }

 private:
  Plan plan_;
  std::unique_ptr<Device> model_;
};

// "FILE#exec=COMMAND": a program computes some of its stages.
struct ModelSpec {
  std::string name, command;
};

ModelSpec model_spec(const std::string& argument) {
  const std::string mark = "#exec=";
  const std::size_t at = argument.find(mark);
  if (at == std::string::npos) return {argument, ""};
  ModelSpec spec{argument.substr(0, at), argument.substr(at + mark.size())};
  if (spec.name.empty() || spec.command.empty())
    throw Error{"model:" + argument + " lacks " + (spec.name.empty() ? "a datapath" : "a command") +
                ": a program that computes a stage is named model:FILE.yaml#exec=COMMAND."};
  return spec;
}

std::string operands_text(const Plan& p) {
  return fmt::format("{} terms of {} x {} + {} -> {}", p.k, p.a.name, p.b.name, p.c.name, p.d.name);
}

// That one or more instructions of `x` take the operands of one of `y`.
bool takes_operands(const Plan& x, const Plan& y) {
  const int steps = y.k / x.k;
  const bool same_scales =
      x.scales * steps == y.scales && x.scale.has_value() == y.scale.has_value() && (!x.scale || *x.scale == *y.scale);
  const bool chains = steps == 1 || x.c == x.d;
  return y.k % x.k == 0 && chains && x.a == y.a && x.b == y.b && x.c == y.c && x.d == y.d && same_scales;
}

// What is a file, or by its name would be one.
bool names_file(const std::string& name) {
  std::error_code ignored;
  const std::string extension = std::filesystem::path(name).extension().string();
  return extension == ".yaml" || extension == ".yml" || name.find('/') != std::string::npos ||
         std::filesystem::exists(name, ignored);
}

// An instruction, or a file: one that leaves operands or k open takes them from the subject.
Plan named_plan(const std::string& name, const Subject& subject, const Catalogue& catalogue) {
  if (!names_file(name)) return catalogue.plan_of(catalogue.instruction(name));
  DatapathFile file = read_datapath_file(name, catalogue);
  if (file.datapath.operands.a.empty()) file.datapath.operands = subject.plan.datapath.operands;
  if (!file.k) file.k = subject.plan.k;
  return plan_of(file);
}

Plan other_plan(const std::string& name, const Subject& subject, const Catalogue& catalogue) {
  Plan plan = named_plan(name, subject, catalogue);
  if (!takes_operands(plan, subject.plan)) {
    throw Error{fmt::format("model:{} computes {}, but {} has {}; give both the same operands.", name,
                            operands_text(plan), subject.name, operands_text(subject.plan))};
  }
  return plan;
}

}  // namespace

std::unique_ptr<Device> open_model(const DeviceRequest& request) { return model_device(request.subject.plan); }

std::unique_ptr<Device> open_other_model(const DeviceRequest& request) {
  const ModelSpec spec = model_spec(request.argument);
  const Plan& asked = request.subject.plan;
  Plan plan = other_plan(spec.name, request.subject, request.catalogue);
  const bool same = plan.k == asked.k && datapath_sha256(plan) == datapath_sha256(asked);
  if (same && !spec.command.empty()) return model_with_program(asked, {spec.command, request.spec});
  return std::make_unique<OtherModel>(request.spec, std::move(plan), spec.command);
}

std::optional<Plan> model_plan(const std::string& spec, const Subject& subject, const Catalogue& catalogue) {
  const std::string other = "model:";
  if (spec == "model") return subject.plan;
  if (spec.rfind(other, 0) != 0 || spec == other || !model_spec(spec.substr(other.size())).command.empty())
    return std::nullopt;
  Plan plan = other_plan(spec.substr(other.size()), subject, catalogue);
  if (plan.k != subject.plan.k) return std::nullopt;  // several instructions have no one trace
  return plan;
}

}  // namespace assay
