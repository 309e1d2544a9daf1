// `export --whole`: the C of whole instructions, one for each kind of place that operands have, against the model's own
// product of matrices. Registers hold random words, so bits that no element uses, too.
#include <gtest/gtest.h>

#include <fstream>
#include <random>

#include "model/base/files.hpp"
#include "model/base/run_program.hpp"
#include "model/base/text.hpp"
#include "model/config/instruction_layout.hpp"
#include "model/fast/kernel.hpp"
#include "tb/source/model_c.hpp"
#include "tb/tests/cli/run.hpp"
#include "tb/tests/source/drawn.hpp"
#include "tb/tests/vectors/helpers.hpp"

namespace assay {
namespace {

using layout::Coordinates;
using layout::Fragment;
using layout::Words;

std::size_t index(int i) { return static_cast<std::size_t>(i); }

struct OperandWords {
  Words a, b, c, d, scale_a, scale_b;
};

// D's registers, which were `from.d`.
Words product_by_model(const Plan& plan, const InstructionLayout& where, const OperandWords& from) {
  const Coordinates& size = where.size;
  const layout::Fragments& f = where.operands;
  const auto codes = [](const Words& words, const Fragment& at) {
    std::vector<Code> list;
    layout::for_each_element(at.size, [&](const Coordinates& e) { list.push_back(layout::get(words, at, e)); });
    return list;
  };
  const auto rows = [](const std::vector<Code>& list, int first, int columns) {
    return row_major(list.data() + first, columns);
  };
  const std::vector<Code> a = codes(from.a, f.a), b = codes(from.b, f.b), c = codes(from.c, f.c);
  std::vector<Code> d(c.size()), scale_a, scale_b;
  if (f.scale_a) scale_a = codes(from.scale_a, *f.scale_a), scale_b = codes(from.scale_b, *f.scale_b);
  const Kernel kernel(plan);
  for (int block = 0; block < size.b; ++block) {
    Gemm gemm;
    gemm.m = size.m, gemm.n = size.n, gemm.k = size.k;
    gemm.a = rows(a, block * size.m * size.k, size.k);
    gemm.b = transposed(rows(b, block * size.n * size.k, size.k));
    gemm.c = rows(c, block * size.m * size.n, size.n);
    gemm.d = row_major(&d[index(block * size.m * size.n)], size.n);
    gemm.scale_a = rows(scale_a, 0, plan.scales);
    gemm.scale_b = transposed(rows(scale_b, 0, plan.scales));
    EXPECT_EQ(kernel.problem(gemm), "");
    kernel.gemm(gemm);
  }
  Words words = from.d;
  std::size_t next = 0;
  layout::for_each_element(f.d.size, [&](const Coordinates& e) { layout::put(words, f.d, e, d[next++]); });
  return words;
}

OperandWords drawn(const layout::Fragments& f, unsigned seed) {
  std::mt19937 random(seed);
  const auto draw = [&](const Fragment& at) {
    Words words(layout::word_count(at));
    for (std::uint32_t& word : words) word = random() & 0xbfffbfff;  // few infinities and NaNs
    return words;
  };
  OperandWords all{draw(f.a), draw(f.b), draw(f.c), draw(f.d), {}, {}};
  if (f.scale_a) all.scale_a = draw(*f.scale_a), all.scale_b = draw(*f.scale_b);
  return all;
}

std::string array_of(const std::string& name, const Words& words) {
  std::vector<std::string> list;
  for (const std::uint32_t word : words) list.push_back(std::to_string(word) + "U");
  return "static uint32_t " + name + "[] = {" + joined(list) + "};\n";
}

std::string program_of(const OperandWords& r, bool has_scales) {
  std::string text = "#include <stdio.h>\n#include \"unit.h\"\n" + array_of("a", r.a) + array_of("b", r.b) +
                     array_of("c", r.c) + array_of("d", r.d);
  if (has_scales) text += array_of("scale_a", r.scale_a) + array_of("scale_b", r.scale_b);
  return text + "int main(void) {\n  instruction(a, b, c, " + (has_scales ? "scale_a, scale_b, " : "") +
         "d);\n  for (size_t i = 0; i < sizeof d / sizeof *d; ++i) printf(\"%u\\n\", (unsigned)d[i]);\n  return "
         "0;\n}\n";
}

std::string text_of(const Words& words) {
  std::string text;
  for (const std::uint32_t word : words) text += std::to_string(word) + "\n";
  return text;
}

class WholeInstructions : public testing::TestWithParam<const char*> {};

struct Whole {
  explicit Whole(const std::string& name)
      : plan(catalogue.plan_of(catalogue.instruction(name))), where(*layout_of(catalogue.instruction(name), plan)) {}

