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

// Where elements of an operand go.
//
//   packed  a_i       | element k-1 | ... | element 1 | element 0 |         offset bits |
//   array   a_i[]     a_i[0] is element 0, a_i[1] element 1 ...
//   each    a{}_i     a0_i is element 0, a1_i element 1 ...
//
// `descending` turns the order of the elements round. An operand that lies on several ports has several of these: each
// says which elements go there, and which bits of their codes.
struct PortElements {
  enum class Form { packed, array, each };
  Form form = Form::packed;
  std::string port;  // without [] or with {}
  int width = 0;     // bits of each element here
  int low = 0;       // the lowest of them in the element's code
  int offset = 0;
  int stride = 0;  // bits from one element to the next, side by side
  bool descending = false;
  bool is_field = false;     // `bits` were given: other ports hold the rest of the code
  std::optional<int> first;  // elements `first`, `first` + `every` .. `last`; nothing: all of them
  int last = 0;
  int every = 1;
  std::string place;

  // The port that holds element `slot` of those counted from the lowest.
  std::string port_of(int slot) const;
  int first_element() const { return first.value_or(0); }
  // How many elements of an operand of `of` elements are here.
  int count(int of) const { return first ? (last - *first) / every + 1 : of; }
};

// An operand by its name in a case: a, b, scale_a, zero_b, random ...
struct PortOperand {
  std::string name;
  std::vector<PortElements> parts;
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

// When operands are taken and results given. All but `combinational` need a clock.
struct Handshake {
  enum class Kind { combinational, fixed_latency, valid, valid_ready };
  Kind kind = Kind::combinational;
  int latency = 0;  // fixed_latency: clock edges, while enabled, from operands to result
  // Ports of one bit, seen from the unit; empty: there is none.
  std::string enable, in_valid, in_ready, out_valid, out_ready;
  std::string tag_in, tag_out;  // a number that travels with a case; results then come in any order
  int tag_bits = 0;
  int cycle_limit = 1000;  // without anything taken or given: then the unit hangs
  std::string place;
};

struct Reset {
  std::string port;
  bool active_low = false;
  int cycles = 4;
  std::string place;
};

// What the unit claims to compute while these ports are held.
struct Claim {
  std::string instruction;  // ARCH:INSTRUCTION, or "*" for whatever it is asked for; empty: a datapath
  std::string datapath;     // path of a file
  std::vector<PortConstant> constants;

  std::string name() const { return datapath.empty() ? instruction : datapath; }
};

struct Dut {
  std::string file;  // for messages
  std::vector<Claim> claims;
  std::vector<std::string> sources, include_dirs;
  std::vector<std::pair<std::string, std::string>> defines, parameters;
  std::vector<std::string> options;  // further ones for Verilator
  std::string top;
  std::string clock;
  std::string clock_place;
  std::optional<Reset> reset;
  Handshake handshake;
  std::vector<PortOperand> operands;  // all but c
  std::vector<PortBits> c, d;         // the highest bits first; c may have none
  std::vector<PortConstant> constants;
  std::optional<PortBits> plan_probe;  // all places of the plan in one port, the first one lowest
  std::vector<PlaceProbe> probes;
};

// nullptr where the file has none of this name.
const PortOperand* find_operand(const Dut& dut, const std::string& name);

// Paths in the file are relative to its folder. Throws Error.
Dut read_dut_file(const std::string& path);

// What to change in the file where each result is that of the case `by` before it (after it, where `by` is negative).
std::string advice_on_shift(const Dut& dut, int by);

}  // namespace assay
