#include "model/core/trace.hpp"

#include <gtest/gtest.h>

#include "tb/tests/core/datapaths.hpp"
#include "tb/tests/core/operands.hpp"

namespace assay::test {
namespace {

std::string hex(const Trace& trace, const std::string& place) { return trace.at(trace.plan().find_place(place)).hex(); }

Trace traced(const Plan& plan, const Terms& terms) {
  Trace trace(plan);
  dot_of(plan, terms, &trace);
  return trace;
}

// --- the bits of one dot product, worked out by hand ---

//   1 x 1 - (1 - 2^-24) = 2^-24
TEST(Trace, HoldsTheBitsOfEveryStage) {
  const Plan p = planned(fused(), 16);
  const Trace t = traced(p, {{0x3c00}, {0x3c00}, 0xbf7fffff, {}, {}});
  EXPECT_EQ(hex(t, "decode.a[0]"), "00400");              // 00 0 00000 10000000000
  EXPECT_EQ(hex(t, "decode.a[1]"), "00000");              // a zero has no exponent
  EXPECT_EQ(hex(t, "decode.c"), "1ffffffff");             // 00 1 11111111 1..1: exponent -1
  EXPECT_EQ(hex(t, "multiply[0]"), "00100000");           // 00 0 000000 01.0..0
  EXPECT_EQ(hex(t, "step[0].special"), "0");              //
  EXPECT_EQ(hex(t, "step[0].sum.window"), "000");         // the product's exponent
  EXPECT_EQ(hex(t, "step[0].sum.align[0]"), "2000000");   // 2^25
  EXPECT_EQ(hex(t, "step[0].sum.align[16]"), "e000002");  // -(2^25 - 2)
  EXPECT_EQ(hex(t, "step[0].sum.reduce"), "000000002");   //
  EXPECT_EQ(hex(t, "step[0].sum.round"), "0e8800000");    // 00 0 11101000 10..0: exponent -24
  EXPECT_EQ(hex(t, "step[0].acc"), "0e8800000");          //
  EXPECT_EQ(hex(t, "encode"), "33800000");                //
}

TEST(Trace, HoldsNothingThatDoesNotMatterOfSpecialValues) {
  const Plan p = planned(fused(), 2);
  const Trace infinite = traced(p, {{0xfc00}, {0x3c00}, 0, {}, {}});
  EXPECT_EQ(hex(infinite, "decode.a[0]"), "30000");  // 01 1 00000 0..0
  EXPECT_EQ(hex(infinite, "multiply[0]"), "30000000");
  EXPECT_EQ(hex(infinite, "step[0].special"), "3");
  EXPECT_EQ(hex(infinite, "step[0].sum.align[0]"), "0000000");
  EXPECT_EQ(hex(infinite, "step[0].sum.round"), "000000000");
  EXPECT_EQ(hex(infinite, "step[0].acc"), "300000000");  // 01 1 0..0
  const Trace of_c = traced(p, {{0x3c00}, {0x3c00}, 0x7f800000, {}, {}});
  EXPECT_EQ(hex(of_c, "decode.c"), "200000000");
  EXPECT_EQ(hex(of_c, "step[0].special"), "2");
  EXPECT_EQ(hex(of_c, "step[0].sum.align[2]"), "0000000");
  EXPECT_EQ(hex(of_c, "step[0].sum.round"), "000800000");  // 1 x 1: the arithmetic goes on without c
  EXPECT_EQ(hex(of_c, "step[0].acc"), "200000000");
  const Trace nan = traced(p, {{0xfe01}, {0x3c00}, 0, {}, {}});
  EXPECT_EQ(hex(nan, "decode.a[0]"), "40000");  // 10 0 0..0: neither sign nor payload
  EXPECT_EQ(hex(nan, "step[0].special"), "1");
  EXPECT_EQ(hex(nan, "step[0].acc"), "400000000");
  EXPECT_EQ(hex(nan, "encode"), "7fffffff");
}

TEST(Trace, HoldsTheFloorWhereEveryTermIsZero) {
  const Plan p = planned(fused(), 2);
  const Trace t = traced(p, {});
  EXPECT_EQ(hex(t, "step[0].sum.window"), "17b");  // 512 - 133
  EXPECT_EQ(t.signed_field(p.find_place("step[0].sum.window"), "exponent"), -133);
}

TEST(Trace, HoldsTheStickyBitBelowTheSum) {
  const Plan p = planned(with(fused(), [](Datapath& w) { w.adders[0].sticky = Sticky::below_sum; }), 2);
  const int reduce = p.find_place("step[0].sum.reduce");
  const Trace lossless = traced(p, {{0x3c00}, {0x3c00}, 0x3f800000, {}, {}});
  EXPECT_EQ(lossless.field(reduce, "sum"), u128{1} << 26);
  EXPECT_EQ(lossless.field(reduce, "sticky"), 0U);
  const Trace lossy = traced(p, {{0x3c00}, {0xbc00}, 0x30000001, {}, {}});  // c: 2^-31 and a bit
  EXPECT_EQ(lossy.signed_field(reduce, "sum"), -(i128{1} << 25));
  EXPECT_EQ(lossy.field(reduce, "sticky"), 1U);
}

TEST(Trace, HoldsAWideSumWhole) {
  const Plan p = planned(exact(), 2);
  const int addend = p.find_place("step[0].sum.align[2]"), reduce = p.find_place("step[0].sum.reduce");
  const Trace t = traced(p, {{0x0001}, {0x0001}, 0xff7fffff, {}, {}});
  // c = -(2^24 - 1) x 2^104 on a grid of 2^-149: a sign, then 253 bits.
  const Bits bits = t.at(addend);
  EXPECT_EQ(bits.width, p.adders[0].sum.align_width);
  EXPECT_EQ(bits.binary(253, 24), std::string(23, '0') + "1");
  EXPECT_EQ(bits.binary(0, 253), std::string(253, '0'));
  EXPECT_TRUE(bits.bit(bits.width - 1));
  // and 2^-48 beside it: 2^101 on that grid
  EXPECT_TRUE(t.at(reduce).bit(101));
  EXPECT_FALSE(t.at(reduce).bit(100));
}

// --- every place of every shape ---

std::vector<Datapath> shapes() {
  std::vector<Datapath> list{fused(), exact(), integers(), two_lanes(), group_scaled()};
  for (const Shape shape : {Shape::neighbours, Shape::halves, Shape::serial}) {
    list.push_back(with(exact(), [&](Datapath& w) { w.adders[0].shape = shape; }));
  }
  list.push_back(with(fused(), [](Datapath& w) { w.adders[0].sticky = Sticky::below_sum; }));
  list.push_back(with(fused(), [](Datapath& w) {
    w.adders[0].results.insert(w.adders[0].results.begin(), at_leading_one(13, Cut::toward_zero, -126));
  }));
  list.push_back(with(fused(), [](Datapath& w) {
    w.step = group(4, Deal::strided, 2);
    w.from = From::last;
  }));
  list.push_back(with(fused(), [](Datapath& w) {
    w.operands.scale = "ue8m0";
    w.operands.scale_block = 4;
    w.product.times_scales = true;
    w.product.round = to_format("f32", Cut::nearest_even);
  }));
  return list;
}

// Two cases: nothing but zeros, and codes with ones in every field.
std::vector<Terms> cases(const Plan& p) {
  const auto k = static_cast<std::size_t>(p.k), scales = static_cast<std::size_t>(p.scales);
  const Code a = p.a.stored(p.a.greatest_finite()), b = p.b.stored(p.b.greatest_finite());
  return {{}, {Codes(k, a), Codes(k, b), p.c.stored(1), Codes(scales, 0x81), Codes(scales, 0x7e)}};
}

std::string ones(int width) {
  const std::string first = std::string(1, "1137f"[width % 4 == 0 ? 4 : width % 4]);
  return first + std::string(static_cast<std::size_t>((width + 3) / 4 - 1), 'f');
}

TEST(Trace, IsWrittenWholeInEveryShape) {
  for (const Datapath& w : shapes()) {
    const Plan p = planned(w, 16);
    for (const Terms& terms : cases(p)) {
      Trace fresh(p), full_of_ones(p);
      for (int i = 0; i < static_cast<int>(p.places.size()); ++i) {
        ASSERT_TRUE(full_of_ones.set_hex(i, ones(p.places[static_cast<std::size_t>(i)].width)));
      }
      const Code d = dot_of(p, terms);
      EXPECT_EQ(dot_of(p, terms, &fresh), d) << w.name;
      EXPECT_EQ(dot_of(p, terms, &full_of_ones), d) << w.name;
      for (int i = 0; i < static_cast<int>(p.places.size()); ++i) {
        EXPECT_TRUE(fresh.same(i, full_of_ones)) << w.name << " " << p.places[static_cast<std::size_t>(i)].name;
      }
      EXPECT_EQ(fresh.field(p.find_place("encode"), "bits"), d);
    }
  }
}

TEST(Trace, HoldsPlacesSideBySide) {
  for (const Datapath& w : shapes()) {
    const Plan p = planned(w, 16);
    int next = 0;
    for (const Place& place : p.places) {
      int width = 0;
      for (const Field& f : place.fields) width += f.width;
      EXPECT_EQ(place.width, width) << place.name;
      EXPECT_EQ(place.first_word, next) << place.name;
      next += (width + 63) / 64;
    }
    EXPECT_EQ(p.places.words(), next);
  }
}

// --- reading and filling from outside ---

TEST(Trace, TakesBackTheHexThatItGives) {
  for (const Datapath& w : shapes()) {
    const Plan p = planned(w, 16);
    const Trace t = traced(p, cases(p)[1]);
    Trace copy(p);
    for (int i = 0; i < static_cast<int>(p.places.size()); ++i) {
      ASSERT_TRUE(copy.set_hex(i, t.at(i).hex()));
      EXPECT_TRUE(copy.same(i, t));
      EXPECT_EQ(copy.at(i).hex(), t.at(i).hex());
    }
  }
}

TEST(Trace, RefusesHexThatDoesNotFitThePlace) {
  const Plan p = planned(fused(), 16);
  const int a = p.find_place("decode.a[0]");  // 19 bits
  Trace t(p);
  EXPECT_TRUE(t.set_hex(a, "7ffff"));
  for (const char* wrong : {"", "ffff", "07ffff", "80000", "fffff", "7FFFF", "7fff ", "0x7ff", "7fffg"}) {
    EXPECT_FALSE(t.set_hex(a, wrong)) << wrong;
  }
}

TEST(Trace, TellsTracesApartByOneBit) {
  const Plan p = planned(exact(), 2);
  const int reduce = p.find_place("step[0].sum.reduce");
  Trace x(p), y(p);
  std::string hex = x.at(reduce).hex();
  EXPECT_TRUE(x.same(reduce, y));
  for (std::size_t digit = 1; digit < hex.size(); ++digit) {
    hex[digit] = '4';
    ASSERT_TRUE(y.set_hex(reduce, hex));
    EXPECT_FALSE(x.same(reduce, y)) << digit;
    hex[digit] = '0';
  }
}

TEST(Trace, GivesFieldsUnsignedAndSigned) {
  const Plan p = planned(fused(), 16);
  const int round = p.find_place("step[0].sum.round");
  Trace t(p);
  ASSERT_TRUE(t.set_hex(round, "3e8800001"));  // 01 1 11101000 100..01
  EXPECT_EQ(t.field(round, "class"), 1U);
  EXPECT_EQ(t.field(round, "sign"), 1U);
  EXPECT_EQ(t.field(round, "exponent"), 0xe8U);
  EXPECT_EQ(t.signed_field(round, "exponent"), -24);
  EXPECT_EQ(t.field(round, "significand"), 0x800001U);
}

TEST(Bits, ReadFieldsAcrossWords) {
  const std::uint64_t words[] = {0x8000000000000001, 0xffffffffffffffff, 0x5};
  const Bits bits{words, 131};
  EXPECT_EQ(bits.hex(), "5ffffffffffffffff8000000000000001");
  EXPECT_EQ(bits.field(63, 2), 3U);
  EXPECT_TRUE(bits.field(60, 71) == ((u128{0x5} << 68) | (u128{~std::uint64_t{0}} << 4) | 0x8));
  EXPECT_TRUE(bits.field(0, 128) == ((u128{~std::uint64_t{0}} << 64) | 0x8000000000000001));
  EXPECT_EQ(bits.binary(62, 4), "1110");
  EXPECT_TRUE(bits.bit(130));
  EXPECT_FALSE(bits.bit(129));
}

TEST(Trace, KeepsTheNumbersThatEnteredASumWhereAsked) {
  const Plan p = planned(fused(), 2);
  const int window = p.find_place("step[0].sum.window");
  Trace t(p);
  t.keep_items(true);
  dot_of(p, {{0x3c00, 0x4000}, {0x3c00, 0x3c00}, 0xbf800000, {}, {}}, &t);
  const std::vector<Number>& items = t.items(window);
  ASSERT_EQ(items.size(), 3U);
  EXPECT_EQ(items[1].exponent, 1);
  EXPECT_TRUE(items[2].negative);
  Trace without(p);
  dot_of(p, {}, &without);
  EXPECT_THROW(without.items(window), std::out_of_range);
}

}  // namespace
}  // namespace assay::test
