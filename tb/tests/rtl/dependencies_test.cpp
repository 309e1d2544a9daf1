// What a build was made of, from the tools' own words.
#include "tb/devices/rtl/dependencies.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <cstdlib>
#include <set>

#include "tb/devices/rtl/build.hpp"
#include "tb/devices/rtl/ports.hpp"
#include "tb/tests/rtl/bench.hpp"

namespace assay {
namespace {

namespace fs = std::filesystem;

using Kind = Dependency::Kind;

// A line of Verilator's list for a file as it is now.
std::string line_of(const fs::path& path, const std::string& name) {
  struct stat now {};
  EXPECT_EQ(stat(path.c_str(), &now), 0);
  return "S " + std::to_string(now.st_size) + " 1 2 3 " + std::to_string(now.st_mtim.tv_sec) + " " +
         std::to_string(now.st_mtim.tv_nsec) + " \"" + name + "\"\n";
}

std::set<std::string> missing(const std::vector<Dependency>& list) {
  std::set<std::string> names;
  for (const Dependency& one : list) {
    if (one.state == nothing) names.insert(one.name);
  }
  return names;
}

TEST(Dependencies, VerilatorSaysWhereItLooks) {
  const std::string log =
      "%Error: x.sv:1:21: Cannot find file containing module: 'gone'\n    1 | module x; gone u(); endmodule\n"
      "        ... Looked in:\n             sub/inc/gone\n             sub/inc/gone.sv\n             /abs/y z/gone\n"
      "             gone\n             gone.v\n%Error: Exiting due to 1 error(s)\n";
  const Search search = search_of(log, "gone", "/here");
  EXPECT_EQ(search.folders, (std::vector<fs::path>{"/here/sub/inc", "/abs/y z", "/here"}));
  EXPECT_EQ(search.suffixes, (std::vector<std::string>{"", ".sv", ".v"}));
  EXPECT_TRUE(search_of("%Error: nothing of the kind", "gone", "/here").folders.empty());
}

TEST(Dependencies, AFileIsWhatWasReadAndWhatIsNotThereInItsPlace) {
  const fs::path folder = scratch_folder();
  write_text(folder / "inc/deep/w \"x\".svh", "text");
  write_text(folder / "first/deep/other.svh", "");
  const Search search{{folder / "first", folder / "inc"}, {"", ".sv"}};
  const std::string read = "# words\nT 1 1 1 1 1 1 \"made.cpp\"\nS 1 1 1 1 1 1 \"/usr/bin/verilator_bin\"\n" +
                           line_of(folder / "inc/deep/w \"x\".svh", "inc/deep/w \"x\".svh");
  const std::vector<Dependency> list = verilog_dependencies(read, folder, search);
  EXPECT_EQ(list[0].name, folder / "inc/deep/w \"x\".svh");
  EXPECT_EQ(list[0].state.size(), 64U);
  std::set<std::string> rivals;
  for (const char* place : {"first", "first/deep", "inc", "inc/deep"}) {
    for (const char* suffix : {".svh", "", ".sv"}) rivals.insert(folder / place / ("w \"x\"" + std::string(suffix)));
  }
  rivals.erase(folder / "inc/deep/w \"x\".svh");
  EXPECT_EQ(missing(list), rivals);
}

TEST(Verilator, ItsReportIsNoWarning) {
  EXPECT_EQ(without_report("- V e r i l a t i o n   R e p o r t: 5.048\n- Verilator: Walltime 0.085 s\n"), "");
  const std::string warning = "%Warning-WIDTH: a.sv:9:3: ..\n   9 | - Verilog\n";
  EXPECT_EQ(without_report(warning + "- Verilator: Walltime 0.085 s\n"), warning);
}

TEST(Verilator, ItsHeaderNamesArraysInEitherForm) {
  const auto texts = [](const std::string& header) {
    std::vector<std::string> all;
    for (const RtlPort& p : read_ports(header)) {
      all.push_back(p.name + (p.input ? " in " : " out ") + std::to_string(p.width) + " x " +
                    std::to_string(p.elements));
    }
    return all;
  };
  const std::string others = "    VL_IN8(&go,0,0);\n    VL_OUTW(&res,99,0,4);\n";
  const std::vector<std::string> expected{"go in 1 x 0", "res out 100 x 0", "w in 100 x 2", "x in 8 x 4"};
  EXPECT_EQ(texts(others + "    VL_IN8((&x)[4],7,0);\n    VL_INW((&w)[2],99,0,4);\n"), expected) << "5.006";
  EXPECT_EQ(texts(others + "    VlUnpacked<CData/*7:0*/, 4> &x;\n    VlUnpacked<VlWide<4>/*99:0*/, 2> &w;\n"), expected)
      << "5.048";
  const std::vector<std::string> deep{"x in 8 x 24"};
  EXPECT_EQ(texts("    VL_IN8((&x)[2][3][4],7,0);\n"), deep) << "5.006";
  EXPECT_EQ(texts("    VlUnpacked<VlUnpacked<VlUnpacked<CData/*7:0*/, 4>, 3>, 2> &x;\n"), deep) << "5.048";
}

// As Verilator 5.048 writes it: a hash before the name, and no nanoseconds.
TEST(Dependencies, ALaterVerilatorsListIsReadToo) {
  const fs::path folder = scratch_folder();
  write_text(folder / "a \"b\" c.sv", "text");
  struct stat now {};
  ASSERT_EQ(stat((folder / "a \"b\" c.sv").c_str(), &now), 0);
  const auto line = [&](long size) {
    return "S " + std::to_string(size) + " 1 2 3 " + std::to_string(now.st_mtim.tv_sec) +
           " 0 \"W8zWgICOSBV8\" \"a \"b\" c.sv\"\n";
  };
  EXPECT_EQ(verilog_dependencies(line(now.st_size), folder, {})[0].name, folder / "a \"b\" c.sv");
  EXPECT_THROW(verilog_dependencies(line(now.st_size + 1), folder, {}), Error);
}

TEST(Dependencies, AFileThatChangedWhileItWasReadIsNoDependency) {
  const fs::path folder = scratch_folder();
  write_text(folder / "a.sv", "before");
  const std::string read = line_of(folder / "a.sv", "a.sv");
  write_text(folder / "a.sv", "and after");
  try {
    verilog_dependencies(read, folder, {});
    FAIL() << "It was taken.";
  } catch (const Error& error) {
    EXPECT_EQ(error.message, (folder / "a.sv").string() + " changed while the RTL was being built; start again.");
  }
}

TEST(Dependencies, TheCompilerNamesFilesAsMakeReadsThem) {
  const fs::path folder = scratch_folder();
  write_text(folder / "with space.hpp", "x");
  const std::string escaped = folder.string() + "/with\\ space.hpp";
  write_text(folder / "glue.d", "glue.o: glue.cpp Vdut.h \\\n " + escaped + " \\\n /no/such/\\#$$.h\n");
  const std::vector<Dependency> list = cpp_dependencies(folder);
  ASSERT_EQ(list.size(), 2U);
  EXPECT_EQ(list[0].name, folder / "with space.hpp");
  EXPECT_NE(list[0].state, nothing);
  EXPECT_EQ(list[1].name, "/no/such/#$.h");
  EXPECT_EQ(list[1].state, nothing);
}

TEST(Dependencies, VariablesCountWhereTheyAreNamed) {
  const fs::path folder = scratch_folder();
  write_text(folder / "files.f", "-v $(ASSAY_ONE)/x.v ${ASSAY_TWO} $9 $");
  const Dependency file{Kind::verilog, folder / "files.f", "there"};
  ASSERT_EQ(setenv("ASSAY_ONE", "1", 1), 0);
  const std::vector<Dependency> list = variables_in({file}, {"-y", "$ASSAY_THREE/y"});
  unsetenv("ASSAY_ONE");
  ASSERT_EQ(list.size(), 3U);
  EXPECT_EQ(list[0].name, "ASSAY_ONE");
  EXPECT_NE(list[0].state, nothing);
  EXPECT_EQ(missing(list), (std::set<std::string>{"ASSAY_THREE", "ASSAY_TWO"}));
}

TEST(Dependencies, ComeBackAsTheyWerePrinted) {
  const std::vector<Dependency> list{{Kind::made, "device", "0f"}, {Kind::verilog, "/a b", nothing}};
  const std::vector<Dependency> again = parse_dependencies(print_dependencies(list));
  ASSERT_EQ(again.size(), 2U);
  EXPECT_EQ(again[0].name + again[0].state, "device0f");
  EXPECT_EQ(again[1].name + again[1].state, "/a b-");
  EXPECT_EQ(again[1].kind, Kind::verilog);
  EXPECT_TRUE(parse_dependencies("something else\n").empty());
}

TEST(States, AreThoseOfNow) {
  const fs::path folder = scratch_folder();
  const Dependency made{Kind::made, "device", ""};
  EXPECT_EQ(States().of(made, folder), nothing);
  write_text(folder / "device", "");
  EXPECT_EQ(States().of(made, folder), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
}

}  // namespace
}  // namespace assay
