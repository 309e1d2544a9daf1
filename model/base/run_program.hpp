// Running another program to its end.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <vector>

namespace assay {

inline constexpr int not_started = 127;

struct Surroundings {
  std::vector<std::string> environment = {};  // NAME=VALUE, added to what this process has
  std::string folder = {};                    // where the program runs; empty: here
};

// Found on PATH and started, no word of it read by a shell, its stdout and stderr appended to the file `log`. Returns
// the exit status, not_started, or 128 + n after signal n. Throws Error where the log cannot be written.
int run_program(const std::vector<std::string>& argv, const std::string& log, const Surroundings& around = {});

// What a program says that ends with status 0; nothing of any other.
std::optional<std::string> said_by(const std::vector<std::string>& argv);

struct Said {
  int status = not_started;  // as run_program returns it
  bool in_time = true;       // false: it was killed
  std::string text = {};
};

// What a program says that has so long to end.
Said said_within(std::chrono::milliseconds patience, const std::vector<std::string>& argv,
                 const Surroundings& around = {});

}  // namespace assay
