// The tables of model/layout over the whole catalogue: every element has its own bits, and stands where the manuals
// say.
#include "model/layout/layout.hpp"

#include <gtest/gtest.h>

#include <set>

#include "model/config/catalogue.hpp"
#include "tb/tests/layout/documented.hpp"

namespace assay::layout {
namespace {

// Every instruction of the catalogue with matrices, its free dimension at `n`.
std::vector<std::pair<Instruction, NamedShape>> all_shapes(int n) {
  std::vector<std::pair<Instruction, NamedShape>> all;
  const Catalogue catalogue = shipped_catalogue();
  for (const Architecture& a : catalogue.architectures()) {
    for (const Instruction& i : a.instructions) {
      std::optional<NamedShape> shape = shape_of(i.name);
      if (!shape) continue;
      if (shape->n == 0) shape->n = n;
      all.emplace_back(i, *shape);
    }
  }
  return all;
}

std::vector<Fragment> operands_of(const Fragments& f) {
  std::vector<Fragment> all{f.a, f.b, f.c, f.d};
  if (f.scale_a) all.insert(all.end(), {*f.scale_a, *f.scale_b});
  if (f.indices) all.push_back(*f.indices);
  return all;
}

TEST(LayoutNames, SayWhatTheCatalogueSays) {
  std::size_t read = 0;
  for (const auto& [i, s] : all_shapes(0)) {
    EXPECT_EQ(s.m, i.m) << i.full_name();
    EXPECT_EQ(s.n, i.n.find(':') == std::string::npos ? std::stoi(i.n) : 0) << i.full_name();
    EXPECT_EQ(s.k, i.k) << i.full_name();
    EXPECT_EQ(s.blocks, i.blocks) << i.full_name();
    EXPECT_EQ(s.a, i.operands.a) << i.full_name();
    EXPECT_EQ(s.b, i.operands.b) << i.full_name();
    EXPECT_EQ(s.c, i.operands.c) << i.full_name();
    EXPECT_EQ(s.d, i.operands.d) << i.full_name();
    EXPECT_EQ(s.scale, i.operands.scale) << i.full_name();
    if (!s.scale.empty()) {
      EXPECT_EQ(s.scale_block, i.operands.scale_block) << i.full_name();
    }
    EXPECT_EQ(s.among, i.operands.mask ? i.operands.mask->among.value_or(0) : 0) << i.full_name();
    ++read;
  }
  EXPECT_GT(read, 400U);
}

TEST(LayoutNames, OthersAreNotRead) {
  for (const char* name :
       {"", "mma", "mma.", "mma.m16n8k16", "mma.m16n8k16.f32.f16.f16", "mma.m16n8k16.f32.f17.f16.f32",
        "mma.m16n8k32.block32", "mma.m8n8k4.rz", "mma.m8n8k4.rn.f64.f64.f64.f64", "mma.m8n8k16.satfinite", "mma.sp",
        "mma.sp.m16n8k16", "wgmma.m64n8k16.f32.f16", "v_mfma_", "v_mfma_f32_16x16", "tdpbf16ps", "v_mfma_f32_16x16x",
        "v_mfma_f32_16x16x4", "v_mfma_f32_0x16x4_f32"}) {
    EXPECT_FALSE(shape_of(name)) << name;
  }
}

TEST(LayoutNames, AShapeNobodyHasHasNoLayout) {
  for (const char* name :
       {"mma.m16n8k12.f32.f16.f16.f32", "mma.m16n9k16.f32.f16.f16.f32", "wgmma.m64n7k16.f32.f16.f16",
        "wgmma.m64n264k16.f32.f16.f16", "wgmma.m128n64k16.f32.f16.f16", "tcgen05.mma.m256n64k16.f32.f16.f16",
        "wgmma.m64n64k12.f32.f16.f16", "wgmma.m64nNk16.f32.f16.f16", "v_mfma_f32_16x16x3_f32",
        "mma.sp.m16n8k4.f32.tf32.tf32.f32", "mma.sp.m16n8k64.f32.f16.f16.f32", "wgmma.sp.m64n8k16.f32.f16.f16",
        "tcgen05.mma.sp.m64n8k32.f32.f16.f16"}) {
    const std::optional<NamedShape> shape = shape_of(name);
    ASSERT_TRUE(shape) << name;
    EXPECT_FALSE(fragments_of(*shape)) << name;
  }
}

// No bit holds two elements, and none lies outside the operand's registers.
TEST(Layouts, GiveEachElementItsOwnBits) {
  std::size_t elements = 0;
  for (const int n : {8, 24}) {
    for (const auto& [i, shape] : all_shapes(n)) {
      const std::string name = i.full_name();
      const auto fragments = fragments_of(shape);
      if (!fragments) continue;
      for (const Fragment& f : operands_of(*fragments)) {
        std::vector<bool> taken(32 * word_count(f));
        const int words = f.words();
        for_each_element(f.size, [&](const Coordinates& e) {
          const Location place = place_of(f, e);
          ASSERT_LT(place.lane, f.lanes) << name;
          for (int bit = 0; bit < f.bits; ++bit) {
            const auto at = static_cast<std::size_t>(32 * words * place.lane + place.bit + bit);
            ASSERT_LT(at, taken.size()) << name;
            ASSERT_FALSE(taken[at]) << name;
            taken[at] = true;
          }
          ++elements;
        });
      }
    }
  }
  EXPECT_GT(elements, 100000U);
}

TEST(Layouts, WhatIsPutIsFound) {
  for (const auto& [i, shape] : all_shapes(16)) {
    const std::string name = i.full_name();
    const auto fragments = fragments_of(shape);
    if (!fragments) continue;
    for (const Fragment& f : operands_of(*fragments)) {
      Words words(word_count(f));
      const std::uint64_t mask = ~std::uint64_t{0} >> (64 - f.bits);
      const auto code = [&](const Coordinates& e) {
        return (0x9e3779b97f4a7c15U *
                static_cast<unsigned>(1 + e.m + 256 * e.n + 65536 * e.k + 997 * e.b + 31 * e.s)) >>
                   7 &
               mask;
      };
      for_each_element(f.size, [&](const Coordinates& e) { put(words, f, e, ~code(e)); });
      for_each_element(f.size, [&](const Coordinates& e) { put(words, f, e, code(e)); });
      for_each_element(f.size, [&](const Coordinates& e) { ASSERT_EQ(get(words, f, e), code(e)) << name; });
    }
  }
}

// How many elements do not stand where the manual has them, or are not in it at all.
std::size_t misplaced(const Fragment& f, const std::vector<Documented>& manual) {
  std::size_t wrong = manual.size() == static_cast<std::size_t>(f.elements()) ? 0 : 1;
  for (const Documented& said : manual) {
    const Location place = place_of(f, said.element);
    if (place.lane != said.lane || place.bit != documented_bit(f, said)) ++wrong;
  }
  return wrong;
}

TEST(Layouts, AreTheDocumentedOnes) {
  std::size_t instructions = 0, sparse = 0;
  for (const int n : {8, 40, 256}) {
    for (const auto& [i, shape] : all_shapes(n)) {
      const auto f = fragments_of(shape);
      if (!f) continue;
      const DocumentedOperands manual = documented(shape, *f);
      EXPECT_EQ(misplaced(f->a, manual.a), 0U) << i.full_name() << " a";
      EXPECT_EQ(misplaced(f->b, manual.b), 0U) << i.full_name() << " b";
      EXPECT_EQ(misplaced(f->c, manual.c), 0U) << i.full_name() << " c";
      EXPECT_EQ(misplaced(f->d, manual.d), 0U) << i.full_name() << " d";
      if (f->scale_a) {
        EXPECT_EQ(misplaced(*f->scale_a, manual.scale_a), 0U) << i.full_name() << " scale_a";
        EXPECT_EQ(misplaced(*f->scale_b, manual.scale_b), 0U) << i.full_name() << " scale_b";
      }
      if (f->indices) {
        EXPECT_EQ(misplaced(*f->indices, manual.indices), 0U) << i.full_name() << " indices";
        ++sparse;
      }
      ++instructions;
    }
  }
  EXPECT_GT(instructions, 800U);
  EXPECT_GT(sparse, 100U);
}

// The check above can fail: each layout with two of its bits exchanged is found out.
TEST(Layouts, WithTwoBitsExchangedAreFound) {
  std::size_t tried = 0;
  for (const char* name : {"mma.m16n8k16.f32.f16.f16.f32", "mma.m16n8k32.f32.e4m3.e2m1.f32",
                           "mma.m8n8k32.s32.s4.u4.s32", "v_mfma_f32_32x32x8f16"}) {
    const NamedShape shape = *shape_of(name);
    const Fragments right = *fragments_of(shape);
    const std::string lane(right.a.layout.lane);
    for (std::size_t from = 0; from + 4 < lane.size(); from += 3) {
      std::string exchanged = lane;
      std::swap(exchanged[from], exchanged[from + 3]);
      std::swap(exchanged[from + 1], exchanged[from + 4]);
      Fragment wrong = right.a;
      wrong.layout.lane = exchanged;
      EXPECT_GT(misplaced(wrong, documented(shape, right).a), 0U) << name << " " << exchanged;
      ++tried;
    }
  }
  EXPECT_EQ(tried, 4U + 4U + 4U + 5U);
}

// Narrow formats that may be mixed: four bits stand in the middle of their byte, six at its lower end.
TEST(Layouts, PadNarrowFormatsToBytes) {
  const Fragments f = *fragments_of(*shape_of("mma.m16n8k32.f32.e2m1.e3m2.f32"));
  EXPECT_EQ(place_of(f.a, {}).bit, 2);
  EXPECT_EQ(place_of(f.a, {0, 0, 1, 0, 0}).bit, 10);
  EXPECT_EQ(place_of(f.b, {}).bit, 0);
  EXPECT_EQ(f.b.slot_bits, 8);
  // In shared memory 16 of them are packed, and padding fills their 16 bytes.
  const Fragments shared = *fragments_of(*shape_of("tcgen05.mma.m64n8k32.f32.e2m1.e3m2"));
  EXPECT_EQ(place_of(shared.a, {0, 0, 15, 0, 0}).bit, 60);
  EXPECT_EQ(place_of(shared.a, {1, 0, 0, 0, 0}).bit, 128);
  EXPECT_EQ(place_of(shared.b, {0, 0, 15, 0, 0}).bit, 90);
  EXPECT_EQ(shared.a.words(), 64 * 32 / 4);
}

}  // namespace
}  // namespace assay::layout
