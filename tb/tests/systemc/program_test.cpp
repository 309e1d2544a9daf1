// assay-systemc --program: what a list of operations does, against sums of small integers; its waveform, read back; and
// every sentence, with its line.
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstring>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <sstream>
#include <vector>

#include "tb/tests/scratch.hpp"
#include "tb/tests/source_dir.hpp"
#include "tb/tests/systemc/said.hpp"

namespace assay::testing {
namespace {

const std::string examples = source_dir() + "/docs/examples/machine/";

Said program(const std::string& options) { return say(std::string(ASSAY_SYSTEMC) + " --program " + options + " 2>&1"); }

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

std::string hex_of(int number) {
  const auto value = static_cast<float>(number);
  std::uint32_t bits = 0;
  std::memcpy(&bits, &value, sizeof bits);
  char text[9];
  std::snprintf(text, sizeof text, "%08x", bits);
  return text;
}

// The last bits of every variable of a VCD file, by scopes and name, and when they came.
struct Shown {
  std::string bits;
  long ns = 0;
};

std::map<std::string, Shown> last_of(const std::string& path) {
  std::ifstream in(path);
  std::map<std::string, std::string> names;
  std::vector<std::string> scopes;
  std::map<std::string, Shown> last;
  std::string word;
  long ns = 0;
  while (in >> word) {
    if (word == "$scope") {
      std::string kind, name;
      in >> kind >> name;
      scopes.push_back(name);
    } else if (word == "$upscope") {
      scopes.pop_back();
    } else if (word == "$var") {
      std::string kind, width, id, name;
      in >> kind >> width >> id >> name;
      std::string full;
      for (const std::string& scope : scopes) full += scope + ".";
      names[id] = full + name;
    } else if (word[0] == '#') {
      ns = std::stol(word.substr(1));
    } else if (word[0] == 'b') {
      std::string id;
      in >> id;
      last[names.at(id)] = {word.substr(1), ns};
    }
  }
  EXPECT_TRUE(scopes.empty());
  return last;
}

std::string bits_of(const std::string& hex) {
  std::string bits;
  const unsigned long word = std::stoul(hex, nullptr, 16);
  for (int i = 31; i >= 0; --i) bits += (word >> i & 1) != 0 ? '1' : '0';
  return bits;
}

class Program : public ::testing::Test {
 protected:
  std::string path(const std::string& name) const { return folder_ / name; }

  // What is said of operations that have something wrong; no waveform is left.
  std::string refused(const std::string& operations, const std::string& above = "") {
    const std::string file = path("refused.yaml"), wave = path("refused.vcd");
    std::ofstream(file) << "program: wrong\n" << above << "operations:\n" << operations << "\n";
    const Said said = program(file + " --wave " + wave);
    EXPECT_EQ(said.status, 2) << said.text;
    EXPECT_FALSE(std::filesystem::exists(wave));
    const std::string begin = "assay-systemc: " + file + ":";
    EXPECT_EQ(said.text.substr(0, begin.size()), begin) << said.text;
    return said.text.substr(std::min(begin.size(), said.text.size()));
  }

