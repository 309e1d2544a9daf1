// A case in a tile: what stands in the rows and columns that are not its own, which mistakes of a unit that shows, and
// units whose operands lie in each way that a DUT file can say.
#include "tb/devices/rtl/tile.hpp"

#include <gtest/gtest.h>

#include <array>
#include <deque>
#include <functional>
#include <set>

#include "model/config/yaml.hpp"
#include "tb/devices/rtl/harness.hpp"
#include "tb/tests/rtl/bench.hpp"
#include "tb/tests/rtl/units.hpp"

namespace assay::rtl {
namespace {

using Codes = CodeList;

const Codes special{0, 0x7f, 0x80, 0xff};

constexpr std::size_t k = 3;

Request request_of(std::uint64_t number) {
  Request request;
  for (std::size_t i = 0; i < k; ++i) {
    request.a.push_back(mixed(number, i) & 255);
    request.b.push_back(mixed(number, 100 + i) & 255);
  }
  request.c = mixed(number, 200) & 0xffff;
  return request;
}

// Which row of a, column of b and element of c an element of d is made of.
struct Source {
  std::size_t row, column, c_row, c_column;
};
using Wiring = std::function<void(std::size_t row, std::size_t column, Source& source)>;

struct Sums {
  TileShape shape;
  TileLines a, b, c, d;
  Wiring wiring = [](std::size_t, std::size_t, Source&) {};
};

Sums by_lines(std::size_t rows, std::size_t columns) {
  return {{rows, columns}, {rows, k}, {columns, k}, {rows, columns}, {rows, columns}};
}

Reply answer(const Sums& unit, const Request& request) {
  const Others others = others_of(request, unit.shape);
  const Codes a = in_lines(request.a, 0, unit.a, others.row, special);
  const Codes b = in_lines(request.b, 0, unit.b, others.column, special);
  const Codes c = addends(request.c, unit.c, others, special);
  Codes d(unit.shape.rows * unit.shape.columns);
  for (std::size_t row = 0; row < unit.shape.rows; ++row) {
    for (std::size_t column = 0; column < unit.shape.columns; ++column) {
      Source from{row, column, row, column};
      unit.wiring(row, column, from);
      std::uint64_t sum = c[unit.c.place(from.c_row, from.c_column)];
      for (std::size_t i = 0; i < k; ++i) sum += a[unit.a.place(from.row, i)] * b[unit.b.place(from.column, i)];
      d[unit.d.place(row, column)] = sum;
    }
  }
  return reply_of(d, unit.d, others, 8, {});
}

std::uint64_t expected(const Request& request) {
  std::uint64_t sum = request.c;
  for (std::size_t i = 0; i < k; ++i) sum += request.a[i] * request.b[i];
  return sum;
}

// In how many of 400 cases something is wrong.
int wrong(const Sums& unit) {
  int count = 0;
  for (std::uint64_t number = 1; number <= 400; ++number) {
    const Request request = request_of(number);
    const Reply reply = answer(unit, request);
    count += !reply.error.empty() || reply.d != expected(request) ? 1 : 0;
  }
  return count;
}

TEST(Tile, ARightUnitIsRightHoweverItsOperandsLie) {
  for (const auto& [rows, columns] :
       {std::pair<std::size_t, std::size_t>{1, 1}, {1, 4}, {4, 1}, {2, 2}, {2, 3}, {5, 4}}) {
    Sums unit = by_lines(rows, columns);
    EXPECT_EQ(wrong(unit), 0) << rows << " x " << columns;
    unit.a.across = unit.b.across = unit.c.across = unit.d.across = true;
    EXPECT_EQ(wrong(unit), 0) << rows << " x " << columns;
  }
}

TEST(Tile, WhatGoesToTheWrongElementShows) {
  const std::size_t rows = 3, columns = 2;
  for (std::size_t row = 0; row < rows; ++row) {
    for (std::size_t column = 0; column < columns; ++column) {
      const auto at = [&](std::size_t r, std::size_t c) { return r == row && c == column; };
      for (std::size_t other = 0; other < rows; ++other) {
        if (other == row) continue;
        Sums unit = by_lines(rows, columns);
        unit.wiring = [&](std::size_t r, std::size_t c, Source& from) { from.row = at(r, c) ? other : r; };
        EXPECT_GT(wrong(unit), 0) << row << "," << column << " takes row " << other;
        unit.wiring = [&](std::size_t r, std::size_t c, Source& from) { from.c_row = at(r, c) ? other : r; };
        EXPECT_GT(wrong(unit), 0) << row << "," << column << " takes c of row " << other;
      }
      Sums unit = by_lines(rows, columns);
      unit.wiring = [&](std::size_t r, std::size_t c, Source& from) { from.column = at(r, c) ? 1 - column : c; };
      EXPECT_GT(wrong(unit), 0) << row << "," << column << " takes the other column";
      unit.wiring = [&](std::size_t r, std::size_t c, Source& from) { from.c_column = at(r, c) ? 1 - column : c; };
      EXPECT_GT(wrong(unit), 0) << row << "," << column << " takes c of the other column";
    }
  }
}

TEST(Tile, ASingleRowOrColumnForAllShows) {
  Sums unit = by_lines(3, 2);
  unit.wiring = [](std::size_t, std::size_t, Source& from) { from.row = 0; };
  EXPECT_GT(wrong(unit), 0);
  unit.wiring = [](std::size_t, std::size_t, Source& from) { from.column = 1; };
  EXPECT_GT(wrong(unit), 0);
  unit.wiring = [](std::size_t, std::size_t, Source& from) { from.c_row = from.c_column = 0; };
  EXPECT_GT(wrong(unit), 0);
}

TEST(Tile, OperandsThatLieOtherwiseShow) {
  for (TileLines Sums::*operand : {&Sums::a, &Sums::b, &Sums::c, &Sums::d}) {
    const Sums right = by_lines(3, 2);
    int differ = 0;
    for (std::uint64_t number = 1; number <= 100; ++number) {
      // The host puts it line after line, the unit reads it across.
      const Request request = request_of(number);
      const Others others = others_of(request, right.shape);
      const TileLines host = right.*operand;
      TileLines unit = host;
      unit.across = true;
      const Codes put = operand == &Sums::a   ? in_lines(request.a, 0, host, others.row, special)
                        : operand == &Sums::b ? in_lines(request.b, 0, host, others.column, special)
                                              : addends(request.c, host, others, special);
      for (std::size_t line = 0; line < host.count; ++line) {
        for (std::size_t i = 0; i < host.length; ++i) differ += put[unit.place(line, i)] != put[host.place(line, i)];
      }
    }
    EXPECT_GT(differ, 0);
  }
}

TEST(Tile, EachRowAndColumnIsLeftToOthersSometimes) {
  std::set<std::size_t> rows, columns;
  for (std::uint64_t number = 1; number <= 200; ++number) {
    const Others others = others_of(request_of(number), {3, 2});
    rows.insert(others.row.line), columns.insert(others.column.line);
  }
  EXPECT_EQ(rows, (std::set<std::size_t>{0, 1, 2, OtherLine::none}));
  EXPECT_EQ(columns, (std::set<std::size_t>{0, 1, OtherLine::none}));
  for (std::uint64_t number = 1; number <= 50; ++number) {
    EXPECT_EQ(others_of(request_of(number), {1, 2}).row.line, OtherLine::none);
    EXPECT_EQ(others_of(request_of(number), {3, 1}).column.line, OtherLine::none);
  }
}

TEST(Tile, ACaseAloneIsAskedTheSame) {
  const Request request = request_of(7);
  const Others first = others_of(request, {4, 4});
  answer(by_lines(4, 4), request_of(8));
  const Others again = others_of(request, {4, 4});
  EXPECT_EQ(first.row.line, again.row.line);
  EXPECT_EQ(first.column.line, again.column.line);
  EXPECT_EQ(first.row.seed, again.row.seed);
  EXPECT_EQ(first.column.seed, again.column.seed);
}

// What is loaded for one case is there for the other.
TEST(Tile, CasesThatShareAnOperandGiveItsPortsTheSame) {
  for (std::uint64_t number = 1; number <= 50; ++number) {
    const Request first = request_of(number);
    Request second = request_of(number + 1000);
    second.b = first.b;
    const auto b_of = [](const Request& r) { return in_lines(r.b, 0, {3, k}, others_of(r, {2, 3}).column, special); };
    EXPECT_EQ(b_of(first), b_of(second));
    second = request_of(number + 1000);
    second.a = first.a;
    const auto a_of = [](const Request& r) { return in_lines(r.a, 0, {2, k}, others_of(r, {2, 3}).row, special); };
    EXPECT_EQ(a_of(first), a_of(second));
  }
}

TEST(Tile, PartsOfAnOperandComeFromWhereTheyAre) {
  const Codes codes{1, 2, 3, 4, 5, 6};
  EXPECT_EQ(in_lines(codes, 2, {2, 2, false}, {}, special), (Codes{3, 4, 3, 4}));
  EXPECT_EQ(in_lines(codes, 2, {2, 2, true}, {}, special), (Codes{3, 3, 4, 4}));
  const Codes other = in_lines(codes, 4, {2, 2, false}, {1, 1}, special);
  EXPECT_EQ((Codes{other[0], other[1]}), (Codes{5, 6}));
}

TEST(Tile, NamesTheElementThatDiffers) {
  const TileLines lines{2, 3, false};
  const auto error = [](const Codes& d, const TileLines& of, const Others& others) {
    return reply_of(d, of, others, 4, {}).error;
  };
  EXPECT_EQ(error({5, 5, 5, 5, 5, 5}, lines, {}), "");
  EXPECT_EQ(error({5, 5, 5, 5, 5, 6}, lines, {}),
            "Element [1,2] of the tile gives 0006 where 5 with the same operands give 0005.");
  EXPECT_EQ(error({4, 6, 5, 5, 5, 5}, lines, {}),
            "Element [0,0] of the tile gives 0004 where 4 with the same operands give 0005; 1 more gives others.");
  EXPECT_EQ(error({1, 2, 3, 7, 7, 7}, {2, 3, true}, {}),
            "Elements [0,0] and [0,1] of the tile, whose operands are the same, give 0001 and 0003.");
  EXPECT_EQ(error({9, 1, 1, 5, 1, 1}, lines, {{1, 1}, {}}),
            "Element [0,0] of the tile gives 0009 where 2 with the same operands give 0001.");
  EXPECT_EQ(reply_of({7, 1, 1, 7, 1, 1}, lines, {{}, {0, 1}}, 4, {}).d, 1U);
}

// Which of two is wrong nobody knows here.
TEST(Tile, NamesBothWhereNoneHasMost) {
  const TileLines lines{2, 2, false};
  for (const auto& [x, y] : {std::pair<std::uint64_t, std::uint64_t>{6, 5}, {5, 6}}) {
    EXPECT_EQ(reply_of({x, y, x, y}, lines, {}, 2, {}).error,
              "Elements [0,0] and [0,1] of the tile, whose operands are the same, give 0" + std::to_string(x) +
                  " and 0" + std::to_string(y) + ".");
    EXPECT_EQ(reply_of({x, y, 9, 9}, lines, {{1, 0}, {}}, 2, {}).error,
              "Elements [0,0] and [0,1] of the tile, whose operands are the same, give 0" + std::to_string(x) +
                  " and 0" + std::to_string(y) + ".");
  }
  EXPECT_EQ(reply_of({1, 2, 3, 3}, lines, {}, 1, {}).error,
            "Elements [0,0] and [0,1] of the tile, whose operands are the same, give 1 and 2.");
}

// Whether their codes count only the host knows: it is given the odd one.
TEST(Tile, LeavesNansToTheHost) {
  const TileLines lines{2, 2, false};
  const NanCodesOf f16{0x7c00, 0x7c00, 0x3ff};
  const Reply reply = reply_of({0x7fff, 0x7fff, 0x7fff, 0x7e00}, lines, {}, 4, f16);
  EXPECT_EQ(reply.error, "");
  EXPECT_EQ(reply.d, 0x7e00U);
  EXPECT_EQ(reply_of({0x7fff, 0x7fff, 0x7c00, 0x7e00}, lines, {}, 4, f16).error,
            "Elements [0,0] and [1,0] of the tile, whose operands are the same, give 7fff and 7c00.");
  EXPECT_FALSE(NanCodesOf{}.has(0) || NanCodesOf{}.has(~std::uint64_t{0}));
}

// A row with an infinity beside rows of ordinary numbers is as much a question as one of NaN beside NaN.
TEST(Tile, OthersAreSpecialBesideAnyCase) {
  int with = 0, without = 0;
  for (std::uint64_t number = 1; number <= 400; ++number) {
    const Request request = request_of(number);
    const OtherLine other = others_of(request, {3, 2}).row;
    if (other.line == OtherLine::none) continue;
    const Codes a = in_lines(request.a, 0, {3, k, false}, other, {0x7f80});
    const auto line = a.begin() + static_cast<std::ptrdiff_t>(other.line * k);
    ++(std::count(line, line + k, 0x7f80) > 0 ? with : without);
  }
  EXPECT_GT(with, 80);
  EXPECT_GT(without, 80);
}

TEST(Tile, ArraysOfSeveralDimensionsAreOneList) {
  int flat[4] = {0, 1, 2, 3}, deep[2][2][3] = {{{0, 1, 2}, {3, 4, 5}}, {{6, 7, 8}, {9, 10, 11}}};
  std::array<std::array<int, 3>, 2> verilators{{{0, 1, 2}, {3, 4, 5}}};
  for (std::size_t i = 0; i < 4; ++i) EXPECT_EQ(in_array(flat, i), static_cast<int>(i));
  for (std::size_t i = 0; i < 12; ++i) EXPECT_EQ(in_array(deep, i), static_cast<int>(i));
  for (std::size_t i = 0; i < 6; ++i) EXPECT_EQ(in_array(verilators, i), static_cast<int>(i));
  in_array(deep, 7) = 70;
  EXPECT_EQ(deep[1][0][1], 70);
}

TEST(Tile, LateElementsAreThoseOfEarlierRequests) {
  const TileLines lines{2, 3, false};
  const auto list = [&](const Request& r, std::size_t beat) { return Codes(6, r.c + beat); };
  std::deque<Stood> past;
  for (std::uint64_t c : {40, 30, 20, 10}) past.push_back({{}, 3}), past.back().request.c = c;
  const Codes now(6, 50);
  EXPECT_EQ(skewed(now, list, &past, lines, {1, 0}), (Codes{50, 50, 50, 43, 43, 43}));
  EXPECT_EQ(skewed(now, list, &past, lines, {0, 1}), (Codes{50, 43, 33, 50, 43, 33}));
  EXPECT_EQ(skewed(now, list, &past, lines, {2, 1}), (Codes{50, 43, 33, 33, 23, 13}));
  EXPECT_EQ(skewed(now, list, &past, {2, 3, true}, {2, 1}), (Codes{50, 33, 43, 23, 33, 13}));
  past.resize(1);
  EXPECT_EQ(skewed(now, list, &past, lines, {2, 1}), (Codes{50, 43, 50, 50, 50, 50}));
  EXPECT_EQ(skewed(now, list, nullptr, lines, {2, 1}), now);
}

TEST(Tile, LateResultsAreKeptUntilTheLastIsThere) {
  const TileLines lines{1, 3, false};
  Settling settling(2);
  EXPECT_FALSE(settling.valid());
  settling.see({1, 10, 100}, true);
  EXPECT_FALSE(settling.valid());
  settling.see({2, 20, 200}, false);
  EXPECT_TRUE(settling.valid());
  EXPECT_EQ(settling.settled({3, 30, 300}, lines, {0, 1}), (Codes{1, 20, 300}));
  settling.see({3, 30, 300}, true);
  EXPECT_FALSE(settling.valid());
  EXPECT_EQ(settling.settled({4, 40, 400}, lines, {0, 1}), (Codes{2, 30, 400}));
  settling.forget();
  EXPECT_FALSE(settling.valid());
}

// --- units ---

const char* const two_bytes = R"(
name: two_bytes
like: integer
k: 2
operands: {a: i8, b: i8, c: i32, d: i32}
)";

// Two rows by three columns, the ports and the body of whose middle differ.
std::string module_of(const std::string& ports, const std::string& body) {
  return "module little (\n" + ports + ");\n" + body + "endmodule\n";
}

const std::string sums = R"(
  logic signed [7:0] a[2][2], b[3][2];
  logic signed [31:0] c[2][3], d[2][3];
  always_comb begin
    for (int r = 0; r < 2; r++) begin
      for (int n = 0; n < 3; n++) d[r][n] = c[r][n] + 32'(a[r][0] * b[n][0]) + 32'(a[r][1] * b[n][1]);
    end
  end
)";

