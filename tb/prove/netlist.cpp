#include "tb/prove/netlist.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <ostream>
#include <sstream>

#include "model/base/error.hpp"
#include "model/base/output_file.hpp"
#include "model/base/run_program.hpp"
#include "model/base/text.hpp"
#include "tb/devices/rtl/cache.hpp"
#include "tb/devices/rtl/wrapper.hpp"

namespace assay {
namespace {

namespace fs = std::filesystem;

// --- AIGER ---

// "aig M I L O A", a line for each register's next value and each output, then two differences for each gate, in groups
// of seven bits, the lowest first.
class AigerReader {
 public:
  AigerReader(const std::string& text, std::string where) : in_(text), where_(std::move(where)) {}

  void read(Netlist& netlist, std::vector<Lit>& inputs, std::vector<Lit>& outputs) {
    std::string magic;
    std::size_t most = 0, input_count = 0, register_count = 0, output_count = 0, gate_count = 0;
    in_ >> magic >> most >> input_count >> register_count >> output_count >> gate_count;
    if (!in_ || magic != "aig" || most != input_count + register_count + gate_count) broken();
    in_.ignore();
    lits_ = {lit_false};
    for (std::size_t i = 0; i < input_count; ++i) inputs.push_back(add(netlist.gates.input()));
    for (std::size_t i = 0; i < register_count; ++i)
      netlist.registers.push_back({add(netlist.gates.input()), lit_false});
    std::vector<std::uint64_t> next(register_count), output(output_count);
    for (std::uint64_t& n : next) n = line();
    for (std::uint64_t& o : output) o = line();
    for (std::size_t i = 0; i < gate_count; ++i) gate(netlist.gates);
    for (std::size_t i = 0; i < register_count; ++i) netlist.registers[i].next = of(next[i]);
    for (const std::uint64_t o : output) outputs.push_back(of(o));
  }

 private:
  [[noreturn]] void broken() const { throw Error{where_ + ": what yosys wrote is no AIGER file."}; }

  Lit add(Lit l) {
    lits_.push_back(l);
    return l;
  }

  std::uint64_t line() {
    std::string text;
    if (!std::getline(in_, text) || text.empty() || text.front() < '0' || text.front() > '9') broken();
    return std::stoull(text);  // what a register begins with may follow
  }

  std::uint64_t difference() {
    std::uint64_t value = 0;
    for (int shift = 0; shift < 63; shift += 7) {
      const int byte = in_.get();
      if (byte < 0) broken();
      value |= static_cast<std::uint64_t>(byte & 0x7f) << shift;
      if ((byte & 0x80) == 0) return value;
    }
    broken();
  }

  void gate(Gates& gates) {
    const std::uint64_t own = 2 * lits_.size(), by = difference();
    if (by > own) broken();
    const std::uint64_t first = own - by, then = difference();
    if (then > first) broken();
    const Lit x = of(first), y = of(first - then);
    add(gates.both(x, y));
  }

  Lit of(std::uint64_t l) const {
    if (l / 2 >= lits_.size()) broken();
    return inverted_if(lits_[l / 2], l % 2 != 0);
  }

