// Running another program to its end.
#pragma once

#include <string>
#include <vector>

namespace assay {

inline constexpr int not_started = 127;

// Found on PATH and started without a shell, its stdout and stderr appended to the file `log`. `environment` adds
// NAME=VALUE to what this process has. Returns the exit status, not_started, or 128 + n after signal n.
int run_program(const std::vector<std::string>& argv, const std::string& log,
                const std::vector<std::string>& environment = {});

}  // namespace assay
