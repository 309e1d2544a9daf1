// What a command of the shell prints, and how it ends.
#pragma once

#include <sys/wait.h>

#include <cstdio>
#include <string>

namespace assay::testing {

struct Said {
  std::string text;
  int status = 0;
};

inline Said say(const std::string& command) {
  FILE* pipe = popen(command.c_str(), "r");
  Said said;
  for (int c = std::fgetc(pipe); c != EOF; c = std::fgetc(pipe)) said.text += static_cast<char>(c);
  const int status = pclose(pipe);
  said.status = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  return said;
}

}  // namespace assay::testing
