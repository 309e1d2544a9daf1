// The recorded sets of real parts parse completely, each in the formats of its instruction.
#include <gtest/gtest.h>

#include <cstdlib>

#include "tb/tests/source_dir.hpp"
#include "tb/tests/vectors/helpers.hpp"
#include "tb/vectors/reader.hpp"

namespace assay {
namespace {

namespace fs = std::filesystem;

fs::path shared_folder() {
  const char* named = std::getenv("ASSAY_SHARED");
  return named != nullptr ? fs::path(named) : fs::path(source_dir()) / ".." / "shared";
}

std::vector<std::string> cells(const std::string& row) {
  std::vector<std::string> result;
  std::istringstream in(row);
  for (std::string cell; std::getline(in, cell, ',');) result.push_back(cell);
  return result;
}

int bits(const std::string& format) {
  const Format* found = find_format(format);
  return found == nullptr ? 0 : found->stored_bits;
}

CaseShape shape_of(const VectorHeader& header) {
  std::ifstream table(shared_folder() / "reference" / "instructions.csv");
  std::string row;
  std::getline(table, row);
  const std::vector<std::string> columns = cells(row);
  const auto column = [&](const char* name) {
    return static_cast<std::size_t>(std::find(columns.begin(), columns.end(), name) - columns.begin());
  };
  while (std::getline(table, row)) {
    const std::vector<std::string> cell = cells(row);
    if (cell.at(column("architecture")) != header.architecture || cell.at(column("name")) != header.instruction) {
      continue;
    }
    CaseShape shape;
    shape.k = std::stoi(cell.at(column("k")));
    shape.a_bits = bits(cell.at(column("a")));
    shape.b_bits = bits(cell.at(column("b")));
    shape.c_bits = bits(cell.at(column("c")));
    shape.d_bits = bits(cell.at(column("d")));
    shape.pad = header.pad;
    return shape;
  }
  return {};
}

TEST(Captured, SetsParseCompletely) {
  const fs::path folder = shared_folder() / "captured";
  if (!fs::is_directory(folder)) {
    GTEST_SKIP() << "NOTHING WAS CHECKED: " << folder
                 << " is no folder; set ASSAY_SHARED to the folder that holds captured/ and reference/.";
  }
  int files = 0;
  std::uint64_t cases = 0;
  for (const auto& entry : fs::directory_iterator(folder)) {
    if (entry.path().extension() != ".jsonl") continue;
    try {
      VectorReader reader(entry.path().string());
      const CaseShape shape = shape_of(reader.header());
      ASSERT_GT(shape.k, 0) << reader.header().instruction << " is in no row of instructions.csv";
      EXPECT_FALSE(reader.header().provenance.empty());
      Case c;
      while (reader.next(shape, c)) {
        EXPECT_TRUE(c.d.has_value());
        EXPECT_EQ(c.a.size(), static_cast<std::size_t>(shape.k));
        ++cases;
      }
      ++files;
    } catch (const Error& error) {
      ADD_FAILURE() << error.message;
    }
  }
  EXPECT_EQ(files, 31);
  EXPECT_EQ(cases, 30164U);
}

}  // namespace
}  // namespace assay
