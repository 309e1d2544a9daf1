// A GPU as a live device of Assay: the device's side of the conversation in docs/devices.md.
#pragma once

#include <string>

#include "scripts/capture/unit.hpp"

namespace assay::capture {

struct Served {
  Unit& unit;
  const Target& target;     // whose instructions are offered
  std::string instruction;  // "hopper:wgmma.m64nNk16.f32.f16.f16": this one whatever the header says; empty: its own
};

// Reads cases from descriptor `in` until their end, and launches those that have come already together. What is wrong
// with a case is its answer. The process's exit status. Throws Error where the target has no such instruction.
int serve(const Served& served, int in, int out);

}  // namespace assay::capture