Comparison compared(const std::string& module, const std::string& rest, const Plan& plan) {
  const auto folder = scratch_folder();
  write_text(folder / "little.sv", module);
  write_text(folder / "dut.yaml",
             "instruction: \"*\"\nsources: [little.sv]\ntop: little\noptions: [-Wno-UNUSED, -Wno-fatal]\n" + rest);
  const Dut dut = read_dut_file((folder / "dut.yaml").string());
  const auto device = start_rtl(dut, plan);
  const std::vector<Case> cases = generated_cases(plan, 3, 1000);
  const std::vector<Answer> answers = device->run(cases, false);
  Comparison found;
  Registers registers;
  for (std::size_t i = 0; i < cases.size(); ++i) {
    const bool same = answers[i].ok() && answers[i].d == dot(plan, cases[i].operand(), registers);
    found.same += same ? 1 : 0;
    if (!same && found.details.size() < 3) found.details.push_back(answers[i].error);
  }
  found.cases = cases.size();
  return found;
}

void expect_right(const std::string& module, const std::string& rest, const Plan& plan) try {
  const Comparison found = compared(module, rest, plan);
  EXPECT_EQ(found.same, found.cases) << (found.details.empty() ? "" : found.details.front());
} catch (const Error& error) {
  ADD_FAILURE() << error.message;
}

