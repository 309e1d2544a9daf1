// assay describe: a datapath as a picture in text.
#include "model/config/describe.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <ostream>

#include "model/base/output_file.hpp"
#include "model/config/describe_format.hpp"
#include "sim/cli/command.hpp"
#include "sim/cli/subject.hpp"
#include "tb/browser/datapath_picture.hpp"
#include "tb/evidence/captured.hpp"
#include "tb/guarantee/summary.hpp"

namespace assay {
namespace {

struct Options {
  std::string architecture;
  std::string instruction;
  std::string datapath;
  std::string format;
  std::string svg, html;  // files
  bool json = false;
};

void describe_architecture(const Architecture& a, std::ostream& out) {
  out << fmt::format("{}: {}\nalso called {}\n{} instructions; `assay list {}` shows them.\n", a.name, a.about,
                     joined(a.aliases), a.instructions.size(), a.name);
  for (std::size_t i = 0; i < a.a_cycle.size(); ++i) {
    const CycleShape& shape = a.a_cycle[i];
    out << fmt::format("{:<14}{:<10}{} x {} x {}\n", i == 0 ? "a cycle" : "", shape.kind, shape.m, shape.n, shape.k);
  }
  for (std::size_t i = 0; i < a.scale_groups.size(); ++i) {
    const ScaleGroup& group = a.scale_groups[i];
    out << fmt::format("{:<14}{:<10}one {} for {} elements\n", i == 0 ? "scales" : "", group.kind, group.scale,
                       group.elements);
  }
}

nlohmann::ordered_json places_json(const Plan& plan) {
  nlohmann::ordered_json places = nlohmann::ordered_json::array();
  for (const Place& place : plan.places) {
    nlohmann::ordered_json fields = nlohmann::ordered_json::object();
    for (const Field& field : place.fields) fields[std::string(field.name)] = field.width;
    places.push_back(
        {{"place", place.name}, {"stage", stage_name(place.stage)}, {"width", place.width}, {"fields", fields}});
  }
  return places;
}

// What of the claim can be checked here and now.
std::string sets_text(const Catalogue& catalogue, const Instruction& instruction) {
  const auto same = [&](const Instruction& i) { return i.full_name() == instruction.full_name(); };
  std::string text;
  for (const CapturedSet& set : captured_sets(catalogue, shipped_sets(), false, same))
    text += fmt::format("{:<14}{}\n", text.empty() ? "sets" : "", set_text(set));
  if (text.empty() && instruction.evidence == "captured")
    return fmt::format("{:<14}{}\n", "sets", "kept elsewhere: assay evidence --sets FOLDER");
  return text;
}

// What is known without trying a case.
std::string guarantee_text(const Plan& plan) {
  const std::optional<guarantee::GuaranteeSummary> known = guarantee::summary(plan);
  if (!known) return "";
  std::string text = fmt::format("{:<14}{}\n", "guaranteed", known->bound);
  if (!known->holds.empty()) text += fmt::format("{:<14}{}\n", "holds", joined(known->holds));
  return text;
}

void check_is_datapath(const Options& options) {
  if (!options.format.empty() || (options.datapath.empty() && options.architecture.empty()))
    throw Error{"--svg and --html draw a datapath: name an instruction, or a file with --datapath."};
}

void describe(const Options& options, std::ostream& out) {
  if (!options.svg.empty() || !options.html.empty()) check_is_datapath(options);
  if (!options.format.empty()) {
    const Format format = format_named(options.format);
    out << (options.json ? format_json(format) : describe_format(format));
    return;
  }
  const Catalogue catalogue = shipped_catalogue();
  if (options.datapath.empty() && options.architecture.empty()) {
    throw Error{
        "Name an architecture (and an instruction), a datapath file with --datapath, or a number format with "
        "--format."};
  }
  std::optional<Instruction> instruction;
  if (options.datapath.empty()) {
    instruction = options.instruction.empty() ? catalogue.find_instruction(options.architecture)
                                              : catalogue.instruction(options.architecture, options.instruction);
    if (!instruction && !(options.svg.empty() && options.html.empty()))
      throw Error{"--svg and --html draw the datapath of one instruction; '" + options.architecture +
                  "' is an architecture, and `assay list " + options.architecture + "` shows what it has."};
    if (!instruction) return describe_architecture(catalogue.architecture(options.architecture), out);
  }
  const Subject subject =
      instruction ? subject_of(catalogue, *instruction) : subject_of_file(catalogue, options.datapath);
  if (!options.svg.empty()) write_whole_file(options.svg, browser::datapath_picture(subject.plan, subject.name));
  if (!options.html.empty()) write_whole_file(options.html, browser::datapath_page(subject.plan, subject.name));
  if (options.json) {
    out << places_json(subject.plan).dump(1) << "\n";
    return;
  }
  if (subject.instruction) {
    const Instruction& i = *subject.instruction;
    out << describe_instruction(i) << sets_text(catalogue, i)
        << describe_variants(catalogue.architecture(i.architecture).variants, {i.full_name(), i.family, i.operands});
  } else {
    out << fmt::format("{}, {} terms\n", subject.name, subject.plan.k);
  }
  out << guarantee_text(subject.plan) << "\n" << describe_plan(subject.plan);
}

}  // namespace

void add_describe(Command app, const Console& console, int&) {
  auto options = std::make_shared<Options>();
  Command command = app.add_subcommand(
      "describe", "Draws the datapath of an instruction or of a file of your own, with every width.");
  command.footer("Example:  assay describe hopper wgmma.m64nNk16.f32.f16.f16");
  command.add_option("ARCHITECTURE", options->architecture,
                     "A name such as hopper, sm_90a, H100, gfx942 or MI300X; or, alone, an instruction");
  command.add_option("INSTRUCTION", options->instruction, "As `assay list` shows it, or another spelling of it");
  command.add_option("--datapath", options->datapath, "A datapath file of your own")
      .excludes(command.option("ARCHITECTURE"));
  command
      .add_option("--format", options->format,
                  "A number format such as e4m3, hif8 or posit8_2, or a file of your own: what its codes mean")
      .excludes(command.option("ARCHITECTURE"))
      .excludes(command.option("--datapath"));
  command.add_option("--svg", options->svg, "Also writes the datapath as a drawing to this file, for a specification");
  command.add_option("--html", options->html, "Also writes the drawing as a page");
  command.add_flag("--json", options->json, "Every place of the datapath and its fields, or every code, as JSON");
  command.callback([options, &console] { describe(*options, console.out); });
}

}  // namespace assay
