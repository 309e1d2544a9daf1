// Every option that takes a number, found by walking the program's own commands, against what is no number.
#include <gtest/gtest.h>

#include <CLI/CLI.hpp>
#include <algorithm>

#include "sim/program/number_option.hpp"
#include "tb/tests/cli/run.hpp"

namespace assay {
namespace {

struct NumericOption {
  std::string command, name;
};

// `visit(command, option)` for each option and positional there is.
template <class Visit>
void each_option(Visit&& visit) {
  CLI::App app("", "assay");
  std::ostringstream nowhere;
  const Console console{nowhere, nowhere};
  int status = 0;
  add_commands(Command(app), console, status);
  const auto all = [](const CLI::App*) { return true; };
  for (const CLI::App* command : app.get_subcommands(all)) {
    for (const CLI::Option* option : command->get_options()) visit(command->get_name(), *option);
    for (const CLI::App* below : command->get_subcommands(all)) {
      for (const CLI::Option* option : below->get_options())
        visit(command->get_name() + " " + below->get_name(), *option);
    }
  }
}

std::vector<NumericOption> numeric_options() {
  std::vector<NumericOption> found;
  each_option([&](const std::string& command, const CLI::Option& option) {
    if (option.get_type_name() == number_type) found.push_back({command, option.get_name()});
  });
  return found;
}

const std::vector<std::string> hostile{
    "",    "-1",    "+1",  "0x10", "1e3x", "1.5.2", "nan", "inf",   "-inf",   "1 ",
    " 1",  "1,000", "1_0", "ten",  "--",   "1;2",   "\t1", "1\n",   "\u0661", "99999999999999999999999999",
    "- 1", "1/2",   "0b1", "1u",   "true", "[1]",   "%s",  "$((1))"};

// CLI11's own readers take 010 as octal and -1 as the largest number there is.
TEST(Numbers, AreReadByTheOneParser) {
  each_option([](const std::string& command, const CLI::Option& option) {
    for (const char* type : {"INT", "UINT", "FLOAT"})
      EXPECT_EQ(option.get_type_name().find(type), std::string::npos) << command << " " << option.get_name();
  });
  const std::vector<NumericOption> all = numeric_options();
  for (const char* name :
       {"--cases", "--seed", "--case", "--level", "--threads", "--seconds", "--element", "--limit"}) {
    EXPECT_TRUE(std::any_of(all.begin(), all.end(), [&](const NumericOption& o) { return o.name == name; })) << name;
  }
}

TEST(Numbers, WhatIsNoneIsRefusedByEveryOption) {
  for (const auto& [command, name] : numeric_options()) {
    for (const std::string& value : hostile) {
      std::vector<std::string> args = words(command);
      args.insert(args.end(), {name, value});
      if (name == "--element" && value == "1,000") continue;  // row 1, column 0
      const Ran ran = run(args);
      EXPECT_EQ(ran.status, wrong_use) << command << " " << name << " '" << value << "'";
      EXPECT_EQ(ran.out, "") << command << " " << name << " '" << value << "'";
      EXPECT_EQ(ran.err.rfind("assay: " + name + " takes a ", 0), 0u) << command << " '" << value << "': " << ran.err;
      EXPECT_NE(ran.err.find(" in decimal digits, "), std::string::npos) << ran.err;
    }
    EXPECT_EQ(run({words(command).front(), name + "="}).status, wrong_use);
  }
}

TEST(Numbers, SayTheirRange) {
  const auto said = [](std::vector<std::string> args) { return run(args).err; };
  const std::string most = "18,446,744,073,709,551,615";
  EXPECT_EQ(
      said({"generate", "--seed", "18446744073709551616"}),
      "assay: --seed takes a whole number from 0 to " + most + " in decimal digits, found '18446744073709551616'.\n");
  EXPECT_EQ(said({"compare", "--cases", "-1"}),
            "assay: --cases takes a whole number from 0 to 1,000,000,000,000,000 in decimal digits, found '-1'.\n");
  EXPECT_EQ(said({"bench", "--seconds", "nan"}),
            "assay: --seconds takes a number from 0.001 to 60 in decimal digits, found 'nan'.\n");
  EXPECT_EQ(said({"explore", "--threads", "257"}),
            "assay: --threads takes a whole number from 1 to 256 in decimal digits, found '257'.\n");
  EXPECT_EQ(said({"generate", "--cases=", "5"}), "assay: --cases= has no value; give one after the =.\n");
}

TEST(Numbers, AreDecimalWhateverTheyBeginWith) {
  const Ran ran = run({"compare", "--device", "model", "--instruction", wgmma, "--cases", "010", "--seed", "007"});
  EXPECT_EQ(ran.status, passed);
  EXPECT_EQ(ran.err, "assay: 10 cases, seed 7, 27 families in turn\n");
}

}  // namespace
}  // namespace assay
