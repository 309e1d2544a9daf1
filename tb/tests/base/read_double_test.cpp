#include "model/base/read_double.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>

namespace assay {
namespace {

std::uint64_t bits_of(double value) {
  std::uint64_t bits = 0;
  std::memcpy(&bits, &value, sizeof bits);
  return bits;
}

// What another C++ library is given instead of its from_chars reads every text as this one's does.
TEST(ReadDouble, IsWhatTheStandardSays) {
  for (const std::string text : {"0",
                                 "-0",
                                 "1.5",
                                 "-1.5e-3",
                                 ".5",
                                 "5.",
                                 "1e308",
                                 "1e309",
                                 "-1e309",
                                 "4.9e-324",
                                 "0.1",
                                 "9007199254740993",
                                 "2.2250738585072011e-308",
                                 "inf",
                                 "-inf",
                                 "infinity",
                                 "nan",
                                 "-nan",
                                 "+1",
                                 " 1",
                                 "",
                                 "-",
                                 ".",
                                 "e5",
                                 "1e",
                                 "1e+",
                                 "1e+5",
                                 "0x10",
                                 "1x",
                                 "1 ",
                                 "1,5",
                                 "12abc",
                                 "--1",
                                 "i",
                                 "x"}) {
    double expected = 7, read = 7;
    const char *first = text.data(), *last = first + text.size();
    const auto standard = std::from_chars(first, last, expected), ours = read_double_by_strtod(first, last, read);
    EXPECT_EQ(ours.ec, standard.ec) << text;
    EXPECT_EQ(ours.ptr - first, standard.ptr - first) << text;
    EXPECT_EQ(bits_of(read), bits_of(expected)) << text;
  }
}

}  // namespace
}  // namespace assay
