// --threads: the one option that says how many of them do what several can.
#pragma once

#include <algorithm>
#include <optional>

#include "model/base/processors.hpp"
#include "sim/program/number_option.hpp"

namespace assay {

struct ThreadsOption {
  static constexpr int most = 256;
  std::optional<int> asked;

  void add(Command command) {
    add_number(command, "--threads", asked, {1, most}, "Threads (default: as many as the machine runs at once)");
  }
  // What the machine runs at once is looked up where it is needed: that takes a dozen files.
  int count() const { return asked ? *asked : std::min(usable_processors(), most); }
};

}  // namespace assay
