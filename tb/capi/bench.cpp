// The calls of the bench: explain, generate, compare and check.
#include <nlohmann/json.hpp>

#include "model/base/json_version.hpp"
#include "tb/capi/call.hpp"
#include "tb/capi/callback_device.hpp"
#include "tb/capi/elements.hpp"
#include "tb/capi/handles.hpp"
#include "tb/capi/options.hpp"
#include "tb/capi/report.hpp"
#include "tb/devices/kinds/kinds.hpp"
#include "tb/explain/device_side.hpp"
#include "tb/guarantee/property_report.hpp"
#include "tb/run/comparison_text.hpp"
#include "tb/run/generated_cases.hpp"
#include "tb/run/generated_file.hpp"
#include "tb/run/given_cases.hpp"
#include "tb/run/recorded_run.hpp"

namespace assay::capi {
namespace {

constexpr const char* model_name = "model";

// --- devices ---

// A device of the caller's has no name that a command line could say.
struct OpenDevice {
  std::string spec;
  std::unique_ptr<Device> device;
};

void need_name(const assay_device* device, const char* what) {
  if (device != nullptr) need(device->name, (std::string(what) + "->name").c_str());
}

// NULL is the model.
OpenDevice opened(const assay_device* device, const Subject& subject, const Catalogue& catalogue, Log& log) {
  if (device != nullptr && device->run != nullptr) return {"", callback_device(subject.plan, *device)};
  const std::string spec = device == nullptr ? model_name : device->name;
  return {spec, open_device(spec, subject, catalogue, log)};
}

// --- reports ---

CallEnd end_of(const Comparison& found) {
  return {status_of(found.scoreboard.summary().ending()), why_not_passed(found)};
}

// --- generated cases, as a vector file in memory ---

class TextWriter final : public CaseWriter {
 public:
  TextWriter(const VectorHeader& header, const CaseShape& shape) : shape_(shape), text_(print_header(header) + "\n") {}

  void write(const Case& c) override {
    append_case(text_, c, shape_);
    text_ += '\n';
  }
  void finish() override {}
  std::string take() { return std::move(text_); }

