// What numbers become in every format, held to roundings that were worked out without this project.
#include <gtest/gtest.h>

#include <iostream>
#include <map>

#include "model/core/decode.hpp"
#include "model/core/encode.hpp"
#include "model/core/round.hpp"
#include "tb/tests/formats/dossier.hpp"

namespace assay {
namespace {

namespace fs = std::filesystem;
using test::CsvRow;

std::optional<Cut> cut_of(const std::string& mode) {
  static const std::map<std::string, Cut> cuts{
      {"RNE", Cut::nearest_even}, {"RNA", Cut::nearest_away}, {"TA", Cut::nearest_away}, {"posit", Cut::nearest_even},
      {"RTZ", Cut::toward_zero},  {"RTP", Cut::up},           {"RTN", Cut::down},        {"RTO", Cut::to_odd}};
  const auto found = cuts.find(mode);
  return found == cuts.end() ? std::nullopt : std::optional(found->second);
}

TEST(Encode, RoundsEveryLine) {
  std::map<std::string, int> wrong;
  int lines = 0;
  for (const fs::path& file : test::csv_files(test::formats_folder() / "encode")) {
    const Format* format = find_format(test::our_name(file.stem().string()));
    if (format == nullptr) continue;
    for (const CsvRow& row : test::rows_of(file)) {
      const Number n = decode(std::stoull(row[0], nullptr, 16), *find_format("f64"), Subnormals::keep, Specials::step);
      const auto cut = cut_of(row[1]);
      if (!cut || !n.is_finite() || n.magnitude == 0) continue;
      const Number top = greatest(*format, n.negative);
      Result words;
      words.cut = *cut;
      words.overflow = Overflow::largest;
      const Number abs_top = top;
      if (format->is_integer() ? false : (n.negative ? compare(n, abs_top) < 0 : compare(n, abs_top) > 0)) continue;
      if (!format->has_sign && n.negative) continue;
      const Code code = encode(round_to_format(n, words, *format), *format, Nan{true, 0});
      const Code expected = std::stoull(row[3], nullptr, 16);
      ++lines;
      if (code != expected) {
        if (wrong[file.stem().string() + " " + row[1] + " " + row[2]]++ < 2)
          std::cout << file.stem() << " " << row[0] << " " << row[1] << " " << row[2] << " " << row[3] << " got "
                    << std::hex << code << std::dec << " " << exact_text(n) << "\n";
      }
    }
  }
  for (const auto& [name, count] : wrong) std::cout << name << " " << count << "\n";
  std::cout << lines << "\n";
}

}  // namespace
}  // namespace assay