const std::string tile = "tile: {rows: 2, columns: 3}\n";

TEST(TileUnit, VectorsLineAfterLine) {
  const std::string module =
      module_of("  input logic [31:0] a_i, input logic [47:0] b_i, input logic [191:0] c_i, output logic [191:0] d_o\n",
                sums + R"(
  for (genvar r = 0; r < 2; r++) begin : gen_row
    for (genvar i = 0; i < 2; i++) assign a[r][i] = a_i[8*(2*r+i) +: 8];
    for (genvar n = 0; n < 3; n++) begin : gen_column
      assign c[r][n] = c_i[32*(3*r+n) +: 32];
      assign d_o[32*(3*r+n) +: 32] = d[r][n];
    end
  end
  for (genvar n = 0; n < 3; n++) for (genvar i = 0; i < 2; i++) assign b[n][i] = b_i[8*(2*n+i) +: 8];
)");
  const Plan plan = plan_of_text(two_bytes);
  const std::string ports = "ports:\n  a: {port: a_i, width: 8}\n  b: {port: b_i, width: 8}\n";
  const std::string right = ports + "  c: {port: c_i, width: 32}\n  d: {port: d_o, width: 32}\n";
  expect_right(module, "handshake: combinational\n" + tile + right, plan);
  for (const std::string line : {"a_i, width: 8", "b_i, width: 8", "c_i, width: 32", "d_o, width: 32"}) {
    std::string wrong = right;
    const bool of_c = line.back() == '2';
    wrong.insert(wrong.find(line) + line.size(), of_c ? ", by: column" : ", by: element");
    const Comparison found = compared(module, "handshake: combinational\n" + tile + wrong, plan);
    EXPECT_LT(found.same, found.cases) << wrong;
  }
}

