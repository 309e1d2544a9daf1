// What could come next on a command line, from the tree of commands itself.
#pragma once

#include <string>
#include <vector>

#include "model/config/catalogue.hpp"
#include "sim/cli/command.hpp"

namespace assay {

struct Candidate {
  std::string word;
  std::string about;  // for shells that show it; may be empty
};

// What the last of `words` can become; the ones before it are done. None where a file name of the reader's own is
// needed, which shells know best. `words` are those after the program's name; at least one, which may be empty.
std::vector<Candidate> candidates(const CLI::App& app, const std::vector<std::string>& words,
                                  const Catalogue& catalogue);

// The command that shells ask: assay __complete WORD... prints the candidates, each with a tab and what it is.
inline constexpr const char* complete_command = "__complete";
void print_candidates(const CLI::App& app, const std::vector<std::string>& words, const Console& console);

}  // namespace assay
