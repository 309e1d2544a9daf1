// A vector file through a unit: what is written, that it can be broken off and gone on with, and what is refused.
#include "scripts/capture/capture.hpp"

#include <gtest/gtest.h>
#include <sys/wait.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "scripts/capture/kernels.hpp"
#include "tb/tests/capture/fake_unit.hpp"
#include "tb/tests/scratch.hpp"
#include "tb/tests/source_dir.hpp"
#include "tb/vectors/header.hpp"

namespace assay::capture {
namespace {

namespace fs = std::filesystem;

const std::string header_text =
    R"({"assay":1,"architecture":"ampere","instruction":"mma.m16n8k8.f32.f16.f16.f32","nan":"bits")";

std::string case_text(int i) {
  std::string line = "{\"id\":" + std::to_string(i) + ",\"a\":[";
  for (int k = 0; k < 8; ++k) line += std::string(k ? "," : "") + "\"000" + std::to_string((i + k) % 10) + "\"";
  line += "],\"b\":[";
  for (int k = 0; k < 8; ++k) line += std::string(k ? "," : "") + "\"000" + std::to_string((3 * i + k) % 10) + "\"";
  return line + "],\"c\":\"00000001\",\"d\":\"ffffffff\"}";
}

std::uint64_t sum_of(int i) {
  std::uint64_t sum = 1;
  for (int k = 0; k < 8; ++k) sum += static_cast<std::uint64_t>(((i + k) % 10) * ((3 * i + k) % 10));
  return sum;
}

class Capturing : public ::testing::Test {
 protected:
  std::string path(const std::string& name) const { return (folder_ / name).string(); }
  void write(const std::string& name, const std::string& text) const { std::ofstream(path(name)) << text; }
  std::vector<std::string> lines(const std::string& name) const {
    std::ifstream in(path(name));
    std::vector<std::string> all;
    for (std::string line; std::getline(in, line);) all.push_back(line);
    return all;
  }

  void write_cases(int count, const std::string& more_header = "}") const {
    std::string text = header_text + more_header + "\n";
    for (int i = 0; i < count; ++i) text += case_text(i) + "\n";
    write("in.jsonl", text);
  }

  Done captured(const std::string& date = "2026-01-31") const {
    return capture({path("in.jsonl"), path("out.jsonl"), date},
                   [](const Header&) { return std::make_unique<FakeUnit>(); });
  }

  std::string refusal() const {
    try {
      captured();
    } catch (const Error& error) {
      return error.message;
    }
    return "nothing was refused";
  }

