// A GPU as a live device: what it answers, in how many launches, and what `assay` finds out about it.
#include "scripts/capture/serve.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <nlohmann/json.hpp>
#include <thread>

#include "tb/tests/capture/fake_unit.hpp"
#include "tb/tests/cli/run.hpp"
#include "tb/tests/scratch.hpp"

namespace assay::capture {
namespace {

using nlohmann::json;

const std::string name = "mma.m16n8k8.f32.f16.f16.f32";
const std::string header = R"({"assay":1,"architecture":"turing","instruction":")" + name + "\"}";
const Target target{"sm_75", "turing", "cuda", {}, {name, "mma.m16n8k8.f16.f16.f16.f16"}};

json case_of(int id) {
  json line{{"id", id}, {"a", json::array()}, {"b", json::array()}, {"c", "00000001"}};
  for (int k = 0; k < 8; ++k) {
    line["a"].push_back("000" + std::to_string((id + k) % 10));
    line["b"].push_back("000" + std::to_string(k));
  }
  return line;
}

// d of case_of(id), as FakeUnit computes.
std::string d_of(int id) {
  unsigned sum = 1;
  for (int k = 0; k < 8; ++k) sum += static_cast<unsigned>((id + k) % 10 * k);
  char text[9];
  std::snprintf(text, sizeof text, "%08x", sum);
  return text;
}

class Pipe {
 public:
  Pipe() {
    if (pipe(ends_) != 0) throw std::runtime_error("no pipe");
  }
  ~Pipe() {
    hang_up();
    ::close(ends_[0]);
  }
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;

  int from() const { return ends_[0]; }
  int to() const { return ends_[1]; }
  void say(const std::string& line) const {
    const std::string text = line + "\n";
    EXPECT_EQ(write(ends_[1], text.data(), text.size()), static_cast<ssize_t>(text.size()));
  }
  void hang_up() {
    if (ends_[1] >= 0) ::close(std::exchange(ends_[1], -1));
  }
  // The next line, waiting for it; empty at the end.
  std::string heard() const {
    std::string line;
    for (char c = 0; read(ends_[0], &c, 1) == 1 && c != '\n';) line += c;
    return line;
  }

