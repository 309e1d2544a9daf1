// How compare and check end: the options that shape a verdict, what was found, the exit status.
#pragma once

#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "sim/cli/subject.hpp"
#include "sim/cli/threads_option.hpp"
#include "tb/devices/kinds/kinds.hpp"
#include "tb/run/comparison.hpp"
#include "tb/score/quality.hpp"

namespace assay {

// --nan, and the rule it comes to: what was asked for, else what goes without saying for the subject.
struct NanOption {
  std::string rule;  // bits, any, or empty

  void add(Command command);
  NanRule rule_for(const Subject& subject) const;
};

struct VerdictOptions {
  std::size_t max_failures = 3;
  NanOption nan;
  bool json = false;
  std::string junit;    // a file for JUnit XML, or empty
  std::string waivers;  // a file of waivers, or empty
  std::string html;     // a file for the verdict as a page, or empty
  QualityAsked quality;
  ThreadsOption threads;

  void add(Command command);
  RunOptions run_options(const Subject& subject, Explained explained, const Catalogue& catalogue) const;
  CaseQuality asked_quality(const Subject& subject) const;
};

// One comparison, finished.
struct Finding {
  std::string subject, devices;
  double seconds = 0;
  int status = 0;
  std::uint64_t compared = 0, faults = 0;
  std::string conclusion;  // "passed", "failed", "nothing compared", "not compared"
  std::string message;     // why it did not pass
  std::string text;        // the whole report, plain
  std::string html;        // its part of a page, where one is asked for
  nlohmann::json json;
};

// Runs it with a progress bar, which is gone when it returns. The cases that are compared go to `quality`, too.
Comparison watched(const CaseSource& cases, RunOptions options, CaseQuality& quality, const Console& console,
                   const std::function<Comparison(const RunOptions&)>& run);

// What a sheet says beside the verdict: of the devices, the vectors, their quality where it was asked for, and Assay.
// `wave` is of the first device.
std::vector<DeviceFact> sheet_facts(const std::vector<std::string>& devices, const Subject& subject,
                                    const std::string& vectors, const CaseQuality& quality, const Catalogue& catalogue,
                                    const Console& console, const std::string& wave = "");

// Shows it, unless JSON is asked for: that is shown by show_json once everything is found. `facts` are for the sheet of
// a page.
Finding show_finding(const Comparison& found, const Subject& subject, const CaseQuality& quality,
                     const std::vector<DeviceFact>& facts, const VerdictOptions& options, const Console& console);

// One that could not be made, since a file, a device or an instruction failed: `message` says why, here and now.
Finding not_compared(const std::string& subject, const std::string& message, int status, const Console& console);

// The exit status of several: of one that could not be made, of a mismatch, of nothing compared, in this order.
int worst(const std::vector<Finding>& findings);

// A row for each; `what` heads the column of names.
std::string findings_table(const std::string& what, const std::vector<std::string>& names,
                           const std::vector<Finding>& findings);

// `command` names the suite of the JUnit file, where one is asked for.
void write_junit(const VerdictOptions& options, const std::string& command, const std::vector<Finding>& findings);

// The page of all, where one is asked for.
void write_page(const VerdictOptions& options, const std::string& command, const std::vector<Finding>& findings);

// Bytes that are no UTF-8, as in a file's name, are shown as U+FFFD.
void show_json(const nlohmann::json& json, const Console& console);

}  // namespace assay