  const Scratch scratch_;
  const fs::path folder_ = scratch_.path();
};

TEST_F(Capturing, FillsInDAndSaysWhereItCameFrom) {
  write_cases(10, R"(,"datapath_sha256":"00","provenance":{"tool":"generate"}})");
  EXPECT_EQ(captured().cases, 10U);
  const std::vector<std::string> out = lines("out.jsonl");
  ASSERT_EQ(out.size(), 11U);
  const VectorHeader header = parse_header(out[0]);
  EXPECT_EQ(header.instruction, "mma.m16n8k8.f32.f16.f16.f32");
  EXPECT_EQ(header.nan, NanPolicy::bits);
  EXPECT_EQ(header.datapath_sha256, "");
  EXPECT_NE(out[0].find(R"("provenance":{"tool":"assay-capture","positions":8,"device":"fake","driver":"none",)"
                        R"("toolkit":"nvcc 1.0","machine":"machine of mma.m16n8k8.f32.f16.f16.f32",)"
                        R"("date":"2026-01-31"}})"),
            std::string::npos)
      << out[0];
  for (int i = 0; i < 10; ++i) {
    std::string line = case_text(i);
    char d[9];
    std::snprintf(d, sizeof d, "%08x", static_cast<unsigned>(sum_of(i)));
    line.replace(line.find("ffffffff"), 8, d);
    EXPECT_EQ(out[static_cast<std::size_t>(i) + 1], line);
  }
  EXPECT_FALSE(fs::exists(path("out.jsonl.part")));
}

TEST_F(Capturing, GoesOnAfterTheLastWholeCase) {
  write_cases(10);
  captured();
  const std::vector<std::string> whole = lines("out.jsonl");
  fs::remove(path("out.jsonl"));
  std::string part;
  for (std::size_t i = 0; i < 5; ++i) part += whole[i] + "\n";
  write("out.jsonl.part", part + whole[5].substr(0, 20));
  const Done done = captured("2026-02-01");
  EXPECT_EQ(done.cases, 10U);
  EXPECT_EQ(done.resumed, 4U);
  EXPECT_EQ(lines("out.jsonl"), whole);
}

TEST_F(Capturing, GoesOnWithNothingButAHeaderOrLess) {
  write_cases(3);
  captured();
  const std::vector<std::string> whole = lines("out.jsonl");
  for (const std::string& part : {std::string(), whole[0].substr(0, 30), whole[0] + "\n"}) {
    fs::remove(path("out.jsonl"));
    write("out.jsonl.part", part);
    EXPECT_EQ(captured().cases, 3U);
    EXPECT_EQ(lines("out.jsonl"), whole);
  }
}

TEST_F(Capturing, DoesNotGoOnWithAnotherCapture) {
  write_cases(3);
  write("out.jsonl.part", header_text + "}\n");
  EXPECT_NE(refusal().find("out.jsonl.part is of another capture"), std::string::npos) << refusal();
  fs::remove(path("out.jsonl.part"));
  captured();
  const std::vector<std::string> whole = lines("out.jsonl");
  fs::remove(path("out.jsonl"));
  write("out.jsonl.part", whole[0] + "\n" + whole[2] + "\n");
  EXPECT_NE(refusal().find("case 0 is another one than in"), std::string::npos) << refusal();
  write_cases(1);
  write("out.jsonl.part", whole[0] + "\n" + whole[1] + "\n" + whole[2] + "\n");
  EXPECT_NE(refusal().find("has 2 cases, more than"), std::string::npos) << refusal();
}

TEST_F(Capturing, ShortRowsAreFilledWhereTheHeaderSaysSo) {
  const std::string line = R"({"a":["0002"],"b":["0003"],"c":"00000000"})";
  write("in.jsonl", header_text + ",\"pad\":true}\n" + line + "\n");
  captured();
  EXPECT_EQ(lines("out.jsonl")[1], R"({"a":["0002"],"b":["0003"],"c":"00000000","d":"00000006"})");
  fs::remove(path("out.jsonl"));
  write("in.jsonl", header_text + "}\n" + line + "\n");
  EXPECT_NE(refusal().find("case 0: a has 1 elements; mma.m16n8k8.f32.f16.f16.f32 takes 8."), std::string::npos)
      << refusal();
}

TEST_F(Capturing, RefusesWhatItCannotRead) {
  EXPECT_NE(refusal().find("in.jsonl cannot be read."), std::string::npos) << refusal();
  for (const auto& [text, says] : std::vector<std::pair<std::string, std::string>>{
           {"{}\n", "in.jsonl:1: the first line of a vector file has \"assay\":1."},
           {"{\"assay\":1,\"k\":4}\n", "the header names no architecture and instruction"},
           {"{\"assay\":1,\"architecture\":\"x\",\"instruction\":\"y\"}\n", "The instruction 'y' is none"},
           {header_text + "}\n", "has no cases."},
           {header_text + "}\n{\"a\":[]}\n", "a has 0 elements"},
           {header_text + "}\n{\"c\":\"00000000\"}\n", "the case needs a, b and c."},
           {header_text + "}\n{\"A\":[]}\n", "whole matrices are not captured"},
           {header_text + "}\n{\"scale_a\":[]}\n",
            "scale_a is given, but mma.m16n8k8.f32.f16.f16.f32 has no scales."}}) {
    fs::remove(path("out.jsonl.part"));
    write("in.jsonl", text);
    EXPECT_NE(refusal().find(says), std::string::npos) << refusal();
  }
  fs::remove(path("out.jsonl.part"));
  write_cases(1);
  captured();
  EXPECT_NE(refusal().find("out.jsonl is there already; remove it to capture it again."), std::string::npos)
      << refusal();
}

TEST_F(Capturing, TakesScales) {
  std::string line = "{\"a\":[", b = "],\"b\":[";
  for (int k = 0; k < 64; ++k) {
    line += k ? ",\"1\"" : "\"1\"";
    b += k ? ",\"2\"" : "\"2\"";
  }
  line += b + R"(],"c":"00000005","scale_a":["01","02","03","04"],"scale_b":["01","01","01","02"])";
  write("in.jsonl",
        R"({"assay":1,"architecture":"rtx_blackwell","instruction":"mma.m16n8k64.block16.f32.e2m1.e2m1.f32.ue4m3"})"
        "\n" +
            line + "}\n");
  captured();
  EXPECT_EQ(lines("out.jsonl")[1], line + R"(,"d":"000001c5"})");  // 5 + 32 * (1 + 2 + 3 + 8)
}

TEST_F(Capturing, TakesMasks) {
  const std::string header = R"({"assay":1,"architecture":"hopper","instruction":"mma.sp.m16n8k8.f32.tf32.tf32.f32"})";
  const std::string line =
      R"({"a":["00000001","00000002","00000003","00000004","00000005","00000006","00000007","00000008"],)"
      R"("b":["00000001","00000001","00000001","00000001","00000001","00000001","00000001","00000001"],)"
      R"("c":"00000100","mask":)";
  const std::string mask = R"(["1","0","0","1","0","1","1","0"])";
  write("in.jsonl", header + "\n" + line + mask + "}\n");
  captured();
  EXPECT_EQ(lines("out.jsonl")[1], line + mask + R"(,"d":"00000112"})");  // 256 + 1 + 4 + 6 + 7
  for (const std::string wrong : {R"(["1","1","0","0","0","1","1","0"])", R"(["1","0"])", R"([])"}) {
    write("in.jsonl", header + "\n" + line + wrong + "}\n");
    std::remove(path("out.jsonl").c_str());
    try {
      captured();
      FAIL() << wrong;
    } catch (const Error& error) {
      EXPECT_NE(error.message.find("the case needs a mask of 8 elements that takes 1 of each 2."), std::string::npos)
          << error.message;
    }
  }
}

TEST_F(Capturing, ListsOfTargetsAreRead) {
  for (const auto& [text, says] : std::vector<std::pair<std::string, std::string>>{
           {"", "names no target."},
           {"sm_1 one\n", "a target is TARGET ARCHITECTURE TOOLKIT RUNS_ON.., found 'sm_1 one'"},
           {"  mma\n", ":1: this instruction stands before any target."}}) {
    write("targets.txt", text);
    try {
      read_targets(path("targets.txt"));
      FAIL() << text;
    } catch (const Error& error) {
      EXPECT_NE(error.message.find(says), std::string::npos) << error.message;
    }
  }
  write("targets.txt", "# comment\nsm_1 one cuda 1.0 1.1\n  x.{a,b}.{c,d}\n");
  const Target target = read_targets(path("targets.txt")).at(0);
  EXPECT_EQ(target.instructions, (std::vector<std::string>{"x.a.c", "x.a.d", "x.b.c", "x.b.d"}));
  EXPECT_EQ(target.runs_on, (std::vector<std::string>{"1.0", "1.1"}));
  EXPECT_THROW(read_targets(path("none.txt")), Error);
}

// --- the program ---

struct Ended {
  int status = 0;
  std::string said;
};

Ended program(const std::string& arguments) {
  const std::string command = std::string(ASSAY_CAPTURE) + " " + arguments + " 2>&1";
  std::FILE* pipe = popen(command.c_str(), "r");
  Ended ended;
  for (int c = std::fgetc(pipe); c != EOF; c = std::fgetc(pipe)) ended.said += static_cast<char>(c);
  ended.status = WEXITSTATUS(pclose(pipe));
  return ended;
}

const std::string targets_option = " --targets " + source_dir() + "/scripts/capture/targets.txt";

TEST_F(Capturing, TheProgramListsAndEmits) {
  const Ended all = program("list" + targets_option);
  EXPECT_EQ(all.status, 0) << all.said;
  EXPECT_NE(all.said.find("sm_90a hopper cuda 144 instructions\n"), std::string::npos) << all.said;
  const Ended one = program("list gfx942" + targets_option);
  EXPECT_NE(one.said.find("v_mfma_f32_16x16x32_fp8_bf8\n"), std::string::npos) << one.said;
  const Ended source = program("emit sm_80" + targets_option);
  EXPECT_EQ(source.status, 0);
  EXPECT_NE(source.said.find("mma.sync.aligned.m16n8k16"), std::string::npos);
}

TEST_F(Capturing, TheProgramSaysWhatIsMissing) {
  write_cases(1);
  for (const auto& [arguments, status, says] : std::vector<std::tuple<std::string, int, std::string>>{
           {"", 2, "assay-capture COMMAND"},
           {"list", 2, "--targets is missing."},
           {"list --speed 1", 2, "'--speed' is no option"},
           {"list --targets", 2, "--targets takes a value."},
           {"list --targets " + path("none"), 2, "cannot be read."},
           {"list sm_1" + targets_option, 2, "There is no target 'sm_1'; there are sm_70, sm_75, "},
           {"emit" + targets_option, 2, "This is no command."},
           {"run" + targets_option, 2, "run takes one FILE."},
           {"run a.jsonl" + targets_option, 2, "-o is missing."},
           {"serve" + targets_option, 2, "--kernels is missing."},
           {"serve me --kernels " + path("") + targets_option, 2, "This is no command."},
           {"serve --kernels " + path("") + targets_option, 4, "None of the targets can be captured here.\n  cuda: "},
           {"here --kernels " + path("") + targets_option, 4, "None of the targets can be captured here.\n  cuda: "},
           {"run " + path("in.jsonl") + " -o " + path("o.jsonl") + " --kernels " + path("") + targets_option, 4,
            "assay-capture: T"}}) {
    const Ended ended = program(arguments);
    EXPECT_EQ(ended.status, status) << arguments << "\n" << ended.said;
    EXPECT_NE(ended.said.find(says), std::string::npos) << arguments << "\n" << ended.said;
  }
  write("in.jsonl", R"({"assay":1,"architecture":"ampere","instruction":"mma.m16n8k32.f32.e4m3.e4m3.f32"})"
                    "\n");
  const Ended none =
      program("run " + path("in.jsonl") + " -o " + path("o.jsonl") + " --kernels " + path("") + targets_option);
  EXPECT_EQ(none.status, 4);
  EXPECT_NE(none.said.find("There is no kernel for ampere:mma.m16n8k32.f32.e4m3.e4m3.f32"), std::string::npos)
      << none.said;
}

}  // namespace
}  // namespace assay::capture
