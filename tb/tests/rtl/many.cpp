#include "tb/tests/rtl/many.hpp"

#include <algorithm>
#include <fstream>
#include <stdexcept>

#include "model/base/run_program.hpp"
#include "model/core/dot.hpp"
#include "tb/devices/rtl/cache.hpp"
#include "tb/devices/rtl/export_sv.hpp"
#include "tb/tests/rtl/verilated_many.hpp"
#include "tb/tests/source_dir.hpp"

namespace assay {
namespace {

namespace fs = std::filesystem;

constexpr const char* first_edge = R"(
  const auto edge = [&] {
    for (const int high : {0, 1}) {
      many.clk_i = high;
      many.eval();
    }
  };
  edge();
  many.rst_ni = 1;
)";

int words(int bits) { return (bits + 31) / 32; }

std::uint64_t take(const std::uint32_t* from, int at, int width) {
  std::uint64_t value = 0;
  for (int done = 0; done < width;) {
    const int within = (at + done) % 32, part = std::min(32 - within, width - done);
    const std::uint64_t bits = from[(at + done) / 32] >> within & ((std::uint64_t{1} << part) - 1);
    value |= bits << done;
    done += part;
  }
  return value;
}

// "out_o[95:64]": so many bits, from `at` on, which moves behind them.
std::string next_bits(const std::string& port, int& at, int width) {
  const std::string text = port + "[" + std::to_string(at) + " +: " + std::to_string(width) + "]";
  at += width;
  return text;
}

// "parameter logic [5:0] Registers": 6.
int registers_of(const std::string& text) {
  const std::string mark = "parameter logic [";
  return std::stoi(text.substr(text.find(mark) + mark.size())) + 1;
}

std::string module_of(std::size_t index) { return "dot" + std::to_string(index); }

}  // namespace

ManyRtl::ManyRtl(const std::vector<const Plan*>& plans, const fs::path& folder, ExportTiming timing)
    : folder_(folder), pipelined_(timing == ExportTiming::pipelined) {
  for (const Plan* plan : plans) {
    Unit unit{plan, export_sv(*plan, module_of(units_.size()), timing), bits_in_, bits_out_, 1, {}};
    if (pipelined_) unit.registers = registers_of(unit.text);
    for (const Place& place : plan->places) unit.widths.push_back(place.width);
    bits_in_ += case_bits(*plan);
    for (const int width : unit.widths) bits_out_ += width;
    units_.push_back(std::move(unit));
  }
  // Verilator holds what is wider than 64 bits in words of 32.
  bits_in_ = std::max(bits_in_, 96);
  bits_out_ = std::max(bits_out_, 96);
  write_sources();
  std::vector<std::string> command = verilator_command(folder_);
  const fs::path blocks = fs::path(source_dir()) / "rtl_ref";
  command.push_back((blocks / "assay_pkg.sv").string());
  for (const std::string& source : {blocks.string(), folder_.string()}) command.insert(command.end(), {"-y", source});
  command.push_back((folder_ / "many.sv").string());
  const fs::path log = folder_ / "log";
  const int status = run_program(command, log.string(), {{"OBJCACHE=ccache"}, folder_.string()});
  if (status != 0) trouble_ = "Verilator ends with " + std::to_string(status) + ":\n" + file_text(log);
}

void ManyRtl::write_sources() const {
  fs::create_directories(folder_);
  put_file_text(folder_ / "main.cpp", program_of_many(first_edge, "    edge();"));
  put_file_text(folder_ / "many.sv", wrapper());
  for (std::size_t i = 0; i < units_.size(); ++i) put_file_text(folder_ / (module_of(i) + ".sv"), units_[i].text);
}

