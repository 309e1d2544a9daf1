// Bits in and out of Verilated ports.
#include "tb/devices/rtl/harness.hpp"

#include <gtest/gtest.h>

#include <array>

namespace assay::rtl {
namespace {

using Wide = std::array<std::uint32_t, 5>;

TEST(Harness, WhatIsPutComesBackAndNothingElseChanges) {
  for (const int width : {1, 7, 16, 31, 32, 33, 63, 64}) {
    for (const int from : {0, 1, 31, 32, 40, 95}) {
      Wide port;
      port.fill(0xa5a5a5a5);
      const std::uint64_t value = 0x123456789abcdef1 & mask(width);
      put(port, from, width, value);
      EXPECT_EQ(get(port, from, width), value) << width << " bits at " << from;
      for (int bit = 0; bit < 160; ++bit) {
        if (bit < from || bit >= from + width) {
          EXPECT_EQ(get(port, bit, 1), 0xa5a5a5a5u >> bit % 32 & 1u) << width << " bits at " << from << ", bit " << bit;
        }
      }
    }
  }
}

TEST(Harness, SmallPortsAreWords) {
  std::uint8_t byte = 0xff;
  put(byte, 2, 3, 0);
  EXPECT_EQ(byte, 0xe3);
  std::uint64_t word = 0;
  put(word, 63, 1, 1);
  EXPECT_EQ(word, std::uint64_t{1} << 63);
  EXPECT_EQ(get(word, 60, 4), 8u);
}

TEST(Harness, BitsBeyondAFieldAreMaskedOff) {
  std::uint16_t port = 0;
  put(port, 4, 4, 0x1f5);
  EXPECT_EQ(port, 0x50);
}

TEST(Harness, ConstantsFillPortsOfAnyWidth) {
  Wide port;
  port.fill(~0u);
  tie(port, 0x123456789);
  EXPECT_EQ(port, (Wide{0x23456789, 1, 0, 0, 0}));
  std::uint8_t bit = 0xff;
  tie(bit, 1);
  EXPECT_EQ(bit, 1);
}

TEST(Harness, ElementsAscendOrDescend) {
  Wide up{}, down{};
  put_elements(up, {0, 1, 3, 0, 12, 5, 12, false}, {0x111, 0x222, 0x333});
  put_elements(down, {0, 1, 3, 0, 12, 5, 12, true}, {0x111, 0x222, 0x333});
  EXPECT_EQ(get(up, 5, 36), 0x333222111u);
  EXPECT_EQ(get(down, 5, 36), 0x111222333u);
}

TEST(Harness, ElementsMayLieApartAndInPieces) {
  Wide port{};
  put_elements(port, {1, 1, 2, 4, 8, 3, 20, false}, {0x1110, 0xab2, 0xcd3});
  EXPECT_EQ(get(port, 3, 8), 0xabu);
  EXPECT_EQ(get(port, 23, 8), 0xcdu);
  EXPECT_EQ(get(port, 11, 12) | get(port, 31, 64), 0u);
  std::array<std::uint64_t, 2> each{};
  put_each({1, 2, 2, 4, 8, 0, 0, true}, {0x111, 0x2b2, 0, 0x3d3},
           [&](std::size_t slot, std::uint64_t code) { each[slot] = code; });
  EXPECT_EQ(each, (std::array<std::uint64_t, 2>{0x3d, 0x2b}));
}

TEST(Harness, AnotherNumberOfElementsIsAnError) {
  Request request;
  request.b = {1, 2};
  EXPECT_EQ(codes(request, "b", 2), request.b);
  try {
    codes(request, "b", 3);
    FAIL() << "Two elements were taken for three.";
  } catch (const std::runtime_error& error) {
    EXPECT_STREQ(error.what(), "This RTL takes 3 elements of b, the request has 2.");
  }
}

TEST(Harness, HexIsPaddedToItsWidth) {
  const Wide port{0x89abcdef, 0x4567, 0, 0, 0};
  EXPECT_EQ(hex(port, 0, 48), "456789abcdef");
  EXPECT_EQ(hex(port, 4, 33), "0789abcde");
  EXPECT_EQ(hex(port, 0, 1), "1");
}

}  // namespace
}  // namespace assay::rtl