TEST(TileUnit, ArraysAcrossAndAPortForEach) {
  const std::string module = module_of(
      R"(  input logic [7:0] a_i [2][2], input logic [7:0] b0_i, b1_i, b2_i, b3_i, b4_i, b5_i,
  input logic [191:0] c_i, output logic [15:0] low_o [2][3], output logic [15:0] h0_o, h1_o, h2_o, h3_o, h4_o, h5_o
)",
      sums + R"(
  for (genvar r = 0; r < 2; r++) begin : gen_row
    for (genvar i = 0; i < 2; i++) assign a[r][i] = a_i[i][r];
    for (genvar n = 0; n < 3; n++) begin : gen_column
      assign c[r][n] = c_i[32*(5-(2*n+r)) +: 32];
      assign low_o[r][n] = d[r][n][15:0];
    end
  end
  assign {b[2][1], b[2][0], b[1][1], b[1][0], b[0][1], b[0][0]} = {b5_i, b4_i, b3_i, b2_i, b1_i, b0_i};
  assign {h0_o, h1_o, h2_o} = {d[0][0][31:16], d[0][1][31:16], d[0][2][31:16]};
  assign {h3_o, h4_o, h5_o} = {d[1][0][31:16], d[1][1][31:16], d[1][2][31:16]};
)");
  expect_right(module,
               "handshake: combinational\n" + tile +
                   "ports:\n  a: {port: \"a_i[]\", width: 8, by: element}\n  b: {port: \"b{}_i\", width: 8}\n"
                   "  c: {port: c_i, width: 32, by: column, order: descending}\n"
                   "  d: [{port: \"low_o[]\", bits: \"15:0\"}, {port: \"h{}_o\", bits: \"31:16\"}]\n",
               plan_of_text(two_bytes));
}

