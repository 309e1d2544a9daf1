// assay-host UNIT: one of this processor's units as a device that speaks over stdin and stdout, so that a fault in it
// is a verdict and does not end the process that asks.
// assay-host UNIT first-row: the same, but of a tile no more than the first row is looked at.
// assay-host --find UNIT...: what is found of each, as a line of JSON.
// Standard library and POSIX only: it is built for other processors too.
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

const HostInstruction& instruction_of(const HostUnit& unit, std::string_view header_line) {
  const std::string wanted = wanted_by(header_line);
  for (const HostInstruction& instruction : unit.instructions) {
    if (instruction.name == wanted) return instruction;
  }
  throw std::runtime_error("The unit " + unit.name + " does not execute " + wanted + ".");
}

Greeting greeting_of(const HostUnit& unit) {
  Greeting greeting{"host:" + unit.name, {}};
  for (const HostInstruction& instruction : unit.instructions) greeting.instructions.push_back(instruction.name);
  return greeting;
}

Reply compute(const HostInstruction& instruction, const HostCompute& computed, const Request& r) {
  const auto k = static_cast<std::size_t>(instruction.k);
  if (r.a.size() != k || r.b.size() != k) {
    return {0, 0, {}, "The instruction takes " + std::to_string(k) + " elements in a and in b."};
  }
  return {computed(r.a.data(), r.b.data(), r.c), instruction.d_digits};
}

int host(const HostUnit& unit, bool first_row) {
  const HostInstruction* chosen = nullptr;
  return serve(greeting_of(unit), [&](const Request& request) {
    if (chosen == nullptr) chosen = &instruction_of(unit, request.header);
    return compute(*chosen, first_row && chosen->first_row ? chosen->first_row : chosen->compute, request);
  });
}

// {"unit":"mma","processor":"power10","announced":true,"executes":["power10:xvi8ger4pp"]}
std::string finding_line(const HostUnit& unit) {
  std::string line = "{\"unit\":";
  append_quoted(line, unit.name);
  line += ",\"processor\":";
  append_quoted(line, processor_name());
  line += unit.announced() ? ",\"announced\":true,\"executes\":[" : ",\"announced\":false,\"executes\":[";
  bool first = true;
  for (const HostInstruction& instruction : unit.instructions) {
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

int find(const std::vector<std::string>& names) {
  for (const std::string& name : names) {
    const HostUnit* unit = find_host_unit(name);
    if (unit == nullptr) return no_such_unit();
    std::fputs(finding_line(*unit).c_str(), stdout);
    std::fflush(stdout);  // before the next one's children have a copy
  }
  return 0;
}

}  // namespace
}  // namespace assay

int main(int count, char** words) {
  const std::vector<std::string> given(words + 1, words + count);
  if (!given.empty() && given.front() == "--find") return assay::find({given.begin() + 1, given.end()});
  const bool first_row = given.size() == 2 && given.back() == "first-row";
  const assay::HostUnit* unit = given.size() == 1 || first_row ? assay::find_host_unit(given.front()) : nullptr;
  if (unit == nullptr) return assay::no_such_unit();
  if (const auto reason = assay::why_absent(*unit)) {
    std::fprintf(stderr, "%s\n", reason->c_str());
    return 4;
  }
  return assay::host(*unit, first_row);
}
