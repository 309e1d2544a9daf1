// assay export of a model: what it writes, and what it refuses.
#include <gtest/gtest.h>

#include "model/base/text.hpp"
#include "tb/tests/cli/run.hpp"
#include "tb/tests/vectors/helpers.hpp"

namespace assay {
namespace {

using testing_vectors::file_bytes;
using testing_vectors::put_file;

Ran exported(const std::vector<std::string>& more) {
  std::vector<std::string> args{"export", "--instruction", wgmma};
  args.insert(args.end(), more.begin(), more.end());
  return run(args);
}

std::string refused(const Ran& ran) {
  EXPECT_EQ(ran.status, wrong_use) << ran.err;
  EXPECT_EQ(ran.out, "");
  return ran.err;
}

TEST(ExportModel, IsTheSameOnEveryRunAndNamesItsDatapath) {
  const Scratch folder;
  const Ran printed = exported({"--to", "c"});
  ASSERT_EQ(printed.status, passed) << printed.err;
  ASSERT_EQ(exported({"--to", "c", "-o", folder / "dot.h"}).status, passed);
  EXPECT_EQ(file_bytes(folder / "dot.h"), printed.out);
  EXPECT_NE(printed.out.find("// Datapath SHA-256 4c84351df6e58f2a0688e9a5e1baf6e43c4bc2537657453a051d91ccb0bb8754\n"),
            std::string::npos);
  EXPECT_NE(printed.out.find("namespace dot_fused_f25 {"), std::string::npos);
  const Ran named = exported({"--to", "c", "--name", "my_unit"});
  EXPECT_NE(named.out.find("namespace my_unit {"), std::string::npos);
  EXPECT_NE(named.out.find("#ifndef ASSAY_MY_UNIT_H"), std::string::npos);
}

TEST(ExportModel, OfADatapathFile) {
  const Scratch folder;
  put_file(folder / "narrow.yaml", "name: narrow\nlike: fused_f25\nk: 4\noperands: {a: f16, b: f16, c: f32, d: f32}\n");
  const Ran ran = run({"export", "--datapath", folder / "narrow.yaml", "--to", "c"});
  ASSERT_EQ(ran.status, passed) << ran.err;
  EXPECT_NE(ran.out.find("// datapath narrow: a f16, b f16, c f32, d f32.\n"), std::string::npos);
  EXPECT_NE(ran.out.find("dot(const uint16_t a[4], const uint16_t b[4], uint32_t c, places_t *places)"),
            std::string::npos);
}

// What an adder is called is nothing that the header calls so itself.
TEST(ExportModel, TakesAnyNameOfAnAdder) {
  const Scratch folder;
  put_file(folder / "own.yaml",
           "name: own\nk: 2\noperands: {a: f16, b: f16, c: f32, d: f32}\nspecials: step\nadders:\n"
           "  - {name: step, add: {product: exact}, result: [{format: f32, cut: nearest_even}]}\n"
           "  - {name: number_t, add: {step: exact, acc: exact}, window: {exponent: largest}, result: [{format: d, "
           "cut: nearest_even}]}\n");
  const Ran ran = run({"export", "--datapath", folder / "own.yaml", "--to", "c", "-o", folder / "own.h"});
  ASSERT_EQ(ran.status, passed) << ran.err;
  for (const std::string compiler : {"gcc -std=c99 -x c", "g++ -std=c++11 -x c++"})
    EXPECT_EQ(std::system((compiler + " -fsyntax-only -Wall -Werror " + folder / "own.h").c_str()), 0) << compiler;
}

TEST(ExportModel, RefusesWhatDoesNotGoTogether) {
  for (const std::string name : {"class", "int", "begin"})
    EXPECT_EQ(refused(exported({"--to", "c", "--name", name})),
              "assay: --name " + name + " is a word of C, C++ or SystemVerilog; take another.\n");
  EXPECT_EQ(refused(exported({"--to", "npz"})),
            "assay: --to npz is no language that a model is written in; there are c, cpp, sv-package.\n");
  EXPECT_EQ(refused(exported({"--to", "c", "--name", "7up"})),
            "assay: --name '7up' must be made of a-z, 0-9 and _, no digit first.\n");
  EXPECT_EQ(refused(exported({"--to", "c", "--module", "mine"})),
            "assay: --module names what a testbench drives, and a model has none; --name names what it declares.\n");
  EXPECT_EQ(
      refused(run({"export", "--to", "c"})),
      "assay: Say what to export: a vector FILE for its cases, or --instruction or --datapath for the model of it.\n");
}

TEST(ExportModel, OfAPackage) {
  const Ran ran = exported({"--to", "sv-package", "--name", "my_pkg"});
  ASSERT_EQ(ran.status, passed) << ran.err;
  EXPECT_EQ(exported({"--to", "sv-package", "--name", "my_pkg"}).out, ran.out);
  EXPECT_NE(ran.out.find("// Datapath SHA-256 4c84351df6e58f2a0688e9a5e1baf6e43c4bc2537657453a051d91ccb0bb8754\n"),
            std::string::npos);
  EXPECT_NE(ran.out.find("\npackage my_pkg;\n"), std::string::npos);
  EXPECT_NE(ran.out.find("function automatic bit [31:0] dot(bit [255:0] a, bit [255:0] b, bit [31:0] c);"),
            std::string::npos);
}

TEST(ExportModel, RefusesWhatNoFileHasRoomFor) {
  const Scratch folder;
  const auto says = [&](const std::string& words) {
    put_file(folder / "own.yaml",
             "name: own\n" + words +
                 "specials: step\nadders:\n  - name: sum\n"
                 "    add: {product: {keep: 24, cut: toward_zero}, acc: {keep: 24, cut: toward_zero}}\n"
                 "    result: [{format: d, cut: nearest_even}]\n");
    const Ran ran = run({"export", "--datapath", folder / "own.yaml", "--to", "c"});
    EXPECT_EQ(ran.status, cannot_here);
    EXPECT_EQ(run({"export", "--datapath", folder / "own.yaml", "--to", "sv-package"}).err,
              replaced(ran.err, "--to c", "--to sv-package"));
    const std::string begin = "assay: " + folder / "own.yaml cannot be written with --to c: ";
    return ran.err.compare(0, begin.size(), begin) == 0 ? ran.err.substr(begin.size()) : ran.err;
  };
  EXPECT_EQ(says("k: 2\nformats: {p12: {rule: posit, parameters: {bits: 12, es: 2}}}\n"
                 "operands: {a: p12, b: f16, c: f32, d: f32}\n"),
            "Format p12 is a list of 2^12 values, and tables are brought along of at most 2^10.\n");
  EXPECT_EQ(says("k: 32768\nk_order: {step: {terms: 16}}\noperands: {a: f16, b: f16, c: f32, d: f32}\n"),
            "It has 32768 products; what allocates nothing takes at most 16384.\n");
}

}  // namespace
}  // namespace assay
