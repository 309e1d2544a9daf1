// assay probe: the published feature tests, put to any device.

#include <nlohmann/json.hpp>
#include <ostream>

#include "model/base/output_file.hpp"
#include "sim/cli/device_option.hpp"
#include "sim/cli/progress.hpp"
#include "tb/devices/kinds/kinds.hpp"
#include "tb/probe/report.hpp"

namespace assay {
namespace {

struct Options {
  SubjectOptions subject;
  std::string device;
  std::string dot, svg;
  bool json = false;
};

// A device, and how many questions it was asked; nobody knows beforehand how many it takes.
class Counted : public Device {
 public:
  Counted(Device& device, const Console& console) : device_(device), progress_(console, 0, "questions") {}

  std::string name() const override { return device_.name(); }
  bool offers_trace() const override { return device_.offers_trace(); }
  std::vector<Answer> run(const std::vector<Case>& cases, bool trace) override {
    std::vector<Answer> answers = device_.run(cases, trace);
    progress_.at(asked_ += cases.size());
    return answers;
  }

 private:
  Device& device_;
  Progress progress_;
  std::uint64_t asked_ = 0;
};

int probe_device(const Options& options, const Console& console) {
  const Catalogue catalogue = shipped_catalogue();
  const Subject subject = subject_for(options.subject, options.device, catalogue, console);
  if (subject.plan.d.is_integer()) {
    throw Error{subject.name +
                " adds integers, exactly and modulo its width: there is no rounding to ask about. Probe an "
                "instruction with a floating-point result."};
  }
  const std::unique_ptr<Device> device = open_device(options.device, subject, catalogue, console.err);
  Counted counted(*device, console);
  probe::Report report = probe::measured(subject, counted);
  if (const std::string wrong = device->close(); !wrong.empty()) throw Error{wrong, Ending::mismatch};
  probe::put_published(subject, report);
  if (!options.dot.empty()) write_whole_file(options.dot, tree_dot(subject.plan, report.tree));
  if (!options.svg.empty()) write_whole_file(options.svg, tree_svg(subject.plan, report.tree));
  if (options.json) {
    console.out << as_json(subject.plan, report).dump(1, ' ', false, nlohmann::json::error_handler_t::replace) << "\n";
  } else {
    console.out << as_text(subject.plan, report);
  }
  return report.differences() > 0 ? mismatch : passed;
}

}  // namespace

void add_probe(Command app, const Console& console, int& status) {
  auto options = std::make_shared<Options>();
  Command command = app.add_subcommand(
      "probe", "Asks a device the published questions: order of sums, widths, rounding, special values.");
  command.footer("Example:  assay probe --device model --instruction ada:mma.m16n8k16.f32.f16.f16.f32");
  options->subject.add(command);
  command.add_option("--device", options->device, device_forms()).required();
  command.add_option("--dot", options->dot, "Writes the summation tree to this file, for graphviz");
  command.add_option("--svg", options->svg, "Writes the summation tree to this file, as SVG");
  command.add_flag("--json", options->json, "The report as JSON");
  command.callback([options, &console, &status] { status = probe_device(*options, console); });
}

}  // namespace assay
