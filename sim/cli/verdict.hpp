// How compare and check end: the options that shape a verdict, what was found, the exit status.
#pragma once

#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "sim/cli/subject.hpp"
#include "tb/scoreboard/scoreboard.hpp"

namespace assay {

// --nan, and the rule it comes to: what was asked for, else what the subject's header says, else what is usual for its
// plan.
struct NanOption {
  std::string rule;  // bits, any, or empty

  void add(CLI::App& command);
  NanRule rule_for(const Subject& subject) const;
};

struct VerdictOptions {
  std::size_t max_failures = 3;
  NanOption nan;
  bool json = false;
  std::string junit;    // a file for JUnit XML, or empty
  std::string waivers;  // a file of waivers, or empty

  void add(CLI::App& command);
  Scoreboard scoreboard(const Subject& subject) const;
};

struct VerdictTitle {
  std::string subject;  // the instruction
  std::string devices;  // "rtl held to model"
  std::uint64_t cases = 0;
  double seconds = 0;
  std::function<std::string(const Case&)> repro;
  std::vector<std::string> explanation;  // lines about the failures, from explanation_lines
  std::string nothing;                   // why nothing was compared, where nothing was
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
  nlohmann::json json;
};

// Shows it, unless JSON is asked for: that is shown by show_json once everything is found.
Finding show_finding(const VerdictTitle& title, const Scoreboard& scoreboard, const VerdictOptions& options,
                     const Console& console);

// One that could not be made, since a file, a device or an instruction failed: `message` says why, here and now.
Finding not_compared(const std::string& subject, const std::string& message, int status, const Console& console);

// The exit status of several: of one that could not be made, of a mismatch, of nothing compared, in this order.
int worst(const std::vector<Finding>& findings);

// A row for each; `what` heads the column of names.
std::string findings_table(const std::string& what, const std::vector<std::string>& names,
                           const std::vector<Finding>& findings);

// `command` names the suite of the JUnit file, where one is asked for.
void write_junit(const VerdictOptions& options, const std::string& command, const std::vector<Finding>& findings);

// Bytes that are no UTF-8, as in a file's name, are shown as U+FFFD.
void show_json(const nlohmann::json& json, const Console& console);

}  // namespace assay
