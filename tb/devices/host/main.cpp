// assay-host UNIT: one of this processor's units as a device that speaks over stdin and stdout, so that a fault in it
// is a verdict and does not end the process that asks.
#include <cstdio>
#include <stdexcept>

#include "tb/devices/host/units.hpp"
#include "tb/devices/serve.hpp"
#include "tb/vectors/header.hpp"

namespace assay {
namespace {

const HostInstruction& instruction_of(const HostUnit& unit, std::string_view header_line) {
  const VectorHeader header = parse_header(header_line);
  const std::string wanted = header.architecture + ":" + header.instruction;
  for (const HostInstruction& instruction : unit.instructions) {
    if (instruction.name == wanted) return instruction;
  }
  throw std::runtime_error("The unit " + std::string(unit.name) + " does not execute " + wanted + ".");
}

Greeting greeting_of(const HostUnit& unit) {
  Greeting greeting{"host:" + std::string(unit.name), {}};
  for (const HostInstruction& instruction : unit.instructions) greeting.instructions.emplace_back(instruction.name);
  return greeting;
}

Reply compute(const HostInstruction& instruction, const Request& r) {
  const auto k = static_cast<std::size_t>(instruction.k);
  if (r.a.size() != k || r.b.size() != k) {
    return {0, 0, {}, "The instruction takes " + std::to_string(k) + " elements in a and in b."};
  }
  return {instruction.compute(r.a.data(), r.b.data(), r.c)};
}

int host(const HostUnit& unit) {
  const HostInstruction* chosen = nullptr;
  return serve(greeting_of(unit), [&](const Request& request) {
    if (chosen == nullptr) chosen = &instruction_of(unit, request.header);
    return compute(*chosen, request);
  });
}

}  // namespace
}  // namespace assay

int main(int count, char** words) {
  const assay::HostUnit* unit = count == 2 ? assay::find_host_unit(words[1]) : nullptr;
  if (unit == nullptr) {
    std::fprintf(stderr, "assay-host takes one of the units %s.\n", assay::host_unit_names().c_str());
    return 2;
  }
  if (const auto reason = assay::why_absent(*unit)) {
    std::fprintf(stderr, "%s\n", reason->c_str());
    return 4;
  }
  return assay::host(*unit);
}
