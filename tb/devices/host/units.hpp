// The matrix and vector units of the processor this program runs on, as (a, b, c) -> d.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace assay {

using HostCompute = std::function<std::uint64_t(const std::uint64_t* a, const std::uint64_t* b, std::uint64_t c)>;
// `mask`: a bit for each term.
using HostMasked = std::function<std::uint64_t(const std::uint64_t* a, const std::uint64_t* b, std::uint64_t c,
                                               const std::uint64_t* mask)>;

struct HostInstruction {
  std::string name;  // as the catalogue has it, with its architecture
  int k;
  // Every position of the unit's tile or vector is given the same dot product. Throws std::runtime_error, a sentence,
  // where they do not agree.
  HostCompute compute;
  int d_digits = 8;            // hexadecimal
  HostCompute first_row = {};  // the same, looking at the first row of the tile alone; empty where there is no tile
  HostMasked masked = {};      // where a case brings a mask: `compute` has all terms on
  // The same in modes of the processor, "fz.rz"; without `compute` where it knows no such modes.
  std::function<HostInstruction(const std::string& modes)> in_modes = {};
};

struct HostUnit {
  std::string name;      // also its feature flag's, as Linux lists it
  std::string found_in;  // "Xeons from Sapphire Rapids on"
  bool (*announced)();   // by that flag
  std::vector<HostInstruction> instructions;
};

// Those of all processors, whichever this program is for.
const std::vector<HostUnit>& host_units();
const HostUnit* find_host_unit(std::string_view name);           // nullptr where there is none
const HostUnit* host_unit_with(const std::string& instruction);  // the same; the name may end in modes
std::optional<HostInstruction> find_host_instruction(const HostUnit& unit, const std::string& name);  // likewise
// What of the name are modes: "fz" of arm:bfmmla.fz.
std::string modes_in(const HostUnit& unit, const std::string& name);
std::string host_unit_names();  // "amx_bf16, ...": for messages

// What was found of a unit on this machine. Neither follows from the other: a virtual machine may withhold what is
// announced, and some processors execute what they do not announce.
struct HostFinding {
  bool announced = false, executes = false;
};
HostFinding look_for(const HostUnit& unit);         // tries its first instruction as here:
bool executes(const HostInstruction& instruction);  // tries it in a child process, which may die of it

// "announced and executed"
std::string finding_text(const HostFinding& finding);
// Where a unit was looked for, in the words of a sentence about it.
struct FindingPlace {
  std::string machine;    // "This machine"
  std::string processor;  // "its processor, AMD EPYC,"
  std::string elsewhere;  // "Xeons from Sapphire Rapids on have it."
};
FindingPlace this_machine(const HostUnit& unit, const std::string& processor);

// That the unit is there, and how it was found, or why it is not.
std::string finding_sentence(const HostUnit& unit, const HostFinding& finding, const FindingPlace& place);
std::string finding_sentence(const HostUnit& unit, const HostFinding& finding, const std::string& processor);
// That the unit is there, but not this instruction of it.
std::string lacking_sentence(const HostUnit& unit, const HostInstruction& instruction, const FindingPlace& place);

// Why this machine cannot run the unit, as a sentence; nothing where it can.
std::optional<std::string> why_absent(const HostUnit& unit);

std::string processor_name();  // of x86 brand, family, model, stepping; of others what they are as exactly

}  // namespace assay
