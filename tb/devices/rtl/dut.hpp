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
  bool across = false;       // of a tile: the first elements of all lines, then the second ones
  int late = 0;              // clock edges by which each element comes after the one before it
  int late_line = 0;         // of a tile: by which each line comes after the one before it
  bool is_field = false;     // `bits` were given: other ports hold the rest of the code
  std::optional<int> first;  // elements `first`, `first` + `every` .. `last`; nothing: all of them
  int last = 0;
  int every = 1;
  std::string place;

  bool is_late() const { return late != 0 || late_line != 0; }
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

// Bits of a place, and where they come from.
//
//   "exponent_o[7:0]"                  bits of a port, as they are
//   "2'b00"                            no port: these bits
//   {port: exponent_o, bias: 127}      less a bias, in two's complement
//   {magnitude: m_o, sign: s_o}        two's complement of a sign and a magnitude
struct ProbePart {
  PortBits bits;  // of no name: `constant`
  std::uint64_t constant = 0;
  std::optional<int> bias;       // what the port exceeds the number by
  std::optional<PortBits> sign;  // of a magnitude
  int width = 0;                 // of the place; 0: all of it

  bool is_constant() const { return bits.port.empty(); }
  bool is_number() const { return bias || sign; }
};

struct PlaceProbe {
  std::string name;              // step[0].sum.align[5]
  std::vector<ProbePart> parts;  // the highest bits first
  std::string place;             // "dut.yaml:12", for messages
};

struct PortConstant {
  std::string port;
  std::uint64_t value = 0;
  std::string place;
};

// A port of one bit, seen from the unit; "!busy_o" is inverted. An empty name: there is none.
struct PortWire {
  std::string port;
  bool inverted = false;
  std::string place;

  bool is_there() const { return !port.empty(); }
};

// When operands are taken and results given. All but `combinational` need a clock.
struct Handshake {
  enum class Kind { combinational, fixed_latency, valid, valid_ready, start_done };
  Kind kind = Kind::combinational;
  int latency = 0;  // fixed_latency: clock edges, while enabled, from operands to result
  PortWire enable, in_valid, in_ready, out_valid, out_ready;
  PortWire first, last, clear;                       // of `beats`
  PortWire load_valid, load_ready, load_last, swap;  // of `load`
  std::string tag_in, tag_out;  // a number that travels with a case; results then come in any order
  int tag_bits = 0;
  bool hold = false;       // operands stay until their result is there
  int cycle_limit = 1000;  // without anything taken or given: then the unit hangs
  std::string place;
};

// All its wires, by the names that the harness has for them.
struct WireRow {
  const char* name;
  PortWire Handshake::*wire;
  bool input;
};
const std::vector<WireRow>& wire_rows();

// Operands that do not come all at once, but so many elements of the first of them at a time.
struct Pieces {
  std::vector<std::string> operands;
  int elements = 0;
  std::string place;
};

// What a unit adds up inside: a case comes in several beats.
struct Beats : Pieces {
  bool partial = false;  // every beat has a result, of which the last is d
};

// A unit that computes rows x columns results at once, of each row of a with each column of b.
struct UnitTile {
  int rows = 1, columns = 1;
  std::optional<PortOperand> c;  // rows x columns elements; nothing: it adds to nothing
  PortOperand d;
  std::string place;
};

// What is written into the unit before the other operands come.
struct Load : Pieces {
  std::string address;         // a port that counts the writes; empty: there is none
  bool stays = false;          // until the next load: operations that share it follow each other
  bool descending = false;     // the last elements are written first
  bool gated = true;           // at enabled edges alone
  int wait = 0;                // enabled edges after a swap before the next write
  bool swap_rides = false;     // it comes with the first operands, not in a cycle of its own
  bool swap_is_level = false;  // it says which of two is at work, and turns with each swap
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
  std::optional<Beats> beats;
  std::optional<Load> load;
  std::vector<PortOperand> operands;  // all but c
  std::vector<PortBits> c, d;         // the highest bits first; both may have none, and those of a tile stand there
  std::optional<UnitTile> tile;
  std::vector<PortConstant> constants;
  bool modes_per_case = false;         // constants of claims come with each case's operands
  bool waves = false;                  // its one build writes waves, too
  std::optional<PortBits> plan_probe;  // all places of the plan in one port, the first one lowest
  std::vector<PlaceProbe> probes;
};

inline bool has_d(const Dut& dut) { return !dut.d.empty() || dut.tile; }
inline bool has_c(const Dut& dut) { return !dut.c.empty() || (dut.tile && dut.tile->c); }

// By how many clock edges the last element of a tile's operand, of so many lines, comes after its first.
int skew_of(const PortOperand& operand, int lines, int length);
int settling_of(const Dut& dut);  // of d; 0: it comes at once, or is no tile's

// Whether a tile has one line of the operand for each row, or for each column.
bool is_of_rows(const std::string& operand);
bool is_of_columns(const std::string& operand);

// How many lines of an operand are at the ports at once: rows of a, columns of b, and one of what is no tile's.
int lines_of(const Dut& dut, const std::string& operand);

// nullptr where the file has none of this name.
const PortOperand* find_operand(const Dut& dut, const std::string& name);

// What an operand of a unit in a chain is: of the case, d of the unit before it, or always the same code.
struct LinkOperand {
  enum class From { given, before, constant };
  From from = From::given;
  std::uint64_t code = 0;
  std::string place;  // empty: the file does not say
};

// A unit in a chain.
struct Link {
  std::string file;            // its own DUT file
  std::optional<Claim> claim;  // which of that file's it is asked for; nothing: the only one
  LinkOperand a, b, c;
  std::optional<int> first;  // elements of the case `first`, `first` + `every` .. `last`; nothing: those that come next
  int last = 0, every = 1;
  std::string place;
};

// Several units behind each other, which compute one thing together.
struct UnitChain {
  std::string file;
  Claim claim;
  std::vector<Link> links;
};

// Paths in the file are relative to its folder. Throws Error, also where it is a chain's.
Dut read_dut_file(const std::string& path);

// Nothing where the file is that of one unit. Throws Error.
std::optional<UnitChain> read_chain_file(const std::string& path);

// What to change in the file where each result is that of the case `by` before it (after it, where `by` is negative).
std::string advice_on_shift(const Dut& dut, int by);

}  // namespace assay