// Weights are written a row of B at a time, activations come in two beats.
TEST(TileUnit, LoadedAndInBeats) {
  const std::string module = module_of(
      R"(  input logic clk_i, input logic rst_ni, input logic we_i, input logic waddr_i, input logic [23:0] w_i,
  input logic valid_i, input logic first_i, input logic last_i, input logic [15:0] a_i, input logic [191:0] c_i,
  output logic valid_o, output logic [191:0] d_o
)",
      R"(
  logic signed [7:0] w_q[3][2];
  logic beat_q;
  always_ff @(posedge clk_i) begin
    if (we_i) for (int n = 0; n < 3; n++) w_q[n][waddr_i] <= w_i[8*n +: 8];
    if (valid_i) begin
      for (int r = 0; r < 2; r++) begin
        for (int n = 0; n < 3; n++) begin
          d_o[32*(3*r+n) +: 32] <= (first_i ? c_i[32*(3*r+n) +: 32] : d_o[32*(3*r+n) +: 32]) +
                                   32'($signed(a_i[8*r +: 8]) * w_q[n][!first_i]);
        end
      end
    end
    valid_o <= rst_ni && valid_i && last_i;
  end
)");
  expect_right(module,
               "clock: clk_i\nreset: {port: rst_ni, active: low}\nhandshake: {kind: valid, in_valid: valid_i, "
               "out_valid: valid_o}\nbeats: {elements: 1, first: first_i, last: last_i}\n"
               "load: {operands: [b], elements: 1, valid: we_i, address: waddr_i}\n" +
                   tile +
                   "ports:\n  a: {port: a_i, width: 8}\n  b: {port: w_i, width: 8}\n"
                   "  c: {port: c_i, width: 32}\n  d: {port: d_o, width: 32}\n",
               plan_of_text(two_bytes));
}

