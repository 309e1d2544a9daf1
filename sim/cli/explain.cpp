// assay explain: one dot product, every stage, every bit; for two devices, where they part.
#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <nlohmann/json.hpp>
#include <ostream>

#include "sim/cli/case_option.hpp"
#include "sim/cli/explain_json.hpp"
#include "sim/cli/explain_text.hpp"
#include "tb/devices/kinds/kinds.hpp"
#include "tb/devices/kinds/model_kind.hpp"

namespace assay {
namespace {

struct Options {
  SubjectOptions subject;
  CaseOptions one;
  std::string reference = "model";
  std::string device;
  bool json = false;
};

// A plan that someone else keeps.
std::shared_ptr<const Plan> kept_elsewhere(const Plan& plan) { return {std::shared_ptr<const Plan>(), &plan}; }

Side model_side(const std::string& name, std::shared_ptr<const Plan> plan, const Case& one) {
  Explanation e = explain(*plan, one);
  Answer answer;
  answer.d = e.d;
  answer.trace = std::move(e.trace);
  answer.traced.assign(plan->places.size(), 1);
  return {name, std::move(plan), std::move(answer)};
}

class Explain {
 public:
  Explain(const Options& options, const Console& console)
      : options_(options),
        console_(console),
        catalogue_(shipped_catalogue()),
        opened_(options.one.open(catalogue_, options.subject)),
        exact_(exact_sum(plan(), opened_.one)) {}

  int run() {
    warn(opened_.subject.warning, console_);
    if (options_.device.empty()) {
      const Side model = model_side("model", kept_elsewhere(plan()), opened_.one);
      options_.json ? show(as_json(model)) : show_text(model);
      return passed;
    }
    const Side reference = side(options_.reference), device = side(options_.device);
    options_.json ? show_both_json(reference, device) : show_both_text(reference, device);
    return same_d(reference, device) ? passed : mismatch;
  }

 private:
  const Plan& plan() const { return opened_.subject.plan; }

  Side side(const std::string& spec) const {
    if (spec == "model") return model_side(spec, kept_elsewhere(plan()), opened_.one);
    if (std::optional<Plan> own = model_plan(spec, opened_.subject, catalogue_)) {
      return model_side(spec, std::make_shared<const Plan>(*std::move(own)), opened_.one);
    }
    const std::unique_ptr<Device> device = open_device(spec, opened_.subject, catalogue_, console_.err);
    std::vector<Answer> answers = device->run({opened_.one}, device->offers_trace());
    const std::string complaint = device->close();
    if (!complaint.empty() && answers.front().ok()) answers.front().error = complaint;
    return {device->name(), kept_elsewhere(plan()), std::move(answers.front())};
  }

  // The stages are shown of a model, whose sums' items are known: the reference, else the device, else the subject's
  // own.
  Side shown(const Side& reference, const Side& device) const {
    if (is_model(options_.reference)) return reference;
    if (is_model(options_.device)) return device;
    return model_side("model", kept_elsewhere(plan()), opened_.one);
  }
  static bool is_model(const std::string& spec) { return spec == "model" || spec.rfind("model:", 0) == 0; }

  static bool same_d(const Side& x, const Side& y) {
    return x.answer.ok() && y.answer.ok() && x.answer.d == y.answer.d;
  }

  Explanation explanation_of(const Side& side) const { return {side.answer.d, *side.answer.trace}; }

  void show_stages(const Side& side) const {
    console_.out << opened_.subject.name << (side.name == "model" ? "" : " by " + side.name) << "\n\n"
                 << explain_text(*side.plan, opened_.one, explanation_of(side)) << exact_text(plan(), exact_);
  }

  void show_error(const std::string& name, const Side& side) const {
    if (side.answer.ok()) console_.out << fmt::format("{:<12}{}\n", name, error_text(plan(), exact_, side.answer.d));
  }

  void show_text(const Side& side) const {
    show_stages(side);
    show_error("error", side);
  }

  void show_both_text(const Side& reference, const Side& device) const {
    show_stages(shown(reference, device));
    console_.out << sides_text(reference, device, console_.colour) << "error\n";
    show_error("  reference", reference);
    show_error("  device", device);
  }

  nlohmann::ordered_json as_json(const Side& side) const {
    nlohmann::ordered_json j{{"subject", opened_.subject.name}, {"model", side.name}};
    j.update(explain_json(*side.plan, opened_.one, explanation_of(side)));
    j["exact"] = exact_json(plan(), exact_);
    j["result"] = d_json(plan(), exact_, side.answer.d);
    return j;
  }

  void show_both_json(const Side& reference, const Side& device) const {
    nlohmann::ordered_json j = as_json(shown(reference, device));
    j["sides"] = sides_json(reference, device, exact_);
    show(j);
  }

  void show(const nlohmann::ordered_json& j) const {
    console_.out << j.dump(1, ' ', false, nlohmann::json::error_handler_t::replace) << "\n";
  }

  const Options& options_;
  const Console& console_;
  Catalogue catalogue_;
  OpenCase opened_;
  ExactSum exact_;
};

}  // namespace

void add_explain(CLI::App& app, const Console& console, int& status) {
  auto options = std::make_shared<Options>();
  CLI::App* command =
      app.add_subcommand("explain", "Shows one dot product stage by stage: what is kept, cut off and carried.");
  command->footer(
      "Examples:  assay explain --instruction hopper:wgmma.m64nNk16.f32.f16.f16 --a 3c00 --b 3c00 --c 33800000\n"
      "           assay explain --instruction hopper:wgmma.m64nNk16.f32.f16.f16 --seed 1 --case 7\n"
      "           assay explain --file vectors.jsonl --case 7\n"
      "           assay explain --instruction hopper:wgmma.m64nNk16.f32.f16.f16 --a 3c00 --b 3c00 --c bf7fffff \\\n"
      "                         --device model:configs/datapath/fused_f23.yaml\n"
      "Exit status 1: the two devices' d differ.");
  options->subject.add(*command);
  options->one.add(*command);
  CLI::Option* device =
      command->add_option("--device", options->device, std::string("Held to the reference: ") + device_forms());
  command->add_option("--reference", options->reference, device_forms())->capture_default_str()->needs(device);
  command->add_flag("--json", options->json, "Every place, what it holds and what was cut off, as JSON");
  command->callback([options, &console, &status] { status = Explain(*options, console).run(); });
}

}  // namespace assay
