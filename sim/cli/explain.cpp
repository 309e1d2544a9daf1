// assay explain: one dot product, every stage, every bit; for two devices, where they part.

#include <nlohmann/json.hpp>
#include <ostream>

#include "model/base/output_file.hpp"
#include "sim/cli/case_option.hpp"
#include "tb/browser/explorer_page.hpp"
#include "tb/devices/kinds/kinds.hpp"
#include "tb/explain/device_side.hpp"

namespace assay {
namespace {

struct Options {
  SubjectOptions subject;
  CaseOptions one;
  std::string reference = "model";
  std::string device;
  std::string html;
  bool json = false;
};

// A plan that someone else keeps.
std::shared_ptr<const Plan> kept_elsewhere(const Plan& plan) { return {std::shared_ptr<const Plan>(), &plan}; }

class Explain {
 public:
  Explain(const Options& options, const Console& console)
      : options_(options),
        console_(console),
        catalogue_(shipped_catalogue()),
        opened_(options.one.open(catalogue_, options.subject)),
        question_{opened_.subject.name, kept_elsewhere(opened_.subject.plan), opened_.one} {}

  int run() {
    warn(opened_.subject.warning, console_);
    if (options_.device.empty()) {
      show(explain::explained(question_));
      return passed;
    }
    const explain::Explanation e = explain::explained(question_, {side(options_.reference), side(options_.device)});
    show(e);
    return e.sides->same_d() ? passed : mismatch;
  }

 private:
  explain::Answered side(const std::string& spec) const {
    return explain::named_side(spec, question_, opened_.subject, catalogue_, console_.err);
  }

  void show(const explain::Explanation& e) const {
    if (!options_.html.empty())
      write_whole_file(options_.html, browser::explorer_html(browser::first_state(opened_.subject, e)));
    if (options_.json) {
      console_.out << as_json(e).dump(1, ' ', false, nlohmann::json::error_handler_t::replace) << "\n";
    } else {
      console_.out << as_text(e, console_.colour);
    }
  }

  const Options& options_;
  const Console& console_;
  Catalogue catalogue_;
  OpenCase opened_;
  explain::Question question_;
};

}  // namespace

void add_explain(Command app, const Console& console, int& status) {
  auto options = std::make_shared<Options>();
  Command command =
      app.add_subcommand("explain", "Shows one dot product stage by stage: what is kept, cut off and carried.");
  command.footer(
      "Examples:  assay explain --instruction hopper:wgmma.m64nNk16.f32.f16.f16 --a 3c00 --b 3c00 --c 33800000\n"
      "           assay explain --instruction hopper:wgmma.m64nNk16.f32.f16.f16 --seed 1 --case 7\n"
      "           assay explain --file vectors.jsonl --case 7\n"
      "           assay explain --instruction hopper:wgmma.m64nNk16.f32.f16.f16 --a 3c00 --b 3c00 --c bf7fffff \\\n"
      "                         --device model:configs/datapath/fused_f23.yaml\n"
      "Exit status 1: the two devices' d differ.");
  options->subject.add(command);
  options->one.add(command);
  CommandOption device =
      command.add_option("--device", options->device, std::string("Held to the reference: ") + device_forms());
  command.add_option("--reference", options->reference, device_forms()).shows_default().needs(device);
  command.add_option("--html", options->html, "Also writes a page that shows this case, with the model inside");
  command.add_flag("--json", options->json, "Every place, what it holds and what was cut off, as JSON");
  command.callback([options, &console, &status] { status = Explain(*options, console).run(); });
}

}  // namespace assay
