// What `check` and `compare` do with a scoreboard: options, the printed verdict, the exit status.
#pragma once

#include <functional>
#include <string>

#include "sim/cli/subject.hpp"
#include "tb/scoreboard/scoreboard.hpp"

namespace assay {

struct VerdictOptions {
  std::size_t max_failures = 3;
  std::string nan;  // bits, any, or empty: as the header or the datapath says
  bool json = false;

  void add(CLI::App& command);
  NanRule nan_rule(const Subject& subject) const;
};

struct VerdictTitle {
  std::string subject;  // the instruction
  std::string devices;  // "rtl held to model"
  double rate = 0;      // cases a second
  std::function<std::string(const Case&)> repro;
  VerdictOptions options;
};

int show_verdict(const VerdictTitle& title, const Scoreboard& scoreboard, const Console& console);

}  // namespace assay
