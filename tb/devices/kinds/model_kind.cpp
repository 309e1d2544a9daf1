#include "tb/devices/kinds/model_kind.hpp"

#include <fmt/format.h>

#include <filesystem>

#include "tb/devices/chain.hpp"
#include "tb/devices/model_device.hpp"

namespace assay {
namespace {

// A model on a datapath of its own, held to another plan: it answers d, but its places are not the other's. Of fewer
// terms, it takes several of its instructions for one.
class OtherModel : public Device {
 public:
  OtherModel(std::string name, Plan plan) : plan_(std::move(plan)), model_(model_device(plan_, name)) {}

  std::string name() const override { return model_->name(); }
  bool offers_trace() const override { return false; }
  std::vector<Answer> run(const std::vector<Case>& cases, bool) override { return run_chained(*model_, plan_, cases); }

 private:
  Plan plan_;
  std::unique_ptr<Device> model_;
};

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
  return std::make_unique<OtherModel>(request.spec, other_plan(request.argument, request.subject, request.catalogue));
}

std::optional<Plan> model_plan(const std::string& spec, const Subject& subject, const Catalogue& catalogue) {
  const std::string other = "model:";
  if (spec == "model") return subject.plan;
  if (spec.rfind(other, 0) != 0 || spec == other) return std::nullopt;
  Plan plan = other_plan(spec.substr(other.size()), subject, catalogue);
  if (plan.k != subject.plan.k) return std::nullopt;  // several instructions have no one trace
  return plan;
}

}  // namespace assay
