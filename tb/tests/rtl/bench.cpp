#include "tb/tests/rtl/bench.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <sstream>
#include <stdexcept>

#include "tb/devices/process.hpp"
#include "tb/devices/rtl/build.hpp"
#include "tb/devices/rtl/export_dut.hpp"
#include "tb/generate/generator.hpp"

namespace assay {

namespace fs = std::filesystem;

std::string read_text(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  std::ostringstream text;
  text << in.rdbuf();
  EXPECT_TRUE(in.good()) << path;
  return text.str();
}

void write_text(const fs::path& path, const std::string& text) {
  fs::create_directories(path.parent_path());
  std::ofstream(path, std::ios::binary) << text;
  EXPECT_EQ(read_text(path), text);
}

fs::path scratch_folder() {
  const auto* test = testing::UnitTest::GetInstance()->current_test_info();
  std::string name = std::string(test->test_suite_name()) + "." + test->name();
  for (char& c : name) c = c == '/' ? '.' : c;
  const fs::path folder = fs::temp_directory_path() / ("assay_" + std::to_string(getuid())) / name;
  fs::remove_all(folder);
  fs::create_directories(folder);
  return folder;
}

std::vector<std::string> exported_blocks() {
  std::vector<std::string> files;
  for (const auto& entry : fs::directory_iterator(source_folder() / "rtl_ref")) {
    const std::string name = entry.path().filename().string();
    // A tile needs a dot product to be read at all.
    if (name.rfind("assay_", 0) == 0 && name != "assay_pkg.sv" && name.rfind("assay_mma", 0) != 0)
      files.push_back(entry.path().string());
  }
  std::sort(files.begin(), files.end());
  EXPECT_GE(files.size(), 26u);
  files.insert(files.begin(), (source_folder() / "rtl_ref/assay_pkg.sv").string());  // a package comes first
  return files;
}

std::string dut_text(const fs::path& folder, const std::string& module, const Plan& plan, ExportTiming timing) {
  return export_dut(plan, {"instruction: \"*\"", (folder / (module + ".sv")).string(), module, timing});
}

std::unique_ptr<Device> start_rtl(const Dut& dut, const Plan& plan, bool disturbed) {
  VectorHeader header;
  header.architecture = "hopper";
  header.instruction = "wgmma.m64nNk16.f32.f16.f16";
  try {
    const Claim& claim = dut.claims.front();
    std::vector<std::string> argv{build_rtl(dut, claim, plan, nullptr), "1"};
    for (const std::string& word : run_arguments(dut, claim, argv.front())) argv.push_back(word);
    const Disturbance with = disturbed ? all_disturbances(dut, claim) : Disturbance{};
    for (const std::string& word : disturbing_arguments(dut, claim, {}, with)) argv.push_back(word);
    return process_device(plan, header, {argv, "rtl:" + dut.file});
  } catch (const Error& error) {
    throw std::runtime_error(error.message);  // one that GoogleTest can print
  }
}

std::vector<Case> generated_cases(const Plan& plan, std::uint64_t seed, std::uint64_t count) {
  const Generator generator(plan, seed);
  std::vector<Case> cases;
  for (std::uint64_t i = 0; i < count; ++i) cases.push_back(generator.make(i));
  return cases;
}

namespace {

// What differs first, or empty: the place's name and both sides' bits.
std::string first_difference(const Plan& plan, const Answer& answer, const Trace& expected, std::size_t& place) {
  if (!answer.ok()) return answer.error;
  if (!answer.trace) return "there is no trace";
  for (place = 0; place < plan.places.size(); ++place) {
    const auto at = static_cast<int>(place);
    const bool there = place < answer.traced.size() && answer.traced[place] != 0;
    if (there && answer.trace->same(at, expected)) continue;
    return plan.places[place].name + ": expected " + expected.at(at).hex() + ", got " +
           (there ? answer.trace->at(at).hex() : "nothing");
  }
  return "";
}

}  // namespace

Comparison compare_with_core(const Plan& plan, Device& device, const std::vector<Case>& cases) {
  const std::vector<Answer> answers = device.run(cases, true);
  EXPECT_EQ(answers.size(), cases.size());
  Comparison result;
  Registers registers;
  Trace expected(plan);
  for (std::size_t i = 0; i < answers.size(); ++i) {
    const Code d = dot(plan, cases[i].operand(), registers, &expected);
    std::size_t place = plan.places.size();
    std::string difference = first_difference(plan, answers[i], expected, place);
    if (difference.empty() && answers[i].d != d) difference = "d differs although every place is the same";
    ++result.cases;
    if (difference.empty()) {
      ++result.same;
      continue;
    }
    result.first.push_back(place);
    if (result.details.size() < 5)
      result.details.push_back("case " + std::to_string(cases[i].number) + ": " + difference);
  }
  return result;
}

}  // namespace assay
