// assay probe: the published feature tests, put to any device.
#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <ostream>

#include "model/base/output_file.hpp"
#include "model/config/home.hpp"
#include "sim/cli/captured.hpp"
#include "sim/cli/device_option.hpp"
#include "sim/cli/dut_claim.hpp"
#include "sim/cli/probe_report.hpp"
#include "tb/oracle/instruction.hpp"
#include "tb/vectors/reader.hpp"

namespace assay {
namespace {

struct Options {
  SubjectOptions subject;
  std::string device;
  std::string dot, svg;
  bool json = false;
};

// What others found on the part itself, of the published table of instructions.
void put_published(const Subject& subject, ProbeReport& report) {
  if (!subject.instruction) return;
  const auto rows = exact::read_instructions(home() + "/tb/oracle/instructions.csv");
  const exact::Instruction* row =
      exact::find_instruction(rows, subject.instruction->architecture, subject.instruction->name);
  if (row == nullptr || !row->fraction_bits) return;
  report.published_fraction_bits = row->fraction_bits;
  if (subject.plan.scales == 0) report.published_terms_a_step = row->terms_per_step;
  report.published_result_bits = row->output_fraction_bits;
}

// Results that somebody printed of the part, by the name of the test.
void put_printed(const Subject& subject, ProbeReport& report) {
  if (!subject.instruction) return;
  for (const std::string& file : shipped_captures()) {
    VectorReader reader(file);
    const VectorHeader& header = reader.header();
    const auto& from = header.provenance;
    const bool printed = std::any_of(from.begin(), from.end(), [](const HeaderMember& member) {
      return member.name == "kind" && member.text() == "printed";
    });
    if (!printed || header.architecture != subject.instruction->architecture ||
        header.instruction != subject.instruction->name) {
      continue;
    }
    std::vector<Case> cases;
    while (reader.next(case_shape(subject.plan, header.pad), 1024, cases)) {
      for (const Case& c : cases) {
        const auto members = nlohmann::json::parse("{" + c.extra + "}");
        if (members.contains("test") && c.d) report.printed[members["test"].get<std::string>()] = *c.d;
      }
    }
  }
}

std::vector<probe::Places> rounding_places(const probe::Workbench& bench) {
  const int first = bench.free_addends().front(), second = bench.free_addends()[1];
  std::vector<probe::Places> places{{bench.c(), first}, {first, bench.c()}};
  if (second != bench.c()) places.push_back({first, second});
  return places;
}

ProbeReport measure(const Subject& subject, Device& device) {
  const probe::Workbench bench(subject.plan);
  probe::Asker asker(subject.plan, device);
  ProbeReport report;
  report.title = fmt::format("{}: features of {}", subject.name, device.name());
  auto tree = probe::summation_tree(bench, asker);
  if (const auto* why = std::get_if<std::string>(&tree)) {
    report.no_tree = *why;
    tree = probe::Node{};
  }
  report.tree = std::get<probe::Node>(tree);
  if (report.no_tree.empty()) report.terms_a_step = terms_a_step(subject.plan, report.tree);
  report.widths = probe::widths(bench, asker, report.tree);
  report.range = bench.powers().greatest - bench.powers().least;
  if (report.widths.result && !report.widths.result->at_least) {
    const int bits = report.widths.result->bits;
    for (const probe::Places& in : rounding_places(bench)) {
      const std::string names =
          probe::addend_name(subject.plan, in.one) + " + " + probe::addend_name(subject.plan, in.fraction);
      report.roundings.push_back({names, probe::rounding(bench, asker, in, bits)});
    }
    report.features = probe::features(bench, asker, report.tree, bits);
    for (const probe::Check& check : probe::checklist(bench, bits))
      report.checks.push_back({check.name, asker.code(check.given)});
  }
  report.questions = asker.asked();
  return report;
}

int probe_device(const Options& options, const Console& console) {
  const Catalogue catalogue = shipped_catalogue();
  const Subject subject = subject_for(options.subject, options.device, catalogue, console);
  if (subject.plan.d.is_integer()) {
    throw ConfigError{subject.name +
                      " adds integers, exactly and modulo its width: there is no rounding to ask about. Probe an "
                      "instruction with a floating-point result."};
  }
  const std::unique_ptr<Device> device = open_device(options.device, subject, catalogue, console);
  ProbeReport report = measure(subject, *device);
  if (const std::string wrong = device->close(); !wrong.empty()) throw DeviceError{wrong, Ending::mismatch};
  put_published(subject, report);
  put_printed(subject, report);
  if (!options.dot.empty()) write_whole_file(options.dot, tree_dot(subject.plan, report.tree));
  if (!options.svg.empty()) write_whole_file(options.svg, tree_svg(subject.plan, report.tree));
  console.out << (options.json ? report_json(subject.plan, report) : report_text(subject.plan, report));
  return report.differences() > 0 ? mismatch : passed;
}

}  // namespace

void add_probe(CLI::App& app, const Console& console, int& status) {
  auto options = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand(
      "probe", "Asks a device the published questions: order of sums, widths, rounding, special values.");
  command->footer("Example:  assay probe --device model --instruction ada:mma.m16n8k16.f32.f16.f16.f32");
  options->subject.add(*command);
  command->add_option("--device", options->device, device_help)->required();
  command->add_option("--dot", options->dot, "Writes the summation tree to this file, for graphviz");
  command->add_option("--svg", options->svg, "Writes the summation tree to this file, as SVG");
  command->add_flag("--json", options->json, "The report as JSON");
  command->callback([options, &console, &status] { status = probe_device(*options, console); });
}

}  // namespace assay
