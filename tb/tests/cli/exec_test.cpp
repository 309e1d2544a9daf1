// The device of docs/devices.md that is written in Python, healthy and with errors planted in it.
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "tb/tests/cli/run.hpp"
#include "tb/tests/scratch.hpp"
#include "tb/tests/source_dir.hpp"

namespace assay {
namespace {

const std::string script = source_dir() + "/docs/examples/device.py";
const std::string bytes = "cdna1:v_mfma_i32_16x16x16i8";

Ran compare(const std::string& file) {
  return run({"compare", "--device", "exec:python3 '" + file + "'", "--instruction", bytes, "--cases", "2000"});
}

// How a copy of the script fares with its one occurrence of `right` replaced.
Ran compare_planted(const std::string& right, const std::string& wrong) {
  std::stringstream text;
  text << std::ifstream(script).rdbuf();
  std::string source = text.str();
  const std::size_t at = source.find(right);
  EXPECT_NE(at, std::string::npos) << right;
  source.replace(at, right.size(), wrong);
  const Scratch folder;
  return compare(folder.file("device.py", source));
}

TEST(PythonDevice, Passes) {
  const Ran ran = compare(script);
  EXPECT_EQ(ran.status, passed) << ran.out << ran.err;
  EXPECT_NE(ran.out.find("compared 2000 cases"), std::string::npos) << ran.out;
}

TEST(PythonDevice, ALostTermIsFound) {
  const Ran ran = compare_planted("zip(case[\"a\"], ", "zip(case[\"a\"][:-1], ");
  EXPECT_EQ(ran.status, mismatch) << ran.out << ran.err;
  EXPECT_NE(ran.out.find("d differs"), std::string::npos) << ran.out;
}

TEST(PythonDevice, ASumThatSaturatesIsFound) {
  const Ran ran = compare_planted("c\"], 32) + sum(products)",
                                  "c\"], 32) + sum(products)\n"
                                  "    total = max(-2**31, min(2**31 - 1, total))");
  EXPECT_EQ(ran.status, mismatch) << ran.out << ran.err;
}

TEST(PythonDevice, ItsErrorIsShown) {
  const Ran ran = compare_planted("case[\"b\"]", "case[\"bb\"]");
  EXPECT_EQ(ran.status, mismatch) << ran.out << ran.err;
  EXPECT_NE(ran.out.find("This case cannot be computed: KeyError('bb')."), std::string::npos) << ran.out;
}

TEST(PythonDevice, RefusesOtherInstructions) {
  const Ran ran = run({"compare", "--device", "exec:python3 '" + script + "'", "--instruction", wgmma});
  EXPECT_EQ(ran.status, 4);
  EXPECT_NE(ran.err.find("does not do " + wgmma + "; it offers " + bytes), std::string::npos) << ran.err;
}

}  // namespace
}  // namespace assay
