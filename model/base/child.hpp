// A process started for us, with pipes to its stdin and from its stdout. It does not outlive this object.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <string>
#include <vector>

#include "model/base/leftover.hpp"

namespace assay {

class Child {
 public:
  // Throws Error where the program cannot be started. It gets a process group of its own, so that what it starts
  // in its turn (a shell's pipeline, a script's simulator) ends with it.
  explicit Child(const std::vector<std::string>& argv);
  ~Child();  // kills the group and reaps
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;

  // Non-blocking ends of the pipes.
  int to() const { return to_; }
  int from() const { return from_; }
  void close_to();

  // Tells the group to end, which it may do in its own way.
  void ask_to_end() const;

  // Becomes readable when the process itself has ended, whatever those that it started do; -1 where the system has
  // none.
  int ended() const { return ended_; }

  // How it ended: "exited with status 3", "was killed by signal 11 (SIGSEGV, Segmentation fault)"; empty for status 0.
  // Where it has not ended within `grace`, it is killed: "did not exit and was killed".
  std::string wait(std::chrono::milliseconds grace);

 private:
  bool ends_within(std::chrono::milliseconds grace) const;
  void reap();

  pid_t pid_ = -1;
  int to_ = -1;
  int from_ = -1;
  int ended_ = -1;
  Leftover group_;
  bool reaped_ = false;
  int status_ = 0;
};

}  // namespace assay
