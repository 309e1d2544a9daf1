// assay-host UNIT: one of this processor's units as a device that speaks over stdin and stdout, so that a fault in it
// is a verdict and does not end the process that asks.
// assay-host UNIT first-row ARCHITECTURE:INSTRUCTION: the same, but of a tile no more than the first row is looked at,
// and the instruction, in modes of the processor, is offered too. Either word may be left out. assay-host --find UNIT..
// ARCHITECTURE:INSTRUCTION..: what is found of each unit, as a line of JSON; an instruction is named where it shall run
// in modes of the processor. Standard library and POSIX only: it is built for other processors too.
#include <cstdio>
#include <stdexcept>

#include "tb/devices/host/units.hpp"
#include "tb/devices/serve.hpp"

namespace assay {
namespace {

std::string wanted_by(std::string_view header_line) {
  std::string architecture, instruction;
  Scanner header(header_line);
  header.line([&](std::string_view name) {
    if (name == "architecture") {
      architecture = header.text();
    } else if (name == "instruction") {
      instruction = header.text();
    } else {
      header.value();
    }
  });
  return architecture + ":" + instruction;
}

HostInstruction instruction_of(const HostUnit& unit, std::string_view header_line) {
  const std::string wanted = wanted_by(header_line);
  if (auto found = find_host_instruction(unit, wanted)) return *std::move(found);
  throw std::runtime_error("The unit " + unit.name + " does not execute " + wanted + ".");
}

// How a unit is to be run, by the words behind it.
struct Asked {
  bool first_row = false;
  std::vector<std::string> in_modes;  // instructions
};

Greeting greeting_of(const HostUnit& unit, const Asked& asked) {
  Greeting greeting{"host:" + unit.name, {}};
  for (const HostInstruction& instruction : unit.instructions) greeting.instructions.push_back(instruction.name);
  for (const std::string& name : asked.in_modes) {
    if (find_host_instruction(unit, name)) greeting.instructions.push_back(name);
  }
  return greeting;
}

Reply compute(const HostInstruction& instruction, const HostCompute& computed, const Request& r) {
  const auto k = static_cast<std::size_t>(instruction.k);
  if (r.a.size() != k || r.b.size() != k) {
    return {0, 0, {}, "The instruction takes " + std::to_string(k) + " elements in a and in b."};
  }
  if (!instruction.masked) return {computed(r.a.data(), r.b.data(), r.c), instruction.d_digits};
  for (const auto& [name, mask] : r.more) {
    if (name == "mask" && mask.size() == k)
      return {instruction.masked(r.a.data(), r.b.data(), r.c, mask.data()), instruction.d_digits};
  }
  return {0, 0, {}, "The instruction takes " + std::to_string(k) + " bits in mask."};
}

int host(const HostUnit& unit, const Asked& asked) {
  std::optional<HostInstruction> chosen;
  return serve(greeting_of(unit, asked), [&](const Request& request) {
    if (!chosen) chosen = instruction_of(unit, request.header);
    return compute(*chosen, asked.first_row && chosen->first_row ? chosen->first_row : chosen->compute, request);
  });
}

// {"unit":"mma","processor":"power10","announced":true,"executes":["power10:xvi8ger4pp"]}
// Those of the unit are tried, and `more` where they are its own in some modes.
std::string finding_line(const HostUnit& unit, const std::vector<std::string>& more) {
  std::vector<HostInstruction> tried = unit.instructions;
  for (const std::string& name : more) {
    if (auto found = find_host_instruction(unit, name)) tried.push_back(*std::move(found));
  }
  std::string line = "{\"unit\":";
  append_quoted(line, unit.name);
  line += ",\"processor\":";
  append_quoted(line, processor_name());
  line += unit.announced() ? ",\"announced\":true,\"executes\":[" : ",\"announced\":false,\"executes\":[";
  bool first = true;
  for (const HostInstruction& instruction : tried) {
    if (!executes(instruction)) continue;
    if (!first) line += ',';
    append_quoted(line, instruction.name);
    first = false;
  }
  return line + "]}\n";
}

int no_such_unit() {
  std::fprintf(stderr, "assay-host takes one of the units %s.\n", host_unit_names().c_str());
  return 2;
}

int find(const std::vector<std::string>& words) {
  std::vector<std::string> units, instructions;
  for (const std::string& word : words) (word.find(':') == std::string::npos ? units : instructions).push_back(word);
  for (const std::string& name : units) {
    const HostUnit* unit = find_host_unit(name);
    if (unit == nullptr) return no_such_unit();
    std::fputs(finding_line(*unit, instructions).c_str(), stdout);
    std::fflush(stdout);  // before the next one's children have a copy
  }
  return 0;
}

}  // namespace
}  // namespace assay

int main(int count, char** words) {
  const std::vector<std::string> given(words + 1, words + count);
  if (!given.empty() && given.front() == "--find") return assay::find({given.begin() + 1, given.end()});
  const assay::HostUnit* unit = given.empty() ? nullptr : assay::find_host_unit(given.front());
  if (unit == nullptr) return assay::no_such_unit();
  assay::Asked asked;
  for (auto word = given.begin() + 1; word != given.end(); ++word) {
    if (*word == "first-row") {
      asked.first_row = true;
    } else if (word->find(':') != std::string::npos) {
      asked.in_modes.push_back(*word);
    } else {
      return assay::no_such_unit();
    }
  }
  if (const auto reason = assay::why_absent(*unit)) {
    std::fprintf(stderr, "%s\n", reason->c_str());
    return 4;
  }
  return assay::host(*unit, asked);
}