// Eight cases in a row share b, whose columns are written once for all of them.
TEST(TileUnit, WhatStaysIsSharedByCases) try {
  const auto folder = scratch_folder();
  write_text(folder / "little.sv",
             module_of(R"(  input logic clk_i, input logic rst_ni, input logic we_i, input logic [47:0] b_i,
  input logic valid_i, input logic [31:0] a_i, input logic [191:0] c_i, output logic valid_o, output logic [191:0] d_o
)",
                       R"(
  logic [47:0] b_q;
  always_ff @(posedge clk_i) begin
    if (we_i) b_q <= b_i;
    valid_o <= rst_ni && valid_i;
    for (int r = 0; r < 2; r++) for (int n = 0; n < 3; n++)
      d_o[32*(3*r+n) +: 32] <= c_i[32*(3*r+n) +: 32] + 32'($signed(a_i[16*r +: 8]) * $signed(b_q[16*n +: 8])) +
                               32'($signed(a_i[16*r+8 +: 8]) * $signed(b_q[16*n+8 +: 8]));
  end
)"));
  const std::string dut =
      "instruction: \"*\"\nsources: [little.sv]\ntop: little\noptions: [-Wno-UNUSED, -Wno-fatal]\nclock: clk_i\n"
      "reset: {port: rst_ni, active: low}\nhandshake: {kind: valid, in_valid: valid_i, out_valid: valid_o}\n" +
      tile +
      "load: {operands: [b], elements: 2, valid: we_i, stays: true}\n"
      "ports:\n  a: {port: a_i, width: 8}\n  b: {port: b_i, width: 8}\n  c: {port: c_i, width: 32}\n"
      "  d: {port: d_o, width: 32}\n";
  write_text(folder / "dut.yaml", dut);
  const Plan plan = plan_of_text(two_bytes);
  std::vector<Case> cases = generated_cases(plan, 3, 800);
  for (std::size_t i = 0; i < cases.size(); ++i) cases[i].b = cases[i / 8 * 8].b;
  const auto device = start_rtl(read_dut_file((folder / "dut.yaml").string()), plan, true);
  const std::vector<Answer> answers = device->run(cases, false);
  Registers registers;
  for (std::size_t i = 0; i < cases.size(); ++i) {
    ASSERT_TRUE(answers[i].ok()) << answers[i].error;
    ASSERT_EQ(answers[i].d, dot(plan, cases[i].operand(), registers)) << i;
  }
} catch (const Error& error) {
  ADD_FAILURE() << error.message;
}

// Registers inside make up for what comes late: element [r][i] of a by 2 r + i edges, column n of b by n + 2 i, c by
// r + n, and d comes by 2 r + n.
const std::string delays = R"(
  function automatic int unsigned late_a(int r, int i); return 2*r + i; endfunction
  logic [7:0] a_q [7][2][2], b_q [7][3][2];
  logic [31:0] c_q [7][2][3], d_q [7][2][3];
  logic signed [31:0] sum[2][3];
  always_comb begin
    for (int r = 0; r < 2; r++) begin
      for (int i = 0; i < 2; i++) a_q[0][r][i] = a_i[8*(2*r+i) +: 8];
      for (int n = 0; n < 3; n++) begin
        for (int i = 0; i < 2; i++) b_q[0][n][i] = b_i[8*(2*n+i) +: 8];
        c_q[0][r][n] = c_i[32*(3*r+n) +: 32];
        sum[r][n] = c_q[4-(r+n)][r][n];
        for (int i = 0; i < 2; i++)
          sum[r][n] = sum[r][n] + 32'($signed(a_q[4-late_a(r, i)][r][i]) * $signed(b_q[4-(n+2*i)][n][i]));
        d_q[0][r][n] = sum[r][n];
        d_o[32*(3*r+n) +: 32] = d_q[2*r+n][r][n];
      end
    end
  end
  always_ff @(posedge clk_i) if (en_i) begin
    for (int s = 1; s < 7; s++) begin
      a_q[s] <= a_q[s-1];
      b_q[s] <= b_q[s-1];
      c_q[s] <= c_q[s-1];
      d_q[s] <= d_q[s-1];
    end
  end
)";

TEST(TileUnit, LateInBothDirections) {
  const std::string module = module_of(
      "  input logic clk_i, input logic en_i, input logic [31:0] a_i, input logic [47:0] b_i, input logic [191:0] "
      "c_i,\n"
      "  output logic [191:0] d_o\n",
      delays);
  const Plan plan = plan_of_text(two_bytes);
  const std::string start = "clock: clk_i\nhandshake: {kind: fixed_latency, latency: 4, enable: en_i}\n";
  const std::vector<std::string> late{"{row: 2, element: 1}", "{column: 1, element: 2}", "{row: 1, column: 1}",
                                      "{row: 2, column: 1}"};
  const auto ports = [&](std::size_t wrong) {
    const auto of = [&](std::size_t i) { return i == wrong ? std::string() : ", late: " + late[i]; };
    return tile + "ports:\n  a: {port: a_i, width: 8" + of(0) + "}\n  b: {port: b_i, width: 8" + of(1) +
           "}\n  c: {port: c_i, width: 32" + of(2) + "}\n  d: {port: d_o, width: 32" + of(3) + "}\n";
  };
  expect_right(module, start + ports(4), plan);
  for (std::size_t wrong = 0; wrong < 4; ++wrong) {
    const Comparison found = compared(module, start + ports(wrong), plan);
    EXPECT_LT(found.same, found.cases / 2) << "without " << late[wrong];
  }
}