 private:
  int ends_[2] = {-1, -1};
};

// A whole conversation, all of it said before the device begins: its answers, the greeting first. All of it fits a
// pipe.
std::vector<json> answers(Unit& unit, const std::vector<std::string>& lines, const std::string& instruction = "") {
  Pipe in, out;
  for (const std::string& line : lines) in.say(line);
  in.hang_up();
  EXPECT_EQ(serve({unit, target, instruction}, in.from(), out.to()), 0);
  out.hang_up();
  std::vector<json> all;
  for (std::string line = out.heard(); !line.empty(); line = out.heard()) all.push_back(json::parse(line));
  return all;
}

TEST(CaptureServe, GreetsWithWhatItHasKernelsFor) {
  FakeUnit unit;
  const std::vector<json> said = answers(unit, {header, R"({"end":0})"});
  ASSERT_EQ(said.size(), 2U);
  EXPECT_EQ(said[0]["device"], "fake");
  EXPECT_EQ(said[0]["instructions"], json({"turing:" + name, "turing:mma.m16n8k8.f16.f16.f16.f16"}));
  EXPECT_EQ(said[0]["trace"], false);
  EXPECT_GE(said[0]["window"], 4096);
  EXPECT_EQ(said[1], json({{"end", 0}}));
  EXPECT_EQ(answers(unit, {header, R"({"end":0})"}, "turing:" + name)[0]["instructions"], json({"*"}));
}

TEST(CaptureServe, LaunchesTogetherWhatIsThere) {
  FakeUnit unit;
  std::vector<std::string> lines{header};
  for (int id = 0; id < 100; ++id) lines.push_back(case_of(id).dump());
  lines.push_back(R"({"end":100})");
  const std::vector<json> said = answers(unit, lines);
  ASSERT_EQ(said.size(), 102U);
  for (int id = 0; id < 100; ++id)
    EXPECT_EQ(said[static_cast<std::size_t>(id) + 1], json({{"id", id}, {"d", d_of(id)}}));
  EXPECT_EQ(said[101], json({{"end", 100}}));
  EXPECT_EQ(unit.launches, 1);
}

TEST(CaptureServe, AnswersOneQuestionAtOnce) {
  FakeUnit unit;
  Pipe in, out;
  int status = -1;
  std::thread device([&] { status = serve({unit, target, ""}, in.from(), out.to()); });
  out.heard();
  in.say(header);
  for (int id = 0; id < 3; ++id) {
    in.say(case_of(id).dump());
    EXPECT_EQ(json::parse(out.heard())["d"], d_of(id));
  }
  in.say(R"({"end":3})");
  EXPECT_EQ(json::parse(out.heard()), json({{"end", 3}}));
  device.join();
  EXPECT_EQ(status, 0);
  EXPECT_EQ(unit.launches, 3);
}

TEST(CaptureServe, SaysWhatIsWrongWithACase) {
  const auto changed = [](const std::string& member, const json& value) {
    json line = case_of(1);
    line[member] = value;
    return line.dump();
  };
  for (const auto& [line, says] : std::vector<std::pair<std::string, std::string>>{
           {changed("a", {"0001"}), "a has 1 element; " + name + " takes 8."},
           {changed("b", json(9, "0001")), "b has 9 elements; " + name + " takes 8."},
           {changed("b", json(8, "00010000")), "b has more than 16 bits, which " + name + " does not take."},
           {changed("c", "0001"), "c has 4 digits; " + name + " takes 8."},
           {changed("c", "100000000"), "c has more than 32 bits, which " + name + " does not take."},
           {changed("scale_a", {"7f"}), "scale_a has 1 element; " + name + " takes 0."},
           {changed("mask", {"1"}), "mask is given, which " + name + " does not take."}}) {
    FakeUnit unit;
    const std::vector<json> said = answers(unit, {header, line, case_of(2).dump(), R"({"end":2})"});
    ASSERT_EQ(said.size(), 4U);
    std::string error;
    for (const json& answer : said) {
      if (answer.value("id", 0) == 1) error = answer.value("error", "");
      if (answer.value("id", 0) == 2) {
        EXPECT_EQ(answer.value("d", ""), d_of(2));
      }
    }
    EXPECT_EQ(error, "The case is none of this instruction: " + says);
  }
}

TEST(CaptureServe, SaysWhatIsWrongWithTheHeader) {
  for (const auto& [head, says] : std::vector<std::pair<std::string, std::string>>{
           {R"({"assay":1,"architecture":"volta","instruction":"mma.m8n8k4"})",
            "There is no kernel for volta:mma.m8n8k4 here; `assay-capture list sm_75` shows those of turing."},
           {R"({"assay":1,"datapath":{}})",
            "This GPU cannot serve these cases: the header names no architecture and instruction; a datapath of one's "
            "own is on no "
            "GPU."}}) {
    FakeUnit unit;
    const std::vector<json> said = answers(unit, {head, case_of(0).dump(), case_of(1).dump(), R"({"end":2})"});
    ASSERT_EQ(said.size(), 4U);
    EXPECT_EQ(said[1]["error"], says);
    EXPECT_EQ(said[2]["error"], says);
    EXPECT_EQ(answers(unit, {head, case_of(1).dump(), R"({"end":1})"}, "turing:" + name)[1]["d"], d_of(1));
  }
}

TEST(CaptureServe, RefusesAnInstructionWithoutAKernel) {
  FakeUnit unit;
  try {
    serve({unit, target, "hopper:" + name}, -1, -1);
    FAIL() << "nothing was refused";
  } catch (const Error& error) {
    EXPECT_NE(error.message.find("There is no kernel for hopper:" + name + " here"), std::string::npos)
        << error.message;
    EXPECT_EQ(error.ending, Ending::not_here);
  }
}

// One position gives another d: in each launch of a case with c = 7, or in the first launch only.
class PartedUnit : public FakeUnit {
 public:
  explicit PartedUnit(bool once) : once_(once) {}

 protected:
  std::uint64_t element(const CapturedCase& of, const layout::Coordinates& place) override {
    const bool parted = place.m >= 8 && (once_ ? launches == 0 : of.c == 7);
    return FakeUnit::element(of, place) + (parted ? 1 : 0);
  }