  std::istringstream in_;
  std::string where_;
  std::vector<Lit> lits_;
};

// --- yosys ---

std::string quoted(const std::string& path) { return "\"" + path + "\""; }

fs::path resolved(const Dut& dut, const std::string& path) {
  const fs::path folder = fs::absolute(dut.file).parent_path();
  return fs::path(path).is_absolute() ? fs::path(path) : folder / path;
}

// Verilator's warnings are nobody's business here; anything else might change what is read.
void check_options(const Dut& dut) {
  for (const std::string& option : dut.options) {
    if (starts_with(option, "-W") || option == "--assert") continue;
    throw Error{
        fmt::format("{}: yosys cannot be given {}, an option for Verilator; name sources, include_dirs and defines "
                    "by their own keys for a proof.",
                    dut.file, option),
        Ending::not_here};
  }
  if (needs_wrapper(dut))
    throw Error{dut.file +
                    ": a proof needs plain ports, and this file names members of structs or interfaces; give the "
                    "unit a module around it with ports of its own.",
                Ending::not_here};
}

// Adders whose carries go from bit to bit, where yosys has them in a tree of prefixes: the algebra of sums sees cells.
constexpr const char* ripple = R"((* techmap_celltype = "$lcu" *)
module _80_ripple (P, G, CI, CO);
  parameter WIDTH = 1;
  input [WIDTH-1:0] P, G;
  input CI;
  output [WIDTH-1:0] CO;
  assign CO = G | (P & {CO, CI});
endmodule
)";

constexpr const char* of_indexed_bits = R"((* techmap_celltype = "$shiftx" *)
module _80_indexed (A, B, Y);
  parameter A_SIGNED = 0, B_SIGNED = 0, A_WIDTH = 1, B_WIDTH = 1, Y_WIDTH = 1;
  (* force_downto *) input [A_WIDTH-1:0] A;
  (* force_downto *) input [B_WIDTH-1:0] B;
  (* force_downto *) output [Y_WIDTH-1:0] Y;
  wire [Y_WIDTH-1:0] y, is_there;
  \$shift #(.A_SIGNED(0), .B_SIGNED(B_SIGNED), .A_WIDTH(A_WIDTH), .B_WIDTH(B_WIDTH), .Y_WIDTH(Y_WIDTH))
    of_bits (.A(A), .B(B), .Y(y));
  \$shift #(.A_SIGNED(0), .B_SIGNED(B_SIGNED), .A_WIDTH(A_WIDTH), .B_WIDTH(B_WIDTH), .Y_WIDTH(Y_WIDTH))
    of_ones (.A({A_WIDTH{1'b1}}), .B(B), .Y(is_there));
  genvar i;
  generate for (i = 0; i < Y_WIDTH; i = i + 1) assign Y[i] = is_there[i] ? y[i] : 1'bx; endgenerate
endmodule
)";
constexpr const char* of_division = R"((* techmap_celltype = "@" *)
module _80_of_@ (A, B, Y);
  parameter A_SIGNED = 0, B_SIGNED = 0, A_WIDTH = 1, B_WIDTH = 1, Y_WIDTH = 1;
  (* force_downto *) input [A_WIDTH-1:0] A;
  (* force_downto *) input [B_WIDTH-1:0] B;
  (* force_downto *) output [Y_WIDTH-1:0] Y;
  wire [Y_WIDTH-1:0] y;
  \@ #(.A_SIGNED(A_SIGNED), .B_SIGNED(B_SIGNED), .A_WIDTH(A_WIDTH), .B_WIDTH(B_WIDTH), .Y_WIDTH(Y_WIDTH))
    divided (.A(A), .B(B), .Y(y));
  assign Y = B == 0 ? {Y_WIDTH{1'bx}} : y;
endmodule
)";

// Lists the registers that anything but a rising edge of the clock makes work.
std::string clock_check(const Dut& dut) {
  std::string text = "select -set registers t:$*dff* t:$ff\n";
  if (dut.clock.empty()) return text + "tee -q -o clocks.txt select -list @registers\n";
  text += "select -set rising r:CLK_POLARITY=1 r:CLK_POLARITY=1'1\n";
  text += "select -set clocked w:" + dut.clock + " %co1:+[CLK] @rising %i\n";
  return text + "tee -q -o clocks.txt select -list @registers @clocked %d\n";
}

// The unit with its parameters as Verilog has them: yosys's own way to set them knows no signs and no text.
std::string with_parameters(const Dut& dut) {
  std::string list;
  for (const auto& [name, value] : dut.parameters) list += (list.empty() ? "." : ", .") + name + "(" + value + ")";
  return "module assay_around_unit;\n  " + dut.top + " #(" + list + ") unit ();\nendmodule\n";
}

// All that is read: sources and what they include, modules of libraries, files of memories. Written where it runs.
std::string reading_script(const Dut& dut) {
  std::string text = "read_verilog -sv -noassert -noassume -norestrict";
  for (const std::string& include : dut.include_dirs) text += " -I" + resolved(dut, include).string();
  for (const auto& [name, value] : dut.defines) text += " -D" + name + (value.empty() ? "" : "=" + value);
  for (const std::string& source : dut.sources) text += " " + quoted(resolved(dut, source).string());
  const bool as_it_is = dut.parameters.empty();
  if (!as_it_is) text += "\nread_verilog -sv around.sv";
  text += "\nhierarchy -check -top " + (as_it_is ? dut.top : "assay_around_unit");
  for (const std::string& include : dut.include_dirs) text += " -libdir " + resolved(dut, include).string();
  if (!as_it_is) text += "\ndelete assay_around_unit\nhierarchy -auto-top\nrename -top " + dut.top;
  return text + "\nwrite_rtlil read.il\n";
}

// Gates of what was read; not from its text, which has an order of its own by the modules' names. An x is made a value
// of its own before anything is simplified, which takes an x for whatever is least, and so is each that comes up later:
// passes that make one within their own simplifying (`opt_dff`, `opt_mem`, yosys's gates of an index) are not run.
std::string gates_script(const Dut& dut) {
  constexpr const char* open = "setundef -undriven -anyseq\n";
  return reading_script(dut) + "proc -noopt\nflatten\nchformal -remove\ntee -q -o drivers.txt check\nopt_clean\n" +
         "memory_collect\ntechmap -max_iter 1 -map giving_x.v\n" + open + "opt -noff\nmemory_map\n" + open +
         "opt -noff\n" + clock_check(dut) + "async2sync\ntechmap -map ripple.v -map +/techmap.v\n" + open +
         "opt -fast -noff\ndffunmap\naigmap\nopt_clean -purge\n"
         "json -o ports.json i:* o:*\nwrite_aiger -map unit.map unit.aig\n";
}

std::string first_error(const fs::path& log) {
  std::ifstream in(log);
  std::string last = "it does not say why";
  for (std::string line; std::getline(in, line);) {
    if (line.find("ERROR") != std::string::npos) return line;
    if (!line.empty()) last = line;
  }
  return last;
}

// Of what several drive yosys keeps one, and a simulator may keep another.
void check_drivers(const Dut& dut, const std::string& said) {
  constexpr std::string_view conflict = "multiple conflicting drivers for ";
  const std::size_t at = said.find(conflict);
  if (at == std::string::npos) return;
  const std::size_t from = at + conflict.size(), end = said.find(":\n", from);
  throw Error{
      fmt::format("{}: a net of {} is driven from several places, and of these yosys keeps one ({} in its words); "
                  "drive it once.",
                  dut.file, dut.top, said.substr(from, end - from)),
      Ending::not_here};
}

// The list of bits as yosys writes it leaves out output bits that are constant, and counts those of a port [8:1]
// from 1. Here all are there, counted from 0.
//
//   "d_o": {"direction": "output", "offset": 1, "bits": [2, "1", "z"]}      output 7 0 d_o
//                                                                           constant 1 1 d_o
//                                                                           open 0 2 d_o
std::string with_all_bits(const std::string& list, const nlohmann::json& ports) {
  std::istringstream lines(list);
  std::string made, kind, name;
  std::size_t index = 0;
  int bit = 0;
  while (lines >> kind >> index >> bit && std::getline(lines >> std::ws, name)) {
    if (kind != "input" && kind != "output") continue;
    made += fmt::format("{} {} {} {}\n", kind, index, bit - ports.at(name).value("offset", 0), name);
  }
  for (const auto& [port, facts] : ports.items()) {
    if (facts.at("direction") != "output") continue;
    bit = -1;
    for (const nlohmann::json& driver : facts.at("bits")) {
      ++bit;
      if (!driver.is_string()) continue;
      const std::string value = driver.get<std::string>();
      const bool is_open = value != "0" && value != "1";
      made += fmt::format("{} {} {} {}\n", is_open ? "open" : "constant", is_open ? "0" : value, bit, port);
    }
  }
  return made;
}

void list_all_bits(const Dut& dut, const fs::path& folder) {
  const nlohmann::json ports = nlohmann::json::parse(file_text(folder / "ports.json"));
  const std::string list = file_text(folder / "unit.map");
  put_file_text(folder / "unit.map", with_all_bits(list, ports.at("modules").at(dut.top).at("ports")));
}

// Gates have no clocks: all registers take their next values together, as one rising edge makes them do.
void check_clocks(const Dut& dut, const std::string& others) {
  std::istringstream lines(others);
  std::string name;
  if (!std::getline(lines >> std::ws, name)) return;
  const std::string asked = dut.clock.empty()
                                ? "the file names no `clock`, and the unit has registers"
                                : "a register is not clocked by the rising edge of " + dut.clock + " itself";
  throw Error{
      fmt::format("{}: {} ({} in yosys's words); proofs take units whose registers all are, by no gate, no other "
                  "clock and no other edge.",
                  dut.file, asked, name),
      Ending::not_here};
}

void run_yosys(const Dut& dut, const fs::path& folder, const std::string& script) {
  const fs::path log = folder / "yosys.log";
  fs::remove(log);
  put_file_text(folder / "unit.ys", script);
  const int status = run_program({"yosys", "-q", "-s", "unit.ys"}, log.string(), {{}, folder.string()});
  if (status == not_started)
    throw Error{"yosys cannot be started, and a proof needs it to read RTL; install the package yosys.",
                Ending::not_here};
  if (status != 0)
    throw Error{fmt::format("{}: yosys cannot read this RTL: {} (the whole log: {}).", dut.file, first_error(log),
                            log.string())};
}

// A z is lost on the way to gates, and is no value that a unit of one driver gives.
//
//   Warning: Yosys has only limited support for tri-state logic at the moment. (unit.sv:3)
void check_tristate(const Dut& dut, const std::string& log) {
  const std::size_t at = log.find("limited support for tri-state logic");
  if (at == std::string::npos) return;
  const std::size_t from = log.find('(', at), end = log.find(')', at);
  throw Error{
      fmt::format("{}: a net of {} is given z ({}), and proofs take units whose nets are all driven; give it 0, or "
                  "x where its value is nobody's.",
                  dut.file, dut.top, log.substr(from + 1, end - from - 1)),
      Ending::not_here};
}

void make_gates(const Dut& dut, const std::string& read, const fs::path& folder) {
  put_file_text(folder / "around.sv", with_parameters(dut));
  put_file_text(folder / "ripple.v", ripple);
  put_file_text(folder / "giving_x.v", cells_giving_x());
  run_yosys(dut, folder, gates_script(dut));
  if (file_text(folder / "read.il") != read)
    throw Error{dut.file + ": what it is made of changed while yosys read it; begin again."};
  check_drivers(dut, file_text(folder / "drivers.txt"));
  check_clocks(dut, file_text(folder / "clocks.txt"));
  list_all_bits(dut, folder);
}

}  // namespace

std::string cells_giving_x() {
  std::string text = of_indexed_bits;
  for (const char* cell : {"$div", "$mod", "$divfloor", "$modfloor"}) text += replaced(of_division, "@", cell);
  return text;
}

Netlist parse_netlist(const std::string& aiger, const std::string& map, const std::string& where) {
  Netlist netlist;
  std::vector<Lit> inputs, outputs;
  AigerReader(aiger, where).read(netlist, inputs, outputs);
  std::istringstream lines(map);
  std::string kind, name;
  std::size_t index = 0;
  int bit = 0;
  while (lines >> kind >> index >> bit && std::getline(lines >> std::ws, name)) {
    if (kind == "input" && index < inputs.size()) netlist.inputs[name][bit] = inputs[index];
    if (kind == "output" && index < outputs.size()) netlist.outputs[name][bit] = outputs[index];
    if (kind == "constant") netlist.outputs[name][bit] = index != 0 ? lit_true : lit_false;
    if (kind == "open") netlist.outputs[name][bit] = netlist.gates.input();
  }
  return netlist;
}

namespace {

std::string sum_of(const fs::path& folder) {
  return sha256_of_all({file_text(folder / "unit.aig"), file_text(folder / "unit.map")});
}

bool is_whole(const fs::path& folder) {
  for (const char* name : {"whole", "unit.aig", "unit.map"}) {
    if (!fs::is_regular_file(folder / name)) return false;
  }
  return file_text(folder / "whole") == sum_of(folder);
}

}  // namespace

namespace {

// The design as yosys has it once all is read, which says more than any list of files: what these include, and what
// else they name, is in it. Each time anew.
std::string read_design(const Dut& dut) {
  check_options(dut);
  ScratchFolder scratch("prove");
  put_file_text(scratch.path() / "around.sv", with_parameters(dut));
  try {
    run_yosys(dut, scratch.path(), reading_script(dut));
    check_tristate(dut, file_text(scratch.path() / "yosys.log"));
  } catch (const Error&) {
    scratch.keep();
    throw;
  }
  return file_text(scratch.path() / "read.il");
}

std::string sum_of(const Dut& dut, const std::string& read) {
  return sha256_of_all({read, gates_script(dut), ripple, cells_giving_x(), said_by({"yosys", "-V"}).value_or("")});
}

}  // namespace

std::string sources_sha256(const Dut& dut) { return sum_of(dut, read_design(dut)); }

Netlist netlist_of(const Dut& dut, std::ostream* progress) {
  const std::string read = read_design(dut);
  const fs::path folder = cache_folder("prove") / sum_of(dut, read);
  fs::create_directories(folder);
  const FileLock lock(folder / "lock");
  if (!is_whole(folder)) {
    if (progress != nullptr) *progress << "yosys makes gates of " << dut.top << " (once; they are kept)." << std::endl;
    const fs::path work = folder / ("work" + lock.writer());
    fs::create_directories(work);
    make_gates(dut, read, work);
    for (const char* name : {"unit.aig", "unit.map"}) fs::rename(work / name, folder / name);
    fs::remove_all(work);
    write_whole_file((folder / "whole").string(), sum_of(folder));
  }
  mark_used(folder);
  const std::string aiger = file_text(folder / "unit.aig"), map = file_text(folder / "unit.map");
  Netlist netlist = parse_netlist(aiger, map, dut.file);
  netlist.sha256 = sha256_of_all({aiger, map});
  return netlist;
}

}  // namespace assay
