// What must be removed when a signal ends this process: half-written files, and the processes that it started.
#pragma once

#include <sys/types.h>

#include <string>

namespace assay {

// While this object lives, a signal that ends the process removes the thing. At every other end destructors remove it.
class Leftover {
 public:
  Leftover() = default;
  static Leftover file(const std::string& path);    // removed
  static Leftover folder(const std::string& path);  // removed with the files in it
  static Leftover group(pid_t leader);              // of processes: killed
  ~Leftover() { forget(); }
  Leftover(Leftover&& other) noexcept;
  Leftover& operator=(Leftover&& other) noexcept;

  void forget();

 private:
  explicit Leftover(int slot) : slot_(slot) {}

  int slot_ = -1;  // -1: none
};

// For a program's main: from here on a signal that ends it (SIGINT, SIGTERM, SIGHUP, ..) first removes all of these.
// The program then ends by that signal, as its parent expects. Signals that it was told to ignore stay ignored.
void take_leftovers_along();

}  // namespace assay
