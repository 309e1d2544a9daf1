// Recorded sets: whose results they are, and how many of them the model gives too.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "model/config/catalogue.hpp"

namespace assay {

struct CapturedSet {
  std::string file;
  bool external = false;    // kept outside this tree: not everybody can check it
  bool printed = false;     // single results that somebody printed, not a recording
  std::string instruction;  // its full name
  std::string part, date;   // as the file's header names them
  std::string families;     // of generated cases; empty of others
  std::uint64_t cases = 0, passed = 0;
};

// The vector files in a folder, in order of their names. Throws Error where there is no such folder.
std::vector<std::string> vector_files(const std::string& folder);
std::vector<std::string> shipped_captures();    // those in tb/vectors/captured: of real parts
std::vector<std::string> shipped_emulations();  // those in tb/vectors/emulated
std::vector<std::string> shipped_sets();        // both

using Wanted = std::function<bool(const Instruction&)>;

// Hears of each file as it is read; either may be empty.
struct SetsHeard {
  std::function<void(const std::string& file)> begun;
  // Why a file is no recorded set, though it reads well; or what is odd about one that is.
  std::function<void(const std::string& sentence)> warned;
};

// Holds every recorded case to the model. Files of instructions that are not `wanted` are left out; so are those that
// record nothing of an instruction: results that Assay itself computed, and results of a datapath of one's own. A file
// that names no instruction of the catalogue is an error of its own: Error.
std::vector<CapturedSet> captured_sets(const Catalogue& catalogue, const std::vector<std::string>& files, bool external,
                                       const Wanted& wanted, const SetsHeard& heard = {});

// "5,000 of 5,000 cases pass, AMD EPYC, 2026-11-21"
std::string set_text(const CapturedSet& set);

}  // namespace assay