 private:
  CaseShape shape_;
  std::string text_;
};

// --- one dot product explained ---

CallEnd explained(const assay_unit& unit, const assay_operands& operands, const assay_device* reference,
                  const assay_device* device, assay_text** report) {
  const Subject& subject = unit.subject;
  // The plan is the unit's, which outlives this call.
  const explain::Question question{
      subject.name, {std::shared_ptr<const Plan>(), &subject.plan}, load_cases(subject.plan, 1, operands).front()};
  Log log;
  if (device == nullptr) {
    *report = report_text(as_json(explain::explained(question)), log);
    return {};
  }
  const auto side = [&](const assay_device* of) {
    if (of != nullptr && of->run != nullptr) return explain::device_side(*callback_device(subject.plan, *of), question);
    return explain::named_side(of == nullptr ? model_name : of->name, question, subject, *unit.catalogue, log);
  };
  explain::Answered expected = side(reference);
  const explain::Explanation e = explain::explained(question, {std::move(expected), side(device)});
  *report = report_text(as_json(e), log);
  if (e.sides->same_d()) return {};
  return {ASSAY_MISMATCH, "The two devices' d differ, or one of them gave none."};
}

// --- what holds for all operands ---

nlohmann::ordered_json guaranteed(const assay_unit& unit, const BenchOptions& options) {
  const Plan& plan = unit.subject.plan;
  guarantee::Chain chain = options.chain;
  if (chain.k == 0) chain.k = plan.k;
  const std::string problem = guarantee::chain_problem(plan, chain);
  if (options.chain.is_asked_for() && !problem.empty()) throw bad_argument(problem);
  guarantee::SearchEffort effort;
  effort.seed = options.seed;
  effort.cases = options.cases.value_or(effort.cases);
  const std::vector<guarantee::PropertyFinding> findings = property_findings(plan, guarantee::properties(), effort);
  return as_json(guarantee_of(unit.subject, chain, findings, guarantee::kappa(plan, effort)), plan);
}

// --- cases held to a reference ---

CallEnd compared(const assay_unit& unit, const assay_device* reference, const assay_device* device,
                 const BenchOptions& options, const assay_watch* watch, assay_text** report) {
  const Subject& subject = unit.subject;
  Log log;
  const std::unique_ptr<CaseSource> cases =
      generated_cases(options.open(subject.plan), {options.seed, options.family, {options.range()}, ""});
  const OpenDevice expected = opened(reference, subject, *unit.catalogue, log);
  const OpenDevice given = opened(device, subject, *unit.catalogue, log);
  RunOptions run =
      options.run(subject, expected.spec == model_name ? Explained::device : Explained::nobody, *unit.catalogue);
  run.progress = [&](std::uint64_t done) { tick(watch, done, cases->total()); };
  const Comparison found =
      compare(subject, {expected.spec, *expected.device}, {given.spec, *given.device}, *cases, run);
  nlohmann::json json = comparison_json(found);
  add_host_units(json, {expected.spec, given.spec});
  *report = report_text(std::move(json), log);
  return end_of(found);
}

CallEnd checked(const assay_catalogue& from, const std::string& path, const assay_device* device,
                const BenchOptions& options, const assay_watch* watch, assay_text** report) {
  const Catalogue& catalogue = *from.catalogue;
  RecordedRun recorded(catalogue, path, {options.only, options.element}, from.program);
  const Subject& subject = recorded.subject();
  Log log;
  if (!subject.warning.empty()) log << "assay: warning: " << subject.warning << "\n";
  OpenDevice given = opened(device, subject, catalogue, log);
  RunOptions run = options.run(subject, given.spec == model_name ? Explained::reference : Explained::nobody, catalogue);
  run.progress = [&](std::uint64_t done) { tick(watch, done, 0); };
  const Comparison found = recorded.held_to(given.spec, std::move(given.device), run);
  nlohmann::json json = comparison_json(found);
  json["file"] = path;
  *report = report_text(std::move(json), log);
  return end_of(found);
}

CallEnd checked_dots(const assay_unit& unit, std::vector<Case> given, const BenchOptions& options,
                     assay_text** report) {
  const Subject& subject = unit.subject;
  Log log;
  const OpenDevice expected = opened(nullptr, subject, *unit.catalogue, log);
  const std::unique_ptr<Device> results = recorded_device(options.name);
  const std::unique_ptr<CaseSource> cases = given_cases(subject.plan, std::move(given));
  const Comparison found = compare(subject, {expected.spec, *expected.device}, {"", *results}, *cases,
                                   options.run(subject, Explained::device, *unit.catalogue));
  *report = report_text(comparison_json(found), log);
  return end_of(found);
}

}  // namespace
}  // namespace assay::capi

namespace capi = assay::capi;

const char* assay_text_data(const assay_text* text) { return text == nullptr ? nullptr : text->text.c_str(); }

size_t assay_text_size(const assay_text* text) { return text == nullptr ? 0 : text->text.size(); }

void assay_text_free(assay_text* text) { delete text; }

int assay_json_version(void) { return assay::json_version; }

assay_status assay_explain(const assay_unit* unit, const assay_operands* operands, const assay_device* reference,
                           const assay_device* device, const char* options, assay_text** report,
                           assay_message* message) {
  return capi::guarded(message, [&] {
    capi::need_place(report, "report");
    capi::need(unit, "unit");
    capi::need(operands, "operands");
    capi::need_name(reference, "reference");
    capi::need_name(device, "device");
    capi::read_options(options, {});
    if (device == nullptr && reference != nullptr)
      throw capi::bad_argument("There is a reference and no device to hold to it; give the device.");
    return capi::explained(*unit, *operands, reference, device, report);
  });
}

assay_status assay_unit_families(const assay_unit* unit, assay_text** names, assay_message* message) {
  return capi::guarded(message, [&] {
    capi::need_place(names, "names");
    capi::need(unit, "unit");
    nlohmann::json list = nlohmann::json::array();
    const assay::Generator generator(unit->subject.plan, 1);
    for (const assay::Family* family : generator.families()) list.push_back(family->name);
    *names = new assay_text{list.dump()};
  });
}