std::string ManyRtl::wrapper() const {
  std::string text = "module many (\n  input  logic clk_i,\n  input  logic rst_ni,\n  input  logic [" +
                     std::to_string(bits_in_ - 1) + ":0] in_i,\n  output logic [" + std::to_string(bits_out_ - 1) +
                     ":0] out_o\n);\n  // verilator lint_off PINCONNECTEMPTY\n  logic unused;\n  assign unused = "
                     "^{clk_i, rst_ni, in_i};\n";
  int in = 0, out = 0;
  for (std::size_t i = 0; i < units_.size(); ++i) {
    const Plan& plan = *units_[i].plan;
    text += "  " + module_of(i) + " u_" + module_of(i) + " (\n";
    if (pipelined_)
      text += "    .clk_i(clk_i), .rst_ni(rst_ni), .valid_i(1'b1), .ready_o(), .valid_o(), .ready_i(1'b1),\n";
    text += "    .a_i(" + next_bits("in_i", in, plan.k * plan.a.stored_bits) + "),\n";
    text += "    .b_i(" + next_bits("in_i", in, plan.k * plan.b.stored_bits) + "),\n";
    text += "    .c_i(" + next_bits("in_i", in, plan.c.stored_bits) + "),\n";
    for (const char* side : {"a", "b"}) {
      if (!plan.scale) continue;
      const int width = plan.scales * plan.scale->stored_bits;
      text += "    .scale_" + std::string(side) + "_i(" + next_bits("in_i", in, width) + "),\n";
    }
    for (const CaseOperand& more : plan.more)
      text +=
          "    .operand_" + more.name + "_i(" + next_bits("in_i", in, more.count * more.format.stored_bits) + "),\n";
    int width = 0;
    for (const int one : units_[i].widths) width += one;
    text += "    .d_o(),\n";
    if (plan.datapath.flags) text += "    .flags_o(),\n";
    text += "    .probe_o(" + next_bits("out_o", out, width) + ")\n  );\n";
  }
  if (out < bits_out_)
    text += "  assign out_o[" + std::to_string(bits_out_ - 1) + ":" + std::to_string(out) + "] = '0;\n";
  return text + "endmodule\n";
}

void ManyRtl::compare(const std::vector<std::vector<Case>>& cases, std::vector<Judgement>& judged) const {
  const std::size_t count = cases.front().size();
  int latest = 1;
  for (const Unit& unit : units_) latest = std::max(latest, unit.registers);
  const std::size_t edges = count + static_cast<std::size_t>(latest) - 1;
  const auto in_words = static_cast<std::size_t>(words(bits_in_)),
             out_words = static_cast<std::size_t>(words(bits_out_));
  std::vector<std::uint32_t> in(edges * in_words), out(edges * out_words);
  for (std::size_t i = 0; i < units_.size(); ++i) {
    for (std::size_t n = 0; n < count; ++n)
      put_case(&in[n * in_words], units_[i].from_in, *units_[i].plan, cases[i][n]);
  }
  const fs::path given = folder_ / "in", answered = folder_ / "out";
  std::ofstream(given, std::ios::binary)
      .write(reinterpret_cast<const char*>(in.data()), static_cast<long>(4 * in.size()));
  const fs::path log = folder_ / "log";
  if (run_program({(folder_ / "obj/Vmany").string(), given.string(), answered.string()}, log.string()) != 0)
    throw std::runtime_error("What Verilator made of many datapaths ended early: " + file_text(log));
  std::ifstream(answered, std::ios::binary)
      .read(reinterpret_cast<char*>(out.data()), static_cast<long>(4 * out.size()));
  for (std::size_t i = 0; i < units_.size(); ++i) {
    for (std::size_t n = 0; n < count; ++n) {
      const std::size_t edge = n + static_cast<std::size_t>(units_[i].registers) - 1;
      judge(units_[i], cases[i][n], &out[edge * out_words], judged[i]);
    }
  }
}

void ManyRtl::judge(const Unit& unit, const Case& one, const std::uint32_t* out, Judgement& judged) const {
  Registers registers;
  Trace expected(*unit.plan);
  dot(*unit.plan, one.operand(), registers, &expected);
  ++judged.cases;
  int at = unit.from_out;
  for (std::size_t place = 0; place < unit.widths.size(); ++place) {
    const Bits bits = expected.at(static_cast<int>(place));
    for (int from = 0; from < bits.width; from += 64) {
      const int width = std::min(64, bits.width - from);
      const std::uint64_t got = take(out, at + from, width);
      if (got == static_cast<std::uint64_t>(bits.field(from, width))) continue;
      if (judged.first.empty())
        judged.first = "case " + std::to_string(one.number) + ": " + unit.plan->places[place].name + " should be " +
                       bits.hex() + "; bits " + std::to_string(from) + " and above are " + std::to_string(got);
      return;
    }
    at += bits.width;
  }
  ++judged.same;
}

}  // namespace assay