  Catalogue catalogue = shipped_catalogue();
  Plan plan;
  InstructionLayout where;
};

// What the C of the instruction leaves in D's registers.
std::string left_by_c(const std::string& text, const Whole& whole, const OperandWords& words) {
  const std::filesystem::path folder = scratch();
  std::filesystem::create_directories(folder);
  const auto file = [&](const char* name) { return (folder / name).string(); };
  std::ofstream(file("unit.h")) << text;
  std::ofstream(file("main.c")) << program_of(words, whole.where.operands.scale_a.has_value());
  for (const char* compiler : {"clang", "gcc"}) {
    const std::vector<std::string> command{compiler,
                                           "-std=c99",
                                           "-pedantic",
                                           "-Wall",
                                           "-Wextra",
                                           "-Wconversion",
                                           "-Wshadow",
                                           "-Werror",
                                           "-O1",
                                           "-fsanitize=undefined",
                                           "-fno-sanitize-recover",
                                           "-I",
                                           folder.string(),
                                           "-o",
                                           file("unit"),
                                           file("main.c")};
    if (run_program(command, file("log")) != 0) return read_whole_file(file("log"), 16, "a log");
  }
  return said_by({file("unit")}).value_or("the program ended early");
}

std::string exported(const std::string& name) {
  const Ran ran = run({"export", "--instruction", name, "--to", "c", "--whole"});
  EXPECT_EQ(ran.status, passed) << ran.err;
  return ran.out;
}

TEST_P(WholeInstructions, EqualTheModelsProductOfMatrices) {
  const Whole whole(GetParam());
  const OperandWords words = drawn(whole.where.operands, 7);
  EXPECT_EQ(left_by_c(exported(GetParam()), whole, words), text_of(product_by_model(whole.plan, whole.where, words)));
}

TEST(WholeInstruction, OneWrongBitOfAPlaceIsSeen) {
  const std::string name = "ampere:mma.m16n8k16.f32.f16.f16.f32", text = exported(name), is = "(k >> 3 & 1) << 2";
  ASSERT_NE(text.find(is), std::string::npos);
  const Whole whole(name);
  const OperandWords words = drawn(whole.where.operands, 7);
  EXPECT_NE(left_by_c(replaced(text, is, "(k >> 2 & 1) << 2"), whole, words),
            text_of(product_by_model(whole.plan, whole.where, words)));
}

// Lanes, one block and several; two words an element; scales; shared memory; tensor memory; registers with names.
INSTANTIATE_TEST_SUITE_P(Places, WholeInstructions,
                         testing::Values("ampere:mma.m16n8k16.f32.f16.f16.f32", "volta:mma.m8n8k4.f32.f16.f16.f32",
                                         "cdna2:v_mfma_f64_16x16x4f64",
                                         "rtx_blackwell:mma.m16n8k64.block16.f32.e2m1.e2m1.f32.ue4m3",
                                         "hopper:wgmma.m64nNk16.f32.f16.f16",
                                         "blackwell:tcgen05.mma.m128nNk32.f32.e2m1.e2m3", "power10:xvf32gerpp",
                                         "x86:tdpbf16ps"),
                         [](const auto& name) {
                           std::string text;
                           for (const char c : std::string(name.param)) text += std::isalnum(c) != 0 ? c : '_';
                           return text;
                         });

TEST(WholeInstruction, IsRefusedWhereThereIsNone) {
  const auto refused = [](const std::vector<std::string>& more) {
    std::vector<std::string> args{"export", "--whole"};
    args.insert(args.end(), more.begin(), more.end());
    return run(args).err;
  };
  const Scratch folder;
  testing_vectors::put_file(folder / "own.yaml",
                            "name: own\nlike: fused_f25\nk: 4\noperands: {a: f16, b: f16, c: f32, d: f32}\n");
  EXPECT_EQ(refused({"--instruction", wgmma, "--to", "sv-package"}),
            "assay: --whole is written in c and cpp; --to sv-package has the dot product alone.\n");
  EXPECT_EQ(refused({"--datapath", folder / "own.yaml", "--to", "c"}),
            "assay: --whole is of an --instruction; a datapath has no registers that its operands would stand in.\n");
  EXPECT_EQ(refused({"--instruction", "x86:vdpbf16ps", "--to", "c"}),
            "assay: x86:vdpbf16ps cannot be written with --whole: where its operands stand is in no table, as `assay "
            "layout` says.\n");
  EXPECT_EQ(refused({"--instruction", "power10:pmxvbf16ger2", "--to", "c"}),
            "assay: power10:pmxvbf16ger2 cannot be written with --whole: it takes an operand mask beside A, B, C and "
            "their scales, and no table says where that stands.\n");
  testing_vectors::put_file(folder / "cases.jsonl", "");
  EXPECT_EQ(refused({folder / "cases.jsonl", "--to", "c", "-o", folder / "out"}),
            "assay: --whole is of a model, which --instruction asks for; cases are dot products.\n");
}

}  // namespace
}  // namespace assay