 private:
  bool once_;
};

std::vector<json> answers_of_parted(bool once) {
  PartedUnit unit(once);
  std::vector<std::string> lines{header};
  for (int id = 0; id < 50; ++id) {
    json line = case_of(id);
    if (id % 20 == 13) line["c"] = "00000007";
    lines.push_back(line.dump());
  }
  lines.push_back(R"({"end":50})");
  return answers(unit, lines);
}

TEST(CaptureServe, PositionsThatDifferAreAnErrorOfTheirCase) {
  const std::vector<json> said = answers_of_parted(false);
  ASSERT_EQ(said.size(), 52U);
  for (int id = 0; id < 50; ++id) {
    const json& answer = said[static_cast<std::size_t>(id) + 1];
    EXPECT_EQ(answer["id"], id);
    EXPECT_EQ(answer.value("error", "").find("The same dot product gave another d in row ") == 0, id % 20 == 13)
        << answer;
    if (id % 20 != 13) {
      EXPECT_EQ(answer.value("d", ""), d_of(id));
    }
  }
}

TEST(CaptureServe, PositionsThatDifferedOnceAreAnErrorOfAll) {
  const std::vector<json> said = answers_of_parted(true);
  ASSERT_EQ(said.size(), 52U);
  for (std::size_t i = 1; i <= 50; ++i) EXPECT_TRUE(said[i].contains("error")) << said[i];
}

class LostUnit : public FakeUnit {
 public:
  layout::Words execute(const Tiling&, const PackedOperands&) override {
    ++launches;
    throw Error{"cuLaunchKernel failed: CUDA_ERROR_ILLEGAL_ADDRESS."};
  }
};

TEST(CaptureServe, WhatTheDriverSaysIsTheAnswerOfEachCase) {
  LostUnit unit;
  const std::vector<json> said = answers(unit, {header, case_of(0).dump(), case_of(1).dump(), R"({"end":2})"});
  ASSERT_EQ(said.size(), 4U);
  for (std::size_t i = 1; i <= 2; ++i)
    EXPECT_EQ(said[i]["error"], "cuLaunchKernel failed: CUDA_ERROR_ILLEGAL_ADDRESS.");
  EXPECT_EQ(unit.launches, 1);
}

// --- asked by assay ---

const std::string full_name = "turing:" + name;

std::string device(const std::string& mode, const std::string& more = "") {
  return std::string("exec:") + SERVED_UNIT + " " + mode + " " + full_name + more;
}

TEST(CaptureServe, ComparesRight) {
  const Ran ran = run({"compare", "--device", device("right"), "--instruction", full_name, "--cases", "2000"});
  EXPECT_EQ(ran.status, 0) << ran.out << ran.err;
}

TEST(CaptureServe, AWrongUnitIsSeen) {
  const Ran ran = run({"compare", "--device", device("wrong"), "--instruction", full_name, "--cases", "200"});
  EXPECT_EQ(ran.status, 1) << ran.out << ran.err;
  EXPECT_NE(ran.out.find("failed: "), std::string::npos) << ran.out;
  EXPECT_EQ(ran.out.find("error of the device"), std::string::npos) << ran.out;
}

TEST(CaptureServe, PositionsThatDifferAreCountedAsErrors) {
  const Ran ran = run({"compare", "--device", device("parted"), "--instruction", full_name, "--cases", "2000"});
  EXPECT_EQ(ran.status, 1) << ran.out << ran.err;
  EXPECT_NE(ran.out.find("cases with an error of the device"), std::string::npos) << ran.out;
  EXPECT_EQ(ran.out.find("wrong"), std::string::npos) << ran.out;
}

TEST(CaptureServe, IsRefusedWhereItHasNoKernel) {
  const Ran ran = run({"compare", "--device", device("right"), "--instruction", wgmma});
  EXPECT_EQ(ran.status, 4) << ran.out << ran.err;
  EXPECT_NE(ran.err.find("does not do " + wgmma + "; it offers " + full_name), std::string::npos) << ran.err;
}

// What probe found out, without its first line, which names the device.
std::string features(const std::string& asked) {
  const std::string said = run({"probe", "--device", asked, "--instruction", full_name}).out;
  return said.substr(std::min(said.find('\n'), said.size()));
}

TEST(CaptureServe, ProbesAsTheModelDoes) {
  const std::string model = features("model");
  EXPECT_NE(model.find("terms a step                8"), std::string::npos) << model;
  EXPECT_EQ(features(device("right")), model);
  EXPECT_NE(features(device("wrong")), model);
}

// What is found of a unit that is told nothing but its instruction computes what the catalogue says of that.
TEST(CaptureServe, IsIdentified) {
  const Ran ran = run(
      {"identify", "--device", device("right", " any"), "--formats", "f16,f16,f32", "--k", "8", "--confirm", "300"});
  ASSERT_EQ(ran.status, 0) << ran.out << ran.err;
  const Scratch scratch;
  const std::string file = scratch.file("found.yaml", ran.out);
  const Ran same = run({"compare", "--device", "model:" + file, "--instruction", full_name, "--cases", "2000"});
  EXPECT_EQ(same.status, 0) << same.out << same.err;
}

}  // namespace
}  // namespace assay::capture