// No tile: two elements a beat, of which the second comes an edge later, and is added up on its own.
const std::string two_a_beat = R"(
  logic signed [31:0] even, odd, even_q, odd_q, done_q;
  logic valid_q, first_q, last_q;
  assign even = (first_i ? c_i : even_q) + 32'($signed(a_i[7:0]) * $signed(b_i[7:0]));
  assign odd  = (first_q ? 0 : odd_q) + 32'($signed(a_i[15:8]) * $signed(b_i[15:8]));
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      {valid_q, first_q, last_q, valid_o} <= '0;
    end else begin
      {valid_q, first_q, last_q} <= {valid_i, first_i, last_i};
      valid_o <= valid_q && last_q;
    end
  end
  always_ff @(posedge clk_i) begin
    if (valid_i) even_q <= even;
    if (valid_i && last_i) done_q <= even;
    if (valid_q) odd_q <= odd;
    if (valid_q && last_q) d_o <= done_q + odd;
  end
)";

TEST(Late, ElementsOfABeatAreThoseOfEarlierBeats) {
  const std::string module = module_of(
      "  input logic clk_i, rst_ni, valid_i, first_i, last_i, input logic [15:0] a_i, b_i, input logic [31:0] c_i,\n"
      "  output logic valid_o, output logic signed [31:0] d_o\n",
      two_a_beat);
  const Plan plan = plan_of_text("name: six_bytes\nlike: integer\nk: 6\noperands: {a: i8, b: i8, c: i32, d: i32}\n");
  const auto with = [](const std::string& of_a, const std::string& of_b) {
    return "clock: clk_i\nreset: {port: rst_ni, active: low}\n"
           "handshake: {kind: valid, in_valid: valid_i, out_valid: valid_o}\n"
           "beats: {elements: 2, first: first_i, last: last_i}\n"
           "ports:\n  a: {port: a_i, width: 8" +
           of_a + "}\n  b: {port: b_i, width: 8" + of_b + "}\n  c: c_i\n  d: d_o\n";
  };
  expect_right(module, with(", late: 1", ", late: 1"), plan);
  EXPECT_LT(compared(module, with(", late: 1", ", late: 2"), plan).same, 500u);
}

// Weights of column n are shifted in n edges late; a and c wait two edges for the last of them.
const std::string skewed_weights = R"(
  logic [2:0] we;
  logic [1:0] we_q, valid_q;
  logic [31:0] a_q [2];
  logic [191:0] c_q [2];
  logic signed [7:0] weight_q [2][3];
  assign we = {we_q, we_i};
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) {we_q, valid_q, valid_o} <= '0;
    else begin
      we_q <= we[1:0];
      {valid_o, valid_q} <= {valid_q, valid_i};
    end
  end
  always_ff @(posedge clk_i) begin
    {a_q[1], a_q[0]} <= {a_q[0], a_i};
    {c_q[1], c_q[0]} <= {c_q[0], c_i};
    for (int n = 0; n < 3; n++) begin
      if (we[n]) {weight_q[1][n], weight_q[0][n]} <= {weight_q[0][n], b_i[8*n +: 8]};
      for (int r = 0; r < 2; r++) begin
        d_o[32*(3*r+n) +: 32] <= c_q[1][32*(3*r+n) +: 32] + 32'($signed(a_q[1][16*r +: 8]) * weight_q[FIRST][n]) +
                                 32'($signed(a_q[1][16*r+8 +: 8]) * weight_q[1-FIRST][n]);
      end
    end
  end
)";

TEST(Late, WhatIsLoadedMayBeSkewed) {
  const Plan plan = plan_of_text(two_bytes);
  for (const bool descending : {false, true}) {
    std::string body = skewed_weights;
    for (std::size_t at; (at = body.find("FIRST")) != body.npos;) body.replace(at, 5, descending ? "0" : "1");
    const std::string module = module_of(
        "  input logic clk_i, rst_ni, we_i, valid_i, input logic [31:0] a_i, input logic [23:0] b_i,\n"
        "  input logic [191:0] c_i, output logic valid_o, output logic [191:0] d_o\n",
        body);
    const auto with = [&](const std::string& late) {
      return "clock: clk_i\nreset: {port: rst_ni, active: low}\n"
             "handshake: {kind: valid, in_valid: valid_i, out_valid: valid_o}\n"
             "load: {operands: [b], elements: 1, valid: we_i, stays: true, order: " +
             std::string(descending ? "descending" : "ascending") + "}\n" + tile +
             "ports:\n  a: {port: a_i, width: 8}\n  b: {port: b_i, width: 8" + late +
             "}\n  c: {port: c_i, width: 32}\n  d: {port: d_o, width: 32}\n";
    };
    expect_right(module, with(", late: {column: 1}"), plan);
    if (descending) continue;
    EXPECT_LT(compared(module, with(", late: {column: 2}"), plan).same, 500u);
  }
}

