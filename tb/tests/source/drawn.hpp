// What the tests of exported models share: folders of their own, plans with names, cases.
#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>

#include "model/config/catalogue.hpp"
#include "tb/generate/generator.hpp"
#include "tb/tests/equality/corner_cases.hpp"
#include "tb/tests/rtl/units.hpp"

namespace assay {

struct Named {
  std::string name;
  Plan plan;
};

inline Named instruction_named(const std::string& name) {
  const Catalogue catalogue = shipped_catalogue();
  return {name, catalogue.plan_of(catalogue.instruction(name))};
}

// An empty folder for the running test.
inline std::filesystem::path scratch() {
  const auto* test = testing::UnitTest::GetInstance()->current_test_info();
  const std::filesystem::path folder = std::filesystem::temp_directory_path() / ("assay_" + std::to_string(getuid())) /
                                       (std::string(test->test_suite_name()) + "." + test->name());
  std::filesystem::remove_all(folder);
  return folder;
}

constexpr std::uint64_t at_once = 10'000;  // cases in memory

// How many cases a full run has of each: ASSAY_C_CASES, or so many.
inline std::uint64_t full_cases(std::uint64_t usual) {
  const char* asked = std::getenv("ASSAY_C_CASES");
  return asked == nullptr ? usual : std::strtoull(asked, nullptr, 10);
}

// A run that was ended goes on behind so many: ASSAY_C_FROM.
inline std::size_t already_held() {
  const char* asked = std::getenv("ASSAY_C_FROM");
  return asked == nullptr ? 0 : std::strtoull(asked, nullptr, 10);
}

// A run of hours says how far it came.
inline void tell(const Named& named, std::uint64_t cases) {
  std::printf("%s: %llu cases\n", named.name.c_str(), static_cast<unsigned long long>(cases));
  std::fflush(stdout);
}

// Units whose products go on as rows: each word of how these are made, and magnitudes of one word and of two.
inline std::vector<Named> units_of_rows() {
  const auto unit = [](const std::string& rows, const std::string& a, const std::string& b) {
    return Named{a + " x " + b + ", " + rows,
                 plan_of_text("name: unit\nk: 2\noperands: {a: " + a + ", b: " + b + R"(, c: f32, d: f32}
specials: step
product: {rows: {)" + rows + R"(}}
adders:
  - name: sum
    add: {product: {keep: 12, cut: down}, acc: {keep: 20, cut: toward_zero}}
    sticky: or
    result: [{format: d, cut: nearest_even}]
)")};
  };
  return {unit("of: b, digits: bits", "f16", "e5m2"),
          unit("of: a, digits: bits, compress: chain", "bf16", "f16"),
          unit("of: b, digits: bits, first: 1", "e4m3", "e5m2"),
          unit("of: b, digits: booth4", "f16", "bf16"),
          unit("of: a, digits: booth4, compress: chain", "f16", "f16"),
          unit("of: a, digits: booth4, sign: digits, compress: chain, first: 4", "f32", "f16"),
          unit("of: b, digits: booth4, extension: constant, width: 17, first: 4", "f16", "f16"),
          unit("of: a, digits: booth4, sign: digits, extension: constant, first: 2", "tf32", "e4m3"),
          unit("of: b, digits: booth4, sign: digits, first: 1", "f16", "f16"),
          unit("of: b, digits: booth4, first: 5", "f64", "f64")};
}

// A unit that rounds to a list of values which has a -0, where no result may be one.
inline Named unit_of_a_list() {
  return {"list without -0", plan_of_text(R"(
name: unit
k: 2
formats: {own: {values: ["0", "-0", "1", "-1", "1.5", "-1.5", "3", "-3"]}}
operands: {a: e2m1, b: e2m1, c: own, d: own}
specials: step
adders:
  - name: sum
    add: {product: {keep: 6, cut: down}, acc: {keep: 6, cut: down}}
    result: [{format: own, cut: toward_zero, overflow: largest, minus_zero: never}]
)")};
}

// Two of the generator's cases, then one of the corners.
inline std::vector<Case> cases_of(const Plan& plan, std::uint64_t count, std::uint64_t first = 0) {
  const Generator generator(plan, 35);
  std::vector<Case> cases;
  for (std::uint64_t number = first; number < first + count; ++number) {
    cases.push_back(number % 3 == 2 ? corner_case(plan, number) : generator.make(number - number / 3));
    cases.back().number = number;
  }
  return cases;
}

}  // namespace assay
