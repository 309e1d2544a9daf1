// A command line in a shell.
#pragma once

#include <sys/wait.h>

#include <cstdio>
#include <string>

namespace assay {

struct ShellRan {
  int status = 0;
  std::string text;  // of both streams
};

inline ShellRan shell(const std::string& command) {
  ShellRan ran;
  FILE* pipe = popen((command + " 2>&1").c_str(), "r");
  char piece[4096];
  while (const std::size_t n = std::fread(piece, 1, sizeof piece, pipe)) ran.text.append(piece, n);
  ran.status = WEXITSTATUS(pclose(pipe));
  return ran;
}

}  // namespace assay
