// What is derived from every instruction of the catalogue, held to recorded digests: a change of how a datapath is made
// concrete must leave all of it as it was, bit for bit. After a change that is meant, the new digests are written by
// running this test with ASSAY_UPDATE_GOLDEN=1.
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <map>
#include <sstream>
#include <utility>

#include "model/base/sha256.hpp"
#include "model/config/catalogue.hpp"
#include "model/config/describe.hpp"
#include "model/config/digest.hpp"
#include "tb/devices/rtl/export_sv.hpp"
#include "tb/tests/source_dir.hpp"

namespace assay {
namespace {

const std::string golden_file = source_dir() + "/tb/tests/golden/catalogue.tsv";

std::string brief(const std::string& text) { return sha256(text).substr(0, 16); }

// All that anybody may ask of a place.
std::string places_text(const Plan& plan) {
  std::ostringstream out;
  for (const Place& place : plan.places) {
    out << place.name << ' ' << stage_name(place.stage) << ' ' << place.width << ' ' << place.first_word << ' '
        << place.fraction_bits << ' ' << place.absolute << " '" << place.label << "'";
    for (const Field& field : place.fields) out << ' ' << field.name << ':' << field.width;
    out << '\n';
  }
  return out.str();
}

// The module, or why there is none: both are answers.
std::string systemverilog(const Plan& plan, ExportTiming timing) {
  try {
    return export_sv(plan, "golden", timing);
  } catch (const Error& error) {
    return error.message;
  }
}

std::string digests(const Plan& plan) {
  return datapath_sha256(plan).substr(0, 16) + '\t' + brief(places_text(plan)) + '\t' + brief(describe_plan(plan)) +
         '\t' + brief(systemverilog(plan, ExportTiming::combinational)) + '\t' +
         brief(systemverilog(plan, ExportTiming::pipelined));
}

constexpr auto header = "instruction\tdatapath\tplaces\tdescribe\texport-sv\texport-sv --pipelined";

std::string of_the_catalogue() {
  const Catalogue catalogue = shipped_catalogue();
  std::string text = std::string(header) + '\n';
  for (const Architecture& architecture : catalogue.architectures()) {
    for (const Instruction& i : architecture.instructions)
      text += i.full_name() + '\t' + digests(catalogue.plan_of(i)) + '\n';
  }
  return text;
}

// By instruction, so that a difference is named.
std::map<std::string, std::string> lines_of(const std::string& text) {
  std::istringstream in(text);
  std::map<std::string, std::string> lines;
  for (std::string line; std::getline(in, line);) {
    const std::size_t tab = line.find('\t');
    lines[line.substr(0, tab)] = line.substr(std::min(tab, line.size()));
  }
  return lines;
}

TEST(Golden, EverythingDerivedFromTheCatalogueIsAsItWas) {
  const std::string now = of_the_catalogue();
  if (std::getenv("ASSAY_UPDATE_GOLDEN") != nullptr) std::ofstream(golden_file) << now;
  std::ifstream in(golden_file);
  std::ostringstream recorded;
  recorded << in.rdbuf();
  const auto before = lines_of(recorded.str()), after = lines_of(now);
  ASSERT_GT(before.size(), 400U) << golden_file << " is missing or cut short.";
  for (const auto& [instruction, line] : after) {
    const auto found = before.find(instruction);
    EXPECT_TRUE(found != before.end()) << instruction << " is not in " << golden_file << ".";
    if (found == before.end()) continue;
    EXPECT_EQ(found->second, line) << instruction << "; the columns are " << header;
  }
  EXPECT_EQ(before.size(), after.size());
}

}  // namespace
}  // namespace assay
