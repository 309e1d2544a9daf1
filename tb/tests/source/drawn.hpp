// What the tests of exported models share: folders of their own, plans with names, cases.
#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>

#include "model/config/catalogue.hpp"
#include "tb/generate/generator.hpp"
#include "tb/tests/equality/corner_cases.hpp"

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
