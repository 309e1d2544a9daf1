// Bundles go through SystemC's channels and waveforms.
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdio>
#include <fstream>
#include <sstream>

#include "model/systemc/bundle.hpp"
#include "tb/tests/scratch.hpp"

namespace assay::testing {
namespace {

using systemc::Bundle;
using systemc::Lines;

Number number(u128 magnitude, int exponent, int quantum, bool negative = false) {
  Number n;
  n.magnitude = magnitude;
  n.exponent = exponent;
  n.quantum = quantum;
  n.negative = negative;
  return n;
}

template <class T>
std::string text(const T& value) {
  std::ostringstream out;
  out << value;
  return out.str();
}

TEST(Bundle, Text) {
  EXPECT_EQ(text(number(0x2a, 3, -2, true)), "-0000000000000000000000000000002a x 2^-2 at 2^3");
  EXPECT_EQ(text(Number::zero()), "+00000000000000000000000000000000 x 2^0");
  EXPECT_EQ(text(Number::infinity(true)), "-infinity");
  EXPECT_EQ(text(Number::nan()), "NaN");
  EXPECT_EQ(text(Bundle<systemc::Numbers>{7, true, systemc::Numbers({Number::nan(), Number::infinity(false)})}),
            "case 7 (traced): [NaN, +infinity]");
  EXPECT_EQ(text(Bundle<Lines<int>>{7, false, Lines<int>()}), "case 7: []");
  EXPECT_EQ(text(systemc::Codes{Lines<Code>({0x3c00}), Lines<Code>({0xff}), 0x10, {}, {}}),
            "a [3c00] b [ff] c 10 scale_a [] scale_b []");
  EXPECT_EQ(text(systemc::Scales{systemc::Numbers({Number::nan()}), {}}), "scale_a [NaN] scale_b []");
  EXPECT_EQ(text(systemc::Decision{true, Number::nan()}), "decided: NaN");
  EXPECT_EQ(text(systemc::Decision{}), "undecided");
  EXPECT_EQ(text(systemc::CommonExponent{-3, false}), "2^-3");
  EXPECT_EQ(text(systemc::CommonExponent{}), "2^0 (nothing has an exponent)");
  EXPECT_EQ(text(systemc::Addends(Lines<Addend<i128>>({{i128{-1}, true}}))),
            "[ffffffffffffffffffffffffffffffff (ones cut off)]");
  EXPECT_EQ(text(systemc::Addends(Lines<Addend<Wide<10>>>({{Wide<10>::shifted(5, 0), false}}))),
            "[" + std::string(159, '0') + "5]");
}

TEST(Bundle, EqualByValue) {
  const systemc::Numbers one({number(1, 0, 0)}), same({number(1, 0, 0)}), other({number(2, 0, 0)});
  EXPECT_EQ(one, same);
  EXPECT_FALSE(one == other);
  EXPECT_FALSE(one == systemc::Numbers());
  EXPECT_FALSE(systemc::Numbers() == one);
  EXPECT_EQ(systemc::Numbers(), systemc::Numbers());
  EXPECT_FALSE((Bundle<int>{1, false, 5} == Bundle<int>{2, false, 5}));
  EXPECT_FALSE((Bundle<int>{1, false, 5} == Bundle<int>{1, true, 5}));
  EXPECT_FALSE((Bundle<int>{1, false, 5} == Bundle<int>{1, false, 6}));
  EXPECT_TRUE((Bundle<int>{1, false, 5} == Bundle<int>{1, false, 5}));
}

TEST(Bundle, ThroughASignalIntoAWaveform) {
  const Scratch folder;
  const std::string stem = folder / "bundle";
  sc_core::sc_signal<Bundle<Number>> signal("signal");
  sc_core::sc_trace_file* file = sc_core::sc_create_vcd_trace_file(stem.c_str());
  sc_trace(file, signal.read(), "acc");
  sc_core::sc_start(1, sc_core::SC_NS);
  signal.write({9, false, number(u128{0xabc} << 64 | 0x5, -3, -10, true)});
  sc_core::sc_start(1, sc_core::SC_NS);
  EXPECT_EQ(signal.read().value.exponent, -3);
  sc_core::sc_close_vcd_trace_file(file);

  std::ifstream vcd(stem + ".vcd");
  const std::string all((std::istreambuf_iterator<char>(vcd)), {});
  for (const char* field : {"case", "class", "sign", "exponent", "quantum", "significand_high", "significand_low"}) {
    EXPECT_NE(all.find(std::string(" ") + field), std::string::npos) << field << " in\n" << all;
  }
  EXPECT_NE(all.find("b101010111100 "), std::string::npos) << all;  // abc, the upper word
  EXPECT_NE(all.find("b101 "), std::string::npos) << all;           // 5, the lower one
}

}  // namespace
}  // namespace assay::testing
