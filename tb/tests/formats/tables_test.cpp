// What every code of every format means, held to tables that were derived without this project.
#include <gtest/gtest.h>

#include <iostream>

#include "model/core/decode.hpp"
#include "model/core/encode.hpp"
#include "tb/tests/formats/dossier.hpp"

namespace assay {
namespace {

namespace fs = std::filesystem;
using test::CsvRow;

Code code_of(const std::string& hex) { return std::stoull(hex, nullptr, 16); }

// "1*2^-3" of the dossier is "1*2^-3" here too, "+inf" and "nan" likewise.
std::string meaning(Code code, const Format& format) {
  return exact_text(decode(code, format, Subnormals::keep, Specials::step));
}

class Tables : public testing::Test {
 protected:
  void SetUp() override {
    if (!fs::is_directory(test::formats_folder()))
      GTEST_SKIP() << test::formats_folder() << " is missing; ASSAY_SHARED names its parent.";
  }
};

TEST_F(Tables, SayWhatEveryCodeMeans) {
  std::size_t codes = 0, files = 0;
  for (const fs::path& file : test::csv_files(test::formats_folder() / "tables")) {
    const Format* format = find_format(test::our_name(file.stem().string()));
    ASSERT_NE(format, nullptr) << file;
    const std::vector<CsvRow> rows = test::rows_of(file);
    if (format->stored_bits <= 8) {
      EXPECT_EQ(rows.size(), std::size_t{1} << format->stored_bits) << file;
    }
    for (const CsvRow& row : rows) EXPECT_EQ(meaning(code_of(row[0]), *format), row[2]) << file << " code " << row[0];
    codes += rows.size();
    ++files;
  }
  EXPECT_EQ(files, 144u);
  std::cout << codes << " codes of " << files << " tables.\n";
}

// A number that a format holds is written as it was read; of several codes for one value, as the least.
TEST_F(Tables, AreWrittenBackAsTheyWereRead) {
  for (const fs::path& file : test::csv_files(test::formats_folder() / "tables")) {
    const Format& format = *find_format(test::our_name(file.stem().string()));
    for (const CsvRow& row : test::rows_of(file)) {
      const Number n = decode(code_of(row[0]), format, Subnormals::keep, Specials::step);
      const Code back = encode(n, format, Nan{true, 0});
      EXPECT_EQ(meaning(back, format), row[2]) << file << " code " << row[0];
    }
  }
}

}  // namespace
}  // namespace assay
