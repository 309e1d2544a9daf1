// assay explain: one dot product, every stage, every bit.
#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <ostream>

#include "sim/cli/case_option.hpp"
#include "sim/cli/explain_text.hpp"
#include "sim/cli/subject.hpp"

namespace assay {
namespace {

struct Options {
  SubjectOptions subject;
  CaseOptions one;
  bool json = false;
};

nlohmann::ordered_json as_json(const Explanation& e, const Plan& plan) {
  nlohmann::ordered_json places = nlohmann::ordered_json::array();
  for (std::size_t i = 0; i < plan.places.size(); ++i) {
    const Place& place = plan.places[i];
    nlohmann::ordered_json one{
        {"place", place.name}, {"label", place.label}, {"bits", e.trace.at(static_cast<int>(i)).hex()}};
    for (const Field& field : place.fields) {
      if (field.width <= 64)
        one[std::string(field.name)] = static_cast<std::uint64_t>(e.trace.field(static_cast<int>(i), field.name));
    }
    places.push_back(one);
  }
  return {{"d", fmt::format("{:0{}x}", e.d, plan.d.hex_digits())}, {"places", places}};
}

void explain_one(const Options& options, const Console& console) {
  const Catalogue catalogue = shipped_catalogue();
  const OpenCase opened = options.one.open(catalogue, options.subject);
  warn(opened.subject.warning, console);
  const Explanation e = explain(opened.subject.plan, opened.one);
  if (options.json) {
    console.out << as_json(e, opened.subject.plan).dump(1) << "\n";
    return;
  }
  console.out << opened.subject.name << "\n\n" << explain_text(opened.subject.plan, opened.one, e);
}

}  // namespace

void add_explain(CLI::App& app, const Console& console, int&) {
  auto options = std::make_shared<Options>();
  CLI::App* command =
      app.add_subcommand("explain", "Shows one dot product stage by stage: what is kept, cut off and carried.");
  command->footer(
      "Examples:  assay explain --instruction hopper:wgmma.m64nNk16.f32.f16.f16 --a 3c00 --b 3c00 --c 33800000\n"
      "           assay explain --instruction hopper:wgmma.m64nNk16.f32.f16.f16 --seed 1 --case 7\n"
      "           assay explain --file vectors.jsonl --case 7");
  options->subject.add(*command);
  options->one.add(*command);
  command->add_flag("--json", options->json, "Every place and its bits, as JSON");
  command->callback([options, &console] { explain_one(*options, console); });
}

}  // namespace assay