 private:
  const Scratch folder_;
};

// Element i of A is 1 to 5 in turn, of B 1, 2 and -1; lane l has row l + 1 of A, lane 127 its own.
int sum_of(int lane, int column) {
  const int a[] = {1, 2, 3, 4, 5}, b[] = {1, 2, -1};
  int sum = 0;
  for (int k = 0; k < 16; ++k) sum += a[(std::min(lane + 1, 127) * 16 + k) % 5] * b[(column * 16 + k) % 3];
  return sum;
}

TEST_F(Program, OnTensorMemoryGivesWhatSumsGive) {
  const std::string wave = path("tensor.vcd");
  const Said said = program(examples + "tensor_program.yaml --wave " + wave);
  ASSERT_EQ(said.status, 0) << said.text;
  for (const int lane : {3, 9, 127}) {
    std::string row;
    for (int column = 0; column < 6; ++column) row += " " + (lane == 9 ? "00000000" : hex_of(sum_of(lane, column)));
    char begin[32];
    std::snprintf(begin, sizeof begin, "lane %3d ", lane);
    EXPECT_TRUE(has(said.text, begin + row + "\n")) << begin << row << "\n" << said.text;
  }
  // cp takes a cycle for each of 8 columns, the shift one, ld one for each of 16 columns.
  EXPECT_TRUE(has(said.text,
                  "\n1 product, 25 cycles of tensor memory; Dwords of shared memory: 0 of A, 0 saved, 128 of "
                  "B, 1,024 by cp\n"))
      << said.text;
  EXPECT_TRUE(has(said.text, "     4 ns  cp      A to a\n    12 ns  shift   a by a lane\n")) << said.text;

  const std::map<std::string, Shown> last = last_of(wave);
  for (int lane = 0; lane < 128; ++lane) {
    for (int column = 0; column < 16; ++column) {
      const std::string name = "tensor.lane[" + std::to_string(lane) + "].column[" + std::to_string(column) + "]";
      const auto found = last.find(name);
      const std::string wanted = lane == 9 ? hex_of(0) : hex_of(sum_of(lane, column));
      if (wanted == "00000000") {
        EXPECT_EQ(found, last.end()) << name;
      } else {
        ASSERT_NE(found, last.end()) << name;
        EXPECT_EQ(found->second.bits, bits_of(wanted)) << name;
        EXPECT_EQ(found->second.ns, 14) << name;
      }
    }
  }
  // The element that is watched, at every place: what is encoded is D.
  const auto place = last.find("operation[6].encode.bits");
  ASSERT_NE(place, last.end());
  EXPECT_EQ(place->second.bits, bits_of(hex_of(sum_of(3, 5))));
  EXPECT_EQ(last.count("operation[6].step[0].sum.align[5].addend"), 1U);
  EXPECT_EQ(last.at("shared.byte[8192]").bits, bits_of("40003c00"));
}

// v0 is 1, 2, 3 in turn of the lanes, v2 is 1 and -1. Lane 19 has column 3 of rows 4 to 7; block 0 of D stands in a0 to
// a3. First A0[i] B0[j], then A1[i] B0[j] beside it.
TEST_F(Program, OfAWavefrontGivesWhatSumsGive) {
  const std::string wave = path("wave.vcd");
  const Said said = program(examples + "wave_program.yaml --wave " + wave);
  ASSERT_EQ(said.status, 0) << said.text;
  const auto a = [](int block, int row) { return (16 * block + row) % 3 + 1; };
  const auto b = [](int block, int column) { return (16 * block + column) % 2 == 0 ? 1 : -1; };
  for (const int lane : {0, 19}) {
    std::string row;
    for (int i = 0; i < 4; ++i)
      row += " " + hex_of((a(0, lane / 16 * 4 + i) + a(1, lane / 16 * 4 + i)) * b(0, lane % 16));
    EXPECT_TRUE(has(said.text, row + "\n")) << row << "\n" << said.text;
  }
  EXPECT_TRUE(has(said.text, "\n2 instructions of the wavefront, 64 cycles of its matrix unit\n")) << said.text;
  const std::map<std::string, Shown> last = last_of(wave);
  // Block 1 of D: a4 to a7; row 2, column 3 in lane 3.
  EXPECT_EQ(last.at("wave.lane[3].a6").bits, bits_of(hex_of(2 * a(1, 2) * b(1, 3))));
  EXPECT_EQ(last.at("operation[3].encode.bits").bits, bits_of(hex_of(2 * a(1, 2) * b(1, 3))));
}

// Rows of ones, twos, .. in halves: the first multiprocessor has rows 0 to 127 of A, and columns 0 to 15 of B.
TEST_F(Program, OfAPairGivesEachItsHalf) {
  const std::string file = path("pair.yaml"), wave = path("pair.vcd");
  std::ofstream(file) << "program: a pair\n"
                         "pair: true\n"
                         "operations:\n"
                         "  - alloc: {columns: 32, as: d}\n"
                         "  - alloc: {columns: 32, as: d, on: 1}\n"
                         "  - matrix: {as: A, rows: 128, k: 16, format: f16, values: [3c00]}\n"
                         "  - matrix: {as: A, rows: 128, k: 16, format: f16, values: [4000], on: 1}\n"
                         "  - matrix: {as: B, rows: 16, k: 16, format: f16, start: 8192, values: [3c00]}\n"
                         "  - matrix: {as: B, rows: 16, k: 16, format: f16, start: 8192, values: [4200], on: 1}\n"
                         "  - mma: {kind: f16, formats: [f16, f16, f32], m: 256, n: 32, a: A, b: B, d: d, pair: true,\n"
                         "          disabled: [3, 131]}\n"
                         "  - show: {tensor: d+15, lanes: [0, 3], count: 2}\n"
                         "  - show: {tensor: d+15, lanes: [0, 3], count: 2, on: 1}\n";
  const Said said = program(file + " --wave " + wave);
  ASSERT_EQ(said.status, 0) << said.text;
  EXPECT_TRUE(has(said.text, "lane   0  " + hex_of(16) + " " + hex_of(48) + "\n")) << said.text;
  EXPECT_TRUE(has(said.text, "lane   0  " + hex_of(32) + " " + hex_of(96) + "\n")) << said.text;
  EXPECT_TRUE(has(said.text, "lane   3  00000000 00000000\n")) << said.text;
  EXPECT_TRUE(has(said.text, "multiprocessor 1: 1 product")) << said.text;
  const std::map<std::string, Shown> last = last_of(wave);
  EXPECT_EQ(last.at("multiprocessor[1].tensor.lane[127].column[31]").bits, bits_of(hex_of(96)));
  EXPECT_EQ(last.count("multiprocessor[1].tensor.lane[3].column[31]"), 0U);
}

// Every element of each of these has a code of its own, and all codes stand in shared memory.
TEST_F(Program, AMatrixOfWhichNoOffsetsAreSaidLiesNowhereTwice) {
  const struct {
    int rows, k;
    const char* rest;
    int bytes;  // of an element
  } matrices[] = {{128, 16, "format: f16, width: 64, major: mn", 2},
                  {128, 16, "format: f16, width: 128, major: mn", 2},
                  {256, 8, "format: f16, width: 32, major: mn", 2},
                  {16, 24, "format: f16, major: mn", 2},
                  {16, 32, "format: f16", 2},
                  {16, 8, "format: f16", 2},
                  {16, 13, "format: f16", 2},
                  {16, 64, "format: f16, leading: 256", 2},
                  {16, 64, "format: f16, width: 128", 2},
                  {128, 16, "format: f16, width: 64, major: mn, stride: 1024", 2},
                  {15, 17, "format: u8", 1},
                  {3, 65, "format: u8, major: mn", 1}};
  for (const auto& m : matrices) {
    const std::string file = path("lies.yaml"), wave = path("lies.vcd");
    std::ostringstream values;
    for (int i = 1; i <= m.rows * m.k; ++i) values << (i == 1 ? "" : ", ") << std::hex << i;
    std::ofstream(file) << "program: lies\noperations:\n  - matrix: {as: A, rows: " << m.rows << ", k: " << m.k << ", "
                        << m.rest << ", values: [" << values.str() << "]}\n";
    const Said said = program(file + " --wave " + wave);
    ASSERT_EQ(said.status, 0) << m.rest << said.text;
    std::set<std::string> codes;
    for (const auto& [name, shown] : last_of(wave)) {
      for (int i = 0; i < 4; i += m.bytes)
        codes.insert(shown.bits.substr(static_cast<std::size_t>(8 * i), static_cast<std::size_t>(8 * m.bytes)));
    }
    codes.erase(std::string(static_cast<std::size_t>(8 * m.bytes), '0'));
    EXPECT_EQ(codes.size(), static_cast<std::size_t>(m.rows * m.k)) << m.rows << " x " << m.k << " " << m.rest;
  }
}

// A along m with nothing said of its offsets: the sums are those of A along k.
TEST_F(Program, AMatrixAlongMIsMultipliedAsItIs) {
  const std::string matrix =
      "  - matrix: {as: A, rows: 128, k: 16, format: f16, values: [3c00, 4000, 4200, 4400, 4500, 4600, 4700]";
  const auto lanes_of = [&](const std::string& layout, const std::string& transpose) {
    const std::string file = path("along.yaml");
    std::ofstream(file) << "program: along\noperations:\n  - alloc: {columns: 32, as: d}\n"
                        << matrix << layout << "}\n"
                        << "  - matrix: {as: B, rows: 16, k: 16, format: f16, start: 65536, values: [3c00, bc00]}\n"
                        << "  - mma: {kind: f16, formats: [f16, f16, f32], m: 128, n: 16, a: A, b: B, d: d, "
                        << "input_d: false" << transpose << "}\n"
                        << "  - show: {tensor: d, lanes: [0, 16, 32, 64, 96, 112, 127], count: 2}\n";
    const Said said = program(file);
    EXPECT_EQ(said.status, 0) << said.text;
    return said.text.substr(said.text.find("lane"));
  };
  const std::string along_k = lanes_of("", "");
  EXPECT_EQ(lanes_of(", width: 64, major: mn", ", transpose: [a]"), along_k);
  EXPECT_EQ(lanes_of(", major: mn", ", transpose: [a]"), along_k);
}

// The words of the first row and the first one of the second.
TEST_F(Program, NarrowElementsHavePaddingBehindSixteenUnlessTheyArePacked) {
  const struct {
    const char *matrix, *words[5];  // nullptr: nothing is there
  } matrices[] = {
      {"k: 16, format: e2m1, values: [1, 2, 3]", {"21321321", "13213213", nullptr, nullptr, "32132132"}},
      {"k: 16, format: e3m2, values: [3f]", {"ffffffff", "ffffffff", "ffffffff", nullptr, "ffffffff"}},
      {"k: 32, format: e2m1, packed: true, values: [1, 2, 3]",
       {"21321321", "13213213", "32132132", "21321321", "13213213"}},
  };
  for (const auto& m : matrices) {
    const std::string file = path("narrow.yaml"), wave = path("narrow.vcd");
    std::ofstream(file) << "program: narrow\noperations:\n  - matrix: {as: A, rows: 8, " << m.matrix << "}\n";
    const Said said = program(file + " --wave " + wave);
    ASSERT_EQ(said.status, 0) << said.text;
    const std::map<std::string, Shown> last = last_of(wave);
    for (int i = 0; i < 5; ++i) {
      const auto found = last.find("shared.byte[" + std::to_string(4 * i) + "]");
      const char* const word = m.words[i];
      const std::string bits = found == last.end() ? "" : found->second.bits;
      EXPECT_EQ(bits, word == nullptr ? "" : bits_of(word)) << m.matrix << " word " << i;
    }
  }
}

TEST_F(Program, StoresLoadsAndWidens) {
  const std::string file = path("moves.yaml");
  std::ofstream(file) << "program: moves\n"
                         "banks: 4\n"
                         "operations:\n"
                         "  - alloc: {columns: 64, as: x}\n"
                         "  - st: {shape: 16x64b, repeat: 2, warp: 1, lane: 48, to: x+8, values: [11111111]}\n"
                         "  - matrix: {as: M, rows: 32, k: 16, format: e2m1, width: 16, stride: 128, values: [7]}\n"
                         "  - cp: {shape: 32x128b, multicast: warpx4, packed: 4, from: M, to: x+16}\n"
                         "  - shift: {at: x+8}\n"
                         "  - ld: {shape: 32x32b, warp: 1, from: x+8}\n"
                         "  - show: {tensor: x+8, lanes: [46, 47, 63], count: 2}\n"
                         "  - show: {tensor: x+16, lanes: [96], count: 4}\n"
                         "  - dealloc: {name: x}\n";
  const Said said = program(file);
  ASSERT_EQ(said.status, 0) << said.text;
  EXPECT_TRUE(has(said.text, "lane  46  00000000 00000000\n")) << said.text;
  EXPECT_TRUE(has(said.text, "lane  47  11111111 11111111\n")) << said.text;
  EXPECT_TRUE(has(said.text, "lane  63  00000000 00000000\n")) << said.text;
  EXPECT_TRUE(has(said.text, "lane  96  1c1c1c1c 1c1c1c1c 1c1c1c1c 1c1c1c1c\n")) << said.text;
  // st and ld of 4 and 1 columns, cp of 4, the shift of 8 columns in 4 banks two.
  EXPECT_TRUE(has(said.text, "0 products, 11 cycles of tensor memory")) << said.text;
}

TEST_F(Program, SaysWhatIsWrongAndWhere) {
  const std::string alloc = "  - alloc: {columns: 32, as: d}\n";
  const std::string matrices = alloc + "  - matrix: {as: A, rows: 128, k: 16, format: f16}\n" +
                               "  - matrix: {as: B, rows: 16, k: 16, format: f16, start: 8192}\n";
  const auto mma = [&](const std::string& rest) {
    return refused(matrices + "  - mma: {kind: f16, formats: [f16, f16, f32], m: 128, n: 16, a: A, b: B, d: d" + rest +
                   "}");
  };
  EXPECT_EQ(refused("  - alloc: {columns: 48, as: d}"),
            "3: alloc: alloc takes 32, 64, 128, 256 or 512 columns, not 48.\n");
  EXPECT_EQ(refused(alloc + "  - shift: {at: d, lane: 8}"),
            "4: shift: shift begins at lane 8; it takes 0, 32, 64 and 96.\n");
  EXPECT_EQ(refused(alloc + "  - ld: {shape: 32x32b, warp: 1, lane: 0, from: d}"),
            "4: ld: Lane 0 is no start for 32x32b of warp 1, which takes 32.\n");
  EXPECT_EQ(refused(alloc + "  - ld: {shape: 32x32b, repeat: 64, from: d}"),
            "4: ld: 32x32b takes columns 0 to 63, but column 32 is not allocated.\n");
  EXPECT_EQ(refused(alloc + "  - dealloc: {name: d}\n  - dealloc: {name: d}"),
            "5: dealloc.name: no alloc before made 'd', or it was freed.\n");
  EXPECT_EQ(refused(alloc + "  - dealloc: {name: d}\n  - shift: {at: d+8}"),
            "5: shift.at: no alloc before made 'd+8', or it was freed; a name, a name + columns or a column is needed "
            "here.\n");
  for (const std::string name : {"0", "d+8", "2d", "a b", "a-b"}) {
    EXPECT_EQ(refused("  - alloc: {columns: 32, as: '" + name + "'}"),
              "3: alloc.as: '" + name + "' is no name; a name has letters, digits and _, and begins with no digit.\n");
  }
  EXPECT_EQ(refused("  - matrix: {as: '1', rows: 8, k: 8, format: f16}"),
            "3: matrix.as: '1' is no name; a name has letters, digits and _, and begins with no digit.\n");
  EXPECT_EQ(refused(alloc + alloc),
            "4: alloc.as: an alloc before made 'd', and it was not freed; take another name.\n");
  EXPECT_EQ(refused(alloc + "  - matrix: {as: d, rows: 8, k: 8, format: f16}"),
            "4: matrix.as: an alloc before made 'd', and it was not freed; take another name.\n");
  EXPECT_EQ(refused("  - matrix: {as: d, rows: 8, k: 8, format: f16}\n" + alloc),
            "4: alloc.as: a matrix before is called 'd'; take another name.\n");
  // Each of two multiprocessors has names of its own.
  EXPECT_EQ(refused(alloc + "  - shift: {at: d, on: 1}", "pair: true\n"),
            "5: shift.at: no alloc before made 'd' on multiprocessor 1, or it was freed; a name, a name + columns or a "
            "column is needed here.\n");
  EXPECT_EQ(refused("  - matrix: {as: A, rows: 8, k: 8, format: f16}\n  - cp: {shape: 128x256b, from: A, to: 0, on: 1}",
                    "pair: true\n"),
            "5: cp.from: no matrix before is called 'A' on multiprocessor 1.\n");
  EXPECT_EQ(refused("  - shift: {at: e}"),
            "3: shift.at: no alloc before made 'e', or it was freed; a name, a name + columns or a column is needed "
            "here.\n");
  EXPECT_EQ(refused("  - dealloc: {name: e}"), "3: dealloc.name: no alloc before made 'e', or it was freed.\n");
  EXPECT_EQ(refused(alloc + "  - cp: {shape: 128x256b, from: A, to: d}"),
            "4: cp.from: no matrix before is called 'A'.\n");
  EXPECT_EQ(refused("  - matrix: {as: A, rows: 8, k: 8, format: f17}"),
            "3: matrix.format: no format of up to 32 bits has this name.\n");
  EXPECT_EQ(refused("  - matrix: {as: A, rows: 8, k: 8, format: f16, start: 8}"),
            "3: matrix.start: a multiple of 16 bytes is needed here, not 8.\n");
  EXPECT_EQ(refused("  - matrix: {as: A, rows: 8, k: 8, format: f16, width: 48}"),
            "3: matrix.width: 16, 32, 64 or 128 bytes are needed here.\n");
  EXPECT_EQ(refused("  - matrix: {as: A, rows: 8, k: 8, format: f16, start: 232448}"),
            "3: matrix: the matrix leads beyond the 232448 bytes of shared memory.\n");
  EXPECT_EQ(refused("  - matrix: {as: A, rows: 8, k: 8, format: f16, values: [12345]}"),
            "3: matrix.values[0]: a code has 16 bits here.\n");
  EXPECT_EQ(refused("  - matrix: {as: A, rows: 8, k: 8, format: f16, values: []}"),
            "3: matrix.values: the list has no codes.\n");
  EXPECT_EQ(refused("  - matrix: {as: A, rows: 8, k: 8, format: f16, values: some}"),
            "3: matrix.values: 'random' is needed here, or a list of hexadecimal codes.\n");
  EXPECT_EQ(refused("  - matrix: {as: A, rows: 16, k: 32, format: f16, stride: 256}"),
            "3: matrix: the matrix would lie over itself: elements (0, 16) and (8, 0) both take byte 256, with leading "
            "128 and stride 256; where these two are left out they are chosen so that no elements share bytes.\n");
  EXPECT_EQ(
      refused("  - matrix: {as: A, rows: 8, k: 32, format: f16, width: 32}"),
      "3: matrix: a row along k has 64 bytes here, but 32 bytes of `width` alone lie side by side; take a greater "
      "width up to 128, or leave it out.\n");
  for (const auto& [format, bits] : {std::pair("f16", "16"), std::pair("e3m2", "6"), std::pair("e4m3", "8")}) {
    EXPECT_EQ(refused("  - matrix: {as: A, rows: 8, k: 8, packed: true, format: " + std::string(format) + "}"),
              "3: matrix.packed: only elements of 4 bits are read packed, 32 in 16 bytes; those of this format have " +
                  std::string(bits) + ".\n");
  }
  // What a product reads and what the program says of its matrices.
  const auto reads = [&](const std::string& a, const std::string& rest, const std::string& formats = "f16, f16, f32",
                         const std::string& kind = "f16") {
    return refused(alloc + "  - matrix: {as: A, start: 0, " + a + "}\n" +
                   "  - matrix: {as: B, rows: 16, k: 64, start: 65536, format: " +
                   formats.substr(formats.find(' ') + 1, formats.rfind(',') - formats.find(' ') - 1) + "}\n" +
                   "  - mma: {kind: " + kind + ", formats: [" + formats + "], m: 128, n: 16, a: A, b: B, d: d" + rest +
                   "}");
  };
  EXPECT_EQ(reads("rows: 64, k: 16, format: f16", ""),
            "6: mma.a: this product reads 128 x 16 f16 along k, but A is 64 x 16 f16 along k.\n");
  EXPECT_EQ(reads("rows: 128, k: 8, format: f16", ""),
            "6: mma.a: this product reads 128 x 16 f16 along k, but A is 128 x 8 f16 along k.\n");
  EXPECT_EQ(reads("rows: 128, k: 16, format: bf16", ""),
            "6: mma.a: this product reads 128 x 16 f16 along k, but A is 128 x 16 bf16 along k.\n");
  EXPECT_EQ(reads("rows: 128, k: 16, format: f16, major: mn", ""),
            "6: mma.a: this product reads 128 x 16 f16 along k, but A is 128 x 16 f16 along mn.\n");
  EXPECT_EQ(reads("rows: 128, k: 16, format: f16", ", transpose: [a]"),
            "6: mma.a: this product reads 128 x 16 f16 along mn, but A is 128 x 16 f16 along k.\n");
  EXPECT_EQ(reads("rows: 128, k: 16, format: f16", ", transpose: [b]"),
            "6: mma.b: this product reads 16 x 16 f16 along mn, but B is 16 x 64 f16 along k.\n");
  EXPECT_EQ(reads("rows: 128, k: 32, format: e2m1, packed: true", "", "e2m1, e4m3, f32", "f8f6f4"),
            "6: mma.a: this product reads 128 x 32 e2m1 along k, but A is 128 x 32 packed e2m1 along k.\n");
  EXPECT_EQ(reads("rows: 128, k: 64, format: e2m1", ", scales: {a: d+16, b: d+20, format: ue8m0, block: 32}",
                  "e2m1, e2m1, f32", "mxf4"),
            "6: mma.a: this product reads 128 x 64 packed e2m1 along k, but A is 128 x 64 e2m1 along k.\n");
  const std::string pair =
      "  - mma: {kind: f16, formats: [f16, f16, f32], m: 256, n: 32, a: A, b: B, d: d, pair: true}";
  EXPECT_EQ(refused(matrices + "  - matrix: {as: B, rows: 8, k: 16, format: f16, start: 8192, on: 1}\n" + pair,
                    "pair: true\n"),
            "8: mma.b: this product reads 16 x 16 f16 along k, but B on multiprocessor 1 is 8 x 16 f16 along k.\n");
  EXPECT_EQ(refused(matrices + "  - matrix: {as: B, rows: 16, k: 16, format: f16, start: 4096, on: 1}\n" + pair,
                    "pair: true\n"),
            "8: mma.b: both multiprocessors read by one descriptor, but B on multiprocessor 1 lies in another way.\n");
  EXPECT_EQ(refused("  - fill: {register: v0}", "wave: cdna2\nbanks: 4\n"),
            "3: banks: this is of tensor memory, but all operations here are of the wavefront; leave it out.\n");
  EXPECT_EQ(refused("  - fill: {register: v0}", "pair: true\nwave: cdna2\n"),
            "2: pair: this is of tensor memory, but all operations here are of the wavefront; leave it out.\n");
  EXPECT_TRUE(has(mma(", scales: {a: d+16, b: d+20, format: e4m3, block: 32}"), "the choices are ue8m0, ue4m3"));
  EXPECT_EQ(mma(", disabled: [128]"),
            "6: mma: disable-output-lane has lanes from 128 on, which two multiprocessors have together.\n");
  EXPECT_EQ(refused(alloc + "  - matrix: {as: A, rows: 128, k: 64, format: e2m1, packed: true}\n" +
                    "  - mma: {kind: mxf4, formats: [e2m1, e2m1, f32], m: 128, n: 16, a: A, b: A, d: d, " +
                    "scales: {a: d+16, b: d+20, format: ue8m0, block: 16}}"),
            "5: mma: The scales' block is 16, but kind::mxf4nvf4 alone has a choice; kind::mxf4 takes 32, or 0.\n");
  EXPECT_EQ(mma(", collector: use"), "6: mma: The collector's buffer holds no A; fill it first.\n");
  EXPECT_EQ(mma(", pair: true, m: 128").substr(0, 3), "6: ");
  EXPECT_EQ(mma(", watch: {row: 3, column: 16}"), "6: mma: the product has no element that `watch` names.\n");
  EXPECT_EQ(
      refused(matrices + "  - mma: {kind: f16, formats: [f16, f16, f32], m: 64, n: 16, a: A, b: B, d: d, pair: true}"),
      "6: mma: The instruction descriptor has M = 64; two multiprocessors take 128 and 256.\n");
  EXPECT_EQ(
      refused(matrices + "  - mma: {kind: f16, formats: [f16, f16, f32], m: 128, n: 16, a: A, b: B, d: d, pair: true}"),
      "6: mma: FLAGS asks for a pair, but this multiprocessor has no second one.\n");
  EXPECT_EQ(refused(matrices + "  - mma: {kind: f16, formats: [f16, f16, f32], m: 128, n: 16, a: d, b: B, d: d}"),
            "6: mma: A and D share columns of tensor memory: 0 to 7 and 0 to 15; they have to lie apart.\n");
  EXPECT_EQ(refused(matrices + "  - mma: {kind: f16, formats: [e4m3, f16, f32], m: 128, n: 16, a: A, b: B, d: d}"),
            "6: mma.formats: this kind has no such formats, or not this m: it would multiply f16 and f16 to f32 of 128 "
            "rows.\n");
  EXPECT_EQ(refused(matrices + "  - mma: {kind: f16, formats: [f16, f16], m: 128, n: 16, a: A, b: B, d: d}"),
            "6: mma.formats: three formats are needed here: of A, of B and of D.\n");
  EXPECT_EQ(refused(matrices + "  - mma: {kind: f16, formats: [f16, f16, f32], m: 120, n: 16, a: A, b: B, d: d}"),
            "6: mma.m: a multiple of 16 is needed here.\n");
  EXPECT_EQ(refused(matrices + "  - mma: {kind: f16, formats: [f16, f16, f32], m: 128, n: 12, a: A, b: B, d: d}"),
            "6: mma.n: a multiple of 8 is needed here.\n");
  EXPECT_EQ(refused("  - fill: {register: v0}"),
            "3: fill: there is no wavefront here: the program has no key 'wave'.\n");
  EXPECT_EQ(refused("  - fill: {register: s0}", "wave: cdna2\n"),
            "4: fill.register: a register is needed here, such as v4 or a16.\n");
  EXPECT_EQ(refused("  - execute: {instruction: v_mfma_f32_16x16x4f32, d: v0, a: v2, b: v8}", "wave: cdna2\n"),
            "4: execute: D takes v[0:3], which overlaps A in v2; take other registers.\n");
  EXPECT_EQ(refused("  - execute: {instruction: v_mfma_f32_16x16x4f32, d: a0, a: v2, b: v8, cbsz: 1}", "wave: cdna2\n"),
            "4: execute: cbsz is 1, but cdna2:v_mfma_f32_16x16x4f32 takes 0 alone.\n");
  EXPECT_EQ(refused("  - execute: {instruction: wgmma.m64nNk16.f32.f16.f16, d: v0, a: v2, b: v8}", "wave: hopper\n"),
            "4: execute.instruction: hopper:wgmma.m64nNk16.f32.f16.f16 takes operands from memory, and a wave has "
            "registers alone.\n");
  EXPECT_EQ(refused("  - fill: {register: v0}", "wave: x86\n"),
            "2: wave: the catalogue has no registers of lanes for x86.\n");
  EXPECT_EQ(refused("  - fill: {register: v0}", "banks: 5\n"),
            "2: banks: 8 banks of 64 columns or 4 of 128 are needed here.\n");
  EXPECT_EQ(refused("  - show: {lanes: [0]}"), "3: show: either 'tensor' or 'register' is needed here.\n");
  EXPECT_EQ(refused(alloc + "  - show: {tensor: 511, count: 2, lanes: [0]}"), "4: show: there are 512 columns.\n");
  EXPECT_EQ(refused("  - show: {register: v0, lanes: [63, 64], count: 2}", "wave: cdna2\n"),
            "4: show.lanes[1]: there is no lane 64; this wave has 64, 0 to 63.\n");
  EXPECT_EQ(refused("  - show: {register: v0, lanes: [32]}", "wave: ampere\n"),
            "4: show.lanes[0]: there is no lane 32; this wave has 32, 0 to 31.\n");
  EXPECT_EQ(refused("  - show: {register: v255, lanes: [0], count: 2}", "wave: cdna2\n"),
            "4: show.register: there is no register v256; this wave has 256 vector registers of a lane.\n");
  EXPECT_EQ(refused("  - fill: {register: a0}", "wave: ampere\n"),
            "4: fill.register: there is no register a0; this wave has 0 accumulation registers of a lane.\n");
  EXPECT_TRUE(has(refused("  - shfit: {at: d}"), "did you mean 'shift'?")) << refused("  - shfit: {at: d}");
  EXPECT_TRUE(has(refused("  - shift"), "an operation is its name and what it takes")) << refused("  - shift");
  std::string many;
  for (int i = 0; i < 4097; ++i) many += "  - shift: {at: 0}\n";
  EXPECT_EQ(refused(many), "3: operations: there are at most 4096 operations.\n");
  for (const std::string name : {"--bench", "--json", "--seed", "--cases", "--engine", "--latency", "--stalls",
                                 "--depth", "--quantum", "--instruction"}) {
    const std::string value = name == "--bench" || name == "--json" ? "" : name == "--engine" ? " core" : " 3";
    const Said alone = program(examples + "wave_program.yaml " + name + value);
    EXPECT_EQ(alone.status, 2);
    EXPECT_EQ(alone.text, "assay-systemc: --program stands alone, or with --wave; leave " + name + " out.\n");
  }
}

}  // namespace
}  // namespace assay::testing
