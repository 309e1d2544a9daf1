// A unit that ends the simulation from within - $fatal, $error, an assertion that fails, $stop, $finish - ends the case
// that was in it, with its own words, and not the run. Standard library and glibc only.
#pragma once

#include <stdio_ext.h>
#include <unistd.h>

#include <cstdio>
#include <stdexcept>
#include <string>
#include <string_view>

namespace assay::rtl {

// Thrown through the unit, which is not to be evaluated again.
struct Stopped : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// What the unit prints stays in stdio's buffer until forget(), so that it can be read again.
class Printed {
 public:
  Printed() { std::setvbuf(stdout, buffer_, _IOFBF, sizeof buffer_); }
  ~Printed() { std::setvbuf(stdout, nullptr, _IONBF, 0); }
  Printed(const Printed&) = delete;
  Printed& operator=(const Printed&) = delete;

  static void forget() { std::fflush(stdout); }
  std::string text() const { return {buffer_, __fpending(stdout)}; }

 private:
  char buffer_[1 << 16];
};

// The simulator prints a line before it stops for an assertion: "[0] %Error: unit.sv:4: Assertion failed in TOP.unit:
// .."
inline std::string assertion_in(const std::string& printed) {
  const std::string mark = "%Error: ";
  const std::size_t at = printed.rfind(mark);
  if (at == printed.npos) return "";
  return printed.substr(at + mark.size(), printed.find_last_not_of("\n.") + 1 - at - mark.size());
}

inline std::string place_in(const char* file, int line) {
  return " (" + std::string(file) + ":" + std::to_string(line) + ").";
}

[[noreturn]] inline void stopped(const Printed& printed, const char* file, int line) {
  const std::string assertion = assertion_in(printed.text());
  if (!assertion.empty()) throw Stopped("An assertion of the unit fired: " + assertion + ".");
  throw Stopped("The unit called $stop" + place_in(file, line));
}
[[noreturn]] inline void finished(const char* file, int line) {
  throw Stopped("The unit called $finish, which ends a simulation" + place_in(file, line));
}
[[noreturn]] inline void failed(const char* file, int line, const char* why) {
  throw Stopped("The simulation of the unit cannot go on: " + std::string(why) + place_in(file, line));
}

// Without its file a memory would hold zeros.
inline void warned(const char* file, int line, const char* why) {
  if (std::string_view(why).find("file not found") != std::string_view::npos)
    throw Stopped("A memory of the unit is read from " + std::string(file) +
                  ", which is not there; names without a folder are of the DUT file's.");
  std::fprintf(stderr, "%%Warning: %s:%d: %s\n", file, line, why);
}

// Relative names of files are of this folder from here on.
inline void work_in(const char* folder) {
  if (chdir(folder) != 0) std::fprintf(stderr, "The folder %s cannot be entered.\n", folder);
}

}  // namespace assay::rtl
