// configs/emulator/NAME.yaml: a processor that QEMU stands for, and what is known of how well.
#pragma once

#include <string>
#include <vector>

namespace assay {

// A version of QEMU: 7.2.22.
using Version = std::vector<int>;

// What QEMU gives instead of what an instruction is: its datapath with words changed.
struct DatapathDifference {
  std::string name, reason;
  std::vector<std::string> instructions;
  std::string instead;  // the words, as YAML
};

// Instructions whose tile is wrong but for its first row.
struct FirstRowOnly {
  std::string reason;
  std::string before;  // the version that is known to be right
  std::vector<std::string> instructions;
};

// A unit of the processor, and a version of QEMU that is known to have it; empty: none is.
struct EmulatedUnit {
  std::string name, version;
};

// What older versions are called with instead: options that they know.
struct OlderCommand {
  std::string before;
  std::vector<std::string> command;
};

struct Emulator {
  std::string name;                  // also its architecture's, in the catalogue
  std::vector<std::string> command;  // that runs a program of that processor ..
  std::vector<OlderCommand> older;   // .. and that of versions before one, the oldest first
  std::string package;               // of Debian, that has it
  std::string program;               // assay-host for that processor ...
  std::string compiler;              // ... and the package whose compiler builds it
  std::vector<EmulatedUnit> units;
  std::vector<EmulatedUnit> modes;  // of the processor, that units of other versions have not
  std::vector<DatapathDifference> known_differences;
  std::vector<FirstRowOnly> first_row_only;
};

// Of this version.
const std::vector<std::string>& command_of(const Emulator& emulator, const std::string& version);

std::vector<std::string> emulator_names();  // of home()
// Throws Error, also where there is none of this name; `spec` is what was asked for.
Emulator read_emulator(const std::string& spec, const std::string& name);

// "7.2.22" of "qemu-ppc64le version 7.2.22 (Debian ..)", or of itself; empty where the text has none.
std::string version_in(const std::string& text);
Version version_of(const std::string& text);

}  // namespace assay
