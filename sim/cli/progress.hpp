// A progress bar on a terminal for what lasts longer than two seconds; nothing in a pipe.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>

#include "sim/cli/command.hpp"

namespace assay {

// "[####....] 37 %, 740 of 2000 cases, 123/s, 10 s left"; without a total "740 cases, 123/s".
std::string progress_text(std::uint64_t done, std::uint64_t total, const char* what, double seconds);

class Progress {
 public:
  // `total` is 0 where it is not known: then only the count is shown. `what` is what is counted.
  Progress(const Console& console, std::uint64_t total, const char* what = "cases");
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  void at(std::uint64_t done);
  double seconds() const;

 private:
  const Console& console_;
  std::uint64_t total_;
  const char* what_;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  std::chrono::steady_clock::time_point shown_ = start_;
  bool visible_ = false;
};

}  // namespace assay
