// DUT files: what they say, and each thing that can be wrong with them.
#include "tb/devices/rtl/dut.hpp"

#include <gtest/gtest.h>

#include "model/config/yaml.hpp"
#include "tb/tests/rtl/bench.hpp"

namespace assay {
namespace {

const std::string good = R"(instruction: hopper:wgmma.m64nNk16.f32.f16.f16
sources: [a.sv, sub/b.sv]
include_dirs: [sub]
defines: {FAST: "1"}
parameters: {Width: "25"}
options: [-Wno-UNUSED]
top: unit
handshake: combinational
ports:
  a: {port: a_i, width: 16, offset: 3, order: descending}
  b: {port: b_i, width: 16}
  c: in_i[39:8]
  d: d_o
constants: {enable_i: 1}
probes:
  port: probe_o
  layout: plan
  places:
    step[0].special: flags_o[7]
)";

Dut read(const std::string& text) {
  const auto path = scratch_folder() / "dut.yaml";
  write_text(path, text);
  return read_dut_file(path.string());
}

std::string changed(std::string text, const std::string& from, const std::string& to) {
  const std::size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return text.replace(at, from.size(), to);
}

// The only one of this operand.
PortElements part(const Dut& dut, const std::string& operand) {
  const PortOperand* found = find_operand(dut, operand);
  EXPECT_TRUE(found != nullptr && found->parts.size() == 1) << operand;
  return found == nullptr ? PortElements{} : found->parts.at(0);
}

TEST(DutFile, BindsAPlaceToWhatTheUnitHas) {
  const std::string probe = "    step[0].special: flags_o[7]\n";
  const Dut dut =
      read(changed(good, probe,
                   "    step[0].acc: [\"2'b01\", \"sign_o[0]\", {port: exp_o, bias: 127, width: 10}, \"man_o[23:0]\"]\n"
                   "    step[0].sum.reduce: {magnitude: mag_o, sign: \"sgn_o[3]\"}\n"));
  const std::vector<ProbePart>& parts = dut.probes.at(0).parts;
  ASSERT_EQ(parts.size(), 4u);
  EXPECT_TRUE(parts[0].is_constant());
  EXPECT_EQ(parts[0].constant, 1u);
  EXPECT_EQ(parts[0].width, 2);
  EXPECT_EQ(parts[2].bias, 127);
  EXPECT_EQ(parts[2].width, 10);
  EXPECT_EQ(parts[3].width, 24);
  const ProbePart& sum = dut.probes.at(1).parts.at(0);
  EXPECT_EQ(sum.bits.port, "mag_o");
  EXPECT_EQ(sum.sign->low, 3);
  EXPECT_EQ(sum.width, 0);
}

TEST(DutFile, SaysWhatIsWrongWithAProbe) {
  const auto said = [](const std::string& value) {
    try {
      read(changed(good, "flags_o[7]", value));
    } catch (const Error& error) {
      return error.message;
    }
    return std::string("nothing");
  };
  EXPECT_NE(said("[\"2'b2\", \"x_o[0]\"]").find("constant bits are written as in 2'b00 or 8'h7f"), std::string::npos);
  EXPECT_NE(said("\"1'b11\"").find("the constant does not fit its 1 bit."), std::string::npos);
  EXPECT_NE(said("[x_o, \"y_o[0]\"]").find("in a list each port says its bits"), std::string::npos);
  EXPECT_NE(said("[{port: x_o, bias: 3}, \"y_o[0]\"]").find("in a list it says its `width` at the place."),
            std::string::npos);
  EXPECT_NE(said("{magnitude: x_o}").find("'sign'"), std::string::npos);
  EXPECT_NE(said("[]").find("at least one port is needed."), std::string::npos);
}

TEST(DutFile, WithoutDShowsPlaces) {
  const std::string without = changed(good, "d: d_o", "d: none");
  EXPECT_TRUE(read(without).d.empty());
  const std::size_t probes = without.find("probes:");
  try {
    read(without.substr(0, probes));
    FAIL();
  } catch (const Error& error) {
    EXPECT_NE(error.message.find("a unit without d shows places under `probes`, from which the model goes on"),
              std::string::npos)
        << error.message;
  }
}

TEST(DutFile, SaysEverything) {
  const Dut dut = read(good);
  const auto folder = std::filesystem::path(dut.file).parent_path();
  EXPECT_EQ(dut.claims.at(0).instruction, "hopper:wgmma.m64nNk16.f32.f16.f16");
  EXPECT_EQ(dut.sources, (std::vector<std::string>{folder / "a.sv", folder / "sub/b.sv"}));
  EXPECT_EQ(dut.include_dirs, std::vector<std::string>{folder / "sub"});
  EXPECT_EQ(dut.defines.at(0), (std::pair<std::string, std::string>{"FAST", "1"}));
  EXPECT_EQ(dut.parameters.at(0), (std::pair<std::string, std::string>{"Width", "25"}));
  EXPECT_EQ(dut.options, std::vector<std::string>{"-Wno-UNUSED"});
  EXPECT_EQ(dut.top, "unit");
  EXPECT_EQ(part(dut, "a").port, "a_i");
  EXPECT_EQ(part(dut, "a").offset, 3);
  EXPECT_TRUE(part(dut, "a").descending);
  EXPECT_FALSE(part(dut, "b").descending);
  EXPECT_EQ(dut.c.at(0).port, "in_i");
  EXPECT_EQ(dut.c.at(0).low, 8);
  EXPECT_EQ(dut.c.at(0).width, 32);
  EXPECT_FALSE(dut.d.at(0).low.has_value());
  EXPECT_EQ(dut.constants.at(0).value, 1u);
  EXPECT_EQ(dut.plan_probe->port, "probe_o");
  EXPECT_EQ(dut.probes.at(0).name, "step[0].special");
  EXPECT_EQ(dut.probes.at(0).parts.at(0).bits.low, 7);
  EXPECT_EQ(dut.probes.at(0).parts.at(0).bits.width, 1);
}

TEST(DutFile, SaysWhenOperandsAreTaken) {
  const Dut dut =
      read(changed(changed(changed(good, "handshake: combinational",
                                   "clock: clk_i\nreset: {port: rst_ni, active: low, cycles: 9}\n"
                                   "handshake: {kind: valid_ready, in_valid: iv, in_ready: ir, out_valid: ov,"
                                   " out_ready: or_, tag_in: ti, tag_out: to, tag_bits: 3, cycle_limit: 7}"),
                           "instruction: hopper:wgmma.m64nNk16.f32.f16.f16",
                           "instructions:\n  - {instruction: \"*\", constants: {mode_i: a}}\n"
                           "  - {datapath: mine.yaml}"),
                   "  b: {port: b_i, width: 16}",
                   "  b: {port: \"b{}_i\", width: 16}\n  scale_a: {port: \"sa_i[]\", width: 8}\n  tensor: {port: t_i, "
                   "width: 32, offset: 4}"));
  const Handshake& h = dut.handshake;
  EXPECT_EQ(h.kind, Handshake::Kind::valid_ready);
  EXPECT_EQ(h.in_valid.port + h.in_ready.port + h.out_valid.port + h.out_ready.port + h.tag_in + h.tag_out,
            "ivirovor_tito");
  EXPECT_EQ(h.tag_bits, 3);
  EXPECT_EQ(h.cycle_limit, 7);
  EXPECT_EQ(dut.clock, "clk_i");
  EXPECT_EQ(dut.reset->port, "rst_ni");
  EXPECT_TRUE(dut.reset->active_low);
  EXPECT_EQ(dut.reset->cycles, 9);
  ASSERT_EQ(dut.claims.size(), 2u);
  EXPECT_EQ(dut.claims[0].instruction, "*");
  EXPECT_EQ(dut.claims[0].constants.at(0).value, 0xau);
  EXPECT_EQ(dut.claims[1].datapath, std::filesystem::path(dut.file).parent_path() / "mine.yaml");
  EXPECT_EQ(part(dut, "b").form, PortElements::Form::each);
  EXPECT_EQ(part(dut, "b").port_of(12), "b12_i");
  EXPECT_EQ(part(dut, "scale_a").form, PortElements::Form::array);
  EXPECT_EQ(part(dut, "scale_a").port_of(3), "sa_i");
  EXPECT_EQ(part(dut, "tensor").offset, 4);
}

TEST(DutFile, SaysWhereThePiecesOfAnOperandLie) {
  const Dut dut = read(changed(changed(changed(good, "{port: b_i, width: 16}",
                                               "[{port: low_i, bits: \"9:0\", elements: 0-14, every: 2, stride: 12},"
                                               " {port: \"high_i[]\", bits: \"15\", elements: 7}]"),
                                       "c: in_i[39:8]", "c: none"),
                               "d: d_o", "d: [\"sign_o[0]\", \"rest_o[30:0]\"]"));
  const PortOperand* b = find_operand(dut, "b");
  ASSERT_TRUE(b != nullptr && b->parts.size() == 2);
  const PortElements &low = b->parts[0], &high = b->parts[1];
  EXPECT_EQ(std::vector<int>({low.low, low.width, *low.first, low.last, low.every, low.stride, low.count(16)}),
            std::vector<int>({0, 10, 0, 14, 2, 12, 8}));
  EXPECT_EQ(std::vector<int>({high.low, high.width, *high.first, high.count(16)}), std::vector<int>({15, 1, 7, 1}));
  EXPECT_EQ(high.form, PortElements::Form::array);
  EXPECT_TRUE(dut.c.empty());
  ASSERT_EQ(dut.d.size(), 2u);
  EXPECT_EQ(dut.d[0].port, "sign_o");
  EXPECT_EQ(dut.d[1].width, 31);
  EXPECT_EQ(find_operand(dut, "scale_a"), nullptr);
}

TEST(DutFile, SaysHowACaseComesInPieces) {
  const Dut dut =
      read(changed(changed(good, "handshake: combinational",
                           "clock: clk_i\nhandshake: {kind: valid_ready, in_valid: v_i, in_ready: \"!busy\", "
                           "out_valid: \"!res_n\"}\n"
                           "beats: {elements: 4, first: f_i, last: l_i, clear: \"!clr_n\", partial: true}\n"
                           "load: {operands: [b], elements: 2, order: descending, valid: we, ready: wr, last: wl, "
                           "swap: \"!sw_n\", address: wa}"),
                   "offset: 3", "late: 0"));
  const Handshake& h = dut.handshake;
  EXPECT_EQ(h.in_ready.port + h.out_valid.port + h.clear.port, "busyres_nclr_n");
  EXPECT_TRUE(h.in_ready.inverted && h.out_valid.inverted && h.clear.inverted);
  EXPECT_FALSE(h.in_valid.inverted || h.out_ready.is_there());
  EXPECT_EQ(h.first.port + h.last.port + h.load_valid.port + h.load_ready.port, "f_il_iwewr");
  EXPECT_EQ(dut.beats->operands, std::vector<std::string>{"a"});
  EXPECT_EQ(dut.beats->elements, 4);
  EXPECT_TRUE(dut.beats->partial);
  EXPECT_EQ(dut.load->operands, std::vector<std::string>{"b"});
  EXPECT_EQ(dut.load->elements, 2);
  EXPECT_EQ(dut.load->address, "wa");
  EXPECT_EQ(h.load_last.port + h.swap.port, "wlsw_n");
  EXPECT_TRUE(h.swap.inverted && dut.load->descending);
  EXPECT_FALSE(dut.load->stays);
}

TEST(DutFile, WhatIsLoadedMayStay) {
  const std::string load =
      "clock: clk_i\nhandshake: {kind: valid, in_valid: v, out_valid: w}\n"
      "load: {operands: [b], elements: 2, valid: we, stays: ";
  EXPECT_TRUE(read(changed(good, "handshake: combinational", load + "true}")).load->stays);
  const Dut each = read(changed(good, "handshake: combinational", load + "false}"));
  EXPECT_FALSE(each.load->stays || each.load->descending || each.handshake.swap.is_there());
  EXPECT_TRUE(each.load->gated);
  EXPECT_EQ(each.load->wait, 0);
}

TEST(DutFile, WhatIsLoadedMayWaitAndPassByTheEnable) {
  const Dut dut = read(changed(good, "handshake: combinational",
                               "clock: clk_i\nhandshake: {kind: fixed_latency, latency: 2, enable: en_i}\n"
                               "load: {operands: [b], elements: 2, valid: we, swap: sw, wait: 3, gated: false}"));
  EXPECT_FALSE(dut.load->gated);
  EXPECT_EQ(dut.load->wait, 3);
  EXPECT_FALSE(dut.load->swap_rides || dut.load->swap_is_level);
}

TEST(DutFile, ASwapMayComeWithTheOperands) {
  const auto load = [](const std::string& more) {
    return read(changed(good, "handshake: combinational",
                        "clock: clk_i\nhandshake: {kind: valid, in_valid: v, out_valid: w}\n"
                        "load: {operands: [b], elements: 2, valid: we, swap: sw" +
                            more + "}"))
        .load.value();
  };
  EXPECT_TRUE(load(", swap_with: operands").swap_rides);
  EXPECT_FALSE(load(", swap_with: operands").swap_is_level);
  EXPECT_TRUE(load(", swap_is: level").swap_is_level);
  EXPECT_FALSE(load(", swap_with: nothing, swap_is: pulse").swap_rides);
}

TEST(DutFile, AStartIsAValidAndItsEndOne) {
  const Dut dut =
      read(changed(changed(good, "handshake: combinational",
                           "clock: clk_i\nhandshake: {kind: start_done, start: go, done: end_o, ready: idle, "
                           "hold: true}"),
                   "offset: 3", "late: 0"));
  EXPECT_EQ(dut.handshake.kind, Handshake::Kind::start_done);
  EXPECT_EQ(dut.handshake.in_valid.port + dut.handshake.out_valid.port + dut.handshake.in_ready.port, "goend_oidle");
  EXPECT_TRUE(dut.handshake.hold);
}

struct Mistake {
  const char* name;
  const char* from;
  const char* to;
  std::string message;  // after the file's name
};

class DutMistake : public testing::TestWithParam<Mistake> {};

TEST_P(DutMistake, NamesLineAndKey) {
  const std::string file = (scratch_folder() / "dut.yaml").string();
  try {
    read(changed(good, GetParam().from, GetParam().to));
    FAIL() << "It was read.";
  } catch (const Error& error) {
    EXPECT_EQ(error.message, file + GetParam().message);
  }
}

const std::vector<Mistake> mistakes{
    {"UnknownKey", "top: unit", "tops: unit",
     ":7: tops: unknown key; the keys here are instruction, datapath, instructions, sources, include_dirs, defines, "
     "parameters, options, top, clock, reset, handshake, beats, load, tile, ports, constants, modes, probes, "
     "waves, chain; did you mean 'top'?"},
    {"OddWaves", "top: unit\n", "top: unit\nwaves: fst\n", ":8: waves: found 'fst'; the choices are false, true."},
    {"OddModes", "top: unit\n", "top: unit\nmodes: some\n", ":8: modes: found 'some'; the choices are held, per_case."},
    {"ModesWithoutAClock", "top: unit\n", "top: unit\nmodes: per_case\n",
     ":8: modes: a combinational unit remembers no mode; leave out `modes`, or say another `handshake`."},
    {"ModesInBeats", "handshake: combinational\n",
     "handshake: {kind: valid, in_valid: v, out_valid: w}\nclock: clk_i\nbeats: {elements: 4}\nmodes: per_case\n",
     ":11: modes: modes come with the operands of a unit that takes a case at once; leave out `modes`, or `beats` and "
     "`load`."},
    {"ModesOfOneKind", "handshake: combinational\n",
     "handshake: {kind: valid, in_valid: v, out_valid: w}\nclock: clk_i\nmodes: per_case\n",
     ":10: modes: no two of the `instructions` have different `constants`, so there are no modes."},
    {"NoInstruction", "instruction: hopper:wgmma.m64nNk16.f32.f16.f16\n", "",
     ":1: say what the unit computes: `instruction: ARCHITECTURE:INSTRUCTION`, `datapath: FILE`, or a list of either "
     "under `instructions`."},
    {"BareInstruction", "hopper:wgmma", "wgmma",
     ":1: instruction: an instruction is written ARCHITECTURE:INSTRUCTION, or \"*\" for any, found "
     "'wgmma.m64nNk16.f32.f16.f16'."},
    {"NoSources", "sources: [a.sv, sub/b.sv]", "sources: []",
     ":1: `sources` must list at least one file, or `options` a list of them: [-f, FILE]."},
    {"Handshake", "combinational", "sometimes",
     ":8: handshake: found 'sometimes'; the choices are combinational, fixed_latency, valid, valid_ready, start_done."},
    {"HandshakeWithoutPorts", "combinational", "valid_ready",
     ":8: handshake: this handshake needs its ports: {kind: valid_ready, ...}; docs/rtl.md lists them."},
    {"HandshakePort", "combinational", "{kind: valid, in_valid: v_i}",
     ":8: handshake: the key 'out_valid' is missing."},
    {"HandshakeOfAnotherKind", "combinational", "{kind: valid, in_valid: v_i, out_valid: v_o, enable: e_i}",
     ":8: handshake.enable: unknown key; the keys here are kind, cycle_limit, in_valid, out_valid, tag_in, tag_out, "
     "tag_bits, hold."},
    {"StartWithoutEnd", "combinational", "{kind: start_done, start: go}", ":8: handshake: the key 'done' is missing."},
    {"OnlyAMark", "combinational", "{kind: start_done, start: \"!\", done: d_o}",
     ":8: handshake.start: a name made of letters, digits and _ is needed here, found '!'."},
    {"BeatsWithoutAClock", "combinational", "combinational\nbeats: {elements: 4}",
     ":9: `beats` need a clock; say another `handshake` than combinational."},
    {"LoadWithoutAClock", "combinational", "combinational\nload: {operands: [b], elements: 4, valid: we}",
     ":9: `load` needs a clock; say another `handshake` than combinational."},
    {"BeatsOfAStart", "combinational", "{kind: start_done, start: go, done: end}\nclock: clk_i\nbeats: {elements: 4}",
     ":10: a unit of `start_done` takes all operands at its start; say another `handshake`, or leave out `beats`."},
    {"BeatsWithTags", "combinational",
     "{kind: valid, in_valid: v, out_valid: w, tag_in: t, tag_out: u, tag_bits: 2}\nclock: clk_i\nbeats: {elements: 4}",
     ":10: a case in several beats has no tag; leave out the tags or `beats`."},
    {"BeatsThatStay", "combinational",
     "{kind: valid, in_valid: v, out_valid: w, hold: true}\nclock: clk_i\nbeats: {elements: 4}",
     ":10: operands in several beats cannot stay until the result; leave out `hold`."},
    {"BeatsOfWhat", "combinational",
     "{kind: valid, in_valid: v, out_valid: w}\nclock: clk_i\nbeats: {elements: 4, operands: [x]}",
     ":10: beats.operands: `ports` has no list of elements called 'x'."},
    {"BeatsOfNothing", "combinational",
     "{kind: valid, in_valid: v, out_valid: w}\nclock: clk_i\nbeats: {elements: 4, operands: []}",
     ":10: beats.operands: at least one operand is needed."},
    {"LoadedTwice", "combinational",
     "{kind: valid, in_valid: v, out_valid: w}\nclock: clk_i\nload: {operands: [b, b], elements: 1, valid: we}",
     ":10: load.operands: operand b is named twice; name it once."},
    {"LoadedInBeats", "combinational",
     "{kind: valid, in_valid: v, out_valid: w}\nclock: clk_i\nload: {operands: [b], elements: 1, valid: we}\n"
     "beats: {elements: 4, operands: [a, b]}",
     ":11: beats: operand b is loaded before the beats; name it under `load` or here."},
    {"LateWithoutAClock", "offset: 3", "late: 1",
     ":10: elements come late only to a unit that never waits: a `handshake` of fixed_latency or valid, without "
     "`hold`."},
    {"NoTileWithoutRows", "combinational", "combinational\ntile: {columns: 2}", ":9: tile: the key 'rows' is missing."},
    {"HugeTile", "combinational", "combinational\ntile: {rows: 1024, columns: 128}",
     ":9: tile: a tile may have 65536 elements at most."},
    {"OneElementOfATile", "combinational", "combinational\ntile: {rows: 2, columns: 2}",
     ":13: ports.c: c of a tile has rows x columns elements, and is written like a: {port: .., width: ..}."},
    {"ATileWithoutD",
     "combinational\nports:\n  a: {port: a_i, width: 16, offset: 3, order: descending}\n"
     "  b: {port: b_i, width: 16}\n  c: in_i[39:8]\n  d: d_o",
     "combinational\ntile: {rows: 2, columns: 2}\nports:\n  a: {port: a_i, width: 16}\n"
     "  b: {port: b_i, width: 16}\n  c: none\n  d: none",
     ":14: ports.d: a tile has d: {port: .., width: ..}."},
    {"LateInACombinationalTile",
     "combinational\nports:\n  a: {port: a_i, width: 16, offset: 3, order: descending}\n"
     "  b: {port: b_i, width: 16}\n  c: in_i[39:8]\n  d: d_o",
     "combinational\ntile: {rows: 2, columns: 2}\nports:\n"
     "  a: {port: a_i, width: 16, late: 1}\n  b: {port: b_i, width: 16}\n  c: {port: c_i, width: 32}\n"
     "  d: {port: d_o, width: 32}",
     ":11: elements come late only to a unit that never waits: a `handshake` of fixed_latency or valid, without "
     "`hold`."},
    {"LateResultsOfACombinationalTile",
     "combinational\nports:\n  a: {port: a_i, width: 16, offset: 3, order: descending}\n"
     "  b: {port: b_i, width: 16}\n  c: in_i[39:8]\n  d: d_o",
     "combinational\ntile: {rows: 2, columns: 2}\nports:\n"
     "  a: {port: a_i, width: 16}\n  b: {port: b_i, width: 16}\n  c: {port: c_i, width: 32}\n"
     "  d: {port: d_o, width: 32, late: {row: 1}}",
     ":14: elements come late only to a unit that never waits: a `handshake` of fixed_latency or valid, without "
     "`hold`."},
    {"LateByWhatATileHasNot",
     "combinational\nports:\n  a: {port: a_i, width: 16, offset: 3, order: descending}\n"
     "  b: {port: b_i, width: 16}\n  c: in_i[39:8]\n  d: d_o",
     "{kind: valid, in_valid: v, out_valid: w}\nclock: clk_i\ntile: {rows: 2, columns: 2}\nports:\n"
     "  a: {port: a_i, width: 16, late: {column: 1}}\n  b: {port: b_i, width: 16}\n  c: {port: c_i, width: 32}\n"
     "  d: {port: d_o, width: 32}",
     ":12: ports.a.late.column: unknown key; the keys here are row, element."},
    {"LateResultsWithTags",
     "combinational\nports:\n  a: {port: a_i, width: 16, offset: 3, order: descending}\n"
     "  b: {port: b_i, width: 16}\n  c: in_i[39:8]\n  d: d_o",
     "{kind: valid, in_valid: v, out_valid: w, tag_in: t, tag_out: u, tag_bits: 2}\nclock: clk_i\ntile: {rows: 2, "
     "columns: 2}\nports:\n"
     "  a: {port: a_i, width: 16}\n  b: {port: b_i, width: 16}\n  c: {port: c_i, width: 32}\n"
     "  d: {port: d_o, width: 32, late: {row: 1}}",
     ":15: a tile whose d comes late gives its results in their order; leave out the tags."},
    {"LateResultsWithPlaces",
     "combinational\nports:\n  a: {port: a_i, width: 16, offset: 3, order: descending}\n"
     "  b: {port: b_i, width: 16}\n  c: in_i[39:8]\n  d: d_o",
     "{kind: valid, in_valid: v, out_valid: w}\nclock: clk_i\ntile: {rows: 2, columns: 2}\nports:\n"
     "  a: {port: a_i, width: 16}\n  b: {port: b_i, width: 16}\n  c: {port: c_i, width: 32}\n"
     "  d: {port: d_o, width: 32, late: {row: 1}}",
     ":15: places of a tile whose d comes late have no time of their own; leave out `probes`."},
    {"LateByHalves",
     "combinational\nports:\n  a: {port: a_i, width: 16, offset: 3, order: descending}\n"
     "  b: {port: b_i, width: 16}\n  c: in_i[39:8]\n  d: d_o",
     "{kind: valid, in_valid: v, out_valid: w}\nclock: clk_i\ntile: {rows: 2, columns: 2}\nports:\n"
     "  a: {port: a_i, width: 16}\n  b: [{port: b_i, width: 16, elements: 0-7}, {port: e_i, width: 16, elements: 8-15, "
     "late: 1}]\n  c: {port: c_i, width: 32}\n"
     "  d: {port: d_o, width: 32}",
     ":13: ports.b[1]: all ports of a tile's operand have the same `late`."},
    {"LateByNothing",
     "combinational\nports:\n  a: {port: a_i, width: 16, offset: 3, order: descending}\n"
     "  b: {port: b_i, width: 16}\n  c: in_i[39:8]\n  d: d_o",
     "{kind: valid, in_valid: v, out_valid: w}\nclock: clk_i\ntile: {rows: 2, columns: 2}\nports:\n"
     "  a: {port: a_i, width: 16, late: {}}\n  b: {port: b_i, width: 16}\n  c: {port: c_i, width: 32}\n"
     "  d: {port: d_o, width: 32}",
     ":12: ports.a.late: say by how many edges: `row` or `element`."},
    {"LateLinesWithoutATile", "width: 16, offset: 3", "width: 16, late: {row: 1}",
     ":10: ports.a.late: a whole number from 0 to 1000 is needed here, found a mapping."},
    {"OrderWithoutATile", "width: 16, offset: 3", "width: 16, by: row",
     ":10: ports.a.by: `by` says how a tile's operand lies; say `tile: {rows: .., columns: ..}`, or leave it out."},
    {"OddOrderInATile",
     "combinational\nports:\n  a: {port: a_i, width: 16, offset: 3, order: descending}\n"
     "  b: {port: b_i, width: 16}\n  c: in_i[39:8]\n  d: d_o",
     "combinational\ntile: {rows: 2, columns: 2}\nports:\n  a: {port: a_i, width: 16, by: column}\n"
     "  b: {port: b_i, width: 16}\n  c: {port: c_i, width: 32}\n  d: {port: d_o, width: 32}",
     ":11: ports.a.by: found 'column'; the choices are row, element."},
    {"OrderOfWhatHasNoLines",
     "combinational\nports:\n  a: {port: a_i, width: 16, offset: 3, order: descending}\n"
     "  b: {port: b_i, width: 16}\n  c: in_i[39:8]\n  d: d_o",
     "combinational\ntile: {rows: 2, columns: 2}\nports:\n  a: {port: a_i, width: 16}\n"
     "  b: {port: b_i, width: 16}\n  c: {port: c_i, width: 32}\n  d: {port: d_o, width: 32}\n"
     "  tensor: {port: t_i, width: 32, by: row}",
     ":15: ports.tensor.by: tensor has no rows and columns; leave out `by`."},
    {"LateAndLoaded", "combinational\nports:\n  a: {port: a_i, width: 16, offset: 3",
     "{kind: valid, in_valid: v, out_valid: w}\nclock: clk_i\nload: {operands: [a], elements: 1, valid: we, ready: "
     "wr}\n"
     "ports:\n  a: {port: a_i, width: 16, late: 1",
     ":12: elements of what is loaded come late only to a unit that is always ready for them; leave out `late`, or "
     "`ready` of `load`."},
    {"LateInOnePartOfWhatIsLoaded", "combinational\nports:\n  a: {port: a_i, width: 16, offset: 3, order: descending}",
     "{kind: valid, in_valid: v, out_valid: w}\nclock: clk_i\nload: {operands: [a], elements: 4, valid: we}\n"
     "ports:\n  a: [{port: a_i, width: 16, elements: 0-1}, {port: x_i, width: 16, elements: 2-3, late: 1}]",
     ":12: all ports of what is loaded have the same `late`."},
    {"ScalesOfATileThatStay",
     "combinational\nports:\n  a: {port: a_i, width: 16, offset: 3, order: descending}\n"
     "  b: {port: b_i, width: 16}\n  c: in_i[39:8]\n  d: d_o",
     "{kind: valid, in_valid: v, out_valid: w}\nclock: clk_i\ntile: {rows: 2, columns: 2}\n"
     "load: {operands: [scale_b], elements: 1, valid: we, stays: true}\n"
     "ports:\n  a: {port: a_i, width: 16}\n  b: {port: b_i, width: 16}\n  scale_b: {port: s_i, width: 8}\n"
     "  c: {port: c_i, width: 32}\n  d: {port: d_o, width: 32}",
     ":11: scales of a tile stay with what they scale; name b beside scale_b, or leave out `stays`."},
    {"WaitWithoutASwap", "combinational",
     "{kind: valid, in_valid: v, out_valid: w}\nclock: clk_i\nload: {operands: [b], elements: 4, valid: we, wait: 2}",
     ":10: load.wait: `wait` is about `swap`; name its port, or leave this out."},
    {"RidesWithoutASwap", "combinational",
     "{kind: valid, in_valid: v, out_valid: w}\nclock: clk_i\n"
     "load: {operands: [b], elements: 4, valid: we, swap_with: operands}",
     ":10: load.swap_with: `swap_with` is about `swap`; name its port, or leave this out."},
    {"LevelOfNoSwap", "combinational",
     "{kind: valid, in_valid: v, out_valid: w}\nclock: clk_i\n"
     "load: {operands: [b], elements: 4, valid: we, swap_is: level}",
     ":10: load.swap_is: `swap_is` is about `swap`; name its port, or leave this out."},
    {"GatedWithoutAnEnable", "combinational",
     "{kind: valid, in_valid: v, out_valid: w}\nclock: clk_i\n"
     "load: {operands: [b], elements: 4, valid: we, gated: false}",
     ":10: load.gated: the handshake has no `enable`; leave out `gated`."},
    {"CLoaded", "combinational",
     "{kind: valid, in_valid: v, out_valid: w}\nclock: clk_i\nload: {operands: [c], elements: 4, valid: we}",
     ":10: load.operands: c comes with the last operands, and whole; leave it out here."},
    {"Latency", "combinational", "{kind: fixed_latency, latency: -1}",
     ":8: handshake.latency: a whole number from 0 to 10000 is needed here, found '-1'."},
    {"TagsByHalves", "combinational", "{kind: valid, in_valid: v_i, out_valid: v_o, tag_in: t_i}",
     ":8: handshake: `tag_in`, `tag_out` and `tag_bits` belong together."},
    {"NoClock", "combinational", "{kind: valid, in_valid: v_i, out_valid: v_o}",
     ":1: this handshake needs a clock: name its port, `clock: clk_i`."},
    {"NeedlessClock", "top: unit", "clock: clk_i\ntop: unit",
     ":1: a combinational unit has no clock and no reset; say another `handshake`, or hold the ports in `constants`."},
    {"TwoClaims", "top: unit", "datapath: mine.yaml\ntop: unit",
     ":1: `instruction` and `datapath` exclude each other."},
    {"ClaimsAndAList", "top: unit", "instructions: [{datapath: mine.yaml}]\ntop: unit",
     ":1: say what the unit computes: `instruction: ARCHITECTURE:INSTRUCTION`, `datapath: FILE`, or a list of either "
     "under `instructions`."},
    {"EmptyList", "instruction: hopper:wgmma.m64nNk16.f32.f16.f16", "instructions: []",
     ":1: instructions: at least one instruction is needed."},
    {"EmptyEntry", "instruction: hopper:wgmma.m64nNk16.f32.f16.f16", "instructions: [{constants: {x: 1}}]",
     ":1: instructions[0]: `instruction` or `datapath` is missing."},
    {"OddElementPort", "port: a_i", "port: \"a{}[]\"",
     ":10: ports.a.port: a name made of letters, digits and _ is needed here, found 'a{}[]'."},
    {"OddTop", "top: unit", "top: two words",
     ":7: top: a name made of letters, digits and _ is needed here, found 'two words'."},
    {"NoWidth", "b: {port: b_i, width: 16}", "b: {port: b_i}", ":11: ports.b: the key 'width' is missing."},
    {"WideElement", "b: {port: b_i, width: 16}", "b: {port: b_i, width: 65}",
     ":11: ports.b.width: a whole number from 1 to 64 is needed here, found '65'."},
    {"Order", "order: descending", "order: down",
     ":10: ports.a.order: found 'down'; the choices are ascending, descending."},
    {"OpenBracket", "in_i[39:8]", "in_i[39:8",
     ":12: ports.c: bits are written port[high:low] or port[bit], found 'in_i[39:8'."},
    {"NoBits", "in_i[39:8]", "in_i[x]", ":12: ports.c: bits are written port[high:low] or port[bit], found 'in_i[x]'."},
    {"Backwards", "in_i[39:8]", "in_i[8:39]",
     ":12: ports.c: the higher bit comes first: port[high:low] or port[bit], found 'in_i[8:39]'."},
    {"Elements", "offset: 3", "elements: 0..3",
     ":10: ports.a.elements: elements are written first-last, such as 0-7, or as one number, found '0..3'."},
    {"ElementsBackwards", "offset: 3", "elements: 3-0",
     ":10: ports.a.elements: the lower element comes first: first-last, found '3-0'."},
    {"EveryOfWhat", "offset: 3", "every: 2",
     ":10: ports.a.every: say which elements these are: `elements: first-last`."},
    {"WidthOfAField", "offset: 3", "bits: \"15\"",
     ":10: ports.a: `bits` say how wide each element is here; leave out `width`."},
    {"BitsOfAField", "width: 16, offset: 3", "bits: all",
     ":10: ports.a.bits: bits are written high:low, or as one number, found 'all'."},
    {"BitsBeyondACode", "width: 16, offset: 3", "bits: \"64:1\"",
     ":10: ports.a.bits: a code has at most 64 bits, found '64:1'."},
    {"Stride", "offset: 3", "stride: 15",
     ":10: ports.a.stride: a whole number from 16 to 1048575 is needed here, found '15'."},
    {"StrideOfPorts", "port: a_i, width: 16, offset: 3", "port: \"a_i[]\", width: 16, stride: 20",
     ":10: ports.a.stride: only elements side by side in one port are a stride apart, and port a_i has one for each."},
    {"NoPortAtAll", "{port: b_i, width: 16}", "[]", ":11: ports.b: at least one port is needed."},
    {"NoResultAtAll", "d: d_o", "d: []", ":13: ports.d: at least one port is needed."},
    {"WholePortInAList", "d: d_o", "d: [sign_o, \"rest_o[30:0]\"]",
     ":13: ports.d[0]: in a list each port says its bits: sign_o[high:low] or sign_o[bit]."},
    {"LayoutAlone", "  port: probe_o\n", "",
     ":16: probes: `port` and `layout` belong together: {port: probe_o, layout: plan}."},
    {"Layout", "layout: plan", "layout: mine", ":17: probes.layout: found 'mine'; the choices are plan."},
};

INSTANTIATE_TEST_SUITE_P(Files, DutMistake, testing::ValuesIn(mistakes),
                         [](const auto& mistake) { return std::string(mistake.param.name); });

}  // namespace
}  // namespace assay
