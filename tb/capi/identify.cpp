// What an unknown unit computes, from its answers or from recorded cases.
#include "tb/identify/identify.hpp"

#include "tb/capi/callback_device.hpp"
#include "tb/capi/options.hpp"
#include "tb/capi/report.hpp"
#include "tb/devices/kinds/kinds.hpp"
#include "tb/identify/recorded.hpp"
#include "tb/identify/report.hpp"
#include "tb/identify/unknown.hpp"

namespace assay::capi {
namespace {

using identify::Identified;
using identify::IdentifyOutcome;

CallEnd end_of(const Identified& found) {
  switch (found.outcome) {
    case IdentifyOutcome::found: return {};
    case IdentifyOutcome::undecided: return {ASSAY_NOTHING_COMPARED, "Several datapaths agree with every answer."};
    case IdentifyOutcome::no_word: return {ASSAY_MISMATCH, "No datapath that was tried agrees with every answer."};
    case IdentifyOutcome::inconsistent:
      return {ASSAY_MISMATCH, "The unit gave two results for the same operands: it is no function of them."};
  }
  return {};
}

CallEnd identified(const assay_unit& unit, const assay_device& device, const BenchOptions& options,
                   const assay_watch* watch, assay_text** report) {
  const Subject& subject = unit.subject;
  Log log;
  const std::unique_ptr<Device> asked = device.run != nullptr ? callback_device(subject.plan, device)
                                                              : open_device(device.name, subject, *unit.catalogue, log);
  identify::VersionSpace space = identify::begun(subject, *unit.catalogue, {options.nan, {}});
  identify::Box box(subject, *asked, options.answers, [&](std::uint64_t done) { tick(watch, done, 0); });
  const Identified found = identify::identify(subject, space, box, options.identify);
  if (const std::string wrong = asked->close(); !wrong.empty()) throw CallEnd{ASSAY_MISMATCH, wrong};
  *report = report_text(as_json(subject, found, {device.name, "question"}), log);
  return end_of(found);
}

CallEnd identified_file(const Catalogue& catalogue, const std::string& path, const BenchOptions& options,
                        assay_text** report) {
  const identify::RecordedAnswers recorded = identify::read_recorded(catalogue, path);
  identify::VersionSpace space = identify::begun(recorded.subject, catalogue, {options.nan, {}});
  const Identified found = identify_recorded(recorded.subject, space, recorded.answers, options.identify);
  Log log;
  if (!recorded.subject.warning.empty()) log << "assay: warning: " << recorded.subject.warning << "\n";
  *report = report_text(as_json(recorded.subject, found, {path, "case"}), log);
  return end_of(found);
}

// What is wrong with them is told as of the command's options.
assay_unit* unknown(const assay_catalogue& catalogue, const identify::UnknownUnit& words) try {
  Subject subject = identify::unknown_unit(*catalogue.catalogue, words);
  subject.program = catalogue.program;
  return new assay_unit(catalogue.catalogue, std::move(subject));
} catch (const Error& error) {
  const bool is_option = starts_with(error.message, "--");
  throw bad_argument(is_option ? error.message.substr(2) : error.message);
}

}  // namespace
}  // namespace assay::capi

namespace capi = assay::capi;

assay_status assay_unit_unknown(const assay_catalogue* catalogue, const char* formats, const char* scale, int k,
                                assay_unit** unit, assay_message* message) {
  return capi::guarded(message, [&] {
    capi::need(unit, "unit");
    *unit = nullptr;
    capi::need(catalogue, "catalogue");
    capi::need(formats, "formats");
    *unit = capi::unknown(*catalogue, {formats, scale == nullptr ? "" : scale, k});
  });
}

assay_status assay_identify(const assay_unit* unit, const assay_device* device, const char* options,
                            const assay_watch* watch, assay_text** report, assay_message* message) {
  return capi::guarded(message, [&] {
    capi::need_place(report, "report");
    capi::need(unit, "unit");
    capi::need(device, "device");
    capi::need(device->name, "device->name");
    const capi::BenchOptions from = capi::read_options(options, {"questions", "confirm", "seed", "nan", "answers"});
    return capi::identified(*unit, *device, from, watch, report);
  });
}

assay_status assay_identify_file(const assay_catalogue* catalogue, const char* path, const char* options,
                                 assay_text** report, assay_message* message) {
  return capi::guarded(message, [&] {
    capi::need_place(report, "report");
    capi::need(catalogue, "catalogue");
    capi::need(path, "path");
    const capi::BenchOptions from = capi::read_options(options, {"confirm", "seed", "nan"});
    return capi::identified_file(*catalogue->catalogue, path, from, report);
  });
}
