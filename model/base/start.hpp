// Starting another program.
#pragma once

#include <spawn.h>

#include <string>
#include <vector>

#include "model/base/leftover.hpp"

namespace assay {

struct Started {
  int error = 0;  // errno where it cannot be started
  pid_t pid = -1;
  Leftover group;
};

// A program found on PATH, without a shell. It gets a process group of its own, so that what it starts in its turn (a
// shell's pipeline, make's compilers) ends with it, and signals as a fresh program expects them.
Started start(std::vector<std::string> argv, const posix_spawn_file_actions_t& actions, char** environment);

// The arguments or variables as exec takes them.
std::vector<char*> pointers(std::vector<std::string>& texts);

}  // namespace assay
