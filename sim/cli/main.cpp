#include <unistd.h>

#include <cstdlib>
#include <iostream>

#include "sim/cli/command.hpp"

int main(int argc, char** argv) {
  assay::prepare_ending();
  const bool colour = isatty(STDOUT_FILENO) != 0 && std::getenv("NO_COLOR") == nullptr;
  const assay::Console console{std::cout, std::cerr, colour, isatty(STDERR_FILENO) != 0 ? &std::cerr : nullptr};
  return assay::run_assay({argv + 1, argv + argc}, console);
}
