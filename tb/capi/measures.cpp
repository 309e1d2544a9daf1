// How good a set of cases is: the mutants that it kills, the places that it reaches.
#include "model/base/json_version.hpp"
#include "tb/capi/elements.hpp"
#include "tb/capi/options.hpp"
#include "tb/capi/report.hpp"
#include "tb/coverage/coverage_files.hpp"
#include "tb/coverage/sampler.hpp"
#include "tb/run/generated_cases.hpp"
#include "tb/run/given_cases.hpp"
#include "tb/score/report.hpp"

namespace assay::capi {
namespace {

// The caller's dot products; generated cases where there are none.
struct Given {
  const assay_unit& unit;
  std::size_t count;
  const assay_operands* operands;
  const assay_watch* watch;
};

std::unique_ptr<CaseSource> source_of(const Given& given, const BenchOptions& options) {
  const Plan& plan = given.unit.subject.plan;
  if (given.operands != nullptr) return given_cases(plan, load_cases(plan, given.count, *given.operands));
  return generated_cases(options.open(plan), {options.seed, options.family, {options.range()}, ""});
}

template <class See>
void each_batch(const Given& given, const BenchOptions& options, const See& see) {
  const std::unique_ptr<CaseSource> source = source_of(given, options);
  for (std::vector<Case> cases; source->next(cases);) {
    see(cases);
    tick(given.watch, source->read(), source->total());
  }
}

Coverage named(Coverage coverage, const Subject& subject) {
  coverage.subject = subject.name;
  coverage.datapath_sha256 = subject.header.datapath_sha256;
  return coverage;
}

CallEnd covered(const Given& given, const BenchOptions& options, assay_text** report) {
  Sampler sampler(given.unit.subject.plan);
  each_batch(given, options, [&](const std::vector<Case>& cases) {
    for (const Case& c : cases) sampler.see(c);
  });
  const Coverage coverage = named(sampler.coverage(), given.unit.subject);
  *report = new assay_text{coverage_json(coverage)};
  if (coverage.cases > 0) return {};
  return {ASSAY_NOTHING_COMPARED, "Nothing was covered: there were no cases."};
}

CallEnd scored(const Given& given, const BenchOptions& options, assay_text** report) {
  const Subject& subject = given.unit.subject;
  KillScore score(subject.plan, options.nan_rule(subject));
  Sampler sampler(subject.plan);
  each_batch(given, options, [&](const std::vector<Case>& cases) {
    score.see(cases);
    for (const Case& c : cases) sampler.see(c);
  });
  score.exhaust();
  ScoreTitle title{subject.name, subject.option, "", {}, {}, sampler.coverage()};
  std::optional<Generator> generator;
  if (given.operands == nullptr) {
    generator = options.open(subject.plan);
    title.family = [&](const Case& c) { return std::string(generator->family(c.number).name); };
  }
  nlohmann::json json = score_json(title, score);
  json["json_version"] = json_version;
  *report = report_text(std::move(json), {});
  if (score.cases() == 0) return {ASSAY_NOTHING_COMPARED, "Nothing was scored: there were no cases."};
  if (score.counts().open == 0) return {};
  return {ASSAY_MISMATCH, grouped(score.counts().open) + " of the unit's mutants were not killed, and may be."};
}

BenchOptions options_of(const Given& given, const char* text, const char* further) {
  std::vector<std::string_view> names;
  if (given.operands == nullptr) names = {"seed", "family", "level", "cases", "first"};
  if (further != nullptr) names.emplace_back(further);
  return read_options(text, names);
}

}  // namespace
}  // namespace assay::capi

namespace capi = assay::capi;

assay_status assay_score(const assay_unit* unit, size_t count, const assay_operands* operands, const char* options,
                         const assay_watch* watch, assay_text** report, assay_message* message) {
  return capi::guarded(message, [&] {
    capi::need_place(report, "report");
    capi::need(unit, "unit");
    const capi::Given given{*unit, count, operands, watch};
    return capi::scored(given, capi::options_of(given, options, "nan"), report);
  });
}

assay_status assay_coverage(const assay_unit* unit, size_t count, const assay_operands* operands, const char* options,
                            const assay_watch* watch, assay_text** report, assay_message* message) {
  return capi::guarded(message, [&] {
    capi::need_place(report, "report");
    capi::need(unit, "unit");
    const capi::Given given{*unit, count, operands, watch};
    return capi::covered(given, capi::options_of(given, options, nullptr), report);
  });
}