assay_status assay_generate(const assay_unit* unit, const char* options, assay_text** cases, assay_message* message) {
  return capi::guarded(message, [&] {
    capi::need_place(cases, "cases");
    capi::need(unit, "unit");
    const capi::BenchOptions from =
        capi::read_options(options, {"seed", "family", "level", "cases", "first", "with_results"});
    const assay::Subject& subject = unit->subject;
    const assay::GeneratedSet set{from.seed, from.family, from.range(), "", from.with_results};
    capi::TextWriter writer(header_of(set, subject), case_shape(subject.plan));
    write_generated(set, subject, from.open(subject.plan), writer);
    *cases = new assay_text{writer.take()};
  });
}

assay_status assay_generate_into(const assay_unit* unit, uint64_t first, size_t count, const char* options,
                                 const assay_arrays* into, assay_message* message) {
  return capi::guarded(message, [&] {
    capi::need(unit, "unit");
    capi::need(into, "into");
    capi::BenchOptions from = capi::read_options(options, {"seed", "family"});
    from.first = first;
    from.cases = count;
    from.range();
    const assay::Plan& plan = unit->subject.plan;
    capi::check_cases(plan, count, *into);
    const assay::Generator generator = from.open(plan);
    std::vector<assay::Case> cases;
    cases.reserve(count);
    for (std::uint64_t i = 0; i < count; ++i) cases.push_back(generator.make(first + i));
    capi::store_cases(plan, cases, *into);
  });
}

assay_status assay_compare(const assay_unit* unit, const assay_device* reference, const assay_device* device,
                           const char* options, assay_text** report, assay_message* message) {
  return assay_compare_watched(unit, reference, device, options, nullptr, report, message);
}

assay_status assay_compare_watched(const assay_unit* unit, const assay_device* reference, const assay_device* device,
                                   const char* options, const assay_watch* watch, assay_text** report,
                                   assay_message* message) {
  return capi::guarded(message, [&] {
    capi::need_place(report, "report");
    capi::need(unit, "unit");
    capi::need(device, "device");
    capi::need_name(reference, "reference");
    capi::need_name(device, "device");
    const capi::BenchOptions from =
        capi::read_options(options, {"seed", "family", "level", "cases", "first", "nan", "max_failures", "waivers"});
    return capi::compared(*unit, reference, device, from, watch, report);
  });
}

assay_status assay_check(const assay_catalogue* catalogue, const char* path, const assay_device* device,
                         const char* options, assay_text** report, assay_message* message) {
  return assay_check_watched(catalogue, path, device, options, nullptr, report, message);
}

assay_status assay_check_watched(const assay_catalogue* catalogue, const char* path, const assay_device* device,
                                 const char* options, const assay_watch* watch, assay_text** report,
                                 assay_message* message) {
  return capi::guarded(message, [&] {
    capi::need_place(report, "report");
    capi::need(catalogue, "catalogue");
    capi::need(path, "path");
    capi::need_name(device, "device");
    const capi::BenchOptions from = capi::read_options(options, {"case", "element", "nan", "max_failures", "waivers"});
    return capi::checked(*catalogue, path, device, from, watch, report);
  });
}

assay_status assay_guarantee(const assay_unit* unit, const char* options, assay_text** report, assay_message* message) {
  return capi::guarded(message, [&] {
    capi::need_place(report, "report");
    capi::need(unit, "unit");
    const capi::BenchOptions from = capi::read_options(options, {"k", "promote_every", "split_k", "cases", "seed"});
    *report = capi::report_text(capi::guaranteed(*unit, from), {});
  });
}

assay_status assay_check_dots(const assay_unit* unit, size_t count, const assay_operands* operands, assay_in d,
                              const char* options, assay_text** report, assay_message* message) {
  return capi::guarded(message, [&] {
    capi::need_place(report, "report");
    capi::need(unit, "unit");
    capi::need(operands, "operands");
    const capi::BenchOptions from = capi::read_options(options, {"name", "nan", "max_failures", "waivers"});
    const assay::Plan& plan = unit->subject.plan;
    std::vector<assay::Case> cases = capi::load_cases(plan, count, *operands);
    const std::vector<assay::Code> results = capi::load({"d", count, 1}, plan.d, d);
    for (std::size_t i = 0; i < count; ++i) cases[i].d = results[i];
    return capi::checked_dots(*unit, std::move(cases), from, report);
  });
}
