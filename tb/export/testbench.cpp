#include "tb/export/testbench.hpp"

#include <algorithm>

#include "model/base/text.hpp"
#include "tb/vectors/print.hpp"

namespace assay {
namespace {

// @names@ are filled in below.
constexpr std::string_view text_of_testbench =
    R"(// Holds a combinational unit to the cases of this folder: @cases@ of
// @unit@.
// Written by @tool@, for any simulator of SystemVerilog. With Verilator 5, or Icarus Verilog 11, @module@.sv being the
// unit:
//
//   $ verilator --binary --top-module tb @module@.sv tb.sv && obj_dir/Vtb
//   $ iverilog -g2012 -s tb -o tb.vvp @module@.sv tb.sv && vvp -n tb.vvp
//
//   +vectors=FOLDER  where the .hex files are, if not here
//   +cases=N         only the first N cases
//
// A case that differs is shown stage by stage by
//
//   $ assay import FOLDER -o cases.jsonl
//   $ assay explain --file cases.jsonl --case NUMBER
module tb #(
  parameter integer Cases = @cases@
);
@memories@
@signals@
  // Further outputs of the unit, such as probe_o, stay open.
  // verilator lint_off PINMISSING
  @module@ u_dut (
@pins@
  );
  // verilator lint_on PINMISSING

  string  folder;
  string  path;
  integer cases;
  integer wrong;
  integer file;
  integer words;
  logic [@widest@:0] unused_word;

  // A simulator may go on without a file, or after its last word, as if the rest were zeros.
  task check_path;
    file = $fopen(path, "r");
    if (file == 0) $fatal(1, "%s cannot be opened; +vectors=FOLDER says where the files are.", path);
    words = 0;
    while ($fscanf(file, "%h", unused_word) == 1) words = words + 1;
    $fclose(file);
    if (words != Cases) $fatal(1, "%s has %0d words; it should have %0d.", path, words, Cases);
  endtask

@same@
  initial begin
    if (!$value$plusargs("vectors=%s", folder)) folder = ".";
    if (!$value$plusargs("cases=%d", cases)) cases = Cases;
    if (cases < 1 || cases > Cases) $fatal(1, "+cases is %0d; it should be 1 to %0d.", cases, Cases);
@reads@

    wrong = 0;
    for (integer i = 0; i < cases; i = i + 1) begin
@drives@
      #1;
      if (same(d[i], d_now) !== 1'b1) begin
        wrong = wrong + 1;
        if (wrong <= 10) $display("case %0d: d is %h, expected %h", i, d_now, d[i]);
      end
    end
    if (wrong != 0) $fatal(1, "FAILED: %0d of %0d cases differ.", wrong, cases);
    $display("PASSED: %0d cases compared, all equal.", cases);
    $finish;
  end
endmodule
)";

int last_bit(const Column& column) { return static_cast<int>(column.elements * column.bits()) - 1; }

std::string range(const Column& column) { return "[" + std::to_string(last_bit(column)) + ":0]"; }

std::string literal(const Format& format, Code code) {
  std::string digits(static_cast<std::size_t>(format.hex_digits()), '0');
  put_hex(digits.data(), code, format.hex_digits());
  return std::to_string(format.stored_bits) + "'h" + digits;
}

// Whether `code` is a NaN, as an expression.
std::string nan_expression(const Format& format) {
  const Code mantissa = (Code{1} << format.mantissa_bits) - 1;
  const Code exponent = ((Code{1} << format.exponent_bits) - 1) << format.mantissa_bits;
  const auto masked = [&](Code mask) { return "(code & " + literal(format, format.stored(mask)) + ")"; };
  const auto is_all = [&](Code mask) { return masked(mask) + " == " + literal(format, format.stored(mask)); };
  switch (format.nan) {
    case NanCodes::none: return "1'b0";
    case NanCodes::ieee: return is_all(exponent) + " && " + masked(mantissa) + " != '0";
    case NanCodes::all_ones: return is_all(exponent | mantissa);
    case NanCodes::negative_zero:
      return masked(format.sign_bit() | exponent | mantissa) +
             " == " + literal(format, format.stored(format.sign_bit()));
    case NanCodes::listed: return "code == " + literal(format, format.quiet_nan());
  }
  return "";
}

// An unknown bit in `found` is never the same: what compares is === throughout, or held to 1'b1.
std::string same_function(const Column& d, bool any_nan) {
  const std::string type = "input logic " + range(d);
  const std::string same = "  function logic same(" + type + " expected, " + type + " found);\n    same = ";
  if (!any_nan || d.format.nan == NanCodes::none) return same + "found === expected;\n  endfunction\n";
  return "  function logic is_nan(" + type + " code);\n    is_nan = " + nan_expression(d.format) +
         ";\n  endfunction\n\n  // One NaN is as good as another.\n" + same +
         "found === expected || (is_nan(expected) && is_nan(found));\n  endfunction\n";
}

// A line for each column, without the last newline.
template <class Line>
std::string lines(const std::vector<Column>& columns, Line&& line) {
  std::string text;
  for (const Column& column : columns) text += line(column) + "\n";
  text.pop_back();
  return text;
}

}  // namespace

std::string testbench(const std::vector<Column>& columns, std::uint64_t cases, const ExportFacts& facts) {
  const std::vector<Column> inputs(columns.begin(), columns.end() - 1);
  std::string text(text_of_testbench);
  text =
      replaced(std::move(text), "@memories@",
               lines(columns, [](const Column& c) { return "  logic " + range(c) + " " + c.name + "[0:Cases-1];"; }));
  text = replaced(std::move(text), "@signals@\n", "\n" + lines(columns, [](const Column& c) {
                                                    return "  logic " + range(c) + " " + c.name + "_now;";
                                                  }) + "\n\n");
  std::string pins = lines(inputs, [](const Column& c) {
    const std::string port = (c.member == CaseMember::more ? "operand_" : "") + c.name + "_i";
    return "    ." + port + "(" + c.name + "_now),";
  });
  text = replaced(std::move(text), "@pins@", pins + "\n    .d_o(d_now)");
  text = replaced(std::move(text), "@same@\n", same_function(columns.back(), facts.any_nan) + "\n");
  text = replaced(std::move(text), "@reads@", lines(columns, [](const Column& c) {
                    return "    path = {folder, \"/" + c.name + ".hex\"};\n    check_path;\n    $readmemh(path, " +
                           c.name + ");";
                  }));
  text = replaced(std::move(text), "@drives@",
                  lines(inputs, [](const Column& c) { return "      " + c.name + "_now = " + c.name + "[i];"; }));
  int widest = 0;
  for (const Column& column : columns) widest = std::max(widest, last_bit(column));
  text = replaced(std::move(text), "@widest@", std::to_string(widest));
  text = replaced(std::move(text), "@cases@", std::to_string(cases));
  text = replaced(std::move(text), "@module@", facts.module);
  text = replaced(std::move(text), "@tool@", facts.tool);
  const std::string unit = excerpt(facts.unit);
  text = replaced(std::move(text), "@unit@", unit.substr(1, unit.size() - 2));
  return text;
}

}  // namespace assay