// No tile: element 0 and 1 of b are written at once, element 1 an edge late.
TEST(Late, WhatIsLoadedMayBeSkewedWithoutATile) {
  const std::string module = module_of(
      "  input logic clk_i, rst_ni, we_i, valid_i, input logic [15:0] a_i, b_i, input logic [31:0] c_i,\n"
      "  output logic valid_o, output logic [31:0] d_o\n",
      R"(
  logic we_q, valid_q;
  logic [15:0] a_q;
  logic [31:0] c_q;
  logic signed [7:0] low_q, high_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) {we_q, valid_q, valid_o} <= '0;
    else {we_q, valid_q, valid_o} <= {we_i, valid_i, valid_q};
  end
  always_ff @(posedge clk_i) begin
    {a_q, c_q} <= {a_i, c_i};
    if (we_i) low_q <= b_i[7:0];
    if (we_q) high_q <= b_i[15:8];
    d_o <= c_q + 32'($signed(a_q[7:0]) * low_q) + 32'($signed(a_q[15:8]) * high_q);
  end
)");
  const auto with = [](const std::string& late) {
    return "clock: clk_i\nreset: {port: rst_ni, active: low}\n"
           "handshake: {kind: valid, in_valid: valid_i, out_valid: valid_o}\n"
           "load: {operands: [b], elements: 2, valid: we_i}\n"
           "ports:\n  a: {port: a_i, width: 8}\n  b: {port: b_i, width: 8" +
           late + "}\n  c: c_i\n  d: d_o\n";
  };
  const Plan plan = plan_of_text(two_bytes);
  expect_right(module, with(", late: 1"), plan);
  EXPECT_LT(compared(module, with(""), plan).same, 500u);
}

std::string complaint(const std::string& ports, const Plan& plan) {
  const std::string module =
      "module little (input logic [31:0] a_i, input logic [47:0] b_i, input logic [191:0] c_i, input logic [31:0] t_i, "
      "output logic [191:0] d_o);\n  assign d_o = c_i;\nendmodule\n";
  try {
    compared(module, "handshake: combinational\n" + tile + "ports:\n" + ports, plan);
    return "It was built.";
  } catch (const Error& error) {
    return error.message;
  } catch (const std::exception& error) {
    return error.what();
  }
}

void expect_complaint(const std::string& ports, const Plan& plan, const std::string& sentence) {
  const std::string said = complaint(ports, plan);
  EXPECT_NE(said.find(sentence), std::string::npos) << said;
}

TEST(TileUnit, WhatDoesNotFitIsSaid) {
  const Plan plan = plan_of_text(two_bytes);
  const std::string a = "  a: {port: a_i, width: 8}\n", b = "  b: {port: b_i, width: 8}\n";
  const std::string c = "  c: {port: c_i, width: 32}\n", d = "  d: {port: d_o, width: 32}\n";
  expect_complaint("  a: {port: a_i, width: 8, offset: 8}\n" + b + c + d, plan,
                   "4 elements of a need bits up to 39, but port a_i has 32 bits.");
  expect_complaint(a + b + c + "  d: {port: d_o, width: 32, elements: 0-4}\n", plan,
                   "bit 0 of element 5 of d goes to no port;");
  expect_complaint(a + b + c + "  d: [{port: d_o, width: 32}, {port: d_o, bits: \"7:0\", elements: 0}]\n", plan,
                   "bits 7 to 0 of port d_o would carry d twice.");
  expect_complaint(a + b + c + "  d: {port: c_i, width: 32}\n", plan,
                   "port c_i is an input, an output is needed here.");
  expect_complaint(a + b + "  c: none\n" + d, plan, "ports.c is `none`, but the datapath adds c;");
  expect_complaint(a + b +
                       "  c: [{port: c_i, width: 32, elements: 0-2}, {port: c_i, width: 32, elements: 3-5, offset: "
                       "96, by: column}]\n" +
                       d,
                   plan, "all ports of an operand have the same `by`.");
  const Plan masked =
      plan_of_text("name: m\nlike: fused_f25\nk: 2\noperands: {a: e4m3, b: e4m3, c: f32, d: f32, mask: {}}\n");
  expect_complaint(
      a + b + c + d + "  mask: {port: t_i, width: 1}\n", masked,
      "a tile takes a, b, c and scales, and a case of this datapath brings mask, too, of which nothing says what it is "
      "for each element.");
}

}  // namespace
}  // namespace assay::rtl
