// DUT files: configs/dut/*.yaml and a designer's own. RTL to hold against the model: what to build, which ports carry
// what, which instruction it claims to be.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace assay {

// Bits of a port: "probe_o[27:0]", or all of them: "window_o".
struct PortBits {
  std::string port;
  std::optional<int> low;  // nothing: the whole port
  int width = 0;
  std::string place;  // "dut.yaml:12", for messages
};

// Elements side by side in one port, `width` bits each.
//
//   ascending     | element k-1 | ... | element 1 | element 0 |         offset bits |
//   descending    | element 0   | ... |           | element k-1 |       offset bits |
struct PortElements {
  std::string port;
  int width = 0;
  int offset = 0;
  bool descending = false;
  std::string place;
};

struct PlaceProbe {
  std::string name;  // step[0].sum.align[5]
  PortBits bits;
};

struct PortConstant {
  std::string port;
  std::uint64_t value = 0;
  std::string place;
};

struct Dut {
  std::string file;         // for messages
  std::string instruction;  // ARCH:INSTRUCTION, or "*" for whatever it is asked for
  std::vector<std::string> sources, include_dirs;
  std::vector<std::pair<std::string, std::string>> defines, parameters;
  std::vector<std::string> options;  // further ones for Verilator
  std::string top;
  PortElements a, b;
  PortBits c, d;
  std::vector<PortConstant> constants;
  std::optional<PortBits> plan_probe;  // all places of the plan in one port, the first one lowest
  std::vector<PlaceProbe> probes;
};

// Paths in the file are relative to its folder. Throws ConfigError.
Dut read_dut_file(const std::string& path);

}  // namespace assay
